import type { FastifyInstance } from 'fastify';
import type { RouteTable } from './routes';

/**
 * The route of what a POST to `route` creates: its own list's, or that of the word it ends with (`/comments/:id` of
 * `/events/:id/comments`). Null for what has none.
 * @param routes all there are, as `/api/v1/events/:id`
 */
export function routeOfCreated(route: string, routes: readonly string[]): string | null {
  const [, api, version, ...words] = route.split('/');
  for (const list of [route, `/${api ?? ''}/${version ?? ''}/${words.at(-1) ?? ''}`]) {
    const found = routes.find((one) => one.startsWith(`${list}/:`) && !one.slice(list.length + 1).includes('/'));
    if (found !== undefined) return found;
  }
  return null;
}

/** What names a resource in paths. */
interface Named {
  readonly id?: unknown;
  readonly slug?: unknown;
  readonly code?: unknown;
  readonly user?: { readonly slug?: unknown };
}

/** Every 201 of a POST has the address of what was created in `Location`, if it has one (RETRY-25). */
export function locateCreated(fastify: FastifyInstance, table: RouteTable): void {
  const known = new Map<string, string | null>();

  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    if (request.method === 'POST' && reply.statusCode === 201) {
      const route = request.routeOptions.url ?? '';
      if (!known.has(route)) known.set(route, routeOfCreated(route, table.list().map(({ url }) => url)));
      const created = known.get(route) ?? null;
      const name = created === null ? null : nameOf((payload as { data?: Named | Named[] } | null)?.data, created);
      if (created !== null && name !== null) {
        const path = created.startsWith(route) ? (request.url.split('?', 1)[0] ?? '') : created.slice(0, created.lastIndexOf('/'));
        void reply.header('location', `${request.server.baseUrl}${path}/${encodeURIComponent(name)}`);
      }
    }
    done(null, payload);
  });
}

/** Null for a list: of several there is no one address. */
function nameOf(data: Named | Named[] | undefined, route: string): string | null {
  if (data === undefined || Array.isArray(data)) return null;
  const field = route.slice(route.lastIndexOf(':') + 1);
  const name = field === 'slug' ? (data.slug ?? data.user?.slug) : field === 'code' ? data.code : data.id;
  return typeof name === 'string' ? name : null;
}
