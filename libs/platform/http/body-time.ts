import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * A body has so many milliseconds to arrive, an upload as long as it keeps coming (body-watch.ts). Node has one
 * `requestTimeout` for all, which must be longer than the longest upload; this is the same end for the others.
 */
export function limitBodyTime(fastify: FastifyInstance, milliseconds: number): void {
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

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isUpload({ headers, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config?.takesUpload === true && (headers['content-type'] ?? '').toLowerCase().startsWith('multipart/');
}
