import type { FastifyInstance } from 'fastify';
import { digestOf, isNoneMatchMet } from './etags';

/** Of the body that a 304 does not have. */
const OF_THE_BODY = ['content-type', 'content-length', 'content-language'];

/**
 * Every 200 of a GET of the API has an `ETag`, a digest of its body, and is a 304 for who has it already (RETRY-14 to RETRY-16). It
 * comes last, when everything has been asked and made: rights are judged before tags, and what time alone changes changes the tag.
 */
export function answerConditionally(fastify: FastifyInstance, isApi: (url: string | undefined) => boolean): void {
  fastify.addHook('onSend', async (request, reply, payload) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || reply.statusCode !== 200 || typeof payload !== 'string' || !isApi(request.routeOptions.url)) return payload;
    const etag = `"${digestOf(payload)}"`;
    void reply.header('etag', etag);
    if (!isNoneMatchMet(request.headers['if-none-match'], etag)) return payload;
    void reply.code(304);
    for (const header of OF_THE_BODY) void reply.removeHeader(header);
    // Fastify's own hook for HEAD wants a body to leave out.
    return request.method === 'HEAD' ? '' : null;
  });
}
