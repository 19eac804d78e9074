import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { respondWith, closeConnection, refuse, ScriptedServer, type Turn } from '#testing/scripted-server';
import { SdkPackage } from '#testing/sdk-package';
import { waitUntil } from '#testing/wait-until';

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: number;
  readonly scope: string;
}

const HOUR_MS = 3_600_000;
const newTokens = (name: string, expires_in = 3600): Turn =>
  jsonResponse({ access_token: `evt_${name}`, refresh_token: `r_${name}`, expires_in, scope: 'read' });
const oauthError = (error: string, status = 400): Turn => jsonResponse({ error, error_description: 'No.' }, status);

function jsonResponse(body: object, status = 200): Turn {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The connection of an app to a server whose responses a test defines. */
describe('a connection of the SDK', () => {
  let sdk: SdkPackage;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the installed package, without its types
  let module: any;
  let server: ScriptedServer;
  let stored: Tokens | null;
  beforeAll(async () => {
    sdk = SdkPackage.install();
    module = await sdk.load();
    server = await ScriptedServer.start();
  });
  afterAll(() => {
    server.stop();
    sdk.remove();
  });
  beforeEach(() => {
    server.forget();
    stored = tokens('old', HOUR_MS);
  });

  const tokens = (name: string, lifetimeMs: number): Tokens => ({
    accessToken: `evt_${name}`,
    refreshToken: `r_${name}`,
    expiresAt: Date.now() + lifetimeMs,
    scope: 'read',
  });
  const connection = (options: object = {}) =>
    new module.Connection({
      baseUrl: server.origin,
      clientId: 'app',
      store: { get: () => stored, set: (next: Tokens | null) => void (stored = next) },
      ...options,
    });
  const client = (token = connection()) => new module.EventsClient({ baseUrl: server.origin, token });
  const failure = (call: Promise<unknown>) =>
    call.then(
      () => 'nothing was thrown',
      (error: unknown) => error,
    );
  const bearers = () =>
    server.requests.filter(({ url }) => url.startsWith('/api')).map(({ headers }) => headers.authorization);
  const sentForms = (path = '/oauth/token') =>
    server.requests.filter(({ url }) => url === path).map(({ body }) => Object.fromEntries(new URLSearchParams(body)));

  // DOC-18
  describe('that is being authorized', () => {
    it('sends PKCE (S256), a random state and the resource in the authorization request', async () => {
      const app = connection();
      const { url, pending } = await app.authorize({
        redirectUri: 'https://app.example/cb',
        scope: ['events:read', 'join'],
      });
      const { origin, pathname, searchParams } = new URL(url);
      expect([origin, pathname, Object.fromEntries(searchParams)]).toEqual([
        server.origin,
        '/oauth/authorize',
        {
          response_type: 'code',
          client_id: 'app',
          redirect_uri: 'https://app.example/cb',
          scope: 'events:read join',
          resource: `${server.origin}/api/v1`,
          state: pending.state,
          code_challenge: createHash('sha256').update(pending.verifier).digest('base64url'),
          code_challenge_method: 'S256',
        },
      ]);
      expect(pending.verifier).toMatch(/^[\w-]{43}$/);
      const other = await app.authorize({ redirectUri: 'https://app.example/cb' });
      expect(new Set([pending.state, other.pending.state, pending.verifier, other.pending.verifier]).size).toBe(4);
      expect(new URL(other.url).searchParams.has('scope')).toBe(false);
    });

    it('exchanges only a code of its own authorization request: state and iss must match', async () => {
      const app = connection();
      const pending = { state: 's1', verifier: 'v1', redirectUri: 'https://app.example/cb' };
      const callbackUrl = (fields: Record<string, string>) =>
        `https://app.example/cb?${new URLSearchParams(fields).toString()}`;
      const good = { code: 'c1', state: 's1', iss: server.origin };
      const { state: _state, ...withoutState } = good;
      const { iss: _iss, ...withoutIss } = good;
      for (const fields of [
        { ...good, state: 's2' },
        { ...good, iss: 'https://evil.example' },
        withoutState,
        withoutIss,
        { error: 'access_denied', state: 's2', iss: server.origin },
      ])
        expect(await failure(app.finish(callbackUrl(fields), pending))).toBeInstanceOf(module.ForeignCallback);
      const denied = await failure(
        app.finish(callbackUrl({ error: 'access_denied', state: 's1', iss: server.origin }), pending),
      );
      expect(denied).toMatchObject({ name: 'OAuthRefusal', error: 'access_denied' });
      expect(server.requests).toEqual([]);

      server.turns = [newTokens('new')];
      expect(await app.finish(callbackUrl(good), pending)).toEqual(stored);
      expect(stored).toMatchObject({ accessToken: 'evt_new', refreshToken: 'r_new', scope: 'read' });
      expect(sentForms()).toEqual([
        {
          grant_type: 'authorization_code',
          code: 'c1',
          code_verifier: 'v1',
          redirect_uri: 'https://app.example/cb',
          resource: `${server.origin}/api/v1`,
          client_id: 'app',
        },
      ]);
    });

    it('does not repeat the exchange of a code, even if the response is lost', async () => {
      server.turns = [closeConnection, newTokens('new')];
      const pending = { state: 's1', verifier: 'v1', redirectUri: 'https://app.example/cb' };
      const query = new URLSearchParams({ code: 'c1', state: 's1', iss: server.origin });
      expect(await failure(connection().finish(`https://app.example/cb?${query.toString()}`, pending))).toBeInstanceOf(
        TypeError,
      );
      expect(server.requests).toHaveLength(1);
    });
  });

  // DOC-19
  describe('that refreshes its tokens', () => {
    it('authenticates a confidential app with its secret', async () => {
      stored = tokens('old', 1000);
      server.turns = [newTokens('new')];
      await connection({ clientSecret: 'evs_ü' }).token();
      expect(server.requests[0]?.headers.authorization).toBe(
        `Basic ${Buffer.from('app:evs_%C3%BC').toString('base64')}`,
      );
      expect(sentForms()[0]).not.toHaveProperty('client_id');
    });

    it('refreshes a token that will soon expire, and only once for all parallel calls', async () => {
      stored = tokens('old', 30_000);
      server.turns = [newTokens('new'), ...Array.from({ length: 5 }, () => respondWith({}))];
      const api = client();
      await Promise.all(Array.from({ length: 5 }, () => api.getUser()));
      expect(sentForms()).toEqual([
        {
          grant_type: 'refresh_token',
          refresh_token: 'r_old',
          client_id: 'app',
          resource: `${server.origin}/api/v1`,
        },
      ]);
      expect(bearers()).toEqual(Array.from({ length: 5 }, () => 'Bearer evt_new'));
      expect(stored).toMatchObject({ accessToken: 'evt_new', refreshToken: 'r_new' });
    });

    it('refreshes the token only once for all parallel calls that are refused, and repeats each call', async () => {
      const byToken: Turn = (response, request) => {
        let turn = respondWith({});
        if (request.url === '/oauth/token') turn = newTokens('new');
        else if (request.headers.authorization === 'Bearer evt_old') turn = refuse(401, 'unauthenticated');
        turn(response, request);
      };
      server.turns = Array.from({ length: 12 }, () => byToken);
      const api = client();
      await Promise.all(['a', 'b', 'c'].map((title) => api.createEvent({ title })));
      expect(sentForms()).toHaveLength(1);
      expect(bearers().sort()).toEqual([...Array(3).fill('Bearer evt_new'), ...Array(3).fill('Bearer evt_old')]);
      // The repeated call has the same idempotency key, so the change could not be made twice.
      expect(new Set(server.requests.map(({ key }) => key).filter(Boolean)).size).toBe(3);
    });

    it('refreshes the token only once for a call, and throws after a second 401', async () => {
      server.turns = [refuse(401, 'unauthenticated'), newTokens('new'), refuse(401, 'unauthenticated')];
      expect(await failure(client().getUser())).toMatchObject({ name: 'Refusal', code: 'unauthenticated' });
      expect(server.requests).toHaveLength(3);
    });

    it('uses a token that another process has stored, instead of refreshing its own token', async () => {
      server.turns = [
        (response, request) => {
          stored = tokens('theirs', HOUR_MS);
          refuse(401, 'unauthenticated')(response, request);
        },
        respondWith({}),
      ];
      await client().getUser();
      expect([bearers(), sentForms()]).toEqual([['Bearer evt_old', 'Bearer evt_theirs'], []]);
    });

    it.each<[string, Turn]>([
      ['is lost', closeConnection],
      ['is a 502', (response) => void response.writeHead(502).end('<h1>Bad gateway</h1>')],
      ['is a 429', refuse(429, 'too_many_requests', { 'retry-after': '0' })],
    ])('sends the same refresh token again when the response to the refresh %s', async (_what, turn) => {
      server.turns = [refuse(401, 'unauthenticated'), turn, newTokens('new'), respondWith({ slug: 'jana' })];
      expect(await client().getUser()).toEqual({ slug: 'jana' });
      expect(sentForms().map(({ refresh_token }) => refresh_token)).toEqual(['r_old', 'r_old']);
    });

    it('uses the old token while it is still valid, if the server cannot refresh it at the moment', async () => {
      stored = tokens('old', 30_000);
      server.turns = [refuse(503, 'service_unavailable', { 'retry-after': '60' }), respondWith({})];
      await client().getUser();
      expect(bearers()).toEqual(['Bearer evt_old']);
    });

    it('deletes the tokens of a grant that has ended', async () => {
      server.turns = [refuse(401, 'unauthenticated'), oauthError('invalid_grant')];
      const api = client();
      expect(await failure(api.getUser())).toBeInstanceOf(module.NotConnected);
      expect(stored).toBeNull();
      expect(await failure(api.getUser())).toBeInstanceOf(module.NotConnected);
      expect(server.requests).toHaveLength(2);
    });

    it('does not delete the tokens if the app is suspended', async () => {
      server.turns = [refuse(401, 'unauthenticated'), oauthError('invalid_client', 401)];
      expect(await failure(client().getUser())).toMatchObject({ name: 'OAuthRefusal', error: 'invalid_client' });
      expect(stored).toMatchObject({ refreshToken: 'r_old' });
    });
  });

  // DOC-18
  it('revokes its grant, even if the response is lost, and deletes the tokens', async () => {
    server.turns = [closeConnection, jsonResponse({})];
    const app = connection();
    await app.revoke();
    expect([stored, sentForms('/oauth/revoke').map(({ token }) => token)]).toEqual([null, ['r_old', 'r_old']]);
    await app.revoke();
    expect(server.requests).toHaveLength(2);
  });

  // DOC-20
  describe('with a device code', () => {
    const newDeviceCode = (more: object = {}): Turn =>
      jsonResponse({
        device_code: 'd1',
        user_code: 'BCDF-GHJK',
        verification_uri: 'https://events.example/device',
        expires_in: 600,
        interval: 0,
        ...more,
      });
    const device = (options: object = {}) =>
      connection().authorizeDevice({ scope: 'read', show: () => undefined, ...options });

    it('shows the code, and polls until the person has decided', async () => {
      server.turns = [
        newDeviceCode(),
        oauthError('authorization_pending'),
        oauthError('authorization_pending'),
        newTokens('new'),
      ];
      const shownCodes: object[] = [];
      expect(await device({ show: (one: object) => void shownCodes.push(one) })).toEqual(stored);
      expect(shownCodes).toEqual([
        {
          userCode: 'BCDF-GHJK',
          verificationUri: 'https://events.example/device',
          verificationUriComplete: 'https://events.example/device',
          expiresAt: expect.any(Number),
        },
      ]);
      expect(sentForms()).toHaveLength(3);
      expect(sentForms()[0]).toEqual({
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: 'd1',
        client_id: 'app',
      });
    });

    it('polls less often after slow_down, and stops when its signal is aborted', async () => {
      server.turns = [newDeviceCode(), oauthError('authorization_pending'), oauthError('slow_down'), newTokens('new')];
      const stop = new AbortController();
      const waiting = failure(device({ signal: stop.signal }));
      await waitUntil(() => sentForms().length >= 2);
      // Without the longer interval, another request would be sent during this pause.
      await pause(200);
      expect(sentForms()).toHaveLength(2);
      stop.abort(new Error('enough'));
      expect(await waiting).toMatchObject({ message: 'enough' });
    });

    it('continues polling after a lost response', async () => {
      server.turns = [newDeviceCode(), closeConnection, newTokens('new')];
      expect(await device()).toMatchObject({ accessToken: 'evt_new' });
    });

    it.each(['access_denied', 'expired_token', 'invalid_grant'])('stops with the error %s', async (error) => {
      server.turns = [newDeviceCode(), oauthError('authorization_pending'), oauthError(error)];
      expect(await failure(device())).toMatchObject({ name: 'OAuthRefusal', error });
      expect(sentForms()).toHaveLength(2);
    });

    it('stops without requesting a token when the code has expired', async () => {
      server.turns = [newDeviceCode({ expires_in: 0 })];
      expect(await failure(device())).toMatchObject({ error: 'expired_token' });
      expect(sentForms()).toEqual([]);
    });

    it.each(['device_code', 'user_code', 'verification_uri', 'expires_in'])(
      'refuses a response without %s',
      async (field) => {
        server.turns = [newDeviceCode({ [field]: undefined }), newTokens('new')];
        const show = jest.fn();
        expect(await failure(device({ show }))).toMatchObject({ name: 'OAuthRefusal', error: 'server_error' });
        expect([show.mock.calls, sentForms()]).toEqual([[], []]);
      },
    );
  });
});
