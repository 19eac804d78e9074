import type { FastifyReply } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import type { Hit } from '#platform/rate-limit/request-windows';

/** Writes the rate-limit headers and refuses what is above the window: the last window counted is the one that is told (LIM-3). */
export function tellWindow(reply: FastifyReply, hit: Hit): void {
  reply.headers({ 'x-ratelimit-limit': hit.limit, 'x-ratelimit-remaining': hit.remaining });
  if (hit.refused) throw new Refusal('too_many_requests', { retryAfter: hit.retryAfterSeconds });
}
