import type { FastifyInstance } from 'fastify';
import { pathOf } from './paths';
import type { RouteTable } from './routes';

/**
 * Returns the GET route of the resource that a POST to `route` creates; null if there is none.
 *
 * @param readable all GET routes, such as `/api/v1/events/:id`
 */
export function routeOfCreated(route: string, readable: readonly string[]): string | null {
  return readable.find((one) => one.startsWith(`${route}/:`) && !one.slice(route.length + 1).includes('/')) ?? null;
}

/** The fields that identify a resource in paths. */
interface Named {
  readonly id?: unknown;
  readonly slug?: unknown;
}

/** Adds `Location` to every 201 of a POST, if the created resource can be read by GET (RETRY-25). */
export function addLocation(fastify: FastifyInstance, table: RouteTable): void {
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    if (request.method === 'POST' && reply.statusCode === 201) {
      const readable = table.list().filter(({ method }) => method === 'GET');
      const createdRoute = routeOfCreated(
        request.routeOptions.url ?? '',
        readable.map(({ url }) => url),
      );
      const data = (payload as { data?: Named | Named[] } | null)?.data;
      const name = createdRoute === null ? null : nameOf(data, createdRoute);
      if (createdRoute !== null && name !== null) {
        void reply.header('location', `${request.server.baseUrl}${pathOf(request.url)}/${encodeURIComponent(name)}`);
      }
    }
    done(null, payload);
  });
}

/**
 * Returns the slug of the created resource if the parameter of `route` is a slug, otherwise the id. Returns null if the
 * resource does not have it, and for a list, because several resources have no common address.
 */
function nameOf(data: Named | Named[] | undefined, route: string): string | null {
  if (data === undefined || Array.isArray(data)) return null;
  const name = route.endsWith(':slug') ? data.slug : data.id;
  return typeof name === 'string' ? name : null;
}
