import { generateKeyPairSync, hkdfSync } from 'node:crypto';
import type { Client, Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { LIMITS } from '#contract/limits';
import { SCOPES, scopesIn } from '#contract/scopes';
import { basePathOf } from '#platform/config/base-path';
import type { Settings } from '#platform/config/settings';
import { PROTECTED_PATHS } from '#platform/http/challenge';
import { matchesAny, newClientId } from '../secrets';
import type { OAuthStorage } from './adapter';
import { currentCall, type LibraryAnswer } from './call';
import type { Library } from './library';
import { validateMetadata, publicClient } from './metadata';
import { invalidScope, invalidTarget, tokenOfAnotherClient } from './refusals';

const { apps } = LIMITS;

export const OAUTH_PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  registration: '/oauth/register',
  device_authorization: '/oauth/device_authorization',
  /** The page on which a person enters the code of a device. The library never receives requests for this path. */
  code_verification: '/device',
} as const;

/**
 * Paths of the resources for which a token is valid, relative to the service's address (RFC 8707, RFC 9728). The empty
 * path is the whole service.
 */
export const RESOURCE_PATHS = ['', ...PROTECTED_PATHS] as const;

interface Dependencies {
  readonly settings: Settings;
  readonly storage: OAuthStorage;
  /** Reads the metadata document at `address`. Throws if `address` is not reachable from the internet. */
  readonly readDocument: (address: string) => Promise<Response>;
  /**
   * Whether an app that is described by a metadata document may be used. Also updates the stored app, unless the app is
   * suspended.
   */
  readonly allowDocument: (client: Client) => Promise<boolean>;
}

/** Creates the provider of the library, configured for this service (docs/adr/0430-oauth-by-oidc-provider.md). */
export function newProvider(
  { Provider: OidcProvider, interactionPolicy }: Library,
  dependencies: Dependencies,
): Provider {
  const { settings } = dependencies;
  const provider = new OidcProvider(settings.baseUrl, configurationOf(interactionPolicy, dependencies));
  // Instead of a secret, `clientSecret` has the hashes of the current and the former secret, separated by `.`.
  provider.Client.prototype.compareClientSecret = function compare(this: Client, secret: string): boolean {
    return matchesAny(
      secret,
      (this.clientSecret ?? '').split('.').filter((one) => one !== ''),
    );
  };
  useBaseUrl(settings.baseUrl, provider);
  checkResourceFirst(provider, OidcProvider);
  recordResponses(provider);
  return provider;
}

/**
 * Checks `resource` before a code or a refresh token becomes invalid. The library checks `resource` only afterwards.
 * Without this function, a request with a wrong `resource` would make the code useless, and the next use of the refresh
 * token would end the grant, although the app got no tokens.
 */
function checkResourceFirst(provider: Provider, OidcProvider: typeof Provider): void {
  for (const { prototype } of [provider.AuthorizationCode, provider.DeviceCode, provider.RefreshToken]) {
    const consume = Reflect.get(prototype, 'consume');
    prototype.consume = async function (this: typeof prototype): Promise<void> {
      const [resource] = [OidcProvider.ctx?.oidc.params?.resource].flat();
      if (typeof resource === 'string' && !this.resourceIndicators.has(resource)) throw invalidTarget();
      await consume.call(this);
    };
  }
}

