import { buildEvent } from '#testing/builders';
import { formTo, filledIn } from '#testing/forms';
import { clientOf, type Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

describe('the waitlist on the pages', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person, otto: Person;
  const browsers = new Map<string, Visitor>();
  beforeAll(async () => {
    server = await TestServer.start();
    [jana, petr, eva, otto] = (await Promise.all(
      ['jana', 'petr', 'eva', 'otto'].map((name) =>
        server.person(name, { email: `${name}@example.org`, password: 'correct horse' }),
      ),
    )) as [Person, Person, Person, Person];
    for (const name of ['jana', 'eva', 'otto']) {
      const browser = new Visitor(server);
      await browser.submit('/sign-in', { email: `${name}@example.org`, password: 'correct horse' });
      browsers.set(name, browser);
    }
  });
  afterAll(() => server.stop());

  /** Creates an event whose two seats are taken by Jana and Petr. Then Eva joins its waitlist, and Otto after her. */
  const createFullEvent = async () => {
    const { id } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    await jana.api.patch(`/events/${id}`, { max_participants: 2, waitlist_mode: 'offer' });
    for (const who of [eva, otto]) expect((await who.api.post(`/events/${id}/waitlist`)).status).toBe(200);
    return { id, page: `/events/${id}` };
  };
  const htmlOf = async (name: string, path: string) => (await browsers.get(name)!.get(path)).html;
  const submitForm = async (name: string, path: string, formSuffix: string) => {
    const form = formTo(await htmlOf(name, path), formSuffix);
    return (await browsers.get(name)!.send('POST', form.action, filledIn(form, {}))).status;
  };

  // PAGE-101
  it('shows the position to a waitlisted person; a person with an offer sees the end of the offer and the buttons Accept and Decline', async () => {
    const { id, page } = await createFullEvent();
    expect(await htmlOf('otto', page)).toContain('Vaše pořadí: 2.');
    await petr.api.delete(`/events/${id}/join`);
    const offered = await htmlOf('eva', page);
    expect(offered).toContain('Nabídka platí do ');
    expect(offered).toContain('Přijmout místo');
    expect(offered).toContain('Odmítnout místo');
    // PAGE-120
    expect(await htmlOf('eva', '/account/events?relation=waitlisted')).toContain('máte nabídku místa');
    // PAGE-35: the offer is above the tabs, whichever of them is open.
    const [offer, tabs] = (await htmlOf('eva', '/account/events')).split('<nav class="tabs" aria-label="Moje akce">');
    expect(offer).toContain('Nabídka platí do ');
    expect(offer).toContain(`action="/events/${id}/join"`);
    // Other tests may have added the person to further waitlists.
    expect(tabs).toMatch(/Čekám \([1-9]\d*\)\s*<\/a>/);
    expect(await htmlOf('otto', '/account/events')).not.toContain(`action="/events/${id}/join"`);
    // PAGE-23
    expect(offered).not.toContain('pro čekací listinu');
    const badge = '<span class="badge calm">plno</span>';
    expect([offered.includes(badge), (await htmlOf('otto', page)).includes(badge)]).toEqual([false, true]);
    expect(await htmlOf('otto', page)).toContain('jde 1/2 · 1 místo držíme pro čekací listinu');
    expect(await submitForm('eva', page, '/leave')).toBe(303);
    expect(await htmlOf('eva', page)).toContain('Nabízené místo jste odmítli.');
    expect(await submitForm('otto', page, '/join')).toBe(303);
    expect((await otto.api.get(`/discover/events/${id}`)).body.data.viewer.participation).toBe('confirmed');
  });

  // JOIN-62
  it('can be joined on the page of the event until 1,000 people are on it', async () => {
    const { eventId, id } = await buildEvent(server, jana, { max_participants: 2, with: [[petr, 'confirmed']] });
    const addWaiting = (count: number) =>
      server.sql(
        `WITH made AS (
           INSERT INTO users (slug, name, created_at, updated_at)
           SELECT 'wait-' || gen_random_uuid(), 'Dav', now(), now() FROM generate_series(1, $2::int) RETURNING id
         )
         INSERT INTO participations (event_id, user_id, status, created_at, updated_at)
         SELECT $1, id, 'waitlisted', now(), now() FROM made`,
        [eventId, count],
      );
    await addWaiting(999);
    expect(await htmlOf('otto', `/events/${id}`)).toMatch(/action="[^"]*\/waitlist"/);
    await addWaiting(1);
    expect(await htmlOf('otto', `/events/${id}`)).not.toMatch(/action="[^"]*\/waitlist"/);
  });

  // JOIN-24, JOIN-62, PAGE-93
  it('is listed in the order of the positions on every page of the list, even if a later position has an earlier `created_at`', async () => {
    const { eventId, id } = await buildEvent(server, jana, { max_participants: 2, with: [[petr, 'confirmed']] });
    await server.sql(
      `WITH made AS (
         INSERT INTO users (slug, name, created_at, updated_at)
         SELECT 'turn-' || gen_random_uuid(), 'Dav', now(), now() FROM generate_series(1, 55) RETURNING id
       )
       INSERT INTO participations (event_id, user_id, status, created_at, updated_at)
       SELECT $1, id, 'waitlisted', now(), now() FROM made`,
      [eventId],
    );
    await server.sql(
      `UPDATE participations SET created_at = now() - waitlist_number * interval '1 second'
        WHERE event_id = $1 AND status = 'waitlisted'`,
      [eventId],
    );
    const positionsOn = async (query: string) =>
      [...(await htmlOf('jana', `/events/${id}/people?${query}`)).matchAll(/(\d+)\. v pořadí/g)].map(([, one]) =>
        Number(one),
      );
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
    expect(await positionsOn('')).toEqual(range(1, 14));
    expect(await positionsOn('status=waitlisted&page=2')).toEqual(range(16, 30));
    for (const page of [4, 9]) expect(await positionsOn(`status=waitlisted&page=${page}`)).toEqual(range(46, 55));
  });

  // PAGE-93
  it('shows the organizer the positions and the open offers; the same page names the door link with which a person was checked in', async () => {
    const { id, page } = await createFullEvent();
    const waiting = await htmlOf('jana', `${page}/people`);
    expect(waiting.indexOf('1. v pořadí')).toBeGreaterThan(-1);
    expect(waiting.indexOf('2. v pořadí')).toBeGreaterThan(waiting.indexOf(eva.slug));
    expect(waiting).not.toContain('místo držíme do');
    const { token } = (await jana.api.post(`/events/${id}/door/links`, { name: 'Brána' })).body.data;
    const scans = [{ user: petr.slug, scanned_at: new Date(server.clock.now().getTime() - 1000).toISOString() }];
    await clientOf(server, token as string).post(`/events/${id}/door/scans`, { device: 'x', scans });
    expect(await htmlOf('jana', `${page}/people`)).toContain('odkaz „Brána“');
    await jana.api.delete(`/events/${id}/participants/${petr.slug}/check-in`);
    await jana.api.delete(`/events/${id}/participants/${petr.slug}`);
    expect(await htmlOf('jana', `${page}/people`)).toMatch(/<a [^>]*eva[^]*1\. v pořadí · místo držíme do /);
  });
});
