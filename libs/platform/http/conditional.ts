import type { FastifyInstance, FastifyReply } from 'fastify';
import { isReadingMethod } from '#contract/vocabulary';
import { digestTag, matchesIfNoneMatch } from './etags';
import { isApi } from './paths';
import { tagOf, versionedTag, versionOf } from './versions';

/** Headers that describe a body. They are removed from a 304. */
const BODY_HEADERS = ['content-type', 'content-length', 'content-language', 'content-disposition'];

/**
 * Adds an `ETag` to every 200 of a GET or HEAD of the API that is not a stream. If the handler has set a tag, the
 * response keeps this tag. Otherwise the tag is a digest of the body; if the object has a version, the tag begins with
 * the version. If the client already has this body, the response becomes a 304 (RETRY-14 to RETRY-16). If the response
 * to a change shows the changed object to its owner, the response gets the tag that GET would return. Rights are
 * checked before tags, so a refusal never becomes a 304.
 */
export function answerConditionally(fastify: FastifyInstance): void {
  fastify.decorateRequest('shown', null);

  // This hook runs before serialization, because the object has a version and its JSON text has none. The version is a
  // part of the tag that the owner gets (RETRY-18).
  fastify.addHook('preSerialization', (request, _reply, payload, done) => {
    const data = (payload as { data?: unknown } | null)?.data;
    if (versionOf(data) !== null) request.shown = data as object;
    done(null, payload);
  });

  fastify.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode === 304) removeBodyHeaders(reply);
    if (!hasBody(payload) || !isApi(request)) return payload;
    const { shown } = request;
    if (!isReadingMethod(request.method)) {
      // The tag is computed for the response to GET, because the response to this request may contain more fields.
      const tag = shown && reply.statusCode < 300 ? tagOf(shown) : null;
      if (tag !== null) void reply.header('etag', tag);
      return payload;
    }
    if (reply.statusCode !== 200) return payload;
    const etag = handlersTag(reply.getHeader('etag')) ?? etagOf(payload, versionOf(shown));
    void reply.header('etag', etag);
    if (!matchesIfNoneMatch(request.headers['if-none-match'], etag)) return payload;
    removeBodyHeaders(reply.code(304));
    // Fastify's hook for HEAD needs a body that it can remove.
    return request.method === 'HEAD' ? '' : null;
  });
}

function removeBodyHeaders(reply: FastifyReply): void {
  for (const header of BODY_HEADERS) void reply.removeHeader(header);
}

/** The tag that the handler has set. Handlers set it if a part of the response must not affect the tag. */
function handlersTag(header: unknown): string | null {
  return typeof header === 'string' ? header : null;
}

function etagOf(payload: string | Buffer, version: ReturnType<typeof versionOf>): string {
  return version === null || typeof payload !== 'string' ? digestTag(payload) : versionedTag(version, payload);
}

function hasBody(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The object with a version (`withVersion`) that the response shows to its owner. Null for other responses. */
    shown: object | null;
  }
}