function configurationOf(
  { Check, Prompt }: Library['interactionPolicy'],
  { settings, storage, readDocument, allowDocument }: Dependencies,
): Configuration {
  const resources = RESOURCE_PATHS.map((path) => settings.baseUrl + path);
  // Every authorization needs an answer from the service's consent page, which may answer without asking the person
  // again (`mustAsk`). So the library sends the browser to this page until there is an answer.
  const unanswered = new Check('unanswered', 'the person has to answer', 'interaction_required', ({ oidc }) =>
    oidc.result?.consent ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  );
  return {
    adapter: storage.adapterOf,
    routes: { ...OAUTH_PATHS, ...UNUSED_ROUTES },
    scopes: [...SCOPES],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: { token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'ES256' },
    allowOmittingSingleRegisteredRedirectUri: false,
    jwks: { keys: [unusedKey()] },
    cookies: {
      keys: [Buffer.from(hkdfSync('sha256', settings.appSecret, '', 'oauth-cookies', 32)).toString('hex')],
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
      long: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      AccessToken: apps.access_token,
      AuthorizationCode: apps.code,
      DeviceCode: apps.device_code,
      Grant: apps.unused,
      Interaction: apps.interaction,
      RefreshToken: apps.unused,
      Session: apps.interaction,
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    expiresWithSession: async () => false,
    revokeGrantPolicy: async () => true,
    clientBasedCORS: () => true,
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    extraParams: { scope: resolveScope },
    extraClientMetadata: {
      // The validator of this property runs before the library validates the metadata, and receives the whole metadata.
      properties: ['software_id'],
      validator: (_ctx, _key, _value, metadata) => validateMetadata(metadata),
    },
    interactions: {
      policy: [
        new Prompt({ name: 'login', requestable: true }),
        new Prompt({ name: 'select_account', requestable: true }),
        new Prompt({ name: 'consent', requestable: true }, unanswered),
      ] as never,
      url: (_ctx, { uid }) => `${basePathOf(settings.baseUrl)}/oauth/consent/${uid}`,
    },
    fetch: (address) => readDocument(address instanceof Request ? address.url : address.toString()),
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => {
          if (token.clientId !== client.clientId) throw tokenOfAnotherClient();
          return true;
        },
      },
      registration: {
        enabled: true,
        initialAccessToken: false,
        issueRegistrationAccessToken: false,
        // For a registration, the library calls this function before all other functions of this configuration. The
        // function replaces the body with the body for a public client.
        idFactory: (ctx) => {
          Object.assign(ctx.oidc, { body: publicClient(ctx.oidc.body) });
          return newClientId();
        },
      },
      deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****', deviceInfo: () => ({}) },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: { min: 60, max: apps.document.kept },
        allowClient: async (_ctx, client) => allowDocument(client),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_ctx, _client, oneOf) => (oneOf ? (oneOf[0] ?? []) : resources),
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, resource) => {
          if (!resources.includes(resource.replace(/\/$/, ''))) throw invalidTarget();
          return { scope: SCOPES.join(' '), accessTokenFormat: 'opaque', accessTokenTTL: apps.access_token };
        },
      },
    },
    renderError: async (ctx, out) => {
      const call = currentCall.getStore();
      if (call) Object.assign(call, { answer: { ...EMPTY, page: out } });
      ctx.body = out;
    },
  };
}

const EMPTY: LibraryAnswer = { status: 200, headers: {}, body: '', page: null };

/** Paths for routes of the library that never receive requests. */
const UNUSED_ROUTES = {
  backchannel_authentication: '/oauth/unused/backchannel',
  challenge: '/oauth/unused/challenge',
  end_session: '/oauth/unused/end',
  introspection: '/oauth/unused/introspection',
  jwks: '/oauth/unused/jwks',
  pushed_authorization_request: '/oauth/unused/request',
  userinfo: '/oauth/unused/me',
  credential: '/oauth/unused/credential',
};

/**
 * Replaces the requested scopes by the known ones among them, or by `read` if no scope is requested. If all requested
 * scopes are unknown, throws `invalid_scope` (APP-14).
 */
function resolveScope({ oidc, query }: KoaContextWithOIDC, scope: string | undefined): void {
  // Without `prompt=consent`, the library removes `offline_access` from the requested scopes. If no other scope was
  // requested, `scope` is undefined, but the query still contains `offline_access`, which is an unknown scope.
  const known = scopesIn(scope ?? (query.scope ? String(query.scope) : 'read'));
  if (known.length === 0) throw invalidScope();
  Object.assign(oidc.params as object, { scope: known.join(' ') });
}

/** The library needs a key to start, although no token is signed. */
function unusedKey(): never {
  return {
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
    use: 'sig',
  } as never;
}

