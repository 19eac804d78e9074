import { UsersReader } from '#areas/identity/users.reader';
import { WebSessions } from '#areas/identity/web-sessions';
import { Settings } from '#platform/config/settings';
import { CommandLine } from '#testing/command-line';
import { PushService } from '#testing/push-service';
import { PushSubscriber } from '#testing/push-subscriber';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';
import { LIMITS } from '#contract/limits';

const PATH = '/account/notices/push';

describe('push subscriptions of browsers', () => {
  let server: TestServer;
  let service: PushService;
  beforeAll(async () => {
    server = await TestServer.start({ webhooksAllowPrivate: true });
    service = await PushService.open();
  });
  afterAll(async () => {
    service.close();
    await server.stop();
  });

  // PUSH-1
  it('are created with 201, or returned with 200 if the request is repeated', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const browser = service.browser();
    expect(await jana.noticesHtml()).toMatch(/data-push-key="B[\w-]{86}"/);
    const first = await jana.post(browser.subscription);
    expect([first.status, JSON.parse(first.html)]).toEqual([
      201,
      { data: { id: expect.any(String), name: 'Firefox 140, Linux', created_at: expect.any(String) } },
    ]);
    const again = await jana.post(browser.subscription);
    expect([again.status, again.html]).toEqual([200, first.html]);
    const page = await jana.noticesHtml();
    expect(await jana.listedIds()).toEqual([JSON.parse(first.html).data.id]);
    expect(page).toContain('Firefox 140, Linux');
    expect(page).not.toContain(service.origin);
    const [stored] = await server.sql<{ all: string }>('SELECT s::text AS all FROM push_subscriptions s');
    const { keys } = browser.subscription;
    for (const secret of [browser.endpoint, keys.auth, keys.p256dh]) expect(stored?.all).not.toContain(secret);
  });

  // PUSH-1
  it('need a session and the CSRF token of the page', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const { subscription } = service.browser();
    expect((await jana.post(subscription, { token: 'x'.repeat(40) })).status).toBe(403);
    const visitor = new Visitor(server);
    const _csrf = /name="_csrf" value="([^"]+)"/.exec((await visitor.get('/sign-in')).html)?.[1] ?? '';
    const answer = await visitor.send('POST', `${PATH}?_csrf=${encodeURIComponent(_csrf)}`, '{}', {
      'content-type': 'application/json',
    });
    expect([answer.status, answer.to]).toEqual([303, '/sign-in?next=%2Faccount%2Fnotices']);
    expect(await jana.listedIds()).toEqual([]);
  });

  // PUSH-1
  it('are refused with 422 if the data is not a subscription', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const { endpoint, keys } = service.browser().subscription;
    const offCurve = Buffer.from(keys.p256dh, 'base64url').fill(7, 20, 40).toString('base64url');
    const wrong = [
      ...[undefined, null, {}, 5, 'x', { p256dh: keys.p256dh }, { auth: keys.auth }, { p256dh: 5, auth: 5 }],
      ...[
        { ...keys, auth: 'AAAA' },
        { ...keys, p256dh: offCurve },
        { ...keys, p256dh: '***' },
      ],
      ...[
        { ...keys, p256dh: keys.p256dh.slice(0, 40) },
        { ...keys, auth: `${keys.auth}AA` },
      ],
    ].map((one) => ({ endpoint, keys: one }));
    for (const sent of [...wrong, [], 5, null, { keys }, { endpoint: 'nonsense', keys }, { endpoint: null, keys }])
      expect([JSON.stringify(sent), (await jana.post(sent)).status]).toEqual([JSON.stringify(sent), 422]);
    const long = `${endpoint}${'a'.repeat(LIMITS.push.endpoint.max)}`;
    expect((await jana.post({ endpoint: long, keys })).status).toBe(422);
    const endpointOf = (length: number) => endpoint.padEnd(length, 'a');
    expect((await jana.post({ endpoint: endpointOf(2001), keys })).status).toBe(422);
    expect(await jana.listedIds()).toEqual([]);
    expect((await jana.post({ endpoint: endpointOf(2000), keys })).status).toBe(201);
  });

  // PUSH-2
  it('are limited to ten for each account, even with parallel requests', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const answers = await Promise.all(Array.from({ length: 12 }, () => jana.post(service.browser().subscription)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(201), 409, 409]);
    const [first = ''] = await jana.listedIds();
    const removed = await jana.visitor.submit('/account/notices', {}, `${PATH}/${first}/remove`);
    expect([removed.status, removed.to]).toEqual([303, '/account/notices?removed#push']);
    expect(await jana.listedIds()).toHaveLength(9);
    await jana.subscribe(service.browser());
    expect((await jana.post(service.browser().subscription)).status).toBe(409);
  });

  // PUSH-2
  it('can be removed only by their owner', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const petr = await PushSubscriber.open(server, 'petr');
    const { id } = await jana.subscribe(service.browser());
    for (const other of [id, 'x', '00000000-0000-4000-8000-000000000000'])
      expect((await petr.visitor.submit('/account', {}, `${PATH}/${other}/remove`)).status).toBe(404);
    expect(await jana.listedIds()).toEqual([id]);
  });

  // PUSH-2
  it('belong to the account that was the last to subscribe in the browser, even with parallel requests', async () => {
    const [jana, petr] = [await PushSubscriber.open(server, 'jana'), await PushSubscriber.open(server, 'petr')];
    const browser = service.browser();
    await jana.subscribe(browser);
    await petr.subscribe(browser);
    expect([await jana.listedIds(), await petr.listedIds()]).toEqual([[], [expect.any(String)]]);
    await jana.subscribe(browser);
    expect([await jana.listedIds(), await petr.listedIds()]).toEqual([[expect.any(String)], []]);
    const secondBrowser = service.browser().subscription;
    const answers = await Promise.all([jana, petr, jana, petr].map((one) => one.post(secondBrowser)));
    expect(answers.every(({ status }) => status === 201 || status === 200)).toBe(true);
    expect((await jana.listedIds()).length + (await petr.listedIds()).length).toBe(2);
  });

  // PUSH-3
  it('end with their session: at sign-out, when the person ends the session in the list of sessions, and at the next sign-in in the same browser', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const [second, third] = [PushSubscriber.browser(server), PushSubscriber.browser(server)];
    for (const visitor of [second, third]) await jana.signIn(visitor);
    const here = await jana.subscribe(service.browser());
    const there = await jana.subscribe(service.browser(), second);
    const elsewhere = await jana.subscribe(service.browser(), third);
    expect(await jana.listedIds()).toEqual([here.id, there.id, elsewhere.id]);
    await second.submit('/account/notices', {}, '/sign-out');
    expect(await jana.listedIds()).toEqual([here.id, elsewhere.id]);
    await jana.visitor.submit('/account/sessions', {}, '/account/sessions/end-others');
    expect(await jana.listedIds()).toEqual([here.id]);
    await jana.signIn(second);
    await jana.subscribe(service.browser(), second);
    const sessions = (await jana.visitor.get('/account/sessions')).html;
    const other = [...sessions.matchAll(/sessions\/([\w-]+)\/end"/g)].map(([, id]) => id)[1];
    await jana.visitor.submit('/account/sessions', {}, `/account/sessions/${other}/end`);
    expect(await jana.listedIds()).toEqual([here.id]);
    await jana.signIn();
    expect(await jana.listedIds()).toEqual([]);
  });

  // PUSH-3
  it('end when a new sign-in ends their session, because the account already has fifty sessions', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    await jana.subscribe(service.browser());
    const user = (await server.app.get(UsersReader).byId(jana.person.userId))!;
    const signIn = () => server.database.transaction((tx) => server.app.get(WebSessions).begin(tx, user));
    const subscriptions = () => server.sql('SELECT 1 FROM push_subscriptions WHERE user_id = $1', [user.id]);
    server.clock.forward(1000);
    for (let i = 1; i < LIMITS.sessions.per_account; i++) await signIn();
    expect(await subscriptions()).toHaveLength(1);
    await signIn();
    expect(await subscriptions()).toEqual([]);
  });

  // PUSH-3
  it('end when the password changes, but not when the account is banned or changed otherwise', async () => {
    const cli = CommandLine.forDatabaseOf(server.app.get(Settings));
    const jana = await PushSubscriber.open(server, 'jana');
    await jana.subscribe(service.browser());
    await cli.answer('user', 'update', jana.person.slug, '--locale', 'en');
    await cli.answer('user', 'ban', jana.person.slug);
    await cli.answer('user', 'unban', jana.person.slug);
    await jana.signIn();
    expect(await jana.listedIds()).toHaveLength(1);
    await jana.visitor.submit(
      '/account/security',
      { current_password: 'correct horse', password: 'battery staple' },
      '/account/security/password',
    );
    expect(await jana.listedIds()).toEqual([]);
    const petr = await PushSubscriber.open(server, 'petr');
    await petr.subscribe(service.browser());
    await cli.answer('user', 'update', petr.person.slug, '--password', 'another one');
    const rows = await server.sql('SELECT 1 FROM push_subscriptions WHERE user_id = $1', [petr.person.userId]);
    expect(rows).toEqual([]);
  });

  // PUSH-3
  it('stay after their session has expired, until the next session in the browser ends', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const { id } = await jana.subscribe(service.browser());
    server.clock.forward((LIMITS.sessions.lifetime + 1) * 1000);
    await PushSubscriber.open(server, 'petr');
    expect((await jana.visitor.get('/account/notices')).status).toBe(303);
    const other = PushSubscriber.browser(server);
    await jana.signIn(other);
    expect(await jana.listedIds(other)).toEqual([id]);
    await other.submit('/account/notices', {}, '/sign-out');
    await jana.signIn();
    expect(await jana.listedIds()).toEqual([id]);
    await jana.visitor.submit('/account/notices', {}, '/sign-out');
    await jana.signIn();
    expect(await jana.listedIds()).toEqual([]);
  });

  // PUSH-3
  it('are not affected by sessions of another account in the same browser or elsewhere', async () => {
    const [jana, petr] = [await PushSubscriber.open(server, 'jana'), await PushSubscriber.open(server, 'petr')];
    const { id } = await jana.subscribe(service.browser());
    server.clock.forward((LIMITS.sessions.lifetime + 1) * 1000);
    await petr.signIn(jana.visitor);
    await petr.subscribe(service.browser(), jana.visitor);
    await jana.visitor.submit('/account/notices', {}, '/sign-out');
    await petr.signIn();
    await petr.subscribe(service.browser());
    await petr.visitor.submit(
      '/account/security',
      { current_password: 'correct horse', password: 'battery staple' },
      '/account/security/password',
    );
    expect(await petr.listedIds()).toEqual([]);
    await jana.signIn();
    expect(await jana.listedIds()).toEqual([id]);
  });

  // PUSH-3
  it('end with the session that sent them last, if two sessions sent the same subscription', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const browser = service.browser();
    const { id } = await jana.subscribe(browser);
    const other = PushSubscriber.browser(server);
    await jana.signIn(other);
    expect((await jana.post(browser.subscription, { visitor: other })).status).toBe(200);
    await jana.visitor.submit('/account/notices', {}, '/sign-out');
    expect(await jana.listedIds(other)).toEqual([id]);
    await other.submit('/account/notices', {}, '/sign-out');
    await jana.signIn();
    expect(await jana.listedIds()).toEqual([]);
  });

  // PUSH-5
  it('apply only to the selected kinds of notices; all kinds are selected at first', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const kinds = async (isOn: boolean) => {
      const boxes = [...(await jana.noticesHtml()).matchAll(/name="push_(\w+)" value="1"\s*(checked)?/g)];
      return boxes.filter(([, , checked]) => (checked !== undefined) === isOn).map(([, kind]) => kind);
    };
    expect([(await kinds(true)).length > 20, await kinds(false)]).toEqual([true, []]);
    const saved = await jana.visitor.submit(
      '/account/notices',
      { push_comment: '1', push_invitation: '1', reminder_hours: '2' },
      '/account/notices/mails',
    );
    expect(saved.status).toBe(303);
    expect((await kinds(true)).sort()).toEqual(['comment', 'invitation']);
    // A refused form changes nothing.
    await jana.visitor.submit('/account/notices', { reminder_hours: '3' }, '/account/notices/mails');
    expect((await kinds(true)).sort()).toEqual(['comment', 'invitation']);
  });
});

