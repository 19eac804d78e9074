import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Gender, Locale } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import { Database, type Queryable, type Transaction } from '#platform/database/database';
import { storedLocale } from '#platform/messages/locale';
import { Clock } from '#platform/time/clock';
import { hashSecret } from '#platform/text/hash-secret';
import type { OwnPlace, User } from '../identity/user.entity';
import { lockAccount } from '../identity/users.reader';
import {
  KIND_OF_LINK,
  INSERT_MAIL_REQUEST,
  REPEAT_REGISTRATION,
  SELECT_MAIL_LINK,
  LOCK_ADDRESS,
  LOCK_LINK,
  USE_LINK,
  VOID_OLDER_LINKS,
  type LinkKind,
  type LinkRow,
} from './account-mail.query';

/** Optional fields of a registration. */
export interface NewProfile {
  readonly birth_date?: string | null;
  readonly gender?: Gender | null;
  readonly show_participation?: boolean;
  readonly place?: OwnPlace | null;
}

/** A request for a mail. The address may belong to a person who did not send the request. */
export interface AccountMailRequest {
  readonly kind: LinkKind;
  readonly address: string;
  readonly locale: Locale;
  /** Only for the kind `email` (a new address): the signed-in account, with the hash of the verified password. */
  readonly user?: Pick<User, 'id' | 'passwordHash'>;
  /** For a registration: the name of the new account. */
  readonly name?: string;
  /** For a registration: the hash of the new account's password. */
  readonly passwordHash?: string;
  readonly profile?: NewProfile;
  /** The path to open after signing in. */
  readonly nextPath?: string | null;
}

/** The data of a valid link. */
export interface AccountLink {
  readonly id: number;
  readonly kind: LinkKind;
  readonly address: string;
  readonly locale: Locale;
  readonly userId: number | null;
  readonly name: string | null;
  readonly passwordHash: string | null;
  readonly nextPath: string | null;
  readonly profile: NewProfile;
}

/** Mails about accounts, and their links (docs/rules/account-mail.md). */
@Injectable()
export class AccountMailsCommands {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Whether a mail server is configured. Without a mail server, this area sends no mails. */
  get isOn(): boolean {
    return this.settings.smtpUrl !== null;
  }

  /**
   * Requests a mail. Stores no request, and throws no error, if five mails to the address were already requested within
   * the last hour, or if the password of `user` has changed since it was verified. Even if the limit of mails is
   * reached, the older links of the same kind that belong to `user` become invalid (MAIL-8).
   */
  async request({
    kind,
    address,
    locale,
    user,
    name,
    passwordHash,
    profile,
    nextPath,
  }: AccountMailRequest): Promise<void> {
    const now = this.clock.now();
    const { max, window } = LIMITS.account_mail.per_address;
    await this.database.transaction(async (tx) => {
      // The lock makes this request and a change of the password run one after another. Without the lock, a link for
      // the old password could be created after the change has invalidated the links.
      if (user) await lockAccount(tx, user.id);
      await tx.rows(LOCK_ADDRESS, [address]);
      const stored = await tx.rows(INSERT_MAIL_REQUEST, [
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
        profile?.birth_date ?? null,
        profile?.gender ?? null,
        profile?.show_participation ?? false,
        profile?.place ? JSON.stringify(profile.place) : null,
      ]);
      if (user && stored.length === 0) await tx.rows(VOID_OLDER_LINKS, [kind, user.id, now, user.passwordHash]);
    });
  }

  /**
   * Requests another mail for the latest unconfirmed registration of the address, if there is one. The limit of mails
   * is the same as in `request`.
   */
  async requestAgain(address: string, locale: Locale): Promise<void> {
    const now = this.clock.now();
    const { max, window } = LIMITS.account_mail.per_address;
    await this.database.transaction(async (tx) => {
      await tx.rows(LOCK_ADDRESS, [address]);
      await tx.rows(REPEAT_REGISTRATION, [address, locale, now, new Date(now.getTime() - window * 1000), max]);
    });
  }

  /** Returns the kind and address of a link, even if the link is no longer valid. Returns null for an unknown link. */
  async kindAndAddressOf(token: string): Promise<{ readonly kind: LinkKind; readonly address: string } | null> {
    const [row] = await this.database.rows<{ kind: LinkKind; address: string }>(KIND_OF_LINK, [hashSecret(token)]);
    return row ?? null;
  }

  /**
   * Returns the link, or null if the link is unknown, of another kind, used, expired or invalid for another reason
   * (account-mail.query.ts).
   */
  async link(token: string, ...kinds: readonly LinkKind[]): Promise<AccountLink | null> {
    return this.findLink(this.database, SELECT_MAIL_LINK, token, kinds);
  }

  /** Like `link`, and locks the link until the transaction ends. */
  async lockLink(tx: Transaction, token: string, ...kinds: readonly LinkKind[]): Promise<AccountLink | null> {
    return this.findLink(tx, LOCK_LINK, token, kinds);
  }

  /** Marks the link as used. */
  async markUsed(tx: Transaction, link: AccountLink): Promise<void> {
    await tx.rows(USE_LINK, [link.id, this.clock.now()]);
  }

  private async findLink(
    database: Queryable,
    sql: typeof SELECT_MAIL_LINK,
    token: string,
    kinds: readonly LinkKind[],
  ): Promise<AccountLink | null> {
    const [row] = await database.rows<LinkRow>(sql, [hashSecret(token), this.clock.now()]);
    if (!row || !kinds.includes(row.kind)) return null;
    return {
      id: Number(row.id),
      kind: row.kind,
      address: row.address,
      locale: storedLocale(row.locale),
      userId: row.user_id === null ? null : Number(row.user_id),
      name: row.name,
      passwordHash: row.password_hash,
      nextPath: row.next_path,
      profile: {
        birth_date: row.birth_date,
        gender: row.gender,
        show_participation: row.show_participation,
        place: row.place,
      },
    };
  }
}
