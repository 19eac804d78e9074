import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';

/** The request that the running code processes. Undefined in jobs and commands. */
export const currentRequest = new AsyncLocalStorage<FastifyRequest>();

/** The account of the current request's token or session. Null if the request has neither, and in jobs and commands. */
export function currentAccount(): number | null {
  const request = currentRequest.getStore();
  return request?.caller?.id ?? request?.signedInAccountId ?? null;
}

/** Whether the current request is a dry run, whose transaction is rolled back. False in jobs and commands. */
export function isDryRun(): boolean {
  return currentRequest.getStore()?.dryRun === true;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request writes and has `Prefer: dry-run` (platform/http/prefer.ts). */
    dryRun: boolean;
    /** The account that is signed in on the pages; null without a session, and until the session has been read. */
    signedInAccountId: number | null;
  }
}
