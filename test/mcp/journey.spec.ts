import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { buildEvent } from '#testing/builders';
import { allowApp, signedInPerson, type BrowserUser } from '#testing/oauth-app';
import { TestServer } from '#testing/test-server';

/** The default BASE_URL of test servers. The servers listen on other ports, so `fetch` below replaces this address. */
const BASE_URL = 'http://127.0.0.1:3000';
const REDIRECT = 'http://127.0.0.1:8765/callback';

/** The credentials that an assistant stores. There are none at first. */
class Credentials implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { client_name: 'Assistant', redirect_uris: [REDIRECT] };
  private client: StoredOAuthClientInformation | undefined;
  private stored: StoredOAuthTokens | undefined;
  private verifier = '';
  private discovered: OAuthDiscoveryState | undefined;
  /** The authorization page to which the person is redirected. */
  address: URL | null = null;

  clientInformation = () => this.client;
  saveClientInformation = (client: StoredOAuthClientInformation) => void (this.client = client);
  tokens = () => this.stored;
  saveTokens = (tokens: StoredOAuthTokens) => void (this.stored = tokens);
  redirectToAuthorization = (address: URL) => void (this.address = address);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState) => void (this.discovered = state);
  discoveryState = () => this.discovered;
}

describe('an assistant without credentials', () => {
  let server: TestServer;
  let petr: BrowserUser;
  beforeAll(async () => {
    server = await TestServer.start();
    petr = await signedInPerson(server, 'petr');
  });
  afterAll(() => server.stop());

  // MCP-4, APP-6
  it.each(['2026-07-28', '2025-11-25'])(
    'can be authorized with OAuth after a 401, and can then join an event (protocol version %s)',
    async (version) => {
      const jana = await server.person('jana');
      const event = await buildEvent(server, jana);
      const authProvider = new Credentials();
      const connect = () => {
        const transport = new StreamableHTTPClientTransport(new URL(`${BASE_URL}/mcp`), {
          authProvider,
          fetch: (address, options) => fetch(String(address).replace(BASE_URL, server.origin), options),
        });
        const client = new Client(
          { name: 'assistant', version: '1' },
          version === '2026-07-28' ? { versionNegotiation: { mode: { pin: version } } } : {},
        );
        return { transport, client, connected: client.connect(transport) };
      };
      const first = connect();
      await expect(first.connected).rejects.toThrow(UnauthorizedError);
      const callback = await allowApp(petr.browser, authProvider.address ?? new URL(BASE_URL));
      await first.transport.finishAuth(callback.searchParams);
      const { client, connected } = connect();
      await connected;
      const joined = await client.callTool({ name: 'join_event', arguments: { id: event.id } });
      expect(joined.structuredContent).toMatchObject({
        data: { id: event.id, viewer: { participation: 'confirmed' } },
      });
      const shown = await petr.person.api.get(`/discover/events/${event.id}`);
      expect(shown.body.data.viewer.participation).toBe('confirmed');
      await client.close();
    },
  );
});
