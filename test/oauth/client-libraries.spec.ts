import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { allowApp, signedInPerson, OAuthApp, PASSWORD, type BrowserUser } from '#testing/oauth-app';
import { TestServer } from '#testing/test-server';
import type { TestDatabase } from '#testing/test-database';
import { createTestDatabase } from '#testing/test-database';
import { Visitor } from '#testing/visitor';

const ISSUER = 'http://127.0.0.1:3000';
const EMAIL = 'jana@example.org';
const REDIRECT = 'http://127.0.0.1:8765/callback';

/**
 * The client libraries know only the address of the service, and read the service's metadata. The two servers share a
 * database.
 */
describe('an OAuth client with two servers', () => {
  let one: TestServer, two: TestServer;
  let jana: BrowserUser;
  let turn = 0;

  beforeAll(async () => {
    let database!: TestDatabase;
    one = await TestServer.start({}, undefined, async () => (database = await createTestDatabase()));
    two = await TestServer.start({}, undefined, () => Promise.resolve({ ...database, drop: async () => undefined }));
    const { person } = await signedInPerson(one, 'jana', { email: EMAIL });
    jana = { person, browser: new Visitor(nextServer) };
    await jana.browser.submit('/sign-in', { email: EMAIL, password: PASSWORD });
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
  });

  /** `origin` alternates between the two servers, so no two consecutive requests go to the same server. */
  const nextServer = {
    get origin() {
      return (turn++ % 2 ? one : two).origin;
    },
  };
  const alternatingFetch = (url: string, options?: object) => fetch(url.replace(ISSUER, nextServer.origin), options);
  const call = { [client.customFetch]: alternatingFetch, execute: [client.allowInsecureRequests] };

  // APP-6
  it('completes the code, refresh and device flows although it knows only the address of the service (openid-client)', async () => {
    const config = await client.dynamicClientRegistration(
      new URL(ISSUER),
      { client_name: 'Cizinec', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
      client.None(),
      { ...call, algorithm: 'oauth2' },
    );
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      scope: 'read',
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const callback = await allowApp(jana.browser, address);
    await expect(
      client.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier, expectedState: 'another' }),
    ).rejects.toThrow();
    const wrongIssuer = new URL(callback);
    wrongIssuer.searchParams.set('iss', 'https://elsewhere.example');
    await expect(
      client.authorizationCodeGrant(config, wrongIssuer, { pkceCodeVerifier: verifier, expectedState: state }),
    ).rejects.toThrow();
    const tokens = await client.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    for (const server of [one, two]) {
      const answer = await fetch(`${server.origin}/api/v1/user`, {
        headers: { authorization: `Bearer ${next.access_token}` },
      });
      expect(answer.status).toBe(200);
    }
    await client.tokenRevocation(config, next.access_token);
    const refused = await fetch(`${two.origin}/api/v1/user`, {
      headers: { authorization: `Bearer ${next.access_token}` },
    });
    expect(refused.status).toBe(401);

    const device = await client.initiateDeviceAuthorization(config, { scope: 'events:read' });
    await jana.browser.submit(
      `/device?user_code=${device.user_code}`,
      { user_code: device.user_code, decision: 'allow' },
      '/device',
    );
    const polled = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 });
    expect(polled.scope).toBe('events:read');
  }, 60_000);

  // APP-16
  it('is refused by one server at the next request after the person has disconnected the client on the other server', async () => {
    const { browser } = await signedInPerson(one, 'eva');
    const app = (await OAuthApp.register(one)).onServer(two);
    const tokens = await app.connect(browser);
    expect((await tokens.api.get('/user')).status).toBe(200);
    const [path = ''] = /\/account\/apps\/\w+\/disconnect/.exec((await browser.get('/account/apps')).html) ?? [];
    expect((await browser.submit('/account/apps', {}, path)).status).toBe(303);
    expect((await tokens.api.get('/user')).status).toBe(401);
    expect((await app.refresh(tokens.refresh_token)).status).toBe(400);
  });

  // APP-18
  it('finds the authorization server in the metadata of the resource (oauth4webapi)', async () => {
    const options = { [oauth.customFetch]: alternatingFetch, [oauth.allowInsecureRequests]: true } as object;
    for (const path of ['', '/api/v1', '/mcp']) {
      const resource = new URL(ISSUER + path);
      const metadata = await oauth.processResourceDiscoveryResponse(
        resource,
        await oauth.resourceDiscoveryRequest(resource, options),
      );
      expect(metadata).toMatchObject({ authorization_servers: [ISSUER], scopes_supported: ['read', 'write'] });
    }
    const issuer = new URL(ISSUER);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }),
    );
    expect(server.code_challenge_methods_supported).toEqual(['S256']);
  });
});
