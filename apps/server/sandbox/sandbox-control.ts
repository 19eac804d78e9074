import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseDateTime } from '#platform/time/input-time';
import type { ListedMail } from './sandbox-mailbox';
import type { SandboxClock } from './sandbox-clock';
import { wireNow } from './sandbox-people';

/** The parts of the sandbox that the endpoints below /sandbox control. */
export interface Controls {
  readonly baseUrl: string;
  readonly clock: SandboxClock;
  readonly mails: { list(): ListedMail[] };
  /**
   * Moves the clock forward to the time that `targetOf` returns for the present time, and runs everything that becomes
   * due. Returns how often each job ran.
   */
  advanceTo(targetOf: (now: Date) => Date): Promise<Record<string, number>>;
  reset(): Promise<void>;
}

/** Maximum size of a request's body in bytes. */
const MAX_BODY_BYTES = 10_000;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/i;
const ADVANCE_MESSAGE = 'advance must be a number of seconds from 0 to one year.';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** An error that is sent in the error envelope of the API. */
class ControlRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly errors?: Record<string, string[]>,
  ) {
    super(message);
  }
}

const invalid = (field: string, message: string): ControlRefusal =>
  new ControlRefusal(422, 'validation_failed', message, { [field]: [message] });

/** Answers requests to `/sandbox/clock`, `/sandbox/reset` and `/sandbox/mail` (SBX-3 to SBX-5). */
export async function answerControl(
  controls: Controls,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    refuseForeign(controls, request);
    const data = await answerOf(controls, request);
    response.setHeader('date', controls.clock.now().toUTCString());
    send(response, 200, { data });
  } catch (error) {
    const refusal =
      error instanceof ControlRefusal
        ? error
        : new ControlRefusal(500, 'server_error', `The sandbox failed: ${(error as Error).message}`);
    const { status, code, message, errors } = refusal;
    send(response, status, { message, code, ...(errors ? { errors } : {}) });
  }
}

async function answerOf(controls: Controls, request: IncomingMessage): Promise<unknown> {
  const route = `${request.method} ${request.url?.split('?', 1)[0]}`;
  if (route === 'GET /sandbox/mail') return controls.mails.list();
  if (route === 'POST /sandbox/reset') {
    await bodyOf(request);
    await controls.reset();
    return { now: wireNow(controls.clock) };
  }
  if (route === 'POST /sandbox/clock') {
    const body = await bodyOf(request);
    const targetOf = targetIn(body);
    const ran = await controls.advanceTo(targetOf);
    return { now: wireNow(controls.clock), ran };
  }
  throw new ControlRefusal(404, 'not_found', 'There is nothing here.');
}

/**
 * Throws 403 for a request that a web page of another site could have sent, because such a page must not control the
 * sandbox. The host name of such a page may resolve to this machine (DNS rebinding), so the header `Host` is also
 * checked.
 */
function refuseForeign({ baseUrl }: Controls, { headers, method }: IncomingMessage): void {
  const isForeign = headers.origin !== undefined && headers.origin !== new URL(baseUrl).origin;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const type = headers['content-type'];
  const isJson = type === undefined ? !hasBody : /^application\/json\b/i.test(type);
  if (isForeign || !LOOPBACK.test(headers.host ?? '') || (method === 'POST' && !isJson))
    throw new ControlRefusal(
      403,
      'forbidden',
      'The sandbox accepts requests only from this machine, and bodies only as JSON.',
    );
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new ControlRefusal(413, 'payload_too_large', 'The body is too large.');
    parts.push(part);
  }
  if (size === 0) return {};
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  } catch {
    // A body that is not JSON gets the error below.
  }
  throw invalid('body', 'The body must be a JSON object.');
}

/** The latest time to which one request can move the clock: the same date of the next year. */
function yearLaterMs(present: Date): number {
  return new Date(present).setUTCFullYear(present.getUTCFullYear() + 1);
}

/**
 * Returns a function that computes the requested time from the present time of the sandbox.
 * @throws ControlRefusal 422 if neither or both fields are set, or if the value is malformed. The returned function
 * throws 422 for a time in the past or too far in the future.
 */
function targetIn({ now, advance }: Readonly<Record<string, unknown>>): (present: Date) => Date {
  if ((now === undefined) === (advance === undefined)) throw invalid('now', 'Send either now or advance.');
  if (advance !== undefined) {
    if (typeof advance !== 'number' || !(advance >= 0)) throw invalid('advance', ADVANCE_MESSAGE);
    return (present) => {
      const target = present.getTime() + Math.round(advance * 1000);
      if (!(target <= yearLaterMs(present))) throw invalid('advance', ADVANCE_MESSAGE);
      return new Date(target);
    };
  }
  // Date.parse alone accepts days that do not exist, such as 2030-02-30.
  const target = typeof now === 'string' && TIME.test(now) && parseDateTime(now) ? Date.parse(now) : NaN;
  if (Number.isNaN(target)) throw invalid('now', 'now must be a time such as 2030-05-01T16:00:00Z.');
  return (present) => {
    // Times in responses are rounded down to a second. A client may send such a time back, so up to one second in the
    // past is accepted.
    if (target < present.getTime() - 1000) throw invalid('now', 'The clock can only be moved forward.');
    if (target > yearLaterMs(present)) throw invalid('now', 'One call can move the clock by at most a year.');
    return new Date(target);
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
