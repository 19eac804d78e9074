import { MembershipService } from '#areas/groups/membership.service';
import { LIMITS } from '#contract/limits';
import { Refusal } from '#platform/http/refusal';
import { browserOf, browsersOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { renderSvg, readQr } from '#testing/qr';
import { fillIn, formOf, sendForm } from '#testing/sent-forms';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { Visitor, type Page } from '#testing/visitor';

// PAGE-80, PAGE-81, PAGE-82, PAGE-83
describe('the pages and forms for groups', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  let janaBrowser: Visitor, petrBrowser: Visitor, evaBrowser: Visitor;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
    [janaBrowser, petrBrowser, evaBrowser] = await browsersOf(server, jana, petr, eva);
  });
  afterAll(() => server.stop());

  const alertOf = ({ html }: Page) => /role="alert"[^>]*>\s*(?:<p>)?(?:<strong>)?([^<]*)</.exec(html)?.[1];
  const statusOf = ({ html }: Page) => /role="status">([^<]*)</.exec(html)?.[1];
  const roleOf = async (person: Person, id: string) =>
    (await person.api.get(`/groups/${id}`)).body.data?.viewer.role as string | null | undefined;
  const click = (visitor: Visitor, page: string, path: string) => fillIn(visitor, page, path);

  it('create a group only once when the form is sent twice, accept pictures, and change and delete the group', async () => {
    const page = await janaBrowser.get('/groups/new');
    const form = formOf(page, '/groups/new');
    const values = { name: 'Běžci', description: 'Ráno', is_public: true, latitude: '50,1', longitude: '14.4' };
    const file = new Blob([await picture()]);
    const created = await sendForm(janaBrowser, form, values, [
      ['avatar', file],
      ['cover', file],
    ]);
    expect(created.status).toBe(303);
    const id = created.to!.split('/').pop()!;
    expect(
      (
        await sendForm(janaBrowser, form, values, [
          ['avatar', file],
          ['cover', file],
        ])
      ).to,
    ).toBe(created.to);
    const { data } = (await jana.api.get(`/groups/${id}`)).body;
    expect(data).toMatchObject({
      name: 'Běžci',
      description: 'Ráno',
      is_public: true,
      latitude: 50.1,
      longitude: 14.4,
    });
    expect(data.avatar_url).not.toBeNull();
    expect(data.cover_url).not.toBeNull();
    const founded = await janaBrowser.get(created.to!);
    expect(statusOf(founded)).toBe('Your group is ready. Invite people or plan the first event!');
    const message = /<section class="card notice">(.*?)<\/section>/s.exec(founded.html)?.[1];
    for (const offer of [`href="/groups/${id}/members#invite"`, `/events/new?group=${id}"`, `data-share="${data.url}"`])
      expect(message).toContain(offer);
    // PAGE-81
    expect(founded.html.match(/founded/gi)).toEqual(['founded']);
    expect(founded.html).not.toMatch(/<p>\s*<\/p>/);

    const editForm = formOf(await janaBrowser.get(`/groups/${id}/edit`), `/groups/${id}/edit`);
    const tag = (await jana.api.get(`/groups/${id}`)).headers.get('etag');
    expect((await sendForm(janaBrowser, editForm)).to).toBe(`/groups/${id}`);
    expect((await jana.api.get(`/groups/${id}`)).headers.get('etag')).toBe(tag);
    expect((await sendForm(janaBrowser, editForm, { name: '' })).status).toBe(422);
    await jana.api.patch(`/groups/${id}`, { name: 'Běžkyně' });
    const stale = await sendForm(janaBrowser, editForm, { name: 'Chodci' });
    expect(stale.status).toBe(412);
    for (const text of ['Běžci', 'Běžkyně', 'value="Chodci"']) expect(stale.html).toContain(text);
    const reopened = formOf(await janaBrowser.get(`/groups/${id}/edit`), `/groups/${id}/edit`);
    expect((await sendForm(janaBrowser, reopened, { description: 'Večer' })).status).toBe(303);
    expect((await jana.api.get(`/groups/${id}`)).body.data).toMatchObject({ name: 'Běžkyně', description: 'Večer' });

    // PAGE-94
    expect((await janaBrowser.get(`/groups/${id}/edit`)).html).toMatch(
      /<details class="ask">(?:(?!<\/details>)[^])*avatar\/delete"/,
    );
    await fillIn(janaBrowser, `/groups/${id}/edit`, `/groups/${id}/edit/avatar/delete`);
    expect((await jana.api.get(`/groups/${id}`)).body.data.avatar_url).toBeNull();
    const deletion = formOf(await janaBrowser.get(`/groups/${id}/edit`), `/groups/${id}/edit/delete`);
    for (const _press of ['first', 'second'])
      expect((await sendForm(janaBrowser, deletion)).to).toBe('/account/groups');
    expect((await jana.api.get(`/groups/${id}`)).status).toBe(404);
  });

  it('have buttons to ask for membership, to approve a request and to leave, depending on the role of the reader', async () => {
    const { id } = await buildGroup(server, jana);
    const page = `/groups/${id}`;
    const join = formOf(await petrBrowser.get(page), `${page}/join`);
    const clicks = await Promise.all([sendForm(petrBrowser, join), sendForm(petrBrowser, join)]);
    expect(clicks.map(({ to }) => to)).toEqual([page, page]);
    expect(await roleOf(petr, id)).toBe('requested');
    expect(statusOf(await petrBrowser.get(page))).toContain('sent to the founder');
    const again = await petrBrowser.submit(page, {}, `${page}/join`);
    expect(again.status).toBe(409);
    expect(alertOf(again)).toBeTruthy();

    expect((await janaBrowser.get(page)).html).toContain('Requests to approve: 1');
    await click(janaBrowser, `${page}/members`, `${page}/members/${petr.slug}/approve`);
    expect(await roleOf(petr, id)).toBe('member');
    expect(statusOf(await janaBrowser.get(`${page}/members`))).toBe(`${petr.name} is a member now.`);
    expect((await petrBrowser.get(`${page}/members`)).html).not.toContain('/remove"');
    const left = await click(petrBrowser, page, `${page}/leave`);
    expect(statusOf(await petrBrowser.get(left.to!))).toBe('You have left the group.');
    expect(await roleOf(petr, id)).toBeNull();
    expect((await petrBrowser.get(`${page}/members`)).status).toBe(403);
    expect((await new Visitor(server).get(`${page}/members`)).to).toBe(
      `/sign-in?next=${encodeURIComponent(`${page}/members`)}`,
    );
  });

  // PAGE-81
  it('show the button to ask for membership above the list of events, but show the events first to a member', async () => {
    const { id } = await buildGroup(server, jana);
    const page = `/groups/${id}`;
    const isAsideFirst = async (visitor: Visitor) => {
      const { html } = await visitor.get(page);
      const [aside = -1, events = -1] = ['<aside>', 'Coming up</h2>'].map((text) => html.indexOf(text));
      expect([aside, events]).not.toContain(-1);
      return aside < events;
    };
    expect([await isAsideFirst(new Visitor(server)), await isAsideFirst(petrBrowser)]).toEqual([true, true]);
    expect(await isAsideFirst(janaBrowser)).toBe(false);
  });

  // PAGE-81, PAGE-82
  it('show a message after a request is sent with the invite link, after it is withdrawn, and after it is refused', async () => {
    const owner = await server.person('zakladatelka');
    const [ownerBrowser] = await browsersOf(server, owner);
    const { id } = await buildGroup(server, owner);
    const { url } = (await owner.api.post(`/groups/${id}/invite-link`)).body.data as { url: string };
    const link = new URL(url).pathname;
    const afterClick = async (visitor: Visitor, page: string, path: string) =>
      statusOf(await visitor.get((await click(visitor, page, path)).to!));
    expect(await afterClick(evaBrowser, link, link)).toContain('sent to the founder');
    const withdrawn = await afterClick(evaBrowser, `/groups/${id}`, `/groups/${id}/leave`);
    expect(withdrawn).toBe('You have withdrawn your request.');
    await evaBrowser.submit(link, {}, link);
    const refused = await afterClick(ownerBrowser, `/groups/${id}/members`, `/groups/${id}/members/${eva.slug}/remove`);
    expect(refused).toBe(`The request of ${eva.name} is declined.`);
    await owner.api.post(`/groups/${id}/members`, { user: eva.slug });
    const uninvited = await afterClick(
      ownerBrowser,
      `/groups/${id}/members`,
      `/groups/${id}/members/${eva.slug}/remove`,
    );
    expect(uninvited).toBe(`The invitation for ${eva.name} is withdrawn.`);
  });

  // PAGE-98
  it('show, after a refusal, the join form again with an unchanged idempotency key', async () => {
    const owner = await server.person('zakladatel');
    const { id } = await buildGroup(server, owner);
    const form = formOf(await evaBrowser.get(`/groups/${id}`), `/groups/${id}/join`);
    const failure = jest
      .spyOn(server.app.get(MembershipService), 'join')
      .mockRejectedValueOnce(new Refusal('request_in_progress'));
    const refused = await sendForm(evaBrowser, form);
    failure.mockRestore();
    const keyOf = ({ fields }: typeof form) => fields.find(([name]) => name === '_key');
    expect([refused.status, keyOf(formOf(refused, `/groups/${id}/join`))]).toEqual([409, keyOf(form)]);
    expect((await sendForm(evaBrowser, formOf(refused, `/groups/${id}/join`))).status).toBe(303);
  });

  // PAGE-117
  it.each(['requested', 'invited'] as const)(
    'do not remove a person whose role has changed from %s to member since the form was opened',
    async (before) => {
      const owner = await server.person(`spravce-${before}`);
      const [browser] = await browsersOf(server, owner);
      const { id } = await buildGroup(server, owner);
      const members = `/groups/${id}/members`;
      const join = () => petr.api.post(`/groups/${id}/join`);
      const invite = () => owner.api.post(`/groups/${id}/members`, { user: petr.slug });
      await (before === 'requested' ? join() : invite());
      const form = formOf(await browser.get(members), `${members}/${petr.slug}/remove`);
      await (before === 'requested' ? owner.api.post(`/groups/${id}/members/${petr.slug}/approve`) : join());
      const refused = await sendForm(browser, form);
      expect([refused.status, await roleOf(petr, id)]).toEqual([409, 'member']);
      expect(alertOf(refused)).toContain('has changed in the meantime');
    },
  );

  it('let the owner invite a person found by the search, and answer too many searches with 429', async () => {
    const { id } = await buildGroup(server, jana, { is_public: false });
    const page = `/groups/${id}`;
    const found = await janaBrowser.get(`${page}/members?q=${encodeURIComponent(petr.slug.split('-')[0]!)}`);
    const invite = formOf(found, `${page}/members/invite`, `value="${petr.slug}"`);
    expect((await sendForm(janaBrowser, invite)).to).toBe(`${page}/members`);
    expect(await roleOf(petr, id)).toBe('invited');
    // GRP-13
    const again = (await janaBrowser.get(`${page}/members?q=${petr.slug.split('-')[0]}`)).html;
    expect([again.includes(`value="${petr.slug}"`), again.includes('already invited')]).toEqual([false, true]);
    // A second click leads to the same page (PAGE-98).
    expect((await sendForm(janaBrowser, invite)).to).toBe(`${page}/members`);
    expect((await sendForm(janaBrowser, invite, { _key: 'another page' })).status).toBe(409);
    // PAGE-82
    const byAddress = formOf(await janaBrowser.get(`${page}/members`), `${page}/members/invite`);
    const nobody = await sendForm(janaBrowser, byAddress, { user: 'nobody' });
    expect([nobody.status, nobody.html]).toEqual([
      422,
      expect.stringMatching(/id="field-user"[^>]*value="nobody"[^>]*aria-invalid="true".*id="field-user-error"/),
    ]);
    expect((await petrBrowser.get('/account/notices')).html).toContain(`href="${page}"`);
    expect((await petrBrowser.get('/account/groups?relation=invited')).html).toContain(page);
    await click(petrBrowser, page, `${page}/join`);
    expect(await roleOf(petr, id)).toBe('member');
    expect((await click(petrBrowser, page, `${page}/leave`)).to).toBe('/account/groups');
    expect((await janaBrowser.get(`${page}/members?q=x`)).status).toBe(422);
    // PEO-6: two searches with a valid query were sent above.
    for (let searches = 2; searches < LIMITS.people.searches.max; searches++) await jana.api.get('/users?q=nobody');
    const refused = await janaBrowser.get(`${page}/members?q=nobody`);
    expect([refused.status, refused.html.includes('id="q-error"')]).toEqual([429, true]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const { id: event } = await buildEvent(server, jana);
    const people = await janaBrowser.get(`/events/${event}/people?q=nobody`);
    expect([people.status, Number(people.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  it('redirect a visitor without a session to the sign-in page, with the requested page as `next`', async () => {
    const { id } = await buildGroup(server, eva);
    for (const path of [`/groups/${id}/members?page=2`, `/groups/${id}/members/invite-link`, `/groups/${id}/edit`])
      expect((await new Visitor(server).get(path)).to).toBe(`/sign-in?next=${encodeURIComponent(path)}`);
  });

  it('redirect a visitor who sends a form without a session to the sign-in page, with the page of the form as `next`', async () => {
    const { id } = await buildGroup(server, eva);
    for (const path of ['/groups/new', '/posts/new', `/groups/${id}/edit`, '/groups/nowhere/edit']) {
      const visitor = new Visitor(server, { 'sec-fetch-site': 'same-origin' });
      const answer = await visitor.post(path, { name: 'A group' });
      expect([answer.status, answer.to]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`]);
    }
  });

  it('show the invite link and its QR code only to the owner', async () => {
    const { id } = await buildGroup(server, petr);
    const page = `/groups/${id}/members/invite-link`;
    expect((await click(petrBrowser, `/groups/${id}/members`, page)).to).toBe(page);
    const opened = await petrBrowser.get(page);
    expect(statusOf(opened)).toBe('The invite link is ready.');
    const { html } = opened;
    const { url } = (await petr.api.post(`/groups/${id}/invite-link`)).body.data;
    expect(html).toContain(url);
    expect((await readQr(await renderSvg(/<svg[\s\S]*<\/svg>/.exec(html)![0]))).text).toBe(url);
    const png = await fetch(`${server.origin}${page}.png`, { headers: { cookie: petrBrowser.cookie } });
    expect((await readQr(Buffer.from(await png.arrayBuffer()))).text).toBe(url);
    expect((await evaBrowser.get(page)).status).toBe(403);
  });

  it('list an event while the group is interested in it, and refuse the interest in the group’s own event', async () => {
    const { id } = await buildGroup(server, jana);
    const event = await buildEvent(server, petr, { title: 'Koncert', is_public: true });
    const page = `/groups/${id}`;
    const added = await fillIn(janaBrowser, page, `${page}/interest`, {
      event_id: `${server.origin}/events/${event.id}`,
    });
    expect(added.to).toBe(page);
    const shown = await janaBrowser.get(page);
    expect(shown.html).toMatch(new RegExp(`<h3><a href="/events/${event.id}">Koncert</a></h3>`));
    expect((await sendForm(janaBrowser, formOf(shown, `${page}/interest`, event.id), { remove: '1' })).to).toBe(page);
    expect((await janaBrowser.get(page)).html).not.toContain('Koncert');
    const form = formOf(await janaBrowser.get(`/events/${event.id}`), `${page}/interest`);
    expect((await sendForm(janaBrowser, form)).to).toBe(page);
    const own = await buildEvent(server, jana, { group: id, is_public: true });
    const refused = await fillIn(janaBrowser, page, `${page}/interest`, { event_id: own.id });
    expect(refused.status).toBe(409);
    // PAGE-96
    expect(formOf(refused, `${page}/interest`, 'id="event_id"').fields).toContainEqual(['event_id', own.id]);
    const hidden = await buildEvent(server, petr, { is_public: false });
    for (const event_id of ['', 'xxx', hidden.id, `${server.origin}/events/${hidden.id}`]) {
      const unknown = await fillIn(janaBrowser, page, `${page}/interest`, { event_id });
      expect([event_id, unknown.status]).toEqual([event_id, 404]);
      expect(unknown.html).toMatch(/id="event_id-error">At this address there is no event/);
      expect(unknown.html).toMatch(
        /autofocus>[^]*<a href="#event_id">Address of an event’s page<\/a>:\s*At this address/,
      );
      expect(unknown.html.match(/role="alert"/g)).toHaveLength(1);
      expect(formOf(unknown, `${page}/interest`, 'id="event_id"').fields).toContainEqual(['event_id', event_id]);
    }
    const banning = await buildEvent(server, petr, { is_public: true, with: [[jana, 'banned']] });
    const banned = await fillIn(janaBrowser, page, `${page}/interest`, { event_id: banning.id });
    expect(banned.status).toBe(403);
    expect(formOf(banned, `${page}/interest`, 'id="event_id"').fields).toContainEqual(['event_id', banning.id]);
    const unknownGroup = await janaBrowser.submit(page, { event_id: 'xxx' }, '/groups/nowhere/interest');
    expect([unknownGroup.status, unknownGroup.html.includes('Page not found')]).toEqual([404, true]);
    const { id: secret } = await buildGroup(server, petr, { is_public: false });
    const nonMember = await janaBrowser.submit(page, { event_id: 'xxx' }, `/groups/${secret}/interest`);
    expect([nonMember.status, nonMember.html.includes('Page not found')]).toEqual([404, true]);
  });

  // PAGE-81
  it('show an event in which the group is interested, even if more than a hundred events of the group start earlier', async () => {
    const { id } = await buildGroup(server, petr);
    const own = await buildEvent(server, petr, { group: id, starts_at: inDays(3) });
    await server.sql(
      `INSERT INTO events (organizer_id, group_id, title, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, created_at, updated_at)
       SELECT organizer_id, group_id, title, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, created_at, updated_at
       FROM events, generate_series(1, 100) WHERE id = $1`,
      [own.eventId],
    );
    expect((await petr.api.get(`/groups/${id}/events`)).body.meta.total).toBe(101);
    const other = await buildEvent(server, eva, { title: 'Společný výlet', starts_at: inDays(30) });
    expect((await petr.api.put(`/groups/${id}/events/${other.id}/interest`)).status).toBeLessThan(300);
    const { html } = await petrBrowser.get(`/groups/${id}`);
    expect(html).toContain('Společný výlet');
  });

  // PAGE-81
  it('show all events in which the group is interested, twelve on each page', async () => {
    const { id } = await buildGroup(server, petr);
    for (let day = 1; day <= 13; day++) {
      const event = await buildEvent(server, eva, { title: `Výlet ${day}.`, starts_at: inDays(day) });
      await petr.api.put(`/groups/${id}/events/${event.id}/interest`);
    }
    const first = (await petrBrowser.get(`/groups/${id}`)).html;
    expect([first.includes('Výlet 12.'), first.includes('Výlet 13.')]).toEqual([true, false]);
    expect(first).toContain(`href="/groups/${id}?interests=2#interests"`);
    const second = (await petrBrowser.get(`/groups/${id}?interests=2`)).html;
    expect([second.includes('Výlet 12.'), second.includes('Výlet 13.')]).toEqual([false, true]);
  });

  // PAGE-80, PAGE-97
  it('change one coordinate of a group without the other, but refuse to delete only one coordinate', async () => {
    const { id } = await buildGroup(server, eva);
    await eva.api.patch(`/groups/${id}`, { latitude: 50.1, longitude: 14.4 });
    const page = `/groups/${id}/edit`;
    expect((await fillIn(evaBrowser, page, page, { longitude: '14.5' })).status).toBe(303);
    expect((await eva.api.get(`/groups/${id}`)).body.data).toMatchObject({ latitude: 50.1, longitude: 14.5 });
    const half = await fillIn(evaBrowser, page, page, { latitude: '' });
    expect(half.status).toBe(422);
    expect((await fillIn(evaBrowser, page, page, { latitude: '', longitude: '' })).status).toBe(303);
    expect((await eva.api.get(`/groups/${id}`)).body.data).toMatchObject({ latitude: null, longitude: null });
  });

  // PAGE-81, GRP-21
  it('show the form for a group’s interest on the page of an event only if the group is not yet interested, the event is not over, and the API would accept the interest', async () => {
    const { id } = await buildGroup(server, jana);
    const requestedGroup = await buildGroup(server, petr);
    await jana.api.post(`/groups/${requestedGroup.id}/join`);
    const cancelled = await buildEvent(server, petr);
    await petr.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
    const events = [
      await buildEvent(server, petr),
      cancelled,
      await buildEvent(server, petr, { is_public: false, with: [[jana, 'confirmed']] }),
      await buildEvent(server, jana, { group: id, is_public: true }),
      await buildEvent(server, petr, { starts_at: inDays(-10) }),
    ];
    const offered = await Promise.all(
      events.map(async (event) => {
        const { html } = await janaBrowser.get(`/events/${event.id}`);
        return [id, requestedGroup.id].filter((group) => html.includes(`action="/groups/${group}/interest"`));
      }),
    );
    expect(offered).toEqual([[id], [], [], [], []]);
    await jana.api.put(`/groups/${id}/events/${events[0]!.id}/interest`);
    const { html } = await janaBrowser.get(`/events/${events[0]!.id}`);
    expect(html).not.toContain(`action="/groups/${id}/interest"`);
  });

  // PAGE-92
  it('link to the form of a new event for the group; the form selects the group only for its members', async () => {
    const { founder, member } = await server.people('founder', 'member');
    const memberBrowser = await browserOf(server, member);
    const { id } = await buildGroup(server, founder, { with: [[member, 'member']] });
    const path = `/events/new?group=${id}`;
    const linksToForm = async () => (await memberBrowser.get(`/groups/${id}`)).html.includes(`href="${path}"`);
    expect(await linksToForm()).toBe(true);
    await buildEvent(server, member, { group: id });
    expect(await linksToForm()).toBe(true);
    expect(formOf(await memberBrowser.get(path), '/events/new').fields).toContainEqual(['group', id]);
    expect(formOf(await evaBrowser.get(path), '/events/new').fields).toContainEqual(['group', '']);
  });

  // PAGE-81, PAGE-92
  it('offer groups in forms even if the groups are not on the first page of the person’s list of groups', async () => {
    const { founder, member } = await server.people('founder', 'member');
    const memberBrowser = await browserOf(server, member);
    const { id, groupId } = await buildGroup(server, founder, { with: [[member, 'member']] });
    await server.sql(
      `WITH copy AS (
         INSERT INTO all_groups (owner_id, name, is_public, members_count, invite_code, created_at, updated_at)
         SELECT owner_id, name, true, 2, 'copy-' || n, created_at, updated_at FROM all_groups, generate_series(1, 100) n
          WHERE id = $1 RETURNING id, created_at)
       INSERT INTO group_members (group_id, user_id, role, joined_at, created_at)
       SELECT id, $2, 'member', created_at + interval '1 second', created_at FROM copy`,
      [groupId, member.userId],
    );
    expect((await memberBrowser.get('/events/new')).html).toContain(`<option value="${id}"`);
    const event = await buildEvent(server, eva);
    const offered = async () => {
      const { html } = await memberBrowser.get(`/events/${event.id}`);
      return [...html.matchAll(/action="\/groups\/(\w+)\/interest"/g)].map(([, group]) => group!);
    };
    const first = await offered();
    expect(first).toHaveLength(20);
    for (const group of first) await member.api.put(`/groups/${group}/events/${event.id}/interest`);
    const next = await offered();
    expect(next).toHaveLength(20);
    expect(next.filter((group) => first.includes(group))).toEqual([]);
  });
});
