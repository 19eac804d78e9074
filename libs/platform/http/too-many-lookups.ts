import { TooManyLookups } from '../net/host-names';
import { Refusal } from './refusal';

/** Throws 429 instead of `TooManyLookups` (LIM-16), and throws every other error again. */
export function refuseTooManyLookups(error: unknown): never {
  throw error instanceof TooManyLookups ? new Refusal('too_many_requests', { retryAfter: error.retryAfter }) : error;
}
