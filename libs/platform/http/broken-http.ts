import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { REFUSALS, type RefusalCode } from '#contract/refusals';
import { envelopeOf } from './envelope';
import { hasHelpLink, helpLink } from './help-link';
import { Refusal } from './refusal';
import { decodedPath, isApiPath } from './paths';
import { commonHeaders, CORS_HEADERS, JSON_TYPE, METHODS } from './wire-headers';

/**
 * Milliseconds until a refused connection is destroyed. During this time the client can read the response. Without this
 * limit, a silent client would use a file handle forever.
 */
const LINGER_MS = 1_000;
/** Minimum milliseconds between two log lines, so that many broken connections cause only a few lines. */
const LOG_EVERY_MS = 10_000;

const CODES: Readonly<Record<string, RefusalCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};
const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};
/** The first line of a request whose method Node does not know, with its path as the first group. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ (\/\S*) HTTP\/1\.[01]\r?\n/;

/** An error of Node's HTTP parser. */
interface HttpError extends NodeJS.ErrnoException {
  /** The bytes that could not be parsed (a `Buffer`). */
  readonly rawPacket?: unknown;
}

const log = new Logger('Connections');
let unlogged = 0;
let loggedAt = -LOG_EVERY_MS;

/**
 * Refuses input that is not valid HTTP, has headers that are too large or a method that Node does not know, or does not
 * arrive in time. Node passes the error and the socket to this function, but no response object. So the error envelope
 * is written directly to the socket. The socket is destroyed soon after.
 */
export function answerBrokenHttp(error: HttpError, socket: Socket, baseUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [, path] = (error.code === 'HPE_INVALID_METHOD' && REQUEST_LINE.exec(String(error.rawPacket))) || [];
  const refusal =
    path === undefined
      ? new Refusal(CODES[error.code ?? ''] ?? 'bad_request')
      : new Refusal('method_not_allowed', { allow: METHODS });
  logRefusal(refusal.code);
  // If the path is unknown, the request may be for the API. Therefore the response has the CORS headers.
  answerAndClose(refusal, socket, { baseUrl, hasCors: path === undefined || isApiPath(decodedPath(path)) });
}

/**
 * Refuses the method CONNECT, because the server is not a proxy. Without a listener for CONNECT, Node would close the
 * connection without a response.
 */
export function refuseTunnel(socket: Socket, baseUrl: string): void {
  socket.on('error', () => undefined);
  answerAndClose(new Refusal('method_not_allowed', { allow: METHODS }), socket, { baseUrl, hasCors: false });
}

function answerAndClose(
  refusal: Refusal,
  socket: Socket,
  { baseUrl, hasCors }: { readonly baseUrl: string; readonly hasCors: boolean },
): void {
  const { status, headers: refusalHeaders, body } = envelopeOf(refusal, 'en');
  const json = JSON.stringify(body);
  const headers = {
    ...commonHeaders(randomUUID()),
    ...refusalHeaders,
    ...(hasHelpLink(status) && { link: helpLink(baseUrl, refusal.code) }),
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(json),
    connection: 'close',
  };
  const lines = Object.entries(headers)
    .filter(([name]) => hasCors || !CORS_HEADERS.includes(name))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const closeTimer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(closeTimer));
  socket.end(`HTTP/1.1 ${status} ${REASONS[status]}\r\n${lines}\r\n${json}`);
}

function logRefusal(code: RefusalCode): void {
  unlogged++;
  const now = performance.now();
  if (now - loggedAt < LOG_EVERY_MS) return;
  log.warn({ connections: unlogged, code, status: REFUSALS[code].status }, 'broken connections refused');
  [unlogged, loggedAt] = [0, now];
}
