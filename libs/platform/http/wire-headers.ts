import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/limits';
import type { Locale } from '#contract/vocabulary';
import { localeFor } from '../messages/locale';
import { API } from './paths';

/** The content type of Fastify's JSON responses. */
export const JSON_TYPE = 'application/json; charset=utf-8';
/** The methods that the service accepts. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const VALID_REQUEST_ID = new RegExp(`^[A-Za-z0-9._-]{1,${LIMITS.request_id.max}}$`);

/** The value of `X-Request-Id`: the client's value if it is valid, otherwise a new one (WIRE-31). */
export function requestId(request: IncomingMessage): string {
  const requestedId = request.headers['x-request-id'];
  return typeof requestedId === 'string' && VALID_REQUEST_ID.test(requestedId) ? requestedId : randomUUID();
}

/**
 * The headers of every response. The CORS headers allow requests from any origin, without credentials (WIRE-29). For
 * pages, `withoutCors` removes the CORS headers.
 */
export function commonHeaders(id: string): Record<string, string> {
  return {
    'x-request-id': id,
    'access-control-allow-origin': '*',
    'access-control-expose-headers':
      'X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After, X-Request-Id, Allow, Link, ETag, Location, Idempotency-Replayed, Deprecation, Sunset, Preference-Applied, WWW-Authenticate, Content-Disposition',
    'x-content-type-options': 'nosniff',
  };
}

export function writeCommonHeaders(id: string, reply: FastifyReply): void {
  reply.headers(commonHeaders(id));
}

export const CORS_HEADERS = ['access-control-allow-origin', 'access-control-expose-headers'];

/** Removes the headers of CORS, so that scripts of other sites cannot read responses to a person's browser. */
export function withoutCors(reply: FastifyReply): FastifyReply {
  for (const name of CORS_HEADERS) void reply.removeHeader(name);
  return reply;
}

/**
 * Matches the paths whose responses no cache may store, not even the client's cache: responses with amounts of money,
 * codes or identities, and the response of `/limits`.
 */
const NOT_STORED = new RegExp(
  String.raw`^${API}/(user(/calendar.*)?$|limits$|.*/(expenses(\.csv)?|participants\.csv|tickets|check-in|door/(scans|links)|my-code\.(svg|png))(/|$))`,
);

/** Writes the headers of every API response. `Content-Language` is added later, when the caller is known. */
export function writeApiHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'cache-control': NOT_STORED.test(request.routeOptions.url ?? '') ? 'no-store' : 'private, no-cache',
    vary: 'Authorization, Accept-Language',
  });
}

/**
 * The language of the response: from `Accept-Language`, or else the language of the token's owner, or else English
 * (WIRE-32).
 */
export function localeOf(request: FastifyRequest): Locale {
  return localeFor(request.headers['accept-language'], request.caller?.locale ?? null);
}

/** Sends the response to a CORS preflight request. */
export function answerPreflight(reply: FastifyReply): void {
  void reply
    .headers({
      'access-control-allow-methods': METHODS.join(', '),
      'access-control-allow-headers':
        'Authorization, Content-Type, Accept, Accept-Language, X-Request-Id, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer',
      'access-control-max-age': '86400',
      vary: 'Authorization, Accept-Language, Access-Control-Request-Headers',
    })
    .code(204)
    .send();
}
