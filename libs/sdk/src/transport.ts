import { API, serviceAt, type CallOptions, type ClientOptions } from './options.ts';
import { failureOf, NotADryRun, parsed, refused, retryAfterMs, UnexpectedAnswer } from './refusal.ts';
import type { ApiRequest } from './request.ts';

const TIMEOUT_MS = 60_000;
const RETRIES = 3;
/** The default of `patienceMs`: the maximum total wait that `Retry-After` may cause in one call. */
const PATIENCE_MS = 130_000;
/**
 * The first pause after a failure. Each further pause is twice as long, up to `MAX_PAUSE_MS`. From each pause, a random
 * part of up to half is subtracted.
 */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;
const DRY_RUN = 'dry-run';
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/** A successful response whose body is already read. */
export interface Answer {
  readonly response: Response;
  readonly body: Blob;
}

/**
 * Sends requests, and repeats a request if this is safe. Reads are safe. Changes with an idempotency key are safe too,
 * because the server makes such a change only once. The server sends 401 and 429 before any processing, so every
 * request may be repeated after them.
 */
export class Transport {
  private readonly root: string;
  private readonly options: ClientOptions;

  constructor(options: ClientOptions) {
    this.options = options;
    this.root = serviceAt(options.baseUrl) + API;
  }

  /**
   * Throws `Refusal`, `UnexpectedAnswer`, `NotADryRun`, the signal's reason, a `TimeoutError`, fetch's `TypeError` of a
   * broken connection, or the error of the source of tokens.
   */
  send(request: ApiRequest, call: CallOptions = {}): Promise<Answer> {
    return this.sendWithRetries(request, call, async (response) => ({ response, body: await response.blob() }));
  }

  /**
   * Resolves when the response begins, before its body is read. `timeoutMs` limits the time until the response begins.
   * `signal` can also end the reading of the body.
   */
  open(request: ApiRequest, call: CallOptions = {}): Promise<Response> {
    return this.sendWithRetries(request, call, (response) => response);
  }

  private async sendWithRetries<Read>(
    request: ApiRequest,
    call: CallOptions,
    read: (response: Response) => Read | Promise<Read>,
  ): Promise<Read> {
    const {
      retries = this.options.retries ?? RETRIES,
      patienceMs = this.options.patienceMs ?? PATIENCE_MS,
      signal,
    } = call;
    const key = request.method === 'GET' ? null : call.idempotencyKey === undefined ? randomKey() : call.idempotencyKey;
    const isSafe = request.method === 'GET' || key !== null;
    const { token: source } = this.options;
    let token = await this.token();
    let [failures, waited, isRenewed] = [0, 0, false];
    for (;;) {
      const { answer, failure, retry } = await this.attempt(request, call, key, token, read);
      if (answer !== undefined) return answer;
      signal?.throwIfAborted();
      // 401 is sent before any processing, so the request may be repeated.
      if (typeof source === 'object' && !isRenewed && refused(failure, 'unauthenticated')) {
        token = await source.renew(token);
        isRenewed = true;
        continue;
      }
      if (retry === 'never' || (retry === 'if safe' && !isSafe)) throw failure;
      // Waits that the server requests (`Retry-After`) are limited in total time; repetitions after failures are
      // limited in number. `Retry-After: 0` requests no wait, so it counts as a failure.
      const requestedMs = typeof retry === 'object' ? retry.afterMs : 0;
      const pauseMs = requestedMs || Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (1 - Math.random() / 2);
      if (requestedMs > 0) waited += pauseMs;
      else failures += 1;
      if ((typeof retry === 'object' && !retry.evenIfUnsafe && !isSafe) || waited > patienceMs || failures > retries)
        throw failure;
      await pause(pauseMs, signal);
      token = await this.token();
    }
  }

  private token(): string | Promise<string> {
    const { token } = this.options;
    if (typeof token === 'string') return token;
    return typeof token === 'function' ? token() : token.token();
  }

