import type { IncomingMessage } from 'node:http';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isSelfRequest } from '../context/self-request';
import { unreadable } from '../http/json-body';
import { wasTooSlow, drain } from './body-watch';
import { TEXT_BYTES } from './multipart';

/** Limits for one form. The limits of file sizes depend on the route (upload-rules.ts). */
const FORM_LIMITS = {
  parts: 100,
  fields: 100,
  files: 100,
  fieldNameSize: 200,
  fieldSize: TEXT_BYTES,
  headerPairs: 50,
  fileSize: Infinity,
};

/**
 * Makes Fastify pass `multipart/form-data` to the handler without reading it. Routes without `takesUpload` refuse such
 * a body with 422 and an error of the field `body`. If a form has not arrived completely, the response waits for the
 * rest of the form, but only for a limited time (`drain`). Call this function once, after `readJsonBodies`.
 */
export function acceptMultipart(fastify: FastifyInstance): void {
  void fastify.register(multipart, { throwFileSizeLimit: false, limits: FORM_LIMITS });
  fastify.addHook('preValidation', (request, _reply, done) => {
    done(
      !request.is404 && request.isMultipart() && !request.routeOptions.config.takesUpload ? unreadable() : undefined,
    );
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    // The usual case: the whole body has arrived, or the request has none. If the service sends the request to its own
    // API, the body is always complete.
    if (request.raw.complete || isSelfRequest()) return done(null, payload);
    if (wasTooSlow(request.raw)) void reply.header('connection', 'close');
    // The rest of the body is read before the response in two cases: the body is a form, or the connection is closed
    // after the response (JSON above its limit, a body that was too slow). If the server did not read the rest, a proxy
    // would replace the refusal by a 502.
    if (!isForm(request) && reply.getHeader('connection') !== 'close') return done(null, payload);
    drain(request.raw).then(() => done(null, payload), done);
  });
}

/**
 * If a body is still incomplete after the response, its connection is checked at this interval, in milliseconds. If no
 * byte has arrived since the last check, the body counts as abandoned.
 */
const SILENCE_MS = 5_000;

/**
 * Makes an empty body with any content type count as absent (WIRE-39). An empty form is still invalid (WIRE-40).
 * Without this hook, Fastify refuses every type that it cannot parse, even if there is no body. `isApi`: whether the
 * request belongs to the API.
 */
export function ignoreTypesOfEmptyBodies(fastify: FastifyInstance, isApi: (request: FastifyRequest) => boolean): void {
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    if (!hasBody(request) && !isForm(request) && isApi(request)) delete request.headers['content-type'];
    done(null, payload);
  });
}

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

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isForm({ headers }: FastifyRequest): boolean {
  return (headers['content-type'] ?? '').toLowerCase().startsWith('multipart/');
}

function isUpload(request: FastifyRequest): boolean {
  return request.routeOptions.config?.takesUpload === true && isForm(request);
}
