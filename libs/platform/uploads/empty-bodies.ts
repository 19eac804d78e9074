import type { FastifyInstance } from 'fastify';
import { isApi } from '../http/paths';
import { hasBody, isForm } from './body-kinds';

/**
 * Makes an empty body of a request to the API count as absent, whatever its content type is (WIRE-39). An empty form is
 * still invalid (WIRE-40). Without this hook, Fastify refuses every type that it cannot parse, even if there is no
 * body.
 */
export function ignoreTypesOfEmptyBodies(fastify: FastifyInstance): void {
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    if (!hasBody(request) && !isForm(request) && isApi(request)) delete request.headers['content-type'];
    done(null, payload);
  });
}
