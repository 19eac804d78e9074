import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

type Register = FastifyAdapter['get'];

/**
 * Nest's adapter with two differences. Errors that Fastify throws reach the service's exception filter unchanged, with
 * their status. `chooseInstanceBy` takes a function that returns a Fastify instance for the path of a route. Each GET
 * and POST route is registered on this instance, so that the hooks of other instances do not run for the route. (Only
 * pages need another instance than the default, and pages have no routes with other methods.)
 */
export class ServerAdapter extends FastifyAdapter {
  private instanceOf: (path: string) => FastifyInstance = () => this.getInstance();

  /** Call this method before Nest registers the routes of controllers. */
  chooseInstanceBy(instanceOf: (path: string) => FastifyInstance): void {
    this.instanceOf = instanceOf;
  }

  override mapException(error: unknown): unknown {
    return error;
  }

  override get(...route: Parameters<Register>): ReturnType<Register> {
    return super.get.apply(this.adapterFor(route), route);
  }

  override post(...route: Parameters<Register>): ReturnType<Register> {
    return super.post.apply(this.adapterFor(route), route);
  }

  /** Returns an adapter that inherits from this one, and uses the Fastify instance for the path of the route. */
  private adapterFor([path]: Parameters<Register>): this {
    return Object.create(this, { instance: { value: this.instanceOf(String(path)) } }) as this;
  }
}
