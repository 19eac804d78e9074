import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ACCOUNT_LIMIT_NAMES, ACCOUNT_LIMITS } from '#contract/account-limits';
import { Database } from '#platform/database/database';
import { wholeSecond } from '#platform/database/usage';
import type { Hit } from '#platform/rate-limit/request-windows';
import { Clock } from '#platform/time/clock';
import type { Caller } from '../identity/caller.reader';
import { AccountUsages } from './account-usages';
import { limitResource, type LimitResource } from './limit.resource';

/** The usage of an account's limits (LIM-12). */
@Injectable()
export class LimitsService {
  constructor(
    private readonly database: Database,
    private readonly usages: AccountUsages,
    private readonly clock: Clock,
  ) {}

  /** Returns the limits in the order of the contract. The current request is already counted in both request limits. */
  async ofCaller(caller: Caller, { tokenHit, ipHit }: FastifyRequest): Promise<LimitResource[]> {
    const hits = { requests: tokenHit, requests_per_ip: ipHit };
    const limits: LimitResource[] = [];
    for (const name of ACCOUNT_LIMIT_NAMES) {
      if (name === 'requests' || name === 'requests_per_ip') limits.push(this.requestLimit(name, hits[name]));
      else
        limits.push(
          limitResource({ name, ...ACCOUNT_LIMITS[name] }, await this.usages.counters[name](this.database, caller.id)),
        );
    }
    return limits;
  }

  private requestLimit(name: 'requests' | 'requests_per_ip', hit: Hit | null): LimitResource {
    if (!hit) throw new Error('the request has not been counted');
    const resetsAt = wholeSecond(this.clock.now().getTime() + hit.retryAfterSeconds * 1000);
    return limitResource(
      { name, ...ACCOUNT_LIMITS[name], limit: hit.limit },
      { used: hit.limit - hit.remaining, resetsAt },
    );
  }
}
