import type { FastifyRequest } from 'fastify';
import type { Authenticated } from '../authentication';

declare module 'fastify' {
  interface FastifyRequest {
    /** What `TokenGuard` found out; null before it and where no token is asked for. */
    authenticated: Authenticated | null;
  }
}

/** Who sends the request. Throws when it is asked for before `TokenGuard`. */
export function authenticatedOf({ authenticated }: FastifyRequest): Authenticated {
  if (!authenticated) throw new Error('a guard that needs the token stands before TokenGuard');
  return authenticated;
}