/** Makes the addresses in responses begin with BASE_URL. The header `Host` of a request has no effect. */
function useBaseUrl(baseUrl: string, provider: Provider): void {
  const { host, origin, protocol } = new URL(baseUrl);
  Object.defineProperties(provider.request, {
    href: { get: () => origin },
    host: { get: () => host },
    protocol: { get: () => protocol.slice(0, -1) },
  });
  Object.defineProperty(provider.context, 'mountPath', { value: basePathOf(baseUrl), writable: true });
}

/** Stores the library's response in `currentCall`. Fastify sends the response later. */
function recordResponses(provider: Provider): void {
  provider.on('server_error', (_ctx, error) => recordError(error));
  (provider as NodeJS.EventEmitter).on('error', recordError);
  provider.on('registration_create.error', (ctx, error) => {
    const { retryAfter } = error as { retryAfter?: number };
    if (retryAfter !== undefined) ctx.set('retry-after', String(retryAfter));
  });
  provider.use(async (ctx, next) => {
    ctx.respond = false;
    if (ctx.path.startsWith(OAUTH_PATHS.authorization)) {
      ignoreOpenIdParameters(ctx);
      refuseOtherResponses(ctx);
    }
    await next();
    const call = currentCall.getStore();
    if (call) call.answer = answerOf(ctx, call.answer?.page ?? null);
  });
}

function recordError(error: unknown): void {
  const call = currentCall.getStore();
  if (call) call.error ??= error;
}

const OPENID_PARAMETERS = ['acr_values', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'];

/**
 * Removes the parameters of OpenID Connect, because the service does not offer OpenID Connect. An authorization server
 * must ignore parameters that it does not know (RFC 6749, section 3.1), but without the scope `openid` the library
 * refuses requests with these parameters.
 */
function ignoreOpenIdParameters(ctx: { query: Record<string, unknown> }): void {
  ctx.query = Object.fromEntries(Object.entries(ctx.query).filter(([name]) => !OPENID_PARAMETERS.includes(name)));
}

/**
 * Replaces values that the service does not allow by `unsupported`, which the library refuses. The only allowed
 * `response_mode` is `query`, which sends the response in the query of the redirect. Other modes are not needed, and
 * `form_post` would need a script on a page. If a `response_type` that asks for tokens were not replaced, the library
 * would send another error, in the fragment of the redirect.
 */
function refuseOtherResponses(ctx: { query: Record<string, unknown> }): void {
  const { response_mode: mode, response_type: type } = ctx.query;
  if (mode !== undefined && mode !== 'query') ctx.query = { ...ctx.query, response_mode: 'unsupported' };
  if (typeof type === 'string' && type.includes('token')) ctx.query = { ...ctx.query, response_type: 'unsupported' };
}

/**
 * Replaces `expires` of a cookie by `max-age`. The library computes `expires` with the machine's clock, but the header
 * `Date` has the time of the service's clock. A browser compares `expires` with `Date`. If the clock of a sandbox
 * (docs/sandbox.md) was moved forward, the browser would delete the cookie at once.
 */
function withMaxAge(cookie: string): string {
  return cookie.replace(
    /\bexpires=([^;]+)/i,
    (_, time: string) => `max-age=${Date.parse(time) === 0 ? 0 : apps.interaction}`,
  );
}

function answerOf(
  { response, body, status }: Pick<KoaContextWithOIDC, 'response' | 'body' | 'status'>,
  page: LibraryAnswer['page'],
): LibraryAnswer {
  const {
    'content-length': _length,
    'set-cookie': cookies,
    ...headers
  } = response.headers as Record<string, string | string[]>;
  const isRedirect = status >= 300 && status < 400;
  let text = '';
  if (!isRedirect) text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  const cookiesToSend = [cookies ?? []]
    .flat()
    .filter((cookie) => !cookie.startsWith('_session'))
    .map(withMaxAge);
  return {
    status,
    headers: {
      ...headers,
      ...(cookiesToSend.length > 0 ? { 'set-cookie': cookiesToSend } : {}),
      ...(typeof body === 'object' && body !== null ? { 'content-type': 'application/json; charset=utf-8' } : {}),
    },
    body: text,
    page,
  };
}
