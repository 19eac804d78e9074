import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * True while the service processes a request that it has sent to its own API in order to answer a client's request,
 * such as a tool call of `/mcp`. The client's request was already counted for the rate limits, so this second request
 * is not counted.
 */
const selfRequest = new AsyncLocalStorage<true>();

export function asSelfRequest<T>(work: () => PromiseLike<T>): Promise<T> {
  // The promise is awaited within `run`, because a request by `inject` of Fastify starts only when its promise
  // is awaited.
  return selfRequest.run(true, async () => await work());
}

export function isSelfRequest(): boolean {
  return selfRequest.getStore() === true;
}
