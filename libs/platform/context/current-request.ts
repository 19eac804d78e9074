import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';

/** The current request, available in everything that it starts. */
export const currentRequest = new AsyncLocalStorage<FastifyRequest>();

/** The account of the request: by a token, or signed in on the pages; null without one, and for jobs and commands. */
export function currentAccount(): number | null {
  const request = currentRequest.getStore();
  return request?.caller?.id ?? request?.signedIn ?? null;
}

/** Whether the request is a dry run: its transaction is rolled back. False for jobs and commands. */
export function isDryRun(): boolean {
  return currentRequest.getStore()?.dryRun === true;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** `Prefer: dry-run` on a write of the API (platform/http/prefer.ts). */
    dryRun: boolean;
    /** The account that is signed in on the pages, once it has been read. */
    signedIn: number | null;
  }
}
