export interface ClientOptions {
  /** `evt_…`, or a function that gives it anew for every request. */
  readonly token: string | (() => string | Promise<string>);
  /** The service's origin, such as `https://events.example`. */
  readonly baseUrl: string;
  /** Language of messages to people, `cs` or `en`; the server's own (`cs`) unless told. */
  readonly language?: string;
  /** For one try, in milliseconds; 60,000 unless told. */
  readonly timeoutMs?: number;
  /** How often a try is repeated after a broken connection, a time-out or a 5xx, where that is safe; 3 unless told. */
  readonly retries?: number;
  /**
   * How long one call waits altogether when the server says `Retry-After` (429, 503, 409 `request_in_progress`), in milliseconds;
   * 130,000 unless told, which is two request windows. What would take longer is thrown at once.
   */
  readonly patienceMs?: number;
  /** Another `fetch` than the global one. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly retries?: number;
  readonly patienceMs?: number;
  /**
   * Of a change: what makes it happen once, however often it is sent. Every change has a random one of its own; give yours to repeat a
   * change from another process, or null to send none (then it is not repeated after a fault).
   */
  readonly idempotencyKey?: string | null;
  /** `ETag` of what is changed, as it was read: 412 `precondition_failed` when it has changed since. */
  readonly ifMatch?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
