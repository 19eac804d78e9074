import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Token } from '#areas/identity/token.entity';
import { accessOf, TokensCommands, TooManyTokens } from '#areas/identity/tokens.commands';
import type { User } from '#areas/identity/user.entity';
import { mayUseTokens } from '#areas/identity/user.policy';
import { LIMITS } from '#contract/limits';
import type { NarrowScope } from '#contract/scopes';
import { Settings } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { endOfPragueDay, pragueDay } from '#platform/time/prague';
import { isWithinYears } from '#platform/time/years';
import { readFields, type FormValues } from '../forms';
import { TokenFormDto } from './account.dto';

const DAY_MS = 86_400_000;

/**
 * The result of sending the form for a new token: the secret of the token, or an error. `full`: the account has the
 * maximum number of tokens. `form_over`: the id of the form is invalid or older than a day, or the form has already
 * created a token that was revoked later.
 */
export type CreateResult = { readonly secret: string } | 'full' | 'form_over';

/** The tokens of the signed-in account. */
@Injectable()
export class OwnTokensService {
  constructor(
    private readonly database: Database,
    private readonly tokens: TokensCommands,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  isEligible(user: Pick<User, 'premiumUntil' | 'verified' | 'admin'>): boolean {
    return mayUseTokens(user, this.clock.now());
  }

  /**
   * The end of the account's Premium, if the account may have tokens only because of Premium; null for all other
   * accounts.
   */
  eligibleUntil(user: User): Date | null {
    return this.isEligible(user) && !this.isEligible({ ...user, premiumUntil: null }) ? user.premiumUntil : null;
  }

  list(userId: number): Promise<Token[]> {
    return this.database.transaction((tx) => this.tokens.list(tx, userId));
  }

  /** Returns null if the account has no such token. */
  async find(userId: number, tokenId: number): Promise<Token | null> {
    return (await this.list(userId)).find(({ id }) => id === tokenId) ?? null;
  }

  /**
   * Creates an id for the form that creates a token. With this id, a form that is sent twice creates only one token.
   */
  newFormId(): string {
    return `${this.clock.now().getTime().toString(36)}-${randomBytes(16).toString('base64url')}`;
  }

  /**
   * Creates a token. If the same form has already created a token, returns the secret of this token. Throws 422 if a
   * field is invalid.
   */
  async create(user: User, values: FormValues, scopes: readonly NarrowScope[]): Promise<CreateResult> {
    const { name, access, expires_in, expires_on } = await readFields(TokenFormDto, values);
    const now = this.clock.now();
    const day = expires_on ?? (expires_in ? pragueDay(new Date(now.getTime() + Number(expires_in) * DAY_MS)) : null);
    const expiresAt = day ? endOfPragueDay(day) : null;
    if (expiresAt && !isWithinYears(expiresAt)) throw Refusal.invalid('expires_on', 'years', LIMITS.years);
    if (expiresAt && expiresAt <= now) throw Refusal.invalid('expires_on', 'not_in_the_past');
    if (access === 'narrow' && scopes.length === 0) throw Refusal.invalid('access', 'required');
    const fields = { name, ...accessOf(access === 'narrow' ? { scopes } : { access }), expiresAt };
    const { form } = values;
    try {
      return await this.database.transaction(async (tx): Promise<CreateResult> => {
        if (form === undefined) return { secret: (await this.tokens.create(tx, user.id, fields)).secret };
        if (!this.isCurrentForm(form)) return 'form_over';
        const secret = await this.tokens.createOnce(tx, user.id, fields, { form, key: this.keyOf(user.id, form) });
        return secret === null ? 'form_over' : { secret };
      });
    } catch (error) {
      if (error instanceof TooManyTokens) return 'full';
      throw error;
    }
  }

  /** Returns false if the account has no such token. */
  revoke(userId: number, tokenId: number): Promise<boolean> {
    return this.database.transaction((tx) => this.tokens.revoke(tx, userId, tokenId));
  }

  /** Whether the form's id is valid and not older than a day. */
  private isCurrentForm(form: string): boolean {
    const [, createdAt = ''] = /^([0-9a-z]{8,9})-[\w-]{22}$/.exec(form) ?? [];
    const ageMs = this.clock.now().getTime() - Number.parseInt(createdAt, 36);
    return ageMs >= 0 && ageMs <= DAY_MS;
  }

  private keyOf(userId: number, form: string): Buffer {
    return createHmac('sha512', Buffer.from(hkdfSync('sha256', this.settings.appSecret, '', 'token-forms', 32)))
      .update(`${userId} ${form}`)
      .digest();
  }
}
