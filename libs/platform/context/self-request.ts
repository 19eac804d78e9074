import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Is set in requests that the service makes to its own API on behalf of a request that was already admitted and counted
 * (the tools of `/mcp`). Such a request is not counted again.
 */
const selfRequest = new AsyncLocalStorage<true>();

export function asSelfRequest<T>(work: () => PromiseLike<T>): Promise<T> {
  // Awaited inside: an injected request starts when it is awaited.
  return selfRequest.run(true, async () => await work());
}

export function isSelfRequest(): boolean {
  return selfRequest.getStore() === true;
}
