import type { FastifyInstance } from 'fastify';
import { isApi } from '../http/paths';
import { hasBody, isForm } from './body-kinds';

/**
 * Treats an empty body of a request to the API as absent, for any content type (WIRE-39). An empty form is still
 * invalid (WIRE-40). Without this hook, Fastify refuses every content type that it cannot parse, even if there is no
 * body.
 */
export function ignoreTypesOfEmptyBodies(fastify: FastifyInstance): void {
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    if (!hasBody(request) && !isForm(request) && isApi(request)) delete request.headers['content-type'];
    done(null, payload);
  });
}
