import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';

/** The request in whose course something is done, wherever that is. */
export const currentRequest = new AsyncLocalStorage<FastifyRequest>();

/** Who sends it: by a token, or signed in on the pages; null for nobody known, and for jobs and commands. */
export function currentAccount(): number | null {
  const request = currentRequest.getStore();
  return request?.caller?.id ?? request?.signedIn ?? null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The account that is signed in on the pages, once that has been asked. */
    signedIn: number | null;
  }
}
