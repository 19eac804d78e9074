import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { READING_METHODS } from '#contract/vocabulary';
import { answerPreflight } from '#platform/http/wire-headers';
import { Refusal } from '#platform/http/refusal';
import { RouteTable } from '#platform/http/routes';
import { RequestWindows, type Hit } from '#platform/rate-limit/request-windows';
import { Authentication } from './authentication';

const READING: ReadonlySet<string> = new Set(READING_METHODS);

/**
 * Who gets to a handler at all (WIRE-37): per-IP window → token → per-token window → banned →
 * premium → scope → route. It runs for everything under /api/v1, unknown routes included, before a byte of a body is read.
 */
@Injectable()
export class Admission {
  constructor(
    private readonly windows: RequestWindows,
    private readonly authentication: Authentication,
    private readonly routes: RouteTable,
  ) {}

  /** Sets `request.caller`, or throws the refusal, or has answered a preflight. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    count(reply, await this.windows.hit('ip', request.ip));
    if (request.method === 'OPTIONS') return answerPreflight(reply);

    const known = await this.authentication.authenticate(request.headers.authorization);
    if (!known) throw new Refusal('unauthenticated');
    request.caller = known.caller;
    count(reply, await this.windows.hit('token', known.caller.token.id));

    if (known.banned) throw new Refusal('banned');
    if (!known.eligible) throw new Refusal('premium_required');
    if (known.caller.token.access === 'read' && !READING.has(request.method)) throw new Refusal('insufficient_scope');
    if (request.is404) throw this.noRoute(request.url);
  }

  private noRoute(url: string): Refusal {
    const allow = this.routes.allowed(url);
    return allow.length === 0 ? new Refusal('not_found') : new Refusal('method_not_allowed', { allow });
  }
}

/** The token's window, or the IP's while there is no valid token (LIM-3). */
function count(reply: FastifyReply, hit: Hit): void {
  reply.headers({ 'x-ratelimit-limit': hit.limit, 'x-ratelimit-remaining': hit.remaining });
  if (hit.refused) throw new Refusal('too_many_requests', { retryAfter: hit.retryAfterSeconds });
}
