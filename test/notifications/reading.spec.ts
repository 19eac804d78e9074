import { LIMITS } from '#contract/limits';
import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { Visitor } from '#testing/visitor';

/** Notices as the API and the pages show them. */
describe('reading notices', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start({ baseUrl: 'https://events.example.org' })));
  afterAll(() => server.stop());

  const DAY_MS = 86_400_000;
  const listNotices = ({ api }: Person, language: string, query = '') =>
    api.send('GET', `/notices${query}`, { headers: { 'accept-language': language } });

  // NOTE-1, NOTE-2
  it('returns the newest notice first, in the language of the response, with times in the reader’s time zone', async () => {
    server.clock.moveTo('2027-06-01T08:00:00Z');
    const { jana, petr } = await server.people('jana', 'petr');
    await server.sql(`UPDATE users SET timezone = 'America/New_York' WHERE id = $1`, [petr.userId]);
    const event = await buildEvent(server, jana, {
      title: 'Piknik',
      starts_at: new Date('2027-06-18T18:00:00Z'),
      join_mode: 'request',
    });
    await petr.api.post(`/events/${event.id}/join`);
    await jana.api.post(`/events/${event.id}/participants/${petr.slug}/promote`);
    await jana.api.patch(`/events/${event.id}`, { title: 'Jiný piknik', status: 'cancelled' });

    const { status, body } = await listNotices(petr, 'en');
    expect(status).toBe(200);
    const subject = {
      type: 'event',
      id: event.id,
      url: `https://events.example.org/api/v1/discover/events/${event.id}`,
    };
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^[a-zA-Z]{8,}$/),
        kind: 'event_cancelled',
        text: expect.stringMatching(
          /^The event “Jiný piknik” \(Friday,? 18 June 2027 at 14:00\) has been cancelled\.$/,
        ),
        subject,
        read_at: null,
        created_at: expect.stringMatching(/Z$/),
      },
      {
        id: expect.stringMatching(/^[a-zA-Z]{8,}$/),
        kind: 'approval',
        text: expect.stringMatching(
          /^Your request to join “Piknik” \(Friday,? 18 June 2027 at 14:00\) has been approved\.$/,
        ),
        subject,
        read_at: null,
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(body.meta).toMatchObject({ current_page: 1, total: 2, unread: 2 });
    const inCzech = await listNotices(petr, 'cs', '?per_page=1&page=2');
    expect(inCzech.body.data).toMatchObject([
      { text: expect.stringMatching(/^Vaše žádost o účast na akci „Piknik“ \(pátek 18\. června 2027/) },
    ]);
    expect(inCzech.body.meta).toMatchObject({ current_page: 2, total: 2, unread: 2 });

    const inEnglish = await listNotices(jana, 'en');
    expect(inEnglish.body.data).toMatchObject([
      {
        kind: 'request',
        subject: { type: 'event', id: event.id, url: `https://events.example.org/api/v1/events/${event.id}` },
      },
    ]);
    expect(inEnglish.body.data[0].text).toMatch(/^Petr Nováková asks to join “Piknik”/);
  });

  // NOTE-2
  it('is possible even after the subject of a notice was deleted', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana, { title: 'Výlet', with: [[petr, 'waitlisted']] });
    await jana.api.delete(`/events/${event.id}`);
    const { body } = await petr.api.get('/notices');
    expect(body.data).toMatchObject([{ kind: 'event_deleted', subject: { type: 'event', id: event.id } }]);
  });

  // NOTE-3
  it('is recorded by `POST /notices/read`, which marks the given notice and all older notices as read', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    for (let i = 0; i < 3; i++)
      await jana.api.post(`/events/${(await buildEvent(server, jana)).id}/participants`, { user: petr.slug });
    const { body } = await petr.api.get('/notices');
    const [newest, middle, oldest] = body.data as { id: string }[];
    expect(await petr.api.post('/notices/read', { up_to: middle?.id })).toMatchObject({
      status: 200,
      body: { data: { unread: 1 } },
    });
    const after = (await petr.api.get('/notices')).body.data as { id: string; read_at: string | null }[];
    expect(after.map(({ id, read_at }) => [id, read_at !== null])).toEqual([
      [newest?.id, false],
      [middle?.id, true],
      [oldest?.id, true],
    ]);

    server.clock.forward(60_000);
    expect(await petr.api.post('/notices/read', { up_to: middle?.id })).toMatchObject({
      status: 200,
      body: { data: { unread: 1 } },
    });
    expect((await petr.api.get('/notices')).body.data).toEqual(after);
    expect(await petr.api.post('/notices/read', { up_to: newest?.id })).toMatchObject({
      status: 200,
      body: { data: { unread: 0 } },
    });
    expect((await petr.api.get('/notices')).body.meta.unread).toBe(0);
  });

  // NOTE-10
  it('is also recorded when the reader opens the page of an object: only the unread notices about this object become read', async () => {
    const { jana } = await server.people('jana');
    const email = 'ctenar@example.org';
    const petr = await server.person('petr', { email, password: 'correct horse' });
    const [event, other] = [await buildEvent(server, jana), await buildEvent(server, jana)];
    const invite = ({ id }: { id: string }) => jana.api.post(`/events/${id}/participants`, { user: petr.slug });
    for (const one of [event, other]) expect((await invite(one)).status).toBe(201);
    // The ids of objects of different types may be equal.
    await server.sql(
      `INSERT INTO notifications (user_id, kind, subject_type, subject_id, words, created_at)
       VALUES ($1, 'group_approval', 'group', $2, '{"group": "Běžci"}', $3)`,
      [petr.userId, event.eventId, server.clock.now()],
    );
    const visitor = new Visitor(server);
    await visitor.submit('/sign-in', { email, password: 'correct horse' });
    await visitor.get(`/events/${event.id}`);
    const notices = async () =>
      (
        await server.sql<{ kind: string; event_id: string | null; read_at: Date | null }>(
          'SELECT kind, event_id, read_at FROM notifications WHERE user_id = $1 ORDER BY id',
          [petr.userId],
        )
      ).map(({ event_id, read_at }) => [Number(event_id), read_at?.getTime() ?? null]);
    const [first, ...others] = await notices();
    expect(first).toEqual([event.eventId, expect.any(Number)]);
    expect(others).toEqual([
      [other.eventId, null],
      [0, null],
    ]);
    server.clock.forward(60_000);
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    await visitor.get(`/events/${event.id}`);
    const after = await notices();
    expect([after[0], after.at(-1)]).toEqual([first, [event.eventId, expect.any(Number)]]);
    expect(after.at(-1)?.[1]).toBeGreaterThan(first?.[1] ?? 0);
  });

  // NOTE-10
  it('is also recorded when the reader opens the page of an event’s people, of a group’s members or of a webhook', async () => {
    const { jana } = await server.people('jana');
    const email = 'spravce@example.org';
    const petr = await server.person('petr', { email, password: 'correct horse' });
    const event = await buildEvent(server, petr, { join_mode: 'request' });
    await jana.api.post(`/events/${event.id}/join`);
    const group = (await petr.api.post('/groups', { name: 'Turisté', is_public: true })).body.data;
    await jana.api.post(`/groups/${group.id}/join`);
    const webhook = (await petr.api.post('/webhooks', { url: 'https://1.1.1.1/' })).body.data;
    await server.sql(
      `INSERT INTO notifications (user_id, kind, subject_type, subject_id, words, created_at)
       SELECT user_id, 'webhook_paused', 'webhook', id, '{"url": "https://1.1.1.1/"}', $2 FROM webhooks WHERE user_id = $1`,
      [petr.userId, server.clock.now()],
    );
    const visitor = new Visitor(server);
    await visitor.submit('/sign-in', { email, password: 'correct horse' });
    const pages = [`/events/${event.id}/people`, `/groups/${group.id}/members`, `/account/api/webhooks/${webhook.id}`];
    const unread: number[] = [];
    for (const page of pages) {
      expect([page, (await visitor.get(page)).status]).toEqual([page, 200]);
      unread.push((await petr.api.get('/notices')).body.meta.unread as number);
    }
    expect(unread).toEqual([2, 1, 0]);
  });

  // NOTE-10
  it('is also recorded when the reader opens the list of reports or of apps: all notices about reports or about apps become read', async () => {
    const email = 'hlasi@example.org';
    const petr = await server.person('petr', { email, password: 'correct horse' });
    await server.sql(
      `INSERT INTO notifications (user_id, kind, subject_type, subject_id, words, created_at) VALUES
         ($1, 'report_decided', 'report', 1, '{"outcome": "removed"}', $2),
         ($1, 'report_decided', 'report', 2, '{"outcome": "removed"}', $2),
         ($1, 'app_connected', 'app', 1, '{"app": "Hodiny"}', $2)`,
      [petr.userId, server.clock.now()],
    );
    const visitor = new Visitor(server);
    await visitor.submit('/sign-in', { email, password: 'correct horse' });
    const unread: number[] = [];
    for (const page of ['/account/groups', '/account/reports', '/account/apps']) {
      expect([page, (await visitor.get(page)).status]).toEqual([page, 200]);
      unread.push((await petr.api.get('/notices')).body.meta.unread as number);
    }
    expect(unread).toEqual([3, 1, 0]);
  });

  // NOTE-3
  it('is not recorded if `up_to` is not the id of a notice of the caller, or if the token can only read', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana);
    await jana.api.post(`/events/${event.id}/participants`, { user: petr.slug });
    const [{ id }] = (await petr.api.get('/notices')).body.data as [{ id: string }];
    for (const up_to of [id, 'nobodys', event.id]) {
      expect(await jana.api.post('/notices/read', { up_to })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: { up_to: [expect.any(String)] } },
      });
    }
    expect(await petr.api.post('/notices/read', {})).toMatchObject({
      status: 422,
      body: { errors: { up_to: [expect.any(String)] } },
    });
    expect((await petr.api.get('/notices')).body.meta.unread).toBe(1);
    const reading = await server.person('reading', { access: 'read' });
    expect((await reading.api.get('/notices')).status).toBe(200);
    expect(await reading.api.post('/notices/read', { up_to: id })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
  });

  // NOTE-4
  it('finds no notice about an action that was refused or had no effect, and one notice about an action that was sent several times', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const event = await buildEvent(server, jana, { join_mode: 'request', with: [[eva, 'confirmed']] });
    const eventPath = `/events/${event.id}`;
    const unread = async () =>
      Promise.all([jana, petr, eva].map(async ({ api }) => (await api.get('/notices')).body.meta.unread as number));
    await petr.api.post(`${eventPath}/join`);
    expect(await unread()).toEqual([1, 0, 0]);
    expect((await petr.api.post(`${eventPath}/join`)).status).toBe(409);
    expect((await jana.api.post(`${eventPath}/participants`, { user: eva.slug })).status).toBe(409);
    expect((await jana.api.post(`${eventPath}/participants/${eva.slug}/promote`)).status).toBe(409);
    expect((await petr.api.delete(`${eventPath}/participants/${eva.slug}`)).status).toBe(403);
    expect((await jana.api.patch(eventPath, { status: 'active', title: 'Jinak' })).status).toBe(200);
    expect(await unread()).toEqual([1, 0, 0]);
    const key = { 'idempotency-key': `once-${event.id}` };
    for (let i = 0; i < 3; i++)
      expect(
        (await jana.api.send('POST', `${eventPath}/participants/${petr.slug}/promote`, { headers: key })).status,
      ).toBe(200);
    expect(await unread()).toEqual([1, 1, 0]);
    await jana.api.patch(eventPath, { status: 'cancelled' });
    await jana.api.patch(eventPath, { status: 'cancelled' });
    expect(await unread()).toEqual([1, 2, 1]);
  });

  // NOTE-5
  it('is possible for ninety days after the notice was created', async () => {
    const separateServer = await TestServer.start();
    const { jana, petr } = await separateServer.people('jana', 'petr');
    const invite = async () =>
      jana.api.post(`/events/${(await buildEvent(separateServer, jana, { starts_at: inDays(200) })).id}/participants`, {
        user: petr.slug,
      });
    await invite();
    separateServer.clock.forward(LIMITS.notices.kept * 1000 - DAY_MS);
    await invite();
    expect(await separateServer.job('notices-sweep')).toEqual({ notices_deleted: 0 });
    separateServer.clock.forward(DAY_MS + 1000);
    expect(await separateServer.job('notices-sweep')).toEqual({ notices_deleted: 1 });
    expect((await petr.api.get('/notices')).body).toMatchObject({
      data: [{ kind: 'invitation' }],
      meta: { total: 1, unread: 1 },
    });
    await separateServer.stop();
  });

  // NOTE-6
  it('is possible on a page with a form that marks all notices as read; the account page shows the number of unread notices', async () => {
    const { jana } = await server.people('jana');
    const eva = new Visitor(server);
    await eva.register('eva@example.org', 'Eva Tichá');
    await server.sql(`UPDATE users SET slug = 'eva-ticha-reads', locale = 'en' WHERE email = 'eva@example.org'`);
    expect((await eva.get('/account/notices')).html).toContain('You have no notices yet.');
    const event = await buildEvent(server, jana, { title: 'Kino <b>venku</b>' });
    await jana.api.post(`/events/${event.id}/participants`, { user: 'eva-ticha-reads' });

    expect((await eva.get('/account')).html).toMatch(
      /href="\/account\/notices"[^>]*>Notices <span class="count"[^>]*>1</,
    );
    const page = await eva.get('/account/notices');
    expect(page.status).toBe(200);
    expect(page.html).toContain('invites you to “Kino &lt;b&gt;venku&lt;/b&gt;”');
    expect(page.html).toContain(`href="/events/${event.id}"`);
    expect(page.html).toMatch(/<h2 class="notice-day">(?:Today|Yesterday), /);
    expect(
      await eva.submit(
        '/account/notices',
        { up_to: /name="up_to" value="(\w+)"/.exec(page.html)?.[1] ?? '' },
        '/account/notices/read',
      ),
    ).toMatchObject({ status: 303, to: '/account/notices' });
    const read = await eva.get('/account/notices');
    expect(read.html).not.toContain('class="count"');
    expect(read.html).not.toContain('name="up_to"');
    expect((await new Visitor(server).get('/account/notices')).to).toBe('/sign-in?next=%2Faccount%2Fnotices');
    expect((await eva.get('/account/notices?page=7')).status).toBe(200);
    expect((await eva.get('/account/notices?page=x')).status).toBe(200);
    server.clock.forward(3 * 86_400_000);
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    const days = (await eva.get('/account/notices')).html.split('<h2 class="notice-day">').slice(1);
    expect(days.map((day) => day.split('<li ').length - 1)).toEqual([1, 1]);
  });
});
