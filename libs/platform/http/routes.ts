import type { FastifyInstance } from 'fastify';
import FindMyWay, { type HTTPMethod } from 'find-my-way';

type Router = ReturnType<typeof FindMyWay>;

/** The API's routes once more, to tell an unknown path (404) from an unsupported method (405 with `Allow`). */
export class RouteTable {
  /** Made for the first request that is no route's: with two hundred routes that is a fortieth of a start. */
  private router: Router | null = null;
  private readonly methods = new Set<HTTPMethod>();
  /** Paths without a parameter, and their methods: `/groups/discover` is no group, whatever `/groups/:id` supports. */
  private readonly fixed = new Map<string, Set<string>>();
  private readonly all = new Map<string, { method: HTTPMethod; url: string }>();

  /** Listens to every route that is registered from now on. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) this.add(one as HTTPMethod, url);
    });
  }

  /** Methods that the path of this URL supports; none for an unknown path. */
  allowed(url: string): string[] {
    const path = url.split('?', 1)[0] ?? url;
    const fixed = this.fixed.get(decoded(path));
    if (fixed) return [...fixed];
    const router = (this.router ??= routerOf(this.list()));
    return [...this.methods].filter((method) => router.find(method, path) !== null);
  }

  /** Whether the route with a parameter that was found for this URL takes the path for something else than it is. */
  isInvalid(method: string, url: string): boolean {
    const fixed = this.fixed.get(decoded(url.split('?', 1)[0] ?? url));
    return fixed !== undefined && !fixed.has(method);
  }

  /** Every route, for tests that go through all of them. */
  list(): readonly { method: HTTPMethod; url: string }[] {
    return [...this.all.values()];
  }

  private add(method: HTTPMethod, url: string): void {
    const route = `${method} ${url}`;
    if (this.all.has(route)) return;
    this.all.set(route, { method, url });
    this.router = null;
    this.methods.add(method);
    if (!/[:*]/.test(url)) this.fixed.set(url, (this.fixed.get(url) ?? new Set<string>()).add(method));
  }
}

function routerOf(routes: readonly { method: HTTPMethod; url: string }[]): Router {
  const router = FindMyWay();
  for (const { method, url } of routes) router.on(method, url, () => undefined);
  return router;
}

/** A path as it reads once decoded; one that cannot be, as it is. */
export function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * The route that reads what a POST to `route` creates; null where a GET of a single one does not exist.
 * @param readable all routes of GET, as `/api/v1/events/:id`
 */
export function routeOfCreated(route: string, readable: readonly string[]): string | null {
  return readable.find((one) => one.startsWith(`${route}/:`) && !one.slice(route.length + 1).includes('/')) ?? null;
}

/** What names a resource in paths. */
interface Named {
  readonly id?: unknown;
  readonly slug?: unknown;
}

/** Every 201 of a POST has the address of what was created in `Location`, if a GET of that address exists (RETRY-25). */
export function locateCreated(fastify: FastifyInstance, table: RouteTable): void {
  const known = new Map<string, string | null>();

  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    if (request.method === 'POST' && reply.statusCode === 201) {
      const route = request.routeOptions.url ?? '';
      if (!known.has(route))
        known.set(
          route,
          routeOfCreated(
            route,
            table
              .list()
              .filter(({ method }) => method === 'GET')
              .map(({ url }) => url),
          ),
        );
      const created = known.get(route) ?? null;
      const name = created === null ? null : nameOf((payload as { data?: Named | Named[] } | null)?.data, created);
      if (created !== null && name !== null) {
        const path = request.url.split('?', 1)[0] ?? '';
        void reply.header('location', `${request.server.baseUrl}${path}/${encodeURIComponent(name)}`);
      }
    }
    done(null, payload);
  });
}

/** Null for a list: of several there is no one address. */
function nameOf(data: Named | Named[] | undefined, route: string): string | null {
  if (data === undefined || Array.isArray(data)) return null;
  const name = route.endsWith(':slug') ? data.slug : data.id;
  return typeof name === 'string' ? name : null;
}
