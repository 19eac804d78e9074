import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { digestTag, isNoneMatchMet } from './etags';
import { tagOf, versionedTag, versionOf } from './versions';

/** Of the body that a 304 does not have. */
const OF_THE_BODY = ['content-type', 'content-length', 'content-language'];

/**
 * Every 200 of a GET of the API has an `ETag`, a digest of its body, and is a 304 for who has it already (RETRY-14 to RETRY-16). It
 * comes last, when everything has been asked and made: rights are judged before tags, and what time alone changes changes the tag.
 */
export function answerConditionally(fastify: FastifyInstance, isApi: (url: string | undefined) => boolean): void {
  fastify.decorateRequest('shown', null);

  // Before it becomes text: what is shown to its owner tells its version (RETRY-18).
  fastify.addHook('preSerialization', (request, _reply, payload, done) => {
    const data = (payload as { data?: unknown } | null)?.data;
    if (versionOf(data) !== null) request.shown = data as object;
    done(null, payload);
  });

  fastify.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode === 304) leaveBodyOut(reply);
    if (!hasBody(payload) || !isApi(request.routeOptions.url)) return payload;
    const { shown } = request;
    if (!isRead(request)) {
      // What GET would give; the answer itself may say more.
      const tag = shown && reply.statusCode < 300 ? tagOf(shown) : null;
      if (tag !== null) void reply.header('etag', tag);
      return payload;
    }
    if (reply.statusCode !== 200) return payload;
    const etag = handlersTag(reply.getHeader('etag')) ?? etagOf(payload, versionOf(shown));
    void reply.header('etag', etag);
    if (!isNoneMatchMet(request.headers['if-none-match'], etag)) return payload;
    leaveBodyOut(reply.code(304));
    // Fastify's own hook for HEAD wants a body to leave out.
    return request.method === 'HEAD' ? '' : null;
  });
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function leaveBodyOut(reply: FastifyReply): void {
  for (const header of OF_THE_BODY) void reply.removeHeader(header);
}

/** A handler's own, where something in its answer does not count. */
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
    /** What the answer shows its owner, with its version beside it (`withVersion`); null for anything else. */
    shown: object | null;
  }
}
