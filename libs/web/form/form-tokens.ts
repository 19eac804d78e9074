import { hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/limits';
import { SealingKeys } from '#platform/config/sealer';
import { Settings } from '#platform/config/settings';
import { pathOf, queryOf } from '#platform/http/paths';
import { Clock } from '#platform/time/clock';

/** Hidden fields that pages add to their forms. In a form with files, these fields are in the query of `action`. */
export const FORM_TOKENS: readonly string[] = ['_csrf', '_by'];

/**
 * The lifetime of `_by` in seconds: twice the lifetime of a session. So even a form that was opened at the beginning of
 * a session is accepted for two weeks after the end of this session. The lifetime is limited, because a page that
 * somebody has saved contains the field too.
 */
const LIFETIME = 2 * LIMITS.sessions.lifetime;

/** The account that opened a form, and the time of opening. */
export interface OpenedForm {
  readonly owner: number;
  readonly at: Date;
}

/**
 * The hidden field `_by` of a member's form contains the account that opened the form and the time of opening, both
 * encrypted. If the session ends while the form is open, the person can sign in to the same account and send the form.
 * Other sites do not know the field's value, because only pages of this account contain it.
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

  /** Returns null if the token is absent, invalid or too old. */
  openedFormOf(token: string): OpenedForm | null {
    const [owner, at] = (this.keys.open(token) ?? '').split(' ').map(Number);
    if (!owner || at === undefined) return null;
    const isTooOld = this.clock.now().getTime() - at >= LIFETIME * 1000;
    return isTooOld ? null : { owner, at: new Date(at) };
  }
}

/** Returns the sent `_by`: from the body, or from the query if the form contains files; `''` if none was sent. */
export function tokenIn({ body, query }: FastifyRequest): string {
  const sent =
    (body as { _by?: unknown } | null | undefined)?._by ?? (query as { _by?: unknown } | null | undefined)?._by;
  return typeof sent === 'string' ? sent : '';
}

/** Returns the address of a request after removing the form tokens from its query. */
export function withoutTokens(url: string): string {
  const parameters = new URLSearchParams(queryOf(url));
  for (const token of FORM_TOKENS) parameters.delete(token);
  return parameters.size > 0 ? `${pathOf(url)}?${parameters.toString()}` : pathOf(url);
}
