import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { isSelfRequest } from '../context/self-request';
import { unreadable } from '../http/json-body';
import { isForm } from './body-kinds';
import { drain, wasTooSlow } from './body-watch';
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
 * a body with 422 and an error on the field `body`. If a form has not arrived completely, the response waits for the
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
