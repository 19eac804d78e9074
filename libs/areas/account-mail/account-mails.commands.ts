import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Locale } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import { Database, type Queryable, type Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import type { User } from '../identity/user.entity';
import { lockAccount } from '../identity/users.reader';
import { hashOfLink } from './account-mail.source';
import {
  LAPSED_LINK,
  TAKE_MAIL_REQUEST,
  TAKE_REGISTRATION_AGAIN,
  SELECT_MAIL_LINK,
  LOCK_ADDRESS,
  LOCK_LINK,
  USE_LINK,
  type RequestedKind,
  type LinkKind,
  type LinkRow,
} from './account-mail.query';

/** What is asked for, of an address that may be anybody's. */
export interface AccountMailWish {
  readonly kind: RequestedKind;
  readonly address: string;
  readonly locale: Locale;
  /** Who is signed in and asks, with the password that was seen to fit. */
  readonly user?: Pick<User, 'id' | 'passwordHash'>;
  /** Of an account to be. */
  readonly name?: string;
  readonly passwordHash?: string;
  /** Where to go on after signing in. */
  readonly nextPath?: string | null;
}

/** What a link that is open is for. */
export interface AccountLink {
  readonly id: number;
  readonly kind: LinkKind;
  readonly address: string;
  readonly locale: Locale;
  readonly userId: number | null;
  readonly name: string | null;
  readonly passwordHash: string | null;
  readonly nextPath: string | null;
}

/** Mails about accounts, and the links in them (docs/rules/account-mail.md). */
@Injectable()
export class AccountMailsCommands {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Whether there is a mail server: without one there is nothing of all this. */
  get isOn(): boolean {
    return this.settings.smtpUrl !== null;
  }

  /** Asks for a mail. Above five an hour for an address nothing happens, and whoever asks is not told. */
  async ask({ kind, address, locale, user, name, passwordHash, nextPath }: AccountMailWish): Promise<void> {
    const now = this.clock.now();
    const { max, window } = LIMITS.account_mail.per_address;
    await this.database.transaction(async (tx) => {
      // Behind its lock, so that no link is made after another password has voided those before it.
      if (user) await lockAccount(tx, user.id);
      await tx.rows(LOCK_ADDRESS, [address]);
      await tx.rows(TAKE_MAIL_REQUEST, [
        kind,
        address,
        locale,
        user?.id ?? null,
        name ?? null,
        passwordHash ?? null,
        nextPath ?? null,
        now,
        new Date(now.getTime() - window * 1000),
        max,
        user?.passwordHash ?? null,
      ]);
    });
  }

  /** Sends the link of a registration once more, to an address that has asked for one and not confirmed it; nothing happens for any other. */
  async askAgain(address: string, locale: Locale): Promise<void> {
    const now = this.clock.now();
    const { max, window } = LIMITS.account_mail.per_address;
    await this.database.transaction(async (tx) => {
      await tx.rows(LOCK_ADDRESS, [address]);
      await tx.rows(TAKE_REGISTRATION_AGAIN, [address, locale, now, new Date(now.getTime() - window * 1000), max]);
    });
  }

  /** What a link was for that may hold no more; null when it is unknown. */
  async lapsed(token: string): Promise<{ readonly kind: LinkKind; readonly address: string } | null> {
    const [row] = await this.database.rows<{ kind: LinkKind; address: string }>(LAPSED_LINK, [hashOfLink(token)]);
    return row ?? null;
  }

  /** What the link of one of these kinds is for; null when it is unknown, used, over or void. */
  async link(token: string, ...kinds: readonly LinkKind[]): Promise<AccountLink | null> {
    return this.find(this.database, SELECT_MAIL_LINK, token, kinds);
  }

  /** As `link`, and nobody else uses it until the transaction ends. */
  async lockLink(tx: Transaction, token: string, ...kinds: readonly LinkKind[]): Promise<AccountLink | null> {
    return this.find(tx, LOCK_LINK, token, kinds);
  }

  /** From now on the link is no more. */
  async useUp(tx: Transaction, link: AccountLink): Promise<void> {
    await tx.rows(USE_LINK, [link.id, this.clock.now()]);
  }

  private async find(
    on: Queryable,
    sql: typeof SELECT_MAIL_LINK,
    token: string,
    kinds: readonly LinkKind[],
  ): Promise<AccountLink | null> {
    const [row] = await on.rows<LinkRow>(sql, [hashOfLink(token), this.clock.now()]);
    if (!row || !kinds.includes(row.kind)) return null;
    return {
      id: Number(row.id),
      kind: row.kind,
      address: row.address,
      locale: row.locale === 'cs' ? 'cs' : 'en',
      userId: row.user_id === null ? null : Number(row.user_id),
      name: row.name,
      passwordHash: row.password_hash,
      nextPath: row.next_path,
    };
  }
}
