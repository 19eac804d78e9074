import { Injectable } from '@nestjs/common';
import type { Token } from '#areas/identity/token.entity';
import { TokensCommands, TooManyTokens } from '#areas/identity/tokens.commands';
import type { User } from '#areas/identity/user.entity';
import { mayUseTokens } from '#areas/identity/user.policy';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { endOfPragueDay } from '#platform/time/prague';
import { isWithinYears } from '#platform/time/years';
import { readFields, type FormValues } from '../forms';
import { TokenFormDto } from './account.dto';

/** The tokens of one's own account. */
@Injectable()
export class TokenSettings {
  constructor(
    private readonly database: Database,
    private readonly tokens: TokensCommands,
    private readonly clock: Clock,
  ) {}

  isEligible(user: User): boolean {
    return mayUseTokens(user, this.clock.now());
  }

  list(userId: number): Promise<Token[]> {
    return this.database.transaction((tx) => this.tokens.list(tx, userId));
  }

  /** The secret; null when the account has ten already. Throws 422 on the fields. */
  async create(user: User, values: FormValues): Promise<string | null> {
    const { name, access, expires_on } = readFields(TokenFormDto, values);
    const expiresAt = expires_on ? endOfPragueDay(expires_on) : null;
    if (expiresAt && !isWithinYears(expiresAt)) throw Refusal.invalid('expires_on', 'years', LIMITS.years);
    if (expiresAt && expiresAt <= this.clock.now()) throw Refusal.invalid('expires_on', 'not_in_the_past');
    try {
      return (await this.database.transaction((tx) => this.tokens.create(tx, user.id, { name, access, expiresAt }))).secret;
    } catch (error) {
      if (error instanceof TooManyTokens) return null;
      throw error;
    }
  }

  /** False when the account has no such token. */
  revoke(userId: number, tokenId: number): Promise<boolean> {
    return this.database.transaction((tx) => this.tokens.revoke(tx, userId, tokenId));
  }
}
