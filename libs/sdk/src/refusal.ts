import type { RefusalCode } from './generated/operations.ts';

/** The server refused the request. `code` is for programs; `message` is for people, in the client's language. */
export class Refusal<Code extends string = RefusalCode> extends Error {
  override readonly name = 'Refusal';
  readonly code: Code;
  readonly status: number;
  /** With `validation_failed`: the messages for each invalid field. The keys are dotted names (`stops.0.title`). */
  readonly errors: Readonly<Record<string, readonly string[]>> | undefined;
  /** The id of the request, to quote in questions to the operator. */
  readonly requestId: string | null;
  /** How many milliseconds to wait before the next attempt; undefined if the server sent no valid `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  /** The URL of the code's help page. */
  readonly help: string | undefined;

  constructor(envelope: Envelope, response: Response) {
    super(envelope.message);
    this.code = envelope.code as Code;
    this.status = response.status;
    this.errors = envelope.errors;
    this.requestId = response.headers.get('x-request-id');
    this.retryAfterMs = retryAfterMs(response);
    this.help = /<([^>]+)>;\s*rel="?help"?/.exec(response.headers.get('link') ?? '')?.[1];
  }
}

/** The response does not come from the API, but from a proxy or from another service at this address. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
  readonly status: number;
  /** The beginning of the body. */
  readonly text: string;

  constructor(response: Response, text: string) {
    super(`${response.status} from ${response.url || 'the server'} is no answer of the Events API`);
    this.status = response.status;
    this.text = text.slice(0, 1000);
  }
}

/** The server did not confirm a dry run: the change may have been made. */
export class NotADryRun extends Error {
  override readonly name = 'NotADryRun';
  readonly status: number;

  constructor({ status }: Response) {
    super(`The server answered ${status} without Preference-Applied: dry-run: the change may have been made.`);
    this.status = status;
  }
}

/**
 * Whether the error is a refusal with one of these codes: `if (refused(error, 'event_full')) …`. Without codes: whether
 * the error is a refusal.
 */
export function refused<Code extends RefusalCode = RefusalCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is Refusal<Code> {
  return error instanceof Refusal && (codes.length === 0 || codes.some((code) => code === error.code));
}

interface Envelope {
  readonly message: string;
  readonly code: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

export function failureOf(response: Response, text: string): Refusal | UnexpectedAnswer {
  const body = parsed(text);
  if (isEnvelope(body)) return new Refusal(body, response);
  return new UnexpectedAnswer(response, text);
}

function isEnvelope(body: unknown): body is Envelope {
  const { code, message } = (body ?? {}) as Partial<Record<string, unknown>>;
  return typeof code === 'string' && typeof message === 'string';
}

/** Reads `Retry-After`: seconds, or (from proxies) a date. The date is compared with the `Date` of the response. */
export function retryAfterMs({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Returns undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
