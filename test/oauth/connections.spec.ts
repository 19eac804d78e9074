import { DataSource } from 'typeorm';
import { AppDocuments } from '#areas/apps/app-documents';
import { ConnectionsService } from '#areas/apps/connections.service';
import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import { LIMITS } from '#contract/limits';
import { LOCALES } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import { CommandLine } from '#testing/command-line';
import { OAuthApp, signedInPerson, type Authorization, type BrowserUser } from '#testing/oauth-app';
import { TestServer } from '#testing/test-server';
import { localTime } from '#web/local-time';
import { Visitor } from '#testing/visitor';
import { waitUntil } from '#testing/wait-until';
import { warmConnections } from '#testing/warm';

const INVALID_GRANT = [400, 'invalid_grant'];
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Grants of apps: how they end or change when time passes and when accounts or apps change. */
describe('the connection of an app', () => {
  let server: TestServer;
  let jana: BrowserUser;
  let cli: CommandLine;
  let windowCount = 0;

  beforeAll(async () => {
    server = await TestServer.start();
    cli = CommandLine.forDatabaseOf(server.app.get(Settings));
  });
  beforeEach(async () => {
    // The number of sign-ins from an IP address in a time window is limited, so each test begins in a new window.
    server.clock.forward(++windowCount * (LIMITS.sign_in.window * 1000 + 1));
    await server.sql('DELETE FROM app_registrations');
    jana = await signedInPerson(server, 'jana');
  });
  afterAll(() => server.stop());

  const forward = (seconds: number) => server.clock.forward(seconds * 1000);
  const statusAndError = ({ status, body }: { status: number; body: { error?: string } }) => [status, body.error];
  const status = async ({ api }: { api: { get(path: string): Promise<{ status: number }> } }) =>
    (await api.get('/user')).status;
  const grantsOf = async ({ person }: BrowserUser): Promise<number> =>
    (await server.sql('SELECT 1 FROM app_grants WHERE user_id = $1', [person.userId])).length;
  /** Opens the consent page in this browser. */
  const consentPage = async (browser: Visitor, { path }: Authorization) => {
    const { to } = await browser.get(path);
    return { to: to ?? '', page: await browser.get(to ?? '') };
  };
  const needsConsent = async (browser: Visitor, authorization: Authorization) =>
    (await consentPage(browser, authorization)).page.html.includes('value="allow"');
  const csrfOf = ({ html }: { html: string }) => /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const appsPage = async ({ browser }: BrowserUser) => (await browser.get('/account/apps')).html;
  const disconnectPath = (html: string, name: string) =>
    html
      .split('<strong>')
      .find((part) => part.startsWith(`${name}<`))
      ?.match(/\/account\/apps\/\w+\/disconnect/)?.[0] ?? '';
  const register = (name = 'Diář', redirectUri = 'https://app.example.org/callback') =>
    OAuthApp.register(server, { name, redirectUri });

  // APP-3, APP-6 to APP-8, APP-10, APP-11, APP-15, APP-17, APP-23
  it('has the limits that docs/rules/apps.md defines', () => {
    expect(LIMITS.apps).toMatchObject({
      per_account: 10,
      former_secret: DAY,
      access_token: HOUR,
      code: 60,
      device_code: 600,
      refresh_again: 30,
      unused: 90 * DAY,
      grants_per_account: 100,
      registrations: { max: 10, window: HOUR },
      registration_unused: DAY,
      wrong_codes: { max: 10, window: HOUR },
      document: { kept: DAY },
    });
  });

  // APP-13
  it('needs the consent of each person; a later consent to fewer scopes removes no scopes', async () => {
    const petr = await signedInPerson(server, 'petr');
    const app = await register();
    await app.connect(jana.browser, 'write');
    expect(await needsConsent(petr.browser, app.authorization())).toBe(true);
    await app.connect(jana.browser, 'posts:read');
    expect(await needsConsent(jana.browser, app.authorization({ scope: 'write' }))).toBe(false);
    // With `prompt=consent` the app requests a new consent.
    expect(await needsConsent(jana.browser, app.authorization({ prompt: 'consent' }))).toBe(true);
    const silent = await app.answerConsent(jana.browser, app.authorization({ prompt: 'none' }));
    expect(silent.redirect?.searchParams.get('error')).toBe('interaction_required');
  });

  // APP-12
  it('is refused with a reason if the account may no longer have tokens, even if the person consented earlier', async () => {
    const app = await register();
    await app.connect(jana.browser);
    await server.sql('UPDATE users SET premium_until = NULL WHERE id = $1', [jana.person.userId]);
    const { page, to } = await consentPage(jana.browser, app.authorization());
    expect([page.status, page.html.includes('Premium'), page.html.includes('value="allow"')]).toEqual([
      403,
      true,
      false,
    ]);
    expect((await jana.browser.post(to, { _csrf: csrfOf(page), decision: 'allow' })).status).toBe(403);
    expect(await grantsOf(jana)).toBe(1);
  });

  // APP-12
  it('needs the answer "allow" or "deny" on the consent page within an hour, and a second answer is refused', async () => {
    const app = await register();
    const authorization = app.authorization();
    const { page, to } = await consentPage(jana.browser, authorization);
    const send = async (decision: string) => (await jana.browser.post(to, { _csrf: csrfOf(page), decision })).status;
    expect([await send(''), await grantsOf(jana)]).toEqual([200, 0]);
    const both = await Promise.all([send('allow'), send('allow')]);
    expect([both.sort(), await send('allow'), await send('deny')]).toEqual([[303, 404], 404, 404]);
    expect(await grantsOf(jana)).toBe(1);
    const late = await consentPage(jana.browser, app.authorization({ prompt: 'consent' }));
    forward(LIMITS.apps.interaction + 1);
    expect((await jana.browser.get(late.to)).status).toBe(404);
    expect((await jana.browser.post(late.to, { _csrf: csrfOf(page), decision: 'allow' })).status).toBe(404);
  });

  // APP-12
  it.each([
    ['http://127.0.0.1:4000/cb', 'http://127.0.0.1:4000;'],
    ['http://[::1]:4000/cb', 'http:;'],
    ['cz.example.app:/cb', 'cz.example.app:;'],
  ])('has a consent page whose Content-Security-Policy lets the form redirect to %s', async (redirectUri, source) => {
    const app = await register('Nativní', redirectUri);
    const { page } = await consentPage(jana.browser, app.authorization());
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${source}`);
  });

  // APP-7, APP-8
  it('does not end, and no tokens are returned, if a request contains a code or token of the wrong kind or of another app', async () => {
    const app = await register();
    const other = await register('Jiná');
    const authorization = app.authorization();
    const code = await app.code(jana.browser, authorization);
    expect(statusAndError(await app.refresh(code))).toEqual(INVALID_GRANT);
    const tokens = app.tokensOf(await app.exchange(code, authorization));
    expect(statusAndError(await app.exchange(tokens.refresh_token, authorization))).toEqual(INVALID_GRANT);
    expect(statusAndError(await other.refresh(tokens.refresh_token))).toEqual(INVALID_GRANT);
    const { device_code } = (await app.send('/oauth/device_authorization', {})).body;
    expect(statusAndError(await app.refresh(device_code as string))).toEqual(INVALID_GRANT);
    expect(statusAndError(await other.token({ grant_type: DEVICE_GRANT, device_code }))).toEqual(INVALID_GRANT);
    expect([await status(tokens), await grantsOf(jana)]).toEqual([200, 1]);
  });

  // APP-16
  it('is listed with all its scopes, and disconnecting the app does not affect other people or other apps', async () => {
    const petr = await signedInPerson(server, 'petr');
    const [app, other] = [await register('Diář'), await register('Mapa')];
    const janaInApp = [await app.connect(jana.browser, 'events:read'), await app.connect(jana.browser, 'posts:write')];
    const janaInOther = await other.connect(jana.browser, 'comments:read');
    const petrInApp = await app.connect(petr.browser, 'groups:write');
    const address = async () => (await jana.person.api.get('/user/calendar')).body.data.url as string;
    const before = await address();
    expect(await cli.answer('app', 'show', app.clientId)).toMatchObject({ grants: 3, people: 2 });
    const html = await appsPage(jana);
    const entry = html.split('<strong>').find((part) => part.startsWith('Diář<')) ?? '';
    const [, scopes = ''] = /<ul class="small">([^]*?)<\/ul>/.exec(entry) ?? [];
    expect(scopes.match(/<li>/g)).toHaveLength(2);
    const path = disconnectPath(html, 'Diář');
    expect((await jana.browser.submit('/account/apps', {}, path)).status).toBe(303);
    for (const one of janaInApp) expect(await status(one)).toBe(401);
    expect([await status(janaInOther), await status(petrInApp)]).toEqual([200, 200]);
    expect([await address(), await needsConsent(petr.browser, app.authorization({ scope: 'groups:read' }))]).toEqual([
      before,
      false,
    ]);
    expect(await needsConsent(jana.browser, other.authorization({ scope: 'comments:read' }))).toBe(false);
    expect((await jana.browser.submit('/account/apps', {}, path)).status).toBe(404);
    // With the scope "read" an app can read the calendar address. Disconnecting the app replaces this address.
    await app.connect(jana.browser, 'read');
    await jana.browser.submit('/account/apps', {}, '/account/apps/disconnect-all');
    expect([await status(janaInOther), await status(petrInApp), await grantsOf(jana)]).toEqual([401, 200, 0]);
    expect(await address()).not.toBe(before);
    expect(await needsConsent(jana.browser, other.authorization({ scope: 'comments:read' }))).toBe(true);
  });

  // APP-13
  it('needs a new consent after the last grant of the app has ended', async () => {
    const app = await register();
    const { refresh_token } = await app.connect(jana.browser);
    await app.revoke(refresh_token);
    expect(await needsConsent(jana.browser, app.authorization())).toBe(true);
    await app.connect(jana.browser);
    expect(await needsConsent(jana.browser, app.authorization())).toBe(false);
    for (const table of ['app_grants', 'app_tokens'])
      await server.sql(`UPDATE ${table} SET last_used_at = last_used_at - $1 * interval '1 second'`, [
        LIMITS.apps.unused,
      ]);
    expect(await needsConsent(jana.browser, app.authorization())).toBe(true);
  });

  // APP-13, APP-16
  it('needs a new consent after all apps were disconnected, even if the grant of the app had ended before', async () => {
    const app = await register();
    const tokens = await app.connect(jana.browser);
    await app.revoke(tokens.refresh_token);
    expect(await grantsOf(jana)).toBe(0);
    expect((await jana.browser.submit('/account/apps', {}, '/account/apps/disconnect-all')).status).toBe(303);
    expect(await needsConsent(jana.browser, app.authorization())).toBe(true);
  });

  // APP-16
  it('gives the person a new calendar address when it ends, if one of its grants had the scope `write`', async () => {
    const app = await register();
    for (const scope of ['posts:read', 'write', 'groups:read']) await app.connect(jana.browser, scope);
    const address = async () => (await jana.person.api.get('/user/calendar')).body.data.url as string;
    const before = await address();
    const path = disconnectPath(await appsPage(jana), 'Diář');
    expect((await jana.browser.submit('/account/apps', {}, path)).status).toBe(303);
    expect(await address()).not.toBe(before);
  });

  // APP-16
  it('gives the person a new calendar address when it ends, even if its grant with the scope `calendar:read` was revoked before', async () => {
    const app = await register();
    const { refresh_token: token } = await app.connect(jana.browser, 'calendar:read');
    expect((await app.send('/oauth/revoke', { token })).status).toBe(200);
    await app.connect(jana.browser, 'posts:read');
    const address = async () => (await jana.person.api.get('/user/calendar')).body.data.url as string;
    const before = await address();
    const path = disconnectPath(await appsPage(jana), 'Diář');
    expect((await jana.browser.submit('/account/apps', {}, path)).status).toBe(303);
    expect(await address()).not.toBe(before);
  });

  // APP-16, APP-23
  it('ends when the app is deleted; people whose grant allowed the app to read the calendar address get a new address, and the addresses of other people do not change', async () => {
    const petr = await signedInPerson(server, 'petr');
    const developer = await signedInPerson(server, 'vyvojar');
    const create = async () => {
      const { to } = await developer.browser.submit('/account/apps/own', {
        name: 'Vlastní',
        redirect_uris: 'https://app.example.org/callback',
        type: 'public',
      });
      const page = to ?? '';
      const { html } = await developer.browser.get(page);
      const [, clientId = ''] = /<pre id="client-id"[^>]*>([^<]+)/.exec(html) ?? [];
      return { app: new OAuthApp(server, clientId, 'https://app.example.org/callback'), page };
    };
    const addresses = () =>
      Promise.all(
        [jana, petr].map(async ({ person }) => (await person.api.get('/user/calendar')).body.data.url as string),
      );
    const [removed, erased] = [await create(), await create()];
    const unused = await register('Zbytečná');
    const connect = async (app: OAuthApp) => {
      await app.connect(petr.browser, 'posts:read');
      const { refresh_token: token } = await app.connect(jana.browser, 'calendar:read');
      return token;
    };
    await connect(removed.app);
    await connect(erased.app);
    const token = await connect(unused);
    const ways: (() => Promise<unknown>)[] = [
      () => developer.browser.submit(`${removed.page}/delete`, {}),
      () => server.app.get(OwnDataCommands).erase(developer.person.slug),
      async () => {
        await unused.send('/oauth/revoke', { token });
        await server.sql('DELETE FROM app_grants');
        forward(DAY + 60);
        await server.job('apps-sweep');
      },
    ];
    for (const remove of ways) {
      const before = await addresses();
      await remove();
      const after = await addresses();
      expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, true]);
    }
  });

  // APP-8, APP-23
  it('ends when a used refresh token is sent again after 30 seconds; after 90 days this token is deleted, and a request with it ends nothing', async () => {
    const petr = await signedInPerson(server, 'petr');
    const app = await register();
    const [janaTokens, petrTokens] = [await app.connect(jana.browser), await app.connect(petr.browser)];
    const next = [];
    for (const one of [janaTokens, petrTokens]) next.push(app.tokensOf(await app.refresh(one.refresh_token)));
    forward(LIMITS.apps.unused - 60);
    await server.job('apps-sweep');
    // Petr's newer token is used, so his grant continues.
    expect((await app.refresh(next[1]!.refresh_token)).status).toBe(200);
    expect(statusAndError(await app.refresh(janaTokens.refresh_token))).toEqual(INVALID_GRANT);
    expect([await grantsOf(jana), await grantsOf(petr)]).toEqual([0, 1]);
    forward(120);
    await server.job('apps-sweep');
    expect(statusAndError(await app.refresh(petrTokens.refresh_token))).toEqual(INVALID_GRANT);
    expect(await grantsOf(petr)).toBe(1);
  });

  // APP-16
  it('is listed in the order of the names of the apps, with the times of the first consent and of the last use', async () => {
    const apps = [await register('mapa'), await register('Diář'), await register('Zápisník')];
    const began = server.clock.now().getTime();
    for (const app of apps) await app.connect(jana.browser);
    forward(HOUR);
    await apps[0]!.connect(jana.browser);
    const listed = await server.app.get(ConnectionsService).list(jana.person.userId);
    const hoursSince = (time: Date) => Math.floor((time.getTime() - began) / (HOUR * 1000));
    expect(listed.map(({ name, since, last_used_at }) => [name, hoursSince(since), hoursSince(last_used_at)])).toEqual([
      ['Diář', 0, 0],
      ['mapa', 0, 1],
      ['Zápisník', 0, 0],
    ]);
  });

  // APP-12, APP-17
  it('is requested on a page that shows the app, the account, the host of the redirect address and every scope; for a device, the page also shows the time of the request', async () => {
    const app = await register('Diář', 'https://answers.example.org/callback');
    const { page } = await consentPage(jana.browser, app.authorization({ scope: 'events:read comments:write' }));
    for (const text of ['Diář', jana.person.name, 'answers.example.org']) expect(page.html).toContain(text);
    const [, scopes = ''] = /<ul[^>]*>([^]*?)<\/ul>/.exec(page.html.slice(page.html.indexOf('<h1'))) ?? [];
    expect(scopes.match(/<li/g)).toHaveLength(2);
    expect(scopes).toMatch(/Read, write and delete comments|Číst, psát a mazat komentáře/);
    const { user_code } = (await app.send('/oauth/device_authorization', { scope: 'events:read' })).body;
    const [askedAt] = await server.sql<{ at: Date }>(
      `SELECT c.created_at AS at FROM app_codes c JOIN apps a ON a.id = c.app_id WHERE a.client_id = $1 AND c.kind = 'device'`,
      [app.clientId],
    );
    forward(120);
    const { html } = await jana.browser.get(`/device?user_code=${user_code}`);
    const preferences = { timezone: 'Europe/Prague' };
    const shown = LOCALES.map((locale) => localTime({ ...preferences, locale }, askedAt!.at));
    expect(shown.some((time) => html.includes(time))).toBe(true);
  });

  // APP-15, APP-16
  it('is no longer listed after 90 days without use', async () => {
    const [app, other] = [await register(), await register('Mapa')];
    const tokens = await app.connect(jana.browser);
    await other.connect(jana.browser);
    forward(LIMITS.apps.unused - 60);
    await app.refresh(tokens.refresh_token);
    forward(120);
    const listed = await server.app.get(ConnectionsService).list(jana.person.userId);
    expect(listed.map(({ name }) => name)).toEqual(['Diář']);
  });

  // APP-15
  it('counts towards the maximum of 100 grants per person, even if the person consents to several apps in parallel', async () => {
    const petr = await signedInPerson(server, 'petr');
    const app = await register();
    await app.connect(petr.browser);
    await app.connect(jana.browser);
    await server.sql(
      `INSERT INTO app_grants (app_id, user_id, scopes, resources, created_at, last_used_at)
       SELECT app_id, user_id, scopes, resources, created_at, last_used_at FROM app_grants, generate_series(1, 98) WHERE user_id = $1`,
      [jana.person.userId],
    );
    await warmConnections(server.app.get(DataSource));
    // Each app requests Jana's consent in a separate window with the same session.
    const apps = [app, await register('Mapa'), await register('Deník')];
    const sendAnswers = await Promise.all(
      apps.map(async (one) => {
        const browser = Object.assign(new Visitor(server), { session: jana.browser.session });
        const { to, page } = await consentPage(browser, one.authorization({ prompt: 'consent' }));
        return () => browser.post(to, { _csrf: csrfOf(page), decision: 'allow' });
      }),
    );
    const answers = await Promise.all(sendAnswers.map((sendAnswer) => sendAnswer()));
    expect(answers.map((one) => one.status)).toEqual([303, 303, 303]);
    expect([await grantsOf(jana), await grantsOf(petr)]).toEqual([100, 1]);
  });

  // APP-17
  it('is refused on the page for device codes if the code has expired, the app is suspended, or the account cannot have tokens', async () => {
    const petr = await signedInPerson(server, 'petr');
    const app = await register('Televize');
    const requestCode = async () => (await app.send('/oauth/device_authorization', {})).body as Record<string, string>;
    const pageStatus = async ({ browser }: BrowserUser, code = '') =>
      (await browser.get(`/device?user_code=${code}`)).status;
    const answer = ({ browser }: BrowserUser, user_code = '', decision = 'allow') =>
      browser.submit('/device', { user_code, decision });
    const poll = async ({ device_code }: Record<string, string>) =>
      statusAndError(await app.token({ grant_type: DEVICE_GRANT, device_code }));
    const expired = await requestCode();
    forward(LIMITS.apps.device_code + 1);
    expect([await pageStatus(jana, expired.user_code), (await answer(jana, expired.user_code)).status]).toEqual([
      422, 422,
    ]);
    const first = await requestCode();
    await cli.answer('app', 'suspend', app.clientId);
    expect([await pageStatus(jana, first.user_code), (await answer(jana, first.user_code)).status]).toEqual([422, 422]);
    await cli.answer('app', 'resume', app.clientId);
    await server.sql('UPDATE users SET premium_until = NULL WHERE id = $1', [petr.person.userId]);
    expect([await pageStatus(petr, first.user_code), (await answer(petr, first.user_code)).status]).toEqual([403, 403]);
    expect(await poll(first)).toEqual([400, 'authorization_pending']);
    expect((await answer(jana, first.user_code, 'neither')).html).toContain('value="allow"');
    const both = await Promise.all([answer(jana, first.user_code), answer(jana, first.user_code)]);
    expect(both.filter((one) => one.status === 200)).toHaveLength(1);
    expect([await grantsOf(jana), await grantsOf(petr)]).toEqual([1, 0]);
    expect((await poll(first))[0]).toBe(200);
  });

  // APP-17
  it('is refused on the page for device codes after ten wrong codes, and is possible again an hour later', async () => {
    const app = await register();
    const wrong = async (decision: string) =>
      (await jana.browser.submit('/device', { user_code: 'BBBB-BBBB', decision })).status;
    expect((await jana.browser.get('/device')).status).toBe(200);
    for (let n = 0; n < 5; n++) expect(await wrong('deny')).toBe(422);
    expect((await jana.browser.get('/device?user_code=B')).status).toBe(422);
    for (let n = 6; n < 9; n++) expect((await jana.browser.get('/device?user_code=BBBBBBBB')).status).toBe(422);
    expect((await jana.browser.submit('/device', { user_code: 'BBBB-BBBB' })).status).toBe(422);
    const { user_code } = (await app.send('/oauth/device_authorization', {})).body as { user_code: string };
    const pageStatus = async () => (await jana.browser.get(`/device?user_code=${user_code}`)).status;
    expect([await wrong('deny'), await pageStatus()]).toEqual([429, 429]);
    forward(HOUR + 1);
    expect(await pageStatus()).toBe(422);
    const again = (await app.send('/oauth/device_authorization', {})).body as { user_code: string };
    expect((await jana.browser.get(`/device?user_code=${again.user_code}`)).status).toBe(200);
  });

  // APP-20
  it('is refused while the app is suspended, and the page of the connected apps shows the suspension', async () => {
    const [app, other] = [await register('Stojící'), await register('Běžící')];
    const [tokens, kept] = [await app.connect(jana.browser), await other.connect(jana.browser)];
    const authorization = app.authorization({ prompt: 'consent' });
    const { page, to } = await consentPage(jana.browser, authorization);
    const codeAuthorization = app.authorization();
    const code = await app.code(jana.browser, codeAuthorization);
    await cli.answer('app', 'suspend', app.clientId);
    expect([await status(tokens), await status(kept)]).toEqual([401, 200]);
    expect((await jana.browser.get(to)).status).toBe(404);
    expect((await jana.browser.post(to, { _csrf: csrfOf(page), decision: 'allow' })).status).toBe(404);
    expect(statusAndError(await app.exchange(code, codeAuthorization))).toEqual([401, 'invalid_client']);
    const html = await appsPage(jana);
    expect(html.match(/class="badge"/g)).toHaveLength(1);
    const audits = await server.sql('SELECT action FROM audit_entries WHERE subject = $1', [`app ${app.clientId}`]);
    expect(audits).toEqual([{ action: 'app suspend' }]);
  });

  // APP-11, APP-20
  it('shows a new name of the app after one day, when the document that describes the app is read again', async () => {
    // A server caches the document in memory, and the test cannot move the clock of this cache. Therefore the test
    // uses another server, which has not cached the document.
    const other = await TestServer.start({}, undefined, () =>
      Promise.resolve({ url: server.app.get(Settings).databaseUrl ?? '', drop: () => Promise.resolve() }),
    );
    const clientId = 'https://denik.example.org/app.json';
    const redirectUri = 'https://denik.example.org/cb';
    const app = new OAuthApp(server, clientId, redirectUri);
    const mockDocument = (testServer: TestServer, client_name: string) =>
      jest
        .spyOn(testServer.app.get(AppDocuments), 'read')
        .mockImplementation(() =>
          Promise.resolve(Response.json({ client_id: clientId, client_name, redirect_uris: [redirectUri] })),
        );
    const [first, second] = [mockDocument(server, 'Deník'), mockDocument(other, 'Zápisník')];
    try {
      const tokens = await app.connect(jana.browser);
      const nameAfter = async (seconds: number, token: string) => {
        forward(seconds);
        other.clock.moveTo(server.clock.now());
        const next = app.tokensOf(await app.onServer(other).refresh(token));
        return [(await next.api.get('/user')).body.data.token.app.name, next.refresh_token] as [string, string];
      };
      const [early, token] = await nameAfter(DAY - 60, tokens.refresh_token);
      const [late, last] = await nameAfter(120, token);
      expect([early, late]).toEqual(['Deník', 'Zápisník']);
      await cli.answer('app', 'suspend', clientId);
      forward(DAY + 60);
      other.clock.moveTo(server.clock.now());
      const eva = await signedInPerson(other, 'eva');
      expect((await app.onServer(other).answerConsent(eva.browser, app.authorization())).redirect).toBeNull();
      expect([(await app.onServer(other).refresh(last)).body.error, await grantsOf(eva)]).toEqual([
        'invalid_client',
        0,
      ]);
      // The document of an unknown app is requested once, before the transaction begins, and not again inside it.
      const reads = first.mock.calls.length;
      const missing = new OAuthApp(server, 'https://nikde.example.org/app.json', redirectUri);
      expect((await missing.refresh('nothing')).body.error).toBe('invalid_client');
      expect(first.mock.calls.length).toBe(reads + 1);
    } finally {
      first.mockRestore();
      second.mockRestore();
      await other.stop();
    }
  });

  // APP-7, APP-15, APP-23
  it('is deleted by the job apps-sweep only if it has no valid refresh token', async () => {
    const petr = await signedInPerson(server, 'petr');
    for (const table of ['app_interactions', 'app_codes']) await server.sql(`DELETE FROM ${table}`);
    const app = await register();
    const [tokens, authorization] = [await app.connect(jana.browser), app.authorization()];
    await app.code(petr.browser, authorization);
    const unusedDeviceCode = (await app.send('/oauth/device_authorization', {})).body.device_code;
    expect(unusedDeviceCode).toBeTruthy();
    await consentPage(petr.browser, app.authorization({ prompt: 'consent' }));
    const counts = async () => {
      const [row] = await server.sql<Record<string, number>>(
        `SELECT (SELECT count(*)::int FROM app_grants WHERE user_id = $1) AS jana, (SELECT count(*)::int FROM app_grants WHERE user_id = $2) AS petr,
                (SELECT count(*)::int FROM app_codes WHERE kind = 'device') AS devices, (SELECT count(*)::int FROM app_interactions) AS interactions,
                (SELECT count(*)::int FROM app_tokens t JOIN app_grants g ON g.id = t.grant_id WHERE g.user_id = $1) AS tokens, (SELECT count(*)::int FROM app_registrations) AS registrations`,
        [jana.person.userId, petr.person.userId],
      );
      return row;
    };
    await server.job('apps-sweep');
    expect(await counts()).toMatchObject({ jana: 1, petr: 1, registrations: 1 });
    forward(LIMITS.apps.device_code - 30);
    await server.job('apps-sweep');
    const { devices = 0 } = (await counts()) ?? {};
    expect(devices).toBeGreaterThan(0);
    forward(HOUR);
    expect(await server.job('apps-sweep')).toMatchObject({ apps_deleted: 0 });
    expect(await counts()).toEqual({ jana: 1, petr: 0, devices: 0, interactions: 0, tokens: 0, registrations: 0 });
    // A used code is still stored, so its second use ends the grant.
    expect(statusAndError(await app.exchange(tokens.code, tokens.authorization))).toEqual(INVALID_GRANT);
    expect(await grantsOf(jana)).toBe(0);
  });

  // APP-15, APP-23
  it('is deleted by the job apps-sweep after 90 days without use', async () => {
    const petr = await signedInPerson(server, 'petr');
    const app = await register();
    const tokens = await app.connect(jana.browser);
    await app.connect(petr.browser);
    forward(LIMITS.apps.unused - 60);
    const next = app.tokensOf(await app.refresh(tokens.refresh_token));
    forward(120);
    await server.job('apps-sweep');
    expect([await grantsOf(jana), await grantsOf(petr)]).toEqual([1, 0]);
    expect((await app.refresh(next.refresh_token)).status).toBe(200);
  });

  // APP-15, APP-23
  it('ends 90 days after the last use of an access token, even if apps-sweep has deleted this token', async () => {
    const petr = await signedInPerson(server, 'petr');
    const app = await register();
    const [janaTokens, petrTokens] = [await app.connect(jana.browser), await app.connect(petr.browser)];
    forward(LIMITS.apps.access_token - 300);
    for (const { api } of [janaTokens, petrTokens]) expect((await api.get('/user')).status).toBe(200);
    const used = () =>
      server.sql(
        `SELECT t.id FROM app_tokens t JOIN app_grants g ON g.id = t.grant_id
          WHERE g.user_id = ANY($1) AND t.last_used_at IS NOT NULL`,
        [[jana.person.userId, petr.person.userId]],
      );
    await waitUntil(async () => (await used()).length === 2);
    forward(600);
    await server.job('apps-sweep');
    expect(await used()).toEqual([]);
    forward(LIMITS.apps.unused - 1200);
    expect((await app.refresh(janaTokens.refresh_token)).status).toBe(200);
    forward(1200);
    expect(statusAndError(await app.refresh(petrTokens.refresh_token))).toEqual(INVALID_GRANT);
  });

  // APP-23
  it('is refused for an app that registered itself, if nobody connected the app within a day of the registration', async () => {
    const petr = await signedInPerson(server, 'petr');
    const [unused, suspended] = [await register('Zbytečná'), await register('Pozastavená')];
    await cli.answer('app', 'suspend', suspended.clientId);
    const created = await jana.browser.submit('/account/apps/own', {
      name: 'Vlastní',
      redirect_uris: unused.redirectUri,
      type: 'public',
    });
    const [, own = ''] = /<pre id="client-id"[^>]*>([^<]+)/.exec((await jana.browser.get(created.to ?? '')).html) ?? [];
    const known = async () => {
      const rows = await server.sql<{ client_id: string }>('SELECT client_id FROM apps');
      const all = new Set(rows.map(({ client_id }) => client_id));
      return [unused.clientId, suspended.clientId, own].map((one) => all.has(one));
    };
    forward(DAY - 60);
    await server.job('apps-sweep');
    expect(await known()).toEqual([true, true, true]);
    forward(120);
    await server.job('apps-sweep');
    expect(await known()).toEqual([false, true, true]);
    expect((await unused.answerConsent(petr.browser, unused.authorization())).page.status).toBe(400);
  });
});
