import type { FastifyInstance } from 'fastify';
import FindMyWay, { type HTTPMethod } from 'find-my-way';

/**
 * A copy of the server's routes, with which an unknown path (404) is distinguished from an unsupported method (405 with
 * `Allow`).
 */
export class RouteTable {
  /** The length of parameters is not limited, so that a path with a long parameter also matches its route. */
  private readonly router = FindMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });
  private readonly methods = new Set<HTTPMethod>();
  /**
   * Paths without a parameter, with their methods. Such a path never matches a route with a parameter:
   * `/groups/discover` never means a group with the id `discover`, even if only `/groups/:id` supports the requested
   * method.
   */
  private readonly fixed = new Map<string, Set<string>>();
  private readonly all = new Map<string, { method: HTTPMethod; url: string }>();

  /** Records every route that is registered after this call. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) this.add(one as HTTPMethod, url);
    });
  }

  /** Returns the methods that the path of this URL supports; empty for an unknown path. */
  allowedMethods(url: string): string[] {
    const path = pathOf(url);
    const fixed = this.fixed.get(decodedPath(url));
    if (fixed) return [...fixed];
    return [...this.methods].filter((method) => this.router.find(method, path) !== null);
  }

  /**
   * Whether the path belongs to a route without parameters, but no such route supports the method. For such a request,
   * Fastify may have found a route with a parameter.
   */
  isUnsupportedOnFixedPath(method: string, url: string): boolean {
    const fixed = this.fixed.get(decodedPath(url));
    return fixed !== undefined && !fixed.has(method);
  }

  /** All recorded routes, with one entry for each method. */
  list(): readonly { method: HTTPMethod; url: string }[] {
    return [...this.all.values()];
  }

  private add(method: HTTPMethod, url: string): void {
    const route = `${method} ${url}`;
    if (this.all.has(route)) return;
    this.all.set(route, { method, url });
    this.router.on(method, url, () => undefined);
    this.methods.add(method);
    if (!/[:*]/.test(url)) this.fixed.set(url, (this.fixed.get(url) ?? new Set<string>()).add(method));
  }
}

/** Returns the path of a request's URL, without the query. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] as string;
}

/** Returns the decoded path of a URL, without the query; not decoded if the path cannot be decoded. */
export function decodedPath(url: string): string {
  return decoded(pathOf(url));
}

/** Returns the decoded path, or a part of it; unchanged if it cannot be decoded. */
export function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

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
  const createdRoutes = new Map<string, string | null>();

  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    if (request.method === 'POST' && reply.statusCode === 201) {
      const route = request.routeOptions.url ?? '';
      if (!createdRoutes.has(route))
        createdRoutes.set(
          route,
          routeOfCreated(
            route,
            table
              .list()
              .filter(({ method }) => method === 'GET')
              .map(({ url }) => url),
          ),
        );
      const createdRoute = createdRoutes.get(route) ?? null;
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
 * Returns the slug or the id of the created resource, as `route` needs it. Returns null if the resource has no slug or
 * id, and for a list, because several resources have no common address.
 */
function nameOf(data: Named | Named[] | undefined, route: string): string | null {
  if (data === undefined || Array.isArray(data)) return null;
  const name = route.endsWith(':slug') ? data.slug : data.id;
  return typeof name === 'string' ? name : null;
}
