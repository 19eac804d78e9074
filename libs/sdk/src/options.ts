/** The path of the API below the service's address. */
export const API = '/api/v1';

/** Removes slashes and `/api/v1` from the end of `baseUrl`. The resulting address is also the issuer of the tokens. */
export function serviceAt(baseUrl: string): string {
  const address = baseUrl.replace(/\/+$/, '');
  return address.endsWith(API) ? address.slice(0, -API.length) : address;
}

/**
 * A source of a token for each request, and of a newer token when the server has refused a token. `Connection`
 * implements this interface.
 */
export interface TokenSource {
  token(): Promise<string>;
  /**
   * Called when the server has answered 401 to the token `refused`, at most once per call of a client method. Returns a
   * newer token.
   */
  renew(refused: string): Promise<string>;
}

export interface ClientOptions {
  /** A token (`evt_…`), a function that returns a token for every request, or an app's `Connection`. */
  readonly token: string | (() => string | Promise<string>) | TokenSource;
  /** The address of the service, such as `https://events.example`. */
  readonly baseUrl: string;
  /**
   * Language of messages for people, `cs` or `en`. By default it is the language of the browser and, outside browsers,
   * the language of the account.
   */
  readonly language?: string;
  /** Timeout per attempt in milliseconds; default 60,000. */
  readonly timeoutMs?: number;
  /**
   * How many times a request is repeated after a broken connection, a timeout, or a status 408, 500, 502, 503 or 504
   * without `Retry-After` (or with `Retry-After: 0`); default 3. Only requests that are safe to repeat are repeated.
   */
  readonly retries?: number;
  /**
   * Maximum total wait per call in milliseconds if the server sends `Retry-After` with a 429, a 409
   * `request_in_progress` or one of the statuses named at `retries`. The default, 130,000, is a little longer than two
   * windows of the limit of requests (60 seconds each). If a longer wait is required, the error is thrown immediately.
   */
  readonly patienceMs?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly retries?: number;
  readonly patienceMs?: number;
  /**
   * For a change: with the same key, the server makes the change only once, regardless of how often the request is
   * sent. By default every change has a random key. Pass the same key to repeat a change from another process, or null
   * to send no key (then the change is repeated only after a 401 or 429).
   */
  readonly idempotencyKey?: string | null;
  /**
   * For a change: returns the response that the change would have, without making the change. `NotADryRun` is thrown if
   * the server does not confirm the dry run: an older server may have made the change.
   */
  readonly dryRun?: boolean;
  /**
   * The `ETag` of the resource that the caller has read. If the resource has changed since then, the response is 412
   * `precondition_failed`.
   */
  readonly ifMatch?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
