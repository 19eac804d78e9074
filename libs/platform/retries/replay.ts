import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../http/refusal';
import { digestOf } from '../uploads/form-digest';
import { contentOf, fingerprintOf } from './fingerprint';

/** A successful response, with the fingerprint of the request that got it. */
export interface StoredResponse {
  readonly fingerprint: string;
  readonly status: number;
  readonly type: string | null;
  readonly location: string | null;
  readonly body: string;
}

/**
 * Headers that this attempt's own response can contain: the headers of an error (platform/http/envelope.ts), and the
 * `ETag`. They are removed if the stored response is sent instead.
 */
const ATTEMPT_HEADERS = ['etag', 'link', 'retry-after', 'allow'];

/** The response of a request to the API, as it is stored. */
export function storedResponseOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): StoredResponse {
  return {
    fingerprint: fingerprint(request),
    status: reply.statusCode,
    type: stringOrNull(reply.getHeader('content-type')),
    location: stringOrNull(reply.getHeader('location')),
    body: stringOrNull(payload) ?? '',
  };
}

/** Whether the stored response is the response of a request with the same method, URL and content (RETRY-9). */
export function isResponseTo(request: FastifyRequest, stored: StoredResponse): boolean {
  return stored.fingerprint === fingerprint(request);
}

/**
 * Sets the status and the headers of the stored response, and returns its body.
 *
 * @throws Refusal 422 `idempotency_key_reused` if this request differs from the first request with the key
 */
export function replay(request: FastifyRequest, reply: FastifyReply, stored: StoredResponse): string | null {
  if (!isResponseTo(request, stored)) throw new Refusal('idempotency_key_reused');
  const { status, type, location, body } = stored;
  void reply.code(status).header('idempotency-replayed', 'true');
  for (const name of ATTEMPT_HEADERS) void reply.removeHeader(name);
  if (type === null) void reply.removeHeader('content-type');
  else void reply.header('content-type', type);
  if (location !== null) void reply.header('location', location);
  return body === '' ? null : body;
}

function fingerprint(request: FastifyRequest): string {
  const content = request.isMultipart() ? (digestOf(request)?.content ?? '') : contentOf(request.body);
  return fingerprintOf(request.method, request.url, content);
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
