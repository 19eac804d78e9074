import { LIMITS } from '#contract/limits';
import { REFUSALS } from '#contract/refusals';
import { refTo, type Node } from './schema';

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };

/**
 * The response headers that the document describes. Tests fail if a response has any other header, except general
 * headers such as `Content-Type`.
 */
export const HEADERS: Readonly<Record<string, Node>> = {
  'X-Request-Id': {
    description:
      "The request's id: the id that you sent if it is well-formed, otherwise a new id. Include it when you report a problem.",
    required: true,
    schema: { ...TEXT, pattern: '^[A-Za-z0-9._-]{1,128}$' },
    example: '4f1c2d1e-8f0a-4b7e-9d5a-1b2c3d4e5f60',
  },
  'X-RateLimit-Limit': {
    description:
      'The number of requests that the token may send per minute; without a valid token, the number that the IP address may send.',
    required: true,
    schema: COUNT,
    example: 60,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that are still allowed in the current window, which lasts a minute.',
    required: true,
    schema: COUNT,
    example: 59,
  },
  'Retry-After': {
    description: 'The number of seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 1 },
    example: 30,
  },
  Link: {
    description: 'The page that explains the code of the refusal, with `rel="help"`.',
    required: true,
    schema: TEXT,
    example: '<https://events.example/docs/errors/not_found>; rel="help"',
  },
  'WWW-Authenticate': {
    description:
      'How to authenticate: the address of the metadata of the service (RFC 9728), or, for `insufficient_scope`, the scope that the token lacks.',
    schema: TEXT,
    example: 'Bearer error="insufficient_scope", scope="events:write"',
  },
  'Idempotency-Replayed': {
    description: '`true`: this is the stored first answer to the Idempotency-Key; this request changed nothing.',
    schema: { ...TEXT, enum: ['true'] },
    example: 'true',
  },
  Location: {
    description: 'The address of the created resource.',
    schema: { ...TEXT, format: 'uri' },
    example: 'https://events.example/api/v1/events/gYwKqVxB',
  },
  ETag: {
    description:
      'Identifies this answer. Send it as `If-None-Match` to get 304 if nothing has changed. If you own the resource and the resource has a version, its tag begins with this version. Send this tag as `If-Match` when you change the resource.',
    schema: TEXT,
    example: '"8BDSEHvKkOIE3SPBvwLoif"',
  },
  'Preference-Applied': {
    description:
      'The preferences of `Prefer` that the service applied: `handling=strict`, `dry-run`, or `dry-run, handling=strict`. If a successful answer to a change does not contain `dry-run` here, the change was made.',
    schema: TEXT,
    example: 'handling=strict',
  },
  Deprecation: {
    description:
      'When the operation was deprecated (RFC 9745): `@` and Unix seconds. Absent if the operation is not deprecated.',
    schema: TEXT,
    example: '@1893456000',
  },
  Sunset: {
    description: 'When the operation will stop answering (RFC 8594), at least six months after `Deprecation`.',
    schema: TEXT,
    example: 'Tue, 01 Jan 2030 00:00:00 GMT',
  },
};

/** The request header for changes of resources with a version. */
export const IF_MATCH: Node = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the resource that you want to change, exactly as you received it. A list of such tags, or `*` for any version, is also accepted. If the resource has been changed since, this request changes nothing: 412 `precondition_failed`.',
  schema: TEXT,
  example: '"4711.8BDSEHvKkOIE3SPBvwLoif"',
};

/** The request header for operations that read. */
export const IF_NONE_MATCH: Node = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of an earlier answer, exactly as you received it. A list of such tags is also accepted. If the content has not changed, the answer is 304 without a body.',
  schema: TEXT,
  example: '"4711.8BDSEHvKkOIE3SPBvwLoif"',
};

/** The request header for all operations. */
export const PREFER: Node = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '`handling=strict` (RFC 7240): if the request has query parameters or fields of a body that this operation does not know, the answer is 422 `validation_failed`, and `errors` contains their names. `dry-run` in a request that would write: the service gives the answer that the real request would get, but stores and sends nothing; ids, slugs, codes and secrets of new things are made up, `Location` and `ETag` are missing, and `Idempotency-Key` is ignored. The answer has `Preference-Applied: dry-run`. A misspelt `dry-run`, such as `dry_run`, and a `dry-run` with a value are refused with 422 `validation_failed`. Other preferences are ignored.',
  schema: TEXT,
  example: 'handling=strict',
};

/** The request header for all operations that write. */
export const IDEMPOTENCY_KEY: Node = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'If the request is sent again with the same key, the change is not made again: the first answer is returned, with `Idempotency-Replayed: true`.',
  schema: { ...TEXT, minLength: LIMITS.retries.key.min, maxLength: LIMITS.retries.key.max },
  example: '7c1f3c6e-2f0a-4a57-9a1b-0d6a2c9e4b11',
};

type HeaderName = keyof typeof HEADERS;

const ALWAYS: readonly HeaderName[] = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'Preference-Applied',
];

/** References to the headers of a response with this status. `more`: the other headers of the response. */
export function headersOf(status: number, more: readonly HeaderName[] = []): Record<string, Node> {
  const names = [...ALWAYS, ...(status >= 400 ? ['Link'] : [])];
  if (status === REFUSALS.unauthenticated.status || status === REFUSALS.insufficient_scope.status)
    names.push('WWW-Authenticate');
  if (status === REFUSALS.too_many_requests.status || status === 503) names.push('Retry-After');
  return Object.fromEntries([...names, ...more].map((name) => [name, refTo('headers', name)]));
}
