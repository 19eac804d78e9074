import { randomBytes } from 'node:crypto';
import { AppDocuments } from '#areas/apps/app-documents';
import { LIMITS } from '#contract/limits';
import { CommandLine } from '#testing/command-line';
import { signedInPerson, OAuthApp, PASSWORD, type BrowserUser } from '#testing/oauth-app';
import { ScriptedServer } from '#testing/scripted-server';
import { TestServer } from '#testing/test-server';
import { Settings } from '#platform/config/settings';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const INVALID_GRANT = [400, 'invalid_grant'];

describe('an app', () => {
  let server: TestServer;
  let jana: BrowserUser;
  let cli: CommandLine;

  beforeAll(async () => {
    server = await TestServer.start({ trustProxy: ['loopback'] });
    jana = await signedInPerson(server, 'jana');
    cli = CommandLine.forDatabaseOf(server.app.get(Settings));
  });
  // Registrations from an IP address are limited, so the counter is reset before each test.
  beforeEach(() => server.sql('DELETE FROM app_registrations'));
  afterAll(() => server.stop());

  const statusAndError = ({ status, body }: { status: number; body: { error?: string } }) => [status, body.error];
  const tokenStatus = async ({ api }: { api: { get(path: string): Promise<{ status: number }> } }) =>
    (await api.get('/user')).status;

  /** Registers an app with a secret for this developer. Returns the app and the path of its page. */
  const registerConfidential = async (
    owner: BrowserUser,
    name = 'Server',
  ): Promise<{ app: OAuthApp; page: string }> => {
    const redirectUri = 'https://server.example.org/cb';
    const created = await owner.browser.submit('/account/apps/own', {
      name,
      homepage: 'https://server.example.org/',
      redirect_uris: redirectUri,
      type: 'confidential',
    });
    const page = created.to ?? '';
    const { html } = await owner.browser.get(page);
    const [, clientId = ''] = /<pre id="client-id"[^>]*>([^<]+)/.exec(html) ?? [];
    const [, secret = ''] = /<pre id="fresh-secret">([^<]+)/.exec(html) ?? [];
    return { app: new OAuthApp(server, clientId, redirectUri, secret), page };
  };

  // APP-3
  it('of a developer authenticates with its secret; after the secret was renewed, the previous secret works for one more day', async () => {
    const { app, page } = await registerConfidential(jana);
    expect(app.secret).toMatch(/^evs_/);
    expect((await jana.browser.get(page)).html).not.toContain(app.secret as string);
    const tokens = await app.connect(jana.browser, 'write');
    expect(await tokenStatus(tokens)).toBe(200);
    const wrong = new OAuthApp(server, app.clientId, app.redirectUri, 'evs_wrong');
    expect(statusAndError(await wrong.refresh(tokens.refresh_token))).toEqual([401, 'invalid_client']);
    const without = new OAuthApp(server, app.clientId, app.redirectUri);
    expect(statusAndError(await without.refresh(tokens.refresh_token))).toEqual([401, 'invalid_client']);
    await jana.browser.submit(page, {}, `${page}/rotate`);
    const [, secret = ''] = /<pre id="fresh-secret">([^<]+)/.exec((await jana.browser.get(page)).html) ?? [];
    const renewed = new OAuthApp(server, app.clientId, app.redirectUri, secret);
    const next = app.tokensOf(await app.refresh(tokens.refresh_token));
    const last = renewed.tokensOf(await renewed.refresh(next.refresh_token));
    server.clock.forward((LIMITS.apps.former_secret + 1) * 1000);
    expect(statusAndError(await app.refresh(last.refresh_token))).toEqual([401, 'invalid_client']);
    expect((await renewed.refresh(last.refresh_token)).status).toBe(200);
  });

  // APP-1, APP-2
  it('of a developer is refused if a field is invalid, and is visible only to this developer; a developer can have at most ten apps', async () => {
    const eva = await signedInPerson(server, 'eva');
    for (const [field, value] of [
      ['name', 'x'],
      ['name', 'Evil\u202eapp'],
      ['redirect_uris', 'http://app.example.org/cb'],
      ['redirect_uris', 'https://*.example.org/cb'],
      ['redirect_uris', 'https://user@app.example.org/cb'],
      ['redirect_uris', 'https:app.example.org/cb'],
      ['redirect_uris', 'myapp:/cb'],
      ['redirect_uris', 'javascript:alert(1)'],
      ['redirect_uris', 'https://app.example.org/#cb'],
      ['redirect_uris', Array.from({ length: 11 }, (_, n) => `https://app.example.org/${n}`).join('\n')],
      ['homepage', 'ftp://app.example.org'],
      ['type', 'other'],
    ] as const) {
      const fields = {
        name: 'Moje',
        homepage: '',
        redirect_uris: 'cz.example.app:/cb',
        type: 'public',
        [field]: value,
      };
      expect([field, value, (await eva.browser.submit('/account/apps/own', fields)).status]).toEqual([
        field,
        value,
        422,
      ]);
    }
    const { page } = await registerConfidential(eva);
    expect((await jana.browser.get(page)).status).toBe(404);
    for (const part of ['', '/icon', '/rotate', '/delete'])
      expect((await jana.browser.submit('/account/apps/own', { name: 'Ukradená' }, page + part)).status).toBe(404);
    for (let n = 1; n < LIMITS.apps.per_account; n++) await registerConfidential(eva, `App ${n}`);
    const eleventhApp = { name: 'Jedenáctá', redirect_uris: 'cz.example.app:/cb', type: 'public' };
    expect((await eva.browser.submit('/account/apps/own', eleventhApp)).status).toBe(409);
  });

  // APP-16
  it('has a single entry among the connected apps although it has several grants; disconnecting the app ends all these grants', async () => {
    const eva = await signedInPerson(server, 'eva');
    const app = await OAuthApp.register(server, { name: 'Diář' });
    const tokens = [];
    for (const scope of ['events:read', 'calendar:read', 'events:read'])
      tokens.push(await app.connect(eva.browser, scope));
    const address = (await eva.person.api.get('/user/calendar')).body.data.url as string;
    const { html } = await eva.browser.get('/account/apps');
    expect(html.split('<strong>Diář</strong>')).toHaveLength(2);
    const path = /\/account\/apps\/\w+\/disconnect/.exec(html)?.[0] ?? '';
    expect((await eva.browser.submit('/account/apps', {}, path)).status).toBe(303);
    for (const one of tokens) {
      expect(await tokenStatus(one)).toBe(401);
      expect(statusAndError(await app.refresh(one.refresh_token))).toEqual(INVALID_GRANT);
    }
    expect((await eva.person.api.get('/user/calendar')).body.data.url).not.toBe(address);
    expect((await eva.browser.get('/account/apps')).html).not.toContain('Diář');
    // Disconnecting the app has also deleted the consent.
    const consentPage = await eva.browser.get(app.authorization().path);
    expect((await eva.browser.get(consentPage.to ?? '')).status).toBe(200);
  });

  // APP-16
  it('causes a single notice even if it is connected twice; the app stays connected after a change of the password until the person disconnects all apps', async () => {
    const eva = await signedInPerson(server, 'eva');
    const app = await OAuthApp.register(server, { name: 'Poprvé' });
    const tokens = await app.connect(eva.browser);
    await app.connect(eva.browser);
    const { body } = await eva.person.api.get('/notices');
    expect(body.data).toMatchObject([{ kind: 'app_connected', text: expect.stringContaining('Poprvé') }]);
    const changed = await eva.browser.submit(
      '/account/security',
      { current_password: PASSWORD, password: 'battery staple' },
      '/account/security/password',
    );
    const page = await eva.browser.get(changed.to ?? '');
    expect(page.html).toContain('/account/apps/disconnect-all');
    expect(await tokenStatus(tokens)).toBe(200);
    await eva.browser.submit('/account/security?password', {}, '/account/apps/disconnect-all');
    expect(await tokenStatus(tokens)).toBe(401);
  });

  // APP-20
  it('can be suspended and reactivated by the operator', async () => {
    const app = await OAuthApp.register(server, { name: 'Pozastavená' });
    const tokens = await app.connect(jana.browser);
    expect((await cli.run(['app', 'suspend', app.clientId])).code).toBe(0);
    expect(await tokenStatus(tokens)).toBe(401);
    expect(statusAndError(await app.refresh(tokens.refresh_token))).toEqual([401, 'invalid_client']);
    expect((await app.answerConsent(jana.browser, app.authorization())).redirect).toBeNull();
    expect((await app.send('/oauth/device_authorization', {})).status).toBe(401);
    expect((await cli.run(['app', 'resume', app.clientId])).code).toBe(0);
    expect(await tokenStatus(tokens)).toBe(200);
    expect((await app.refresh(tokens.refresh_token)).status).toBe(200);
    expect(await cli.answer('app', 'show', app.clientId)).toMatchObject({ grants: 1, people: 1 });
    expect(await cli.refusal('app', 'suspend', 'nobody')).toContain('nobody');
  });

  // APP-17
  it('on a device gets tokens only once, and only after the person has allowed the code of the device', async () => {
    const app = await OAuthApp.register(server, { name: 'Televize' });
    const requestCode = async () => (await app.send('/oauth/device_authorization', { scope: 'events:read' })).body;
    const poll = (device_code: string) => app.token({ grant_type: DEVICE_GRANT, device_code });
    const first = await requestCode();
    expect(first).toMatchObject({ expires_in: 600, verification_uri: 'http://127.0.0.1:3000/device' });
    expect(first.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(statusAndError(await poll(first.device_code))).toEqual([400, 'authorization_pending']);
    const complete = new URL(first.verification_uri_complete as string);
    const page = await jana.browser.get(complete.pathname + complete.search);
    for (const text of [first.user_code, 'Televize', 'value="allow"']) expect(page.html).toContain(text);
    const answer = (code: string, decision: string) =>
      jana.browser.submit(`/device?user_code=${code}`, { user_code: code, decision }, '/device');
    expect((await answer((first.user_code as string).toLowerCase().replace('-', ' '), 'allow')).status).toBe(200);
    expect((await answer(first.user_code, 'allow')).status).toBe(422);
    const tokens = app.tokensOf(await poll(first.device_code));
    expect(tokens.scope).toBe('events:read');
    expect(await tokenStatus(tokens)).toBe(200);
    expect(statusAndError(await poll(first.device_code))).toEqual(INVALID_GRANT);
    expect(await tokenStatus(tokens)).toBe(401);
    const denied = await requestCode();
    await answer(denied.user_code, 'deny');
    expect(statusAndError(await poll(denied.device_code))).toEqual([400, 'access_denied']);
    const late = await requestCode();
    server.clock.forward((LIMITS.apps.device_code + 1) * 1000);
    expect(statusAndError(await poll(late.device_code))).toEqual([400, 'expired_token']);
    await server.job('apps-sweep');
    expect(statusAndError(await poll(late.device_code))).toEqual([400, 'expired_token']);
  });

  // APP-17
  it('on a device cannot be connected by guessing: an account can enter at most ten wrong codes an hour', async () => {
    const eva = await signedInPerson(server, 'eva');
    const app = await OAuthApp.register(server);
    const { user_code } = (await app.send('/oauth/device_authorization', {})).body as { user_code: string };
    for (let n = 0; n < LIMITS.apps.wrong_codes.max; n++)
      expect((await eva.browser.get('/device?user_code=BBBBBBBB')).status).toBe(422);
    expect((await eva.browser.get(`/device?user_code=${user_code}`)).status).toBe(429);
    expect((await jana.browser.get(`/device?user_code=${user_code}`)).status).toBe(200);

    const ota = await signedInPerson(server, 'ota');
    const allow = (code: string) => ota.browser.submit('/device', { user_code: code, decision: 'allow' });
    for (let n = 0; n < LIMITS.apps.wrong_codes.max; n++) expect((await allow('BBBBBBBB')).status).toBe(422);
    expect((await allow('BBBBBBBB')).status).toBe(429);
  });

  // APP-10
  it('can register itself as a public client, at most ten times an hour from an IP address', async () => {
    server.clock.forward(2 * 3600 * 1000);
    const register = (fields: object) =>
      server.nobody.send('POST', '~/oauth/register', {
        json: { client_name: 'Já', redirect_uris: ['https://app.example.org/cb'], ...fields },
      });
    const registered = await register({ token_endpoint_auth_method: 'client_secret_basic', scope: 'openid read' });
    expect(registered.body).toMatchObject({ token_endpoint_auth_method: 'none', client_name: 'Já' });
    expect(registered.body).not.toHaveProperty('client_secret');
    expect(registered.headers.get('access-control-allow-origin')).toBe('*');
    for (const fields of [
      { client_name: 'x'.repeat(61) },
      { client_name: 'Evil\u202e' },
      { redirect_uris: ['http://app.example.org/cb'] },
      { redirect_uris: [] },
      { redirect_uris: 'https://app.example.org/cb' },
    ])
      expect([fields, (await register(fields)).status]).toEqual([fields, 400]);
    const all = await Promise.all(Array.from({ length: 14 }, () => register({})));
    expect(all.filter((one) => one.status === 201)).toHaveLength(LIMITS.apps.registrations.max - 1);
    const refused = all.filter((one) => one.status === 429);
    expect(refused.map((one) => Number(one.headers.get('retry-after')) > 0)).toEqual(Array(5).fill(true));
  });

  // APP-10
  it('can register itself although ten apps have registered themselves from another IP address', async () => {
    const statusFrom = async (address: string) =>
      (
        await server.nobody.send('POST', '~/oauth/register', {
          json: { client_name: 'Já', redirect_uris: ['https://app.example.org/cb'] },
          headers: { 'x-forwarded-for': address },
        })
      ).status;
    for (let n = 0; n < LIMITS.apps.registrations.max; n++) expect(await statusFrom('198.51.100.1')).toBe(201);
    expect([await statusFrom('198.51.100.1'), await statusFrom('198.51.100.2')]).toEqual([429, 201]);
    server.clock.forward((LIMITS.apps.registrations.window + 1) * 1000);
    expect(await statusFrom('198.51.100.1')).toBe(201);
  });

  // APP-2, APP-6, APP-10
  it('that registers itself can omit redirect_uris if it uses device codes, but cannot send an empty list if it also uses authorization codes', async () => {
    const register = async (fields: object) =>
      (await server.nobody.send('POST', '~/oauth/register', { json: { client_name: 'Televize', ...fields } })).status;
    expect([
      await register({ grant_types: [DEVICE_GRANT] }),
      await register({ grant_types: [DEVICE_GRANT], redirect_uris: [] }),
      await register({ grant_types: ['authorization_code', DEVICE_GRANT] }),
      await register({ grant_types: ['authorization_code', DEVICE_GRANT], redirect_uris: [] }),
      await register({ grant_types: ['authorization_code'] }),
      await register({}),
    ]).toEqual([201, 201, 201, 400, 400, 400]);
  });

  // APP-2, APP-10
  it('that registers itself without a name gets the host of its https redirect address as its name, or else the name App; its addresses are limited in length and number', async () => {
    const redirect_uris = ['https://app.example.org/cb'];
    const register = (fields: object) =>
      server.nobody.send('POST', '~/oauth/register', { json: { redirect_uris, ...fields } });
    const homepage = (length: number) => `https://app.example.org/${'x'.repeat(length - 24)}`;
    expect((await register({})).body.client_name).toBe('app.example.org');
    expect((await register({ redirect_uris: ['http://127.0.0.1/cb'] })).body.client_name).toBe('App');
    expect((await register({ client_uri: homepage(500) })).body.client_uri).toHaveLength(500);
    const addresses = Array.from({ length: 11 }, (_, n) => `https://app.example.org/${n}`);
    expect((await register({ redirect_uris: addresses.slice(1) })).status).toBe(201);
    for (const fields of [
      { client_uri: homepage(501) },
      { redirect_uris: addresses },
      { redirect_uris: [`https://app.example.org/${'x'.repeat(500 - 23)}`] },
    ])
      expect((await register(fields)).status).toBe(400);
  });

  // APP-21
  it('can be given its own rate limit by the operator; this limit then replaces the limit of the app’s IP address', async () => {
    const { app } = await registerConfidential(await signedInPerson(server, 'vit'));
    const tokens = await app.connect(jana.browser);
    await cli.answer('app', 'update', app.clientId, '--ip-window', '3');
    const statuses = [];
    // The clock is frozen, so all requests are in the same minute.
    server.clock.freezeAt(server.clock.now());
    for (let n = 0; n < 5; n++) statuses.push(await tokenStatus(tokens));
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect((await jana.person.api.get('/user')).status).toBe(200);
    await cli.answer('app', 'update', app.clientId, '--ip-window', 'none');
    expect(await tokenStatus(tokens)).toBe(200);
  });

  // APP-11
  it('can be described by a document, which the server reads only from public addresses', async () => {
    const documents = server.app.get(AppDocuments);
    await expect(documents.read('https://127.0.0.1:1/app.json')).rejects.toThrow('not reachable from the internet');
    await expect(documents.read('https://[::1]/app.json')).rejects.toThrow('not reachable from the internet');
    const clientId = 'https://client.example.org/app.json';
    const redirectUri = 'https://client.example.org/cb';
    const read = jest.spyOn(documents, 'read');
    const app = new OAuthApp(server, clientId, redirectUri);
    for (const response of [
      new Response(null, { status: 404 }),
      Response.json({ client_id: 'https://other.example.org/app.json', redirect_uris: [redirectUri] }),
      Response.json({ client_id: clientId, client_name: 'Podvod', redirect_uris: ['http://evil.example/cb'] }),
    ]) {
      read.mockResolvedValue(response);
      expect((await app.answerConsent(jana.browser, app.authorization())).page.status).toBe(400);
    }
    const document = { client_id: clientId, client_name: 'Dokument', redirect_uris: [redirectUri], scope: 'openid' };
    read.mockResolvedValue(Response.json(document));
    const page = await app.answerConsent(jana.browser, app.authorization(), 'look');
    for (const text of ['Dokument', 'client.example.org']) expect(page.page.html).toContain(text);
    const tokens = await app.connect(jana.browser);
    expect(await tokenStatus(tokens)).toBe(200);
    const before = read.mock.calls.length;
    expect((await app.refresh(tokens.refresh_token)).status).toBe(200);
    expect(read.mock.calls.length).toBe(before);
    const open = await app.answerConsent(jana.browser, app.authorization({ prompt: 'consent' }), 'look');
    await cli.answer('app', 'suspend', clientId);
    expect(await tokenStatus(tokens)).toBe(401);
    const [, action = ''] = /action="([^"]*\/oauth\/consent\/[^"]+)"/.exec(open.page.html) ?? [];
    expect(action).not.toBe('');
    expect((await jana.browser.get(action)).status).toBe(404);
    read.mockRestore();
  });

  // APP-6, APP-11
  it('that is described by a document gets the error access_denied after a denial, although nobody has connected it yet', async () => {
    const clientId = 'https://denied.example.org/app.json';
    const redirectUri = 'https://denied.example.org/cb';
    const read = jest.spyOn(server.app.get(AppDocuments), 'read');
    read.mockResolvedValue(
      Response.json({ client_id: clientId, client_name: 'Odmítnutá', redirect_uris: [redirectUri] }),
    );
    const app = new OAuthApp(server, clientId, redirectUri);
    const authorization = app.authorization();
    const { redirect } = await app.answerConsent(jana.browser, authorization, 'deny');
    read.mockRestore();
    expect(redirect?.href.startsWith(`${redirectUri}?`)).toBe(true);
    expect(Object.fromEntries(redirect?.searchParams ?? [])).toMatchObject({
      error: 'access_denied',
      state: authorization.state,
    });
  });

  // APP-10, APP-11, APP-17
  it('that is described by a document gets a device code although nobody has connected it yet; an IP address gets codes for at most ten such apps an hour', async () => {
    const appAt = (n: number) => new OAuthApp(server, `https://tv${n}.example.org/app.json`, '');
    const read = jest.spyOn(server.app.get(AppDocuments), 'read');
    read.mockImplementation((address) =>
      Promise.resolve(Response.json({ client_id: address, client_name: 'Televize', grant_types: [DEVICE_GRANT] })),
    );
    const requestCode = (n: number) => appAt(n).send('/oauth/device_authorization', { scope: 'events:read' });
    const first = await requestCode(1);
    expect(first.status).toBe(200);
    const { user_code, device_code } = first.body as Record<string, string>;
    const answer = { user_code: user_code!, decision: 'allow' };
    expect((await jana.browser.submit('/device', answer)).status).toBe(200);
    expect((await appAt(1).token({ grant_type: DEVICE_GRANT, device_code })).status).toBe(200);
    for (let n = 2; n <= LIMITS.apps.registrations.max; n++) expect((await requestCode(n)).status).toBe(200);
    const refused = await requestCode(LIMITS.apps.registrations.max + 1);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await requestCode(1)).status).toBe(200);
    read.mockRestore();
  });

  // APP-11
  it('cannot be described by a document whose address has more than 2,000 bytes', async () => {
    const base = 'https://long.example.org/';
    const redirectUri = `${base}cb`;
    const read = jest.spyOn(server.app.get(AppDocuments), 'read');
    read.mockImplementation((address) =>
      Promise.resolve(Response.json({ client_id: address, client_name: 'Dlouhá', redirect_uris: [redirectUri] })),
    );
    // The random text cannot be compressed, so an address of 3,000 characters is too long for an index entry of
    // PostgreSQL.
    const text = randomBytes(3000).toString('base64url');
    for (const [length, isAccepted] of [
      [2000, true],
      [2001, false],
      [3000, false],
    ] as const) {
      const app = new OAuthApp(server, (base + text).slice(0, length), redirectUri);
      const device = await app.send('/oauth/device_authorization', {});
      const { redirect, page } = await app.answerConsent(jana.browser, app.authorization());
      expect([length, device.status, redirect !== null, page.status]).toEqual(
        isAccepted ? [length, 200, true, 303] : [length, 400, false, 400],
      );
    }
    read.mockRestore();
  });

  // APP-11
  it('has a document that the server reads without following redirects', async () => {
    const other = await ScriptedServer.start();
    const settings = server.app.get(Settings);
    // The scripted server has a private address.
    const privateAllowed = jest.replaceProperty(settings, 'webhooksAllowPrivate', true);
    const documents = server.app.get(AppDocuments);
    other.turns = [
      (response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
      (response) => void response.writeHead(200, { 'cache-control': 'max-age=60' }).end('{}'),
    ];
    expect((await documents.read(`${other.origin}/app.json`)).status).toBe(404);
    const read = await documents.read(`${other.origin}/app.json`);
    expect([read.status, read.headers.get('cache-control'), await read.text()]).toEqual([200, 'max-age=60', '{}']);
    expect(other.requests.map(({ url }) => url)).toEqual(['/app.json', '/app.json']);
    privateAllowed.restore();
    other.stop();
  });

  // APP-23
  it('is deleted a day after it has registered itself if nobody has connected the app', async () => {
    server.clock.forward(4 * 3600 * 1000);
    const [used, unused] = [await OAuthApp.register(server), await OAuthApp.register(server)];
    const { refresh_token } = await used.connect(jana.browser);
    server.clock.forward((LIMITS.apps.registration_unused + 60) * 1000);
    await server.job('apps-sweep');
    expect((await used.refresh(refresh_token)).status).toBe(200);
    expect(statusAndError(await unused.refresh('nothing'))).toEqual([401, 'invalid_client']);
  });
});
