import type { IncomingMessage } from 'node:http';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unreadable } from '../http/json-body';
import { cameTooSlowly, drained } from './body-watch';
import { TEXT_BYTES } from './multipart';

/** What a form may have. */
const LIMITS = {
  parts: 100,
  fields: 100,
  files: 100,
  fieldNameSize: 200,
  fieldSize: TEXT_BYTES,
  headerPairs: 50,
  fileSize: Infinity,
};

/**
 * Lets Fastify leave `multipart/form-data` on the stream until a handler asks for it. Routes that take none
 * (upload-body.ts) answer 422 on `body`. Call it once, after `readJsonBodies`.
 */
export function acceptMultipart(fastify: FastifyInstance): void {
  void fastify.register(multipart, { throwFileSizeLimit: false, limits: LIMITS });
  fastify.addHook('preValidation', (request, _reply, done) => {
    done(
      !request.is404 && request.isMultipart() && !request.routeOptions.config.takesUpload ? unreadable() : undefined,
    );
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    // Nearly always: the body has come, or there was none.
    if (request.raw.complete) return done(null, payload);
    if (cameTooSlowly(request.raw)) void reply.header('connection', 'close');
    const isForm = request.headers['content-type']?.toLowerCase().startsWith('multipart/') ?? false;
    // Where a body is refused unread (JSON above its cap), Fastify closes the connection: proxies would make a 502 of the 413.
    if (!isForm && reply.getHeader('connection') !== 'close') return done(null, payload);
    drained(request.raw).then(() => done(null, payload), done);
  });
}

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
  return (
    routeOptions.config?.takesUpload === true && (headers['content-type'] ?? '').toLowerCase().startsWith('multipart/')
  );
}
