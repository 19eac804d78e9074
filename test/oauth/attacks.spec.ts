import { LIMITS } from '#contract/limits';
import { signedInPerson, OAuthApp, pkce, type BrowserUser } from '#testing/oauth-app';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';
import { waitUntil } from '#testing/wait-until';

const ISSUER = 'http://127.0.0.1:3000';
const INVALID_GRANT = [400, 'invalid_grant'];

describe('the authorization server', () => {
  let server: TestServer;
  let jana: BrowserUser;
  let app: OAuthApp;

  beforeAll(async () => {
    server = await TestServer.start();
    jana = await signedInPerson(server, 'jana');
    app = await OAuthApp.register(server);
  });
  afterAll(() => server.stop());

  const statusAndError = ({ status, body }: { status: number; body: { error?: string } }) => [status, body.error];
  const works = async ({ api }: { api: { get(path: string): Promise<{ status: number }> } }) =>
    (await api.get('/user')).status === 200;

  // APP-7
  it('exchanges a code only once: a second use ends the grant, even if the code has expired', async () => {
    for (const delaySeconds of [0, LIMITS.apps.code + 5]) {
      const tokens = await app.connect(jana.browser);
      server.clock.forward(delaySeconds * 1000);
      expect(statusAndError(await app.exchange(tokens.code, tokens.authorization))).toEqual(INVALID_GRANT);
      expect(await works(tokens)).toBe(false);
      expect(statusAndError(await app.refresh(tokens.refresh_token))).toEqual(INVALID_GRANT);
    }
  });

  // APP-7
  it('refuses a code after 60 seconds', async () => {
    const request = app.authorization();
    const code = await app.code(jana.browser, request);
    server.clock.forward((LIMITS.apps.code + 1) * 1000);
    expect(statusAndError(await app.exchange(code, request))).toEqual(INVALID_GRANT);
  });

  // APP-7
  it('still accepts a code after a refused attempt with a wrong verifier, another redirect address or another client', async () => {
    const other = await OAuthApp.register(server, { name: 'Jiná' });
    const request = app.authorization();
    const code = await app.code(jana.browser, request);
    expect(statusAndError(await app.exchange(code, request, { code_verifier: pkce().verifier }))).toEqual(
      INVALID_GRANT,
    );
    expect(statusAndError(await app.exchange(code, request, { code_verifier: undefined }))).toEqual(INVALID_GRANT);
    expect(statusAndError(await app.exchange(code, request, { redirect_uri: `${request.redirectUri}/` }))).toEqual(
      INVALID_GRANT,
    );
    expect(statusAndError(await other.exchange(code, request))).toEqual(INVALID_GRANT);
    expect((await app.exchange(code, request)).status).toBe(200);
  });

  // APP-7
  it('issues tokens for at most one of several parallel exchanges of the same code', async () => {
    const request = app.authorization();
    const code = await app.code(jana.browser, request);
    const answers = await Promise.all(Array.from({ length: 6 }, () => app.exchange(code, request)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const one of answers) expect([200, 400]).toContain(one.status);
  });

  // APP-6
  it.each([
    ['a request without a code challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['a request with the challenge method "plain"', { code_challenge_method: 'plain' }],
    ['a request without a challenge method', { code_challenge_method: undefined }],
    ['a request with the response mode "fragment"', { response_mode: 'fragment' }],
  ])('issues no code for %s', async (_what, fields) => {
    const { redirect } = await app.answerConsent(jana.browser, app.authorization(fields));
    expect(redirect?.searchParams.get('code') ?? null).toBeNull();
    expect(redirect?.searchParams.get('error')).toMatch(/^(invalid_request|unsupported_response_(type|mode))$/);
    expect(redirect?.searchParams.get('iss')).toBe(ISSUER);
    expect(redirect?.hash).toBe('');
  });

  // APP-6, APP-10
  it('refuses a NUL character in parameters and in the metadata of an app', async () => {
    const NUL = '\0';
    for (const name of ['client_id', 'state', 'redirect_uri', 'scope', 'login_hint', 'ui_locales']) {
      const page = await jana.browser.get(app.authorization({ [name]: `a${NUL}` }).path);
      expect([name, page.status]).toEqual([name, 400]);
    }
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/device_authorization'])
      expect([path, ...statusAndError(await app.send(path, { client_id: NUL, token: 'x' }))]).toEqual([
        path,
        400,
        'invalid_request',
      ]);
    expect(statusAndError(await app.send('/oauth/device_authorization', { login_hint: NUL }))).toEqual([
      400,
      'invalid_request',
    ]);
    const json = {
      client_name: 'Deník',
      redirect_uris: [app.redirectUri],
      client_uri: `https://app.example.org/${NUL}`,
    };
    expect(statusAndError(await server.nobody.send('POST', '~/oauth/register', { json }))).toEqual([
      400,
      'invalid_client_metadata',
    ]);
  });

  // APP-6
  it.each(['token', 'code token', 'id_token'])(
    'refuses response_type=%s, and sends the error in the query of the redirect',
    async (type) => {
      const { redirect } = await app.answerConsent(jana.browser, app.authorization({ response_type: type }));
      expect(redirect?.href).not.toMatch(/code=|access_token=|#/);
      expect(redirect?.searchParams.get('error')).toBe('unsupported_response_type');
    },
  );

  // APP-9
  it.each([
    ['another path', 'https://app.example.org/callback/more'],
    ['an additional slash', 'https://app.example.org/callback/'],
    ['an upper-case letter', 'https://app.example.org/Callback'],
    ['another port', 'https://app.example.org:8443/callback'],
    ['a query', 'https://app.example.org/callback?next=https://evil.example'],
    ['a fragment', 'https://app.example.org/callback#here'],
    ['a user name', 'https://app.example.org@evil.example/callback'],
    ['another host', 'https://app.example.org.evil.example/callback'],
    ['another scheme', 'http://app.example.org/callback'],
    ['a path with ".."', 'https://app.example.org/x/../callback'],
    ['a missing address', undefined],
  ])('refuses a redirect address that is not exactly the registered address: %s', async (_what, redirect_uri) => {
    const { redirect, page } = await app.answerConsent(jana.browser, app.authorization({ redirect_uri }));
    expect([redirect, page.status]).toEqual([null, 400]);
    expect(page.html).not.toContain('value="allow"');
    expect(page.html.includes('Aplikace nemá zaregistrovanou adresu')).toBe(redirect_uri !== undefined);
  });

  // APP-9
  it('shows the cause of a refusal on its own page, or as JSON to a program, if it cannot redirect to the app', async () => {
    const { path } = app.authorization({ client_id: 'unknown' });
    const page = await new Visitor(server).get(path);
    expect([page.status, page.html.includes('We do not know the app that sent you here.')]).toEqual([400, true]);
    const causes: unknown[] = [];
    for (const at of [path, app.authorization({ redirect_uri: 'https://evil.example' }).path])
      causes.push(JSON.parse((await jana.browser.send('GET', at, null, { accept: 'application/json' })).html));
    expect(causes).toMatchObject([{ error: 'invalid_client' }, { error: 'invalid_redirect_uri' }]);
  });

  // APP-9
  it('accepts a loopback address that differs from the registered address only in its port, but refuses another path, host or user name', async () => {
    const native = await OAuthApp.register(server, { redirectUri: 'http://127.0.0.1:4000/cb' });
    const { redirect } = await native.answerConsent(
      jana.browser,
      native.authorization({ redirect_uri: 'http://127.0.0.1:51234/cb' }),
    );
    expect(redirect?.origin).toBe('http://127.0.0.1:51234');
    for (const redirect_uri of [
      'http://127.0.0.1:4000/other',
      'http://localhost:4000/cb',
      'http://u@127.0.0.1:4000/cb',
    ])
      expect((await native.answerConsent(jana.browser, native.authorization({ redirect_uri }))).redirect).toBeNull();
  });

  // APP-6
  it('redirects with the error access_denied, the state and the issuer if the person denies the access', async () => {
    const request = app.authorization();
    const { redirect } = await app.answerConsent(
      jana.browser,
      app.authorization({ prompt: 'consent', state: request.state }),
      'deny',
    );
    expect(Object.fromEntries(redirect?.searchParams ?? [])).toMatchObject({
      error: 'access_denied',
      state: request.state,
      iss: ISSUER,
    });
  });

  // APP-8
  it('accepts a used refresh token for 30 seconds, and ends the grant if the token is used later', async () => {
    const first = await app.connect(jana.browser);
    const second = app.tokensOf(await app.refresh(first.refresh_token));
    server.clock.forward((LIMITS.apps.refresh_again - 1) * 1000);
    const again = app.tokensOf(await app.refresh(first.refresh_token));
    expect(again.refresh_token).not.toBe(second.refresh_token);
    expect([await works(first), await works(second), await works(again)]).toEqual([true, true, true]);
    server.clock.forward(2000);
    expect(statusAndError(await app.refresh(first.refresh_token))).toEqual(INVALID_GRANT);
    expect([await works(first), await works(second), await works(again)]).toEqual([false, false, false]);
    expect(statusAndError(await app.refresh(again.refresh_token))).toEqual(INVALID_GRANT);
  });

  // APP-8
  it('ends a grant when its access token or refresh token is revoked, and lets a client revoke only its own tokens', async () => {
    const other = await OAuthApp.register(server, { name: 'Cizí' });
    for (const which of ['access_token', 'refresh_token'] as const) {
      const tokens = await app.connect(jana.browser);
      expect((await other.revoke(tokens[which])).status).toBe(400);
      expect(await works(tokens)).toBe(true);
      expect((await app.revoke(tokens[which])).status).toBe(200);
      expect(await works(tokens)).toBe(false);
      expect(statusAndError(await app.refresh(tokens.refresh_token))).toEqual(INVALID_GRANT);
    }
    expect((await app.revoke('evt_nothing')).status).toBe(200);
  });

  // APP-14
  it('ignores unknown scopes next to known ones, and uses "read" if no scope is sent; refuses a request with only unknown scopes, and a refresh with a scope outside the grant', async () => {
    for (const [scope, granted] of [
      [undefined, 'read'],
      ['openid posts:read offline_access', 'posts:read'],
      ['join events:write', 'events:write join'],
      ['join,events:write', 'events:write join'],
    ] as const) {
      const request = app.authorization({ scope });
      expect(app.tokensOf(await app.exchange(await app.code(jana.browser, request), request)).scope).toBe(granted);
    }
    for (const scope of ['openid profile', 'offline_access']) {
      const { redirect } = await app.answerConsent(jana.browser, app.authorization({ scope }));
      expect(redirect?.searchParams.get('error')).toBe('invalid_scope');
    }
    const tokens = await app.connect(jana.browser, 'posts:read');
    expect(statusAndError(await app.refresh(tokens.refresh_token, { scope: 'write' }))).toEqual([400, 'invalid_scope']);
  });

  // APP-18
  it('accepts as `resource` only the addresses of the service, of the API and of /mcp', async () => {
    for (const path of ['', '/', '/api/v1', '/mcp']) {
      const request = app.authorization({ resource: `${ISSUER}${path}` });
      expect((await app.exchange(await app.code(jana.browser, request), request)).status).toBe(200);
    }
    const { redirect } = await app.answerConsent(
      jana.browser,
      app.authorization({ resource: 'https://elsewhere.example/api' }),
    );
    expect(redirect?.searchParams.get('error')).toBe('invalid_target');
    const elsewhere = { resource: 'https://elsewhere.example/api' };
    const request = app.authorization();
    const code = await app.code(jana.browser, request);
    expect(statusAndError(await app.exchange(code, request, elsewhere))).toEqual([400, 'invalid_target']);
    // A refused request uses up neither the code nor the refresh token.
    const tokens = app.tokensOf(await app.exchange(code, request));
    expect(statusAndError(await app.refresh(tokens.refresh_token, elsewhere))).toEqual([400, 'invalid_target']);
    server.clock.forward((LIMITS.apps.refresh_again + 1) * 1000);
    expect((await app.refresh(tokens.refresh_token)).status).toBe(200);
  });

  // SBX-3
  it('sets cookies with Max-Age, without Expires, because the clock of a sandbox may differ from the clock of the browser', async () => {
    const app = await OAuthApp.register(server);
    const response = await fetch(`${server.origin}${app.authorization().path}`, { redirect: 'manual' });
    const cookies = response.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; max-age=3600(;|$)/);
      expect(cookie).not.toMatch(/expires=/i);
    }
  });

  // APP-12
  it('accepts the consent only from the form that it has shown in the same browser, and does not allow other sites to show the form in a frame', async () => {
    const request = app.authorization({ prompt: 'consent' });
    const { to } = await jana.browser.get(request.path);
    const page = await jana.browser.get(to ?? '');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://app.example.org;");
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
    for (const _csrf of ['', 'made up'])
      expect((await jana.browser.post(to ?? '', { _csrf, decision: 'allow' })).status).toBe(403);
    const eva = await signedInPerson(server, 'eva');
    expect((await eva.browser.get(to ?? '')).status).toBe(404);
    expect((await new Visitor(server).get(to ?? '')).to).toBe(`/sign-in?next=${encodeURIComponent(to ?? '')}`);
  });

  // APP-13
  it('requires a new consent only for scopes outside the earlier consent; an app with a loopback address or a private-use scheme needs a new consent each time', async () => {
    const site = await OAuthApp.register(server, { name: 'Web' });
    const needsConsent = async (client: OAuthApp, scope: string) => {
      const first = await jana.browser.get(client.authorization({ scope }).path);
      return (await jana.browser.get(first.to ?? '')).status === 200;
    };
    expect(await needsConsent(site, 'write')).toBe(true);
    await site.connect(jana.browser, 'write');
    expect([await needsConsent(site, 'write'), await needsConsent(site, 'posts:read')]).toEqual([false, false]);
    const narrow = await OAuthApp.register(server, { name: 'Úzká' });
    await narrow.connect(jana.browser, 'posts:write');
    expect([await needsConsent(narrow, 'posts:read'), await needsConsent(narrow, 'read')]).toEqual([false, true]);
    const reading = await OAuthApp.register(server, { name: 'Čtenář' });
    await reading.connect(jana.browser, 'read');
    expect([await needsConsent(reading, 'events:read'), await needsConsent(reading, 'events:write')]).toEqual([
      false,
      true,
    ]);
    const native = await OAuthApp.register(server, { redirectUri: 'http://127.0.0.1/cb' });
    await native.connect(jana.browser);
    expect(await needsConsent(native, 'read')).toBe(true);
    const scheme = await OAuthApp.register(server, { redirectUri: 'cz.example.app:/cb' });
    await scheme.connect(jana.browser);
    expect(await needsConsent(scheme, 'read')).toBe(true);
  });

  // APP-12
  it('issues no code to an account that cannot have tokens, and shows the reason', async () => {
    const free = await signedInPerson(server, 'free', { premium_until: null });
    const { redirect, page } = await app.answerConsent(free.browser, app.authorization());
    expect([redirect, page.status]).toEqual([null, 403]);
    expect(page.html).toContain('Premium');
    expect(page.html).not.toContain('value="allow"');
    const denied = await app.answerConsent(free.browser, app.authorization(), 'deny');
    expect(denied.redirect?.searchParams.get('error')).toBe('access_denied');
  });

  // APP-15
  it('refuses a token in the query, and refuses tokens of accounts that have lost Premium or are banned', async () => {
    const eva = await signedInPerson(server, 'eva');
    const tokens = await app.connect(eva.browser);
    expect((await server.nobody.get(`/user?access_token=${tokens.access_token}`)).status).toBe(401);
    await server.sql('UPDATE users SET premium_until = NULL WHERE id = $1', [eva.person.userId]);
    expect((await tokens.api.get('/user')).body.code).toBe('premium_required');
    await server.sql('UPDATE users SET banned = true WHERE id = $1', [eva.person.userId]);
    expect((await tokens.api.get('/user')).body.code).toBe('banned');
  });

  // APP-8
  it('stores no token and no code in plain text', async () => {
    const tokens = await app.connect(jana.browser);
    const device = (await app.send('/oauth/device_authorization', { scope: 'read' })).body;
    const request = app.authorization({ prompt: 'consent' });
    const { to } = await jana.browser.get(request.path);
    const secrets = [
      tokens.access_token,
      tokens.refresh_token,
      tokens.code,
      device.device_code as string,
      device.user_code as string,
      (device.user_code as string).replace('-', ''),
      (to ?? '').split('/').at(-1) as string,
    ];
    const tables = ['apps', 'app_grants', 'app_consents', 'app_tokens', 'app_codes', 'app_interactions'];
    const rows = await Promise.all(
      tables.map((table) => server.sql<{ row: string }>(`SELECT t::text AS row FROM ${table} t`)),
    );
    const text = rows
      .flat()
      .map(({ row }) => row)
      .join('\n');
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  // APP-15
  it('ends the least recently used grant if an account has more than 100 grants, and each grant after 90 days without use', async () => {
    const petr = await signedInPerson(server, 'petr');
    const first = await app.connect(petr.browser);
    server.clock.forward(60_000);
    const second = await app.connect(petr.browser);
    await server.sql(
      `INSERT INTO app_grants (app_id, user_id, scopes, resources, created_at, last_used_at)
       SELECT app_id, user_id, scopes, resources, created_at, $2 FROM app_grants, generate_series(1, 98)
        WHERE id = (SELECT min(id) FROM app_grants WHERE user_id = $1)`,
      [petr.person.userId, server.clock.now()],
    );
    server.clock.forward(60_000);
    // The first grant is the oldest, but its access token is used now. The time of this use is stored in the
    // background.
    expect(await works(first)).toBe(true);
    const isUseStored = async (): Promise<boolean> =>
      (
        await server.sql(
          `SELECT FROM app_tokens t JOIN app_grants g ON g.id = t.grant_id
            WHERE g.user_id = $1 AND t.last_used_at IS NOT NULL`,
          [petr.person.userId],
        )
      ).length > 0;
    await waitUntil(isUseStored);
    const last = await app.connect(petr.browser);
    expect([await works(first), await works(second), await works(last)]).toEqual([true, false, true]);
    server.clock.forward((LIMITS.apps.unused - 60) * 1000);
    const used = app.tokensOf(await app.refresh(last.refresh_token));
    server.clock.forward((LIMITS.apps.unused + 60) * 1000);
    expect(statusAndError(await app.refresh(used.refresh_token))).toEqual(INVALID_GRANT);
  });
});
