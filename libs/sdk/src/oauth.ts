import { serviceAt } from './options.ts';
import { failureOf, parsed, retryAfterMs } from './refusal.ts';

const TIMEOUT_MS = 30_000;

/** The app, as registered at the service. */
export interface AppOptions {
  /** The service's origin, such as `https://events.example`. It is also the only issuer that `finish` accepts. */
  readonly baseUrl: string;
  readonly clientId: string;
  /** The secret of a confidential app. Use it on a server only, never in a browser or a program that people install. */
  readonly clientSecret?: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** The tokens of an app for one person. They can be stored as JSON. The refresh token is as secret as a password. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The time at which the access token expires, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Scopes that the person has allowed, separated by spaces. */
  readonly scope: string;
}

/**
 * The authorization server refused a request, or its response lacks required values. `error` is a code of OAuth:
 * `access_denied`, `invalid_client`, `expired_token` …
 */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal';
  readonly error: string;
  /**
   * The HTTP status; null if the refusal was sent to the redirect address, or if this client has detected the error.
   */
  readonly status: number | null;
  /** Milliseconds to wait before the next attempt, if the server sent `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  constructor(error: string, description?: string, response?: Response) {
    super(description ? `${error}: ${description}` : error);
    this.error = error;
    this.status = response?.status ?? null;
    this.retryAfterMs = response && retryAfterMs(response);
  }
}

/** The store has no tokens, or the grant has ended: the person has to connect the app again. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected';

  constructor() {
    super('The app is not connected to an account.');
  }
}

/**
 * The address of a redirect is not a response to this authorization: the `state` or `iss` in the address differs. The
 * content of the address must not be used.
 */
export class ForeignCallback extends Error {
  override readonly name = 'ForeignCallback';

  constructor(parameter: 'state' | 'iss') {
    super(`The answer has another ${parameter} than this authorization.`);
  }
}

export type Fields = Readonly<Record<string, string | undefined>>;

/**
 * Sends one request to an endpoint of the authorization server. Throws `OAuthRefusal`, `Refusal` (for example 429 or
 * 503), `UnexpectedAnswer` and the errors of `fetch`.
 */
export async function post(
  { baseUrl, clientId, clientSecret, fetch: send = fetch }: AppOptions,
  endpoint: 'token' | 'revoke' | 'device_authorization',
  fields: Fields,
  { signal, timeoutMs = TIMEOUT_MS }: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const isConfidential = clientSecret !== undefined;
  const response = await send(`${serviceAt(baseUrl)}/oauth/${endpoint}`, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      ...(isConfidential && {
        authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`,
      }),
    },
    body: encoded(isConfidential ? fields : { ...fields, client_id: clientId }),
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
  });
  const text = await response.text();
  const body = (parsed(text) ?? {}) as Readonly<Record<string, unknown>>;
  if (response.ok) return body;
  if (typeof body.error !== 'string') throw failureOf(response, text);
  const { error, error_description: description } = body;
  throw new OAuthRefusal(error, typeof description === 'string' ? description : undefined, response);
}

export function tokensOf(body: Readonly<Record<string, unknown>>): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = body;
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string' || typeof seconds !== 'number')
    throw new OAuthRefusal('server_error', 'the answer has no tokens');
  return {
    accessToken,
    refreshToken,
    expiresAt: Date.now() + seconds * 1000,
    scope: typeof scope === 'string' ? scope : '',
  };
}

/** Fields with the value undefined are not sent. */
export function encoded(fields: Fields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );
}

/** Whether the request may succeed if it is repeated: the server did not respond, or refused only temporarily. */
export function isTemporary(error: unknown): boolean {
  const { status } = error as { readonly status?: number | null };
  return status === undefined || status === 408 || status === 429 || (status !== null && status >= 500);
}
