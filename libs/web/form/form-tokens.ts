import { hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/limits';
import { SealingKeys } from '#platform/config/sealer';
import { Settings } from '#platform/config/settings';
import { Clock } from '#platform/time/clock';

/**
 * The hidden field `_by` of a member's form: the account that opened it. It outlives the session, so a form that was filled in
 * longer than the session lasted can be sent after signing in to the same account. Like the session's own token it is unknown
 * to other sites: only pages of this account contain it.
 */
@Injectable()
export class FormTokens {
  private readonly keys: SealingKeys;

  constructor(
    { appSecret }: Settings,
    private readonly clock: Clock,
  ) {
    this.keys = new SealingKeys(Buffer.from(hkdfSync('sha256', appSecret, '', 'web-forms', 32)).toString('base64'));
  }

  issue(userId: number): string {
    return this.keys.seal(`${userId} ${this.clock.now().getTime()}`);
  }

  /** The account of a sent form; null without a token, and with one that is too old. */
  ownerIn(request: FastifyRequest): number | null {
    return this.ownerOf(tokenIn(request));
  }

  ownerOf(token: string): number | null {
    const [owner, at] = (this.keys.open(token) ?? '').split(' ').map(Number);
    if (!owner || at === undefined) return null;
    return this.clock.now().getTime() - at < LIMITS.sessions.lifetime * 1000 ? owner : null;
  }
}

/** In the form, or in the address of one with files. */
export function tokenIn({ body, query }: FastifyRequest): string {
  const sent =
    (body as { _by?: unknown } | null | undefined)?._by ?? (query as { _by?: unknown } | null | undefined)?._by;
  return typeof sent === 'string' ? sent : '';
}
