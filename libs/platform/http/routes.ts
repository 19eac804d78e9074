import type { FastifyInstance } from 'fastify';
import FindMyWay, { type HTTPMethod } from 'find-my-way';

/** The API's routes once more, to tell an unknown path (404) from an unsupported method (405 with `Allow`). */
export class RouteTable {
  private readonly router = FindMyWay();
  private readonly methods = new Set<HTTPMethod>();
  /** Paths without a parameter, and their methods: `/groups/discover` is no group, whatever `/groups/:id` supports. */
  private readonly fixed = new Map<string, Set<string>>();
  private readonly all: { method: string; url: string }[] = [];

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
    return [...this.methods].filter((method) => this.router.find(method, path) !== null);
  }

  /** Whether the route with a parameter that was found for this URL takes the path for something else than it is. */
  isMistaken(method: string, url: string): boolean {
    const fixed = this.fixed.get(decoded(url.split('?', 1)[0] ?? url));
    return fixed !== undefined && !fixed.has(method);
  }

  /** Every route, for tests that go through all of them. */
  list(): readonly { method: string; url: string }[] {
    return this.all;
  }

  private add(method: HTTPMethod, url: string): void {
    if (this.router.hasRoute(method, url)) return;
    this.router.on(method, url, () => undefined);
    this.methods.add(method);
    if (!/[:*]/.test(url)) this.fixed.set(url, (this.fixed.get(url) ?? new Set<string>()).add(method));
    this.all.push({ method, url });
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
