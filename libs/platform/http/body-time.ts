import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Milliseconds without a byte, after which a body that nobody waits for does not come any more. */
const SILENCE = 5_000;

/**
 * A body has so many milliseconds to arrive, an upload as long as it keeps coming (body-watch.ts). Node has one
 * `requestTimeout` for all, which must be longer than the longest upload; this is the same end for the others.
 *
 * Who is refused before the body has come may send the rest of it and go on. Who falls silent instead would hold the connection for
 * as long as one that is kept for a next request.
 */
export function limitBodyTime(fastify: FastifyInstance, milliseconds: number, silence = SILENCE): void {
  fastify.addHook('onResponse', (request, _reply, done) => {
    if (hasBody(request) && !request.raw.complete) endWhenSilent(request.raw, silence);
    done();
  });
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    if (hasBody(request) && !isUpload(request)) {
      const { socket } = request.raw;
      const late = setTimeout(() => {
        const error = Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
        fastify.server.emit('clientError', error, socket);
      }, milliseconds);
      const over = (): void => {
        clearTimeout(late);
        socket.off('close', over);
      };
      request.raw.once('end', over);
      socket.once('close', over);
    }
    done(null, payload);
  });
}

function endWhenSilent(body: IncomingMessage, silence: number): void {
  const { socket } = body;
  let before = socket.bytesRead;
  const look = setInterval(() => {
    // What we hold back ourselves (body-watch.ts) is not the sender's silence.
    if (socket.bytesRead === before && body.readableFlowing !== false) socket.destroy();
    before = socket.bytesRead;
  }, silence);
  const over = (): void => {
    clearInterval(look);
    body.off('end', over);
    socket.off('close', over);
  };
  body.once('end', over);
  socket.once('close', over);
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isUpload({ headers, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config?.takesUpload === true && (headers['content-type'] ?? '').toLowerCase().startsWith('multipart/');
}
