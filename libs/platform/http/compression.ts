import type { FastifyInstance } from 'fastify';
import { LIMITS } from '#contract/limits';
import { codingFor, compressed } from './content-coding';

/**
 * The compression levels are low and therefore fast, because each response is compressed for a single request.
 * docs/adr/0135-compressed-answers.md contains measurements.
 */
const LEVELS = { br: 3, gzip: 4 };

/**
 * Compresses texts that are long enough (`shouldCompress`) if the client accepts a supported coding (WIRE-52). The work
 * runs in the thread pool. Files and streams are sent unchanged: pictures are already compressed, and compression would
 * delay a stream of changes. Call `addVary` before you register the hooks that may remove the body (304). Call
 * `compressAnswers` after you have registered the hooks that read the body. The ETag is computed from the uncompressed
 * text, so it is the same in every coding.
 */
export function compressAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!shouldCompress(payload) || reply.hasHeader('content-encoding')) return done(null, payload);
    const coding = codingFor(request.headers['accept-encoding']);
    if (coding === null) return done(null, payload);
    compressed(Buffer.from(payload), coding, LEVELS).then((body) => {
      // Fastify then sets the length of the compressed body.
      void reply.removeHeader('content-length').header('content-encoding', coding);
      done(null, body);
    }, done);
  });
}

/**
 * Adds `Vary: Accept-Encoding` to every response with a body that could be compressed, and to the 304 that may replace
 * this response.
 */
export function addVary(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (shouldCompress(payload)) {
      const names = String(reply.getHeader('vary') ?? '').split(', ');
      void reply.header('vary', [...new Set([...names, 'Accept-Encoding'])].filter(Boolean).join(', '));
    }
    done(null, payload);
  });
}

/** Whether the payload is a text that is long enough to be compressed. A Buffer is a file. */
function shouldCompress(payload: unknown): payload is string {
  if (typeof payload !== 'string') return false;
  // A text has at least as many bytes as characters, so only the bytes of short texts must be counted.
  return (
    payload.length >= LIMITS.transport.compression_min_bytes ||
    Buffer.byteLength(payload) >= LIMITS.transport.compression_min_bytes
  );
}
