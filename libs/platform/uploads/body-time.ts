import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isSelfRequest } from '../context/self-request';
import { hasBody, isForm } from './body-kinds';

/**
 * If a body is still incomplete after the response, its connection is checked at this interval, in milliseconds. If no
 * byte has arrived since the last check, the body counts as abandoned.
 */
const SILENCE_MS = 5_000;

/**
 * A body must arrive within `milliseconds`. Only an upload may take longer, if it makes progress (body-watch.ts).
 * Node's `requestTimeout` applies to all requests, so it must be longer than the longest upload.
 *
 * If a request is refused early, its client may send the rest of the body and use the connection again. If the client
 * stops sending, the connection is closed after one to two times `silenceMs`.
 */
export function limitBodyTime(fastify: FastifyInstance, milliseconds: number, silenceMs = SILENCE_MS): void {
  fastify.addHook('onResponse', (request, _reply, done) => {
    if (hasBody(request) && !request.raw.complete && !isSelfRequest()) endWhenSilent(request.raw, silenceMs);
    done();
  });
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    if (hasBody(request) && !isUpload(request)) {
      const { socket } = request.raw;
      const timeout = setTimeout(() => {
        const error = Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
        fastify.server.emit('clientError', error, socket);
      }, milliseconds);
      const cleanUp = (): void => {
        clearTimeout(timeout);
        socket.off('close', cleanUp);
      };
      request.raw.once('end', cleanUp);
      socket.once('close', cleanUp);
    }
    done(null, payload);
  });
}

function endWhenSilent(body: IncomingMessage, silenceMs: number): void {
  const { socket } = body;
  let bytesBefore = socket.bytesRead;
  const checkTimer = setInterval(() => {
    // While this server does not read the body, no bytes arrive. This does not mean that the client is silent.
    if (socket.bytesRead === bytesBefore && body.readableFlowing !== false) socket.destroy();
    bytesBefore = socket.bytesRead;
  }, silenceMs);
  const cleanUp = (): void => {
    clearInterval(checkTimer);
    body.off('end', cleanUp);
    socket.off('close', cleanUp);
  };
  body.once('end', cleanUp);
  socket.once('close', cleanUp);
}

function isUpload(request: FastifyRequest): boolean {
  return request.routeOptions.config?.takesUpload === true && isForm(request);
}
