import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LIMITS } from '#contract/limits';
import { codingFor, type Coding } from './content-coding';

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];

/** How much work an answer is worth that is sent once: docs/adr/0135-compressed-answers.md has the figures. */
const CODE: Readonly<Record<Coding, (text: Buffer) => Promise<Buffer>>> = {
  br: (text) =>
    brotli(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 3,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
  gzip: (text) => gzipped(text, { level: 4 }),
};

/**
 * Compresses the API's texts for who asks for that (WIRE-52), in the thread pool. Files and streams are sent as they are: those of
 * pictures are compressed already, and one that tells of changes must not be held back. `sayWhatVaries` is called before the hooks
 * that may leave the text out (304), `compressAnswers` after those that look at it. The tag is of what is said, so it is the same in
 * every coding.
 */
export function compressAnswers(fastify: FastifyInstance, isApi: IsApi): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!isWorthIt(payload, reply) || !isApi(request.routeOptions.url) || reply.hasHeader('content-encoding'))
      return done(null, payload);
    const coding = codingFor(request.headers['accept-encoding']);
    if (coding === null) return done(null, payload);
    CODE[coding](Buffer.from(payload)).then((coded) => {
      // Fastify counts the bytes anew.
      void reply.removeHeader('content-length').header('content-encoding', coding);
      done(null, coded);
    }, done);
  });
}

/** What is long enough depends on `Accept-Encoding` too; a 304 says so as well. */
export function addVary(fastify: FastifyInstance, isApi: IsApi): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (isWorthIt(payload, reply) && isApi(request.routeOptions.url))
      void reply.header('vary', `${String(reply.getHeader('vary') ?? 'Authorization')}, Accept-Encoding`);
    done(null, payload);
  });
}

type IsApi = (url: string | undefined) => boolean;

/** Bytes are those of files, but where they are an answer's (`RenderedJson`). */
function isWorthIt(payload: unknown, reply: FastifyReply): payload is string | Buffer {
  if (typeof payload !== 'string' && !(Buffer.isBuffer(payload) && isJson(reply))) return false;
  // No text has fewer bytes than characters: most need not be counted.
  return (
    payload.length >= LIMITS.transport.compressed_from || Buffer.byteLength(payload) >= LIMITS.transport.compressed_from
  );
}

function isJson(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('application/json');
}