  /**
   * Returns the part of `url` after `/api/v1`, with the query. `url` comes from a response. Its host is ignored,
   * because all requests go to this client's server.
   */
  pathOf(url: string): string {
    const { pathname, search } = new URL(url, 'http://unused');
    const index = pathname.indexOf(`${API}/`);
    return pathname.slice(index < 0 ? 0 : index + API.length) + search;
  }

  private async attempt<Read>(
    request: ApiRequest,
    call: CallOptions,
    key: string | null,
    token: string,
    read: (response: Response) => Read | Promise<Read>,
  ): Promise<Attempt<Read>> {
    const timeout = new AbortController();
    // `AbortSignal.timeout` is not used, because it cannot be cancelled. It would also interrupt the reading of the
    // body after `open`.
    const timer = setTimeout(
      () => timeout.abort(new DOMException('The operation timed out.', 'TimeoutError')),
      call.timeoutMs ?? this.options.timeoutMs ?? TIMEOUT_MS,
    );
    try {
      const response = await (this.options.fetch ?? fetch)(this.root + request.path, {
        method: request.method,
        headers: this.headers(request, call, key, token),
        body: request.body ?? null,
        signal: AbortSignal.any([timeout.signal, ...(call.signal ? [call.signal] : [])]),
      });
      if (call.dryRun && request.method !== 'GET' && response.ok && !isDryRun(response))
        return { failure: new NotADryRun(response), retry: 'never' };
      if (response.ok) return { answer: await read(response) };
      const failure = failureOf(response, await response.text());
      const waitMs = retryAfterMs(response);
      // 429 is sent before any processing, so every request may be repeated.
      if (
        waitMs !== undefined &&
        (response.status === 429 || RETRYABLE_STATUSES.has(response.status) || refused(failure, 'request_in_progress'))
      )
        return { failure, retry: { afterMs: waitMs, evenIfUnsafe: response.status === 429 } };
      return { failure, retry: RETRYABLE_STATUSES.has(response.status) ? 'if safe' : 'never' };
    } catch (failure) {
      return { failure, retry: 'if safe' };
    } finally {
      clearTimeout(timer);
    }
  }

  private headers(
    { body }: ApiRequest,
    { ifMatch, dryRun, headers }: CallOptions,
    key: string | null,
    token: string,
  ): Record<string, string> {
    return {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...(this.options.language && { 'accept-language': this.options.language }),
      ...(key !== null && { 'idempotency-key': key }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...headers,
      ...(dryRun && { prefer: preferHeader(headers) }),
    };
  }
}

type Attempt<Read> =
  | { readonly answer: Read; readonly failure?: undefined; readonly retry?: undefined }
  | {
      readonly answer?: undefined;
      readonly failure: unknown;
      readonly retry: 'never' | 'if safe' | { readonly afterMs: number; readonly evenIfUnsafe: boolean };
    };

/**
 * Parses the body of a successful response. Throws `UnexpectedAnswer` if the body is not a JSON object with the
 * property `data`.
 */
export async function jsonOf({ response, body }: Answer): Promise<{ readonly data: unknown }> {
  const text = await body.text();
  const json = parsed(text);
  if (typeof json !== 'object' || json === null || !('data' in json)) throw new UnexpectedAnswer(response, text);
  return json;
}

function isDryRun({ headers }: Response): boolean {
  return (headers.get('preference-applied') ?? '').split(',').some((one) => one.trim().toLowerCase() === DRY_RUN);
}

/** Returns the value of the header `Prefer`: the caller's own preferences and the dry run. */
function preferHeader(headers: CallOptions['headers'] = {}): string {
  const preferences = Object.entries(headers).find(([name]) => name.toLowerCase() === 'prefer')?.[1];
  return preferences === undefined ? DRY_RUN : `${preferences}, ${DRY_RUN}`;
}

/** A random idempotency key. `crypto.randomUUID` is not used, because it is missing on pages without TLS. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Waits `ms` milliseconds. Rejects with the signal's reason when the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    const end = (): void => {
      clearTimeout(timer);
      failed(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      done();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
