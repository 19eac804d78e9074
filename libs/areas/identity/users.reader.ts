import { Injectable } from '@nestjs/common';
import { Database, statement, type Queryable, type Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { isBannedSql, isInvitableSql } from './account-conditions.sql';
import { User } from './user.entity';

const HAS_BLOCKED = statement(
  'identity_has_blocked',
  'SELECT 1 AS blocked FROM user_blocks WHERE blocker_id = $1 AND blocked_id = $2',
);

const ID_OF = statement('identity_id_of_slug', 'SELECT id FROM users WHERE slug = $1');

const SLUGS_AMONG = statement('identity_slugs_among', 'SELECT slug FROM users WHERE slug = ANY($1::text[])');

const ID_OF_INVITABLE = statement(
  'identity_id_of_invitable',
  `SELECT u.id FROM users u WHERE u.slug = $1 AND ${isInvitableSql('$2')}`,
);

const BLOCKED_BY = statement(
  'identity_blocked_by',
  'SELECT u.slug FROM user_blocks b JOIN users u ON u.id = b.blocked_id WHERE b.blocker_id = $1 ORDER BY u.slug',
);

/** An account in an operator's list. */
export interface ListedAccount {
  readonly slug: string;
  readonly name: string;
  readonly email: string | null;
  readonly banned: boolean;
  readonly created_at: Date;
}

/**
 * $1 a pattern for slug, name, nickname or e-mail address, or null for all accounts; $2 the slug after which the list
 * continues; $3 limit.
 */
const LIST_ACCOUNTS = statement(
  'identity_list_accounts',
  `SELECT id, slug, name, email, ${isBannedSql('users')} AS banned, created_at FROM users
    WHERE slug > $2 AND NOT gone AND ($1::text IS NULL OR slug ILIKE $1 OR name ILIKE $1 OR nickname ILIKE $1 OR email ILIKE $1) ORDER BY slug LIMIT $3`,
);

const LOCK_ACCOUNT = statement('identity_lock_account', 'SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE');

/**
 * Locks the account until the transaction ends. Use this lock before counting the rows of a user, so that concurrent
 * requests cannot exceed a limit. Lock events and groups before the account.
 */
export async function lockAccount(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(LOCK_ACCOUNT, [userId]);
}

const LOCK_ACCOUNTS_FOR_SHARE = statement(
  'identity_lock_accounts_for_share',
  'SELECT id FROM users WHERE id = ANY($1::bigint[]) ORDER BY id FOR SHARE',
);

/**
 * Prevents changes of the accounts until the transaction ends. If another transaction has changed an account, waits for
 * the end of that transaction. Lock events and groups before the accounts.
 */
export async function lockAccountsForShare(tx: Transaction, userIds: readonly number[]): Promise<void> {
  await tx.rows(LOCK_ACCOUNTS_FOR_SHARE, [userIds]);
}

/** Reads accounts for other areas. */
@Injectable()
export class UsersReader {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Whether at least one account exists. A pseudonym of a deleted account counts as an account. */
  async hasAny(): Promise<boolean> {
    return this.database.manager.exists(User);
  }

  /**
   * Accounts after the slug `after`, ordered by slug. `query` is a part of slug, name, nickname or e-mail address;
   * letter case is ignored.
   */
  async list(query: string | null, after: string, limit: number): Promise<(ListedAccount & { readonly id: number })[]> {
    const pattern = query === null ? null : `%${query.replace(/[\\%_]/g, '\\$&')}%`;
    const rows = await this.database.rows<ListedAccount & { id: string }>(LIST_ACCOUNTS, [pattern, after, limit]);
    return rows.map((row) => ({ ...row, id: Number(row.id) }));
  }

  /** Null for an unknown slug and for the slug of a pseudonym. */
  async bySlug(slug: string): Promise<User | null> {
    return this.withoutEndedBan(await this.database.manager.findOneBy(User, { slug, gone: false }));
  }

  /** Null for an unknown id. Also finds pseudonyms of deleted accounts. */
  async byId(id: number): Promise<User | null> {
    return this.withoutEndedBan(await this.database.manager.findOneBy(User, { id }));
  }

  /** Null for an unknown address; letter case is ignored. */
  async byEmail(email: string): Promise<User | null> {
    return this.withoutEndedBan(
      await this.database.manager
        .createQueryBuilder(User, 'u')
        .where('lower(u.email) = lower(:email)', { email })
        .getOne(),
    );
  }

  /** Like `byId`, and locks the account until the transaction ends. */
  async lockById(tx: Transaction, id: number): Promise<User | null> {
    return this.withoutEndedBan(await tx.manager.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } }));
  }

  /** Like `bySlug`, and locks the account until the transaction ends. */
  async lockBySlug(tx: Transaction, slug: string): Promise<User | null> {
    return this.withoutEndedBan(
      await tx.manager.findOne(User, { where: { slug, gone: false }, lock: { mode: 'pessimistic_write' } }),
    );
  }

  /** Null for an unknown slug. Also finds pseudonyms of deleted accounts. */
  async idOf(database: Queryable, slug: string): Promise<number | null> {
    const [row] = await database.rows<{ id: string }>(ID_OF, [slug]);
    return row ? Number(row.id) : null;
  }

  /** Returns the slugs among `slugs` that belong to an account or to a pseudonym of a deleted account. */
  async slugsAmong(database: Queryable, slugs: readonly string[]): Promise<string[]> {
    const rows = await database.rows<{ slug: string }>(SLUGS_AMONG, [slugs]);
    return rows.map(({ slug }) => slug);
  }

  /** Like `idOf`, but also returns null for a person whom this inviter may not invite. */
  async idOfInvitable(database: Queryable, slug: string, inviterId: number): Promise<number | null> {
    const [row] = await database.rows<{ id: string }>(ID_OF_INVITABLE, [slug, inviterId]);
    return row ? Number(row.id) : null;
  }

  /** The slugs of the people whom a user blocks, in alphabetical order. */
  async blockedBy(database: Queryable, userId: number): Promise<string[]> {
    const rows = await database.rows<{ slug: string }>(BLOCKED_BY, [userId]);
    return rows.map(({ slug }) => slug);
  }

  async hasBlocked(database: Queryable, blockerId: number, blockedId: number): Promise<boolean> {
    const rows = await database.rows(HAS_BLOCKED, [blockerId, blockedId]);
    return rows.length > 0;
  }

  /** Treats a ban that has ended as no ban, even before the job `bans-lift` has reset the row. */
  private withoutEndedBan(user: User | null): User | null {
    user?.liftEndedBan(this.clock.now());
    return user;
  }
}