describe('push subscriptions on a server that sends to public addresses only', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  // PUSH-1
  it('are accepted only if the push service has a public https address', async () => {
    const service = await PushService.open();
    const jana = await PushSubscriber.open(server, 'jana');
    const { keys } = service.browser().subscription;
    service.close();
    const hostile = ['http://1.1.1.1/p', 'https://127.0.0.1/p', 'https://localhost/p', 'https://[::1]/p'];
    hostile.push('https://10.0.0.1/p', 'https://user@1.1.1.1/p', 'file:///etc/passwd', 'https://nowhere.invalid/p');
    for (const endpoint of hostile)
      expect([endpoint, (await jana.post({ endpoint, keys })).status]).toEqual([endpoint, 422]);
    expect((await jana.post({ endpoint: 'https://1.1.1.1/p', keys })).status).toBe(201);
  });
});

describe('push subscriptions with PUSH=off', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start({ push: false, webhooksAllowPrivate: true })));
  afterAll(() => server.stop());

  // PUSH-10
  it('have no button and no checkboxes on the page, their paths answer 404, and the stored choices do not change', async () => {
    const jana = await PushSubscriber.open(server, 'jana');
    const html = await jana.noticesHtml();
    expect(html).not.toMatch(/push/i);
    await server.sql(`INSERT INTO push_choices VALUES ($1, '{request}')`, [jana.person.userId]);
    await jana.visitor.submit('/account/notices', { reminder_hours: '0' }, '/account/notices/mails');
    const stored = await server.sql('SELECT stopped FROM push_choices WHERE user_id = $1', [jana.person.userId]);
    expect(stored).toEqual([{ stopped: ['request'] }]);
    expect((await jana.post({})).status).toBe(404);
    expect((await jana.visitor.submit('/account/notices', {}, `${PATH}/x/remove`)).status).toBe(404);
    expect((await jana.visitor.get('/push-worker.js')).status).toBe(404);
    expect(await server.sql('SELECT 1 FROM push_keys')).toEqual([]);
  });
});
