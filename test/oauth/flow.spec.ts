import { LIMITS } from '#contract/limits';
import { signedInPerson, OAuthApp, type BrowserUser } from '#testing/oauth-app';
import { TestServer } from '#testing/test-server';

// APP-6
describe('an app', () => {
  let server: TestServer;
  let jana: BrowserUser;

  beforeAll(async () => {
    server = await TestServer.start();
    jana = await signedInPerson(server, 'jana');
  });
  afterAll(() => server.stop());

  it('gets tokens for a code, and new tokens for the refresh token', async () => {
    const app = await OAuthApp.register(server);
    const tokens = await app.connect(jana.browser, 'read');
    expect(tokens).toMatchObject({ scope: 'read', expires_in: 3600, token_type: 'Bearer' });
    expect(tokens.access_token).toMatch(/^evt_[0-9A-Za-z]{42}$/);
    const { body } = await tokens.api.get('/user');
    expect(body.data).toMatchObject({
      slug: jana.person.slug,
      token: { abilities: ['read'], app: { name: 'Kalendář', client_id: app.clientId } },
    });
    const next = app.tokensOf(await app.refresh(tokens.refresh_token));
    expect((await next.api.get('/user')).status).toBe(200);
    expect((await next.api.post('/groups', { name: 'Skupina' })).body.code).toBe('insufficient_scope');
  });

  it.each(['acr_values', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'])(
    'gets a code even if its request contains the OpenID Connect parameter %s, which is ignored',
    async (name) => {
      const app = await OAuthApp.register(server);
      expect(await app.code(jana.browser, app.authorization({ [name]: 'x' }))).toMatch(/./);
    },
  );

  // APP-8
  it('gets access tokens that are valid for exactly an hour', async () => {
    const began = server.clock.now().getTime();
    server.clock.freezeAt(new Date(began));
    const tokens = await (await OAuthApp.register(server)).connect(jana.browser);
    const statusAfter = async (ms: number) => {
      server.clock.freezeAt(new Date(began + ms));
      return (await tokens.api.get('/user')).status;
    };
    const lifetimeMs = LIMITS.apps.access_token * 1000;
    expect([await statusAfter(lifetimeMs - 1), await statusAfter(lifetimeMs)]).toEqual([200, 401]);
  });

  // APP-15
  it('has one rate limit for all access tokens of a grant', async () => {
    const app = await OAuthApp.register(server);
    const tokens = await app.connect(jana.browser, 'read');
    const next = app.tokensOf(await app.refresh(tokens.refresh_token));
    const otherGrant = await app.connect(jana.browser, 'read');
    const remaining = async ({ api }: Pick<typeof tokens, 'api'>) =>
      Number((await api.get('/user')).headers.get('x-ratelimit-remaining'));
    const first = await remaining(tokens);
    expect([await remaining(next), await remaining(tokens), await remaining(otherGrant)]).toEqual([
      first - 1,
      first - 2,
      first,
    ]);
  });
});
