import type { FastifyInstance } from 'fastify';
import FindMyWay, { type HTTPMethod } from 'find-my-way';
import { decodedPath, pathOf } from './paths';

/**
 * A copy of the server's routes. It distinguishes an unknown path (404) from an unsupported method (405 with `Allow`).
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

  /**
   * Returns the methods that the path of this URL supports; empty for an unknown path. `/groups/` is unknown: it is not
   * `/groups/:id` with an empty id.
   */
  allowedMethods(url: string): string[] {
    const path = pathOf(url);
    const fixed = this.fixed.get(decodedPath(url));
    if (fixed) return [...fixed];
    return [...this.methods].filter((method) => {
      const params = this.router.find(method, path)?.params;
      return params && Object.entries(params).every(([name, value]) => name === '*' || value !== '');
    });
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
