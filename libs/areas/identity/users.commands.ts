import { Injectable } from '@nestjs/common';
import { electronicFormatIBAN } from 'ibantools';
import { DEFAULT_REMINDER_HOURS } from '#contract/vocabulary';
import { statement, type Queryable, type Transaction } from '#platform/database/database';
import { defined } from '#platform/http/defined';
import type { Violations } from '#platform/http/violations';
import { Signals } from '#platform/signals/signals';
import { MediaFiles } from '#platform/media/media-files';
import { storedLocale } from '#platform/messages/locale';
import { Clock } from '#platform/time/clock';
import { PRAGUE_ZONE } from '#platform/time/prague';
import { INSERT_BLOCKS, UNBLOCK_OTHERS } from './blocks/block.query';
import { hashPassword } from './passwords';
import type { UserDto } from './user.dto';
import { User, type OwnPlace } from './user.entity';
import { SessionsEnded, UserBanned, UserCredentialsChanged, UserEmailChanged } from './user.signal';
import { userViolations } from './user.rules';
import { endSessionsOf } from './web-sessions';

const UNIQUE = { slug: 'users_slug_key', email: 'users_email' } as const;

/** SQL: whether the ban of an account ended before $1. The clock of the database counts too. */
const BAN_HAS_ENDED = 'banned_until <= $1 AND banned_until <= now()';
const ENDED_BANS = statement(
  'identity_ended_bans',
  `SELECT id FROM users WHERE ${BAN_HAS_ENDED} ORDER BY banned_until`,
);
const LIFT_ENDED_BAN = statement(
  'identity_lift_ended_ban',
  `UPDATE users SET banned = false, banned_until = NULL, updated_at = $1 WHERE id = $2 AND ${BAN_HAS_ENDED} RETURNING slug`,
);

/** Whether `create` or `update` failed because another account has the same value in this field. */
export function isTaken(error: unknown, field: keyof typeof UNIQUE): boolean {
  const { code, constraint } =
    (error as { driverError?: { code?: string; constraint?: string } } | null)?.driverError ?? {};
  return code === '23505' && constraint === UNIQUE[field];
}

/** The fields of an account. The account's owner can also set the place; operators cannot. */
export type UserFields = UserDto & { readonly place?: OwnPlace | null };

/** Changes of accounts by operators and on the web pages of the account settings. */
@Injectable()
export class UsersCommands {
  constructor(
    private readonly media: MediaFiles,
    private readonly signals: Signals,
    private readonly clock: Clock,
  ) {}

  /** Creates an account; absent fields get their defaults. `passwordHash` is for a password that is already hashed. */
  async create(
    tx: Transaction,
    slug: string,
    fields: UserFields & { name: string },
    passwordHash: string | null = null,
  ): Promise<User> {
    const now = this.clock.now();
    const user = Object.assign(new User(), {
      slug,
      nickname: null,
      email: null,
      passwordHash,
      locale: 'cs',
      timezone: PRAGUE_ZONE,
      birthDate: null,
      gender: null,
      iban: null,
      avatarKey: null,
      place: null,
      searchable: true,
      showParticipation: false,
      reminderHours: DEFAULT_REMINDER_HOURS,
      premiumUntil: null,
      verified: false,
      admin: false,
      moderator: false,
      banned: false,
      bannedUntil: null,
      operatorBanAt: null,
      operatorBanUntil: null,
      gone: false,
      createdAt: now,
    } satisfies Partial<User>);
    return this.update(tx, user, fields);
  }

  /** Checks the rules that field decorators cannot express. `create` and `update` refuse fields with violations. */
  violationsOf(fields: UserDto): Violations {
    return userViolations(fields, this.clock.now());
  }

  /**
   * Writes the given fields. Throws 422 if a field is invalid. A new password or a ban ends the account's sessions
   * (PAGE-6). A new password or e-mail address invalidates the links that were mailed to the account (MAIL-6). The
   * field `banned` is a ban or unban by an operator, which replaces any earlier ban (MOD-46).
   */
  async update(tx: Transaction, user: User, fields: UserFields): Promise<User> {
    const now = this.clock.now();
    if (fields.banned !== undefined)
      Object.assign(user, { operatorBanAt: now, operatorBanUntil: fields.banned ? null : now });
    return this.write(tx, user, fields);
  }

  /**
   * Stores a ban by an operator. The ban ends at `until`; it is permanent if `until` is null. It replaces any other
   * ban, even a longer one.
   */
  async replaceBan(tx: Transaction, user: User, until: Date | null): Promise<void> {
    const stored = await this.update(tx, user, { banned: false });
    stored.operatorBanUntil = until;
    await this.ban(tx, stored, until);
  }

  /** Ends the account's ban. Called when the decision to ban is reversed. */
  async liftBan(tx: Transaction, user: User): Promise<User> {
    return this.write(tx, user, { banned: false });
  }

  /**
   * Bans the account. The ban ends at `until`; it is permanent if `until` is null. An existing ban that lasts at least
   * as long remains. Returns the end of the ban that applies; null if it is permanent.
   */
  async ban(tx: Transaction, user: User, until: Date | null): Promise<Date | null> {
    const lastsLonger = user.banned && (user.bannedUntil === null || (until !== null && user.bannedUntil >= until));
    if (lastsLonger) return user.bannedUntil;
    const stored = await this.write(tx, user, { banned: true });
    stored.bannedUntil = until;
    await tx.manager.save(User, stored);
    return until;
  }

  /** The ids of the accounts that are still marked as banned although their bans have ended. */
  async withEndedBan(database: Queryable): Promise<string[]> {
    return (await database.rows<{ id: string }>(ENDED_BANS, [this.clock.now()])).map(({ id }) => id);
  }

  /** Marks the account as not banned and returns its slug. Returns null if its ban has not ended. */
  async liftEndedBan(tx: Transaction, id: string): Promise<string | null> {
    const [lifted] = await tx.rows<{ slug: string }>(LIFT_ENDED_BAN, [this.clock.now(), id]);
    return lifted?.slug ?? null;
  }

  /** Sets the key of a stored picture (null: no picture). The old picture is deleted after the commit. */
  async setAvatar(tx: Transaction, user: User, avatarKey: string | null): Promise<void> {
    const before = user.avatarKey;
    user.avatarKey = avatarKey;
    user.updatedAt = this.clock.now();
    await tx.manager.save(User, user);
    if (before !== null && before !== avatarKey) await this.media.markForDeletion(tx, [before]);
  }

  /** Replaces the user's blocks. */
  async setBlocked(tx: Transaction, userId: number, blockedIds: readonly number[]): Promise<void> {
    await tx.rows(UNBLOCK_OTHERS, [userId, blockedIds]);
    await tx.rows(INSERT_BLOCKS, [userId, blockedIds, this.clock.now()]);
  }

  private async write(tx: Transaction, user: User, fields: UserFields): Promise<User> {
    this.violationsOf(fields).throwIfAny();
    const isNew = user.id === undefined;
    // The row may still contain a former ban that has ended; `user` no longer contains it. The end of the former ban is
    // saved first, so that the triggers of the table see this end and the beginning of the new ban as two changes.
    if (fields.banned && !isNew) await tx.manager.save(User, user);
    const formerEmail = user.email;
    const { password, birth_date, premium_until, iban, reminder_hours, show_participation, ...fieldsWithSameName } =
      fields;
    Object.assign(
      user,
      defined(fieldsWithSameName),
      defined({
        passwordHash: password === undefined ? undefined : password && (await hashPassword(password)),
        birthDate: birth_date,
        premiumUntil: premium_until,
        reminderHours: reminder_hours,
        showParticipation: show_participation,
        iban: iban === undefined ? undefined : iban && electronicFormatIBAN(iban),
      }),
    );
    if (fields.banned !== undefined) user.bannedUntil = null;
    user.updatedAt = this.clock.now();
    const stored = await tx.manager.save(User, user);
    if (password !== undefined || fields.banned) await endSessionsOf(tx, stored.id);
    if (fields.banned && !isNew) await this.signals.raise(tx, new UserBanned(stored.id));
    if (password !== undefined && !isNew) await this.signals.raise(tx, new SessionsEnded(stored.id, null));
    const hasOtherAddress = stored.email?.toLowerCase() !== formerEmail?.toLowerCase();
    if (!isNew && (password !== undefined || hasOtherAddress)) {
      await this.signals.raise(
        tx,
        new UserCredentialsChanged(
          stored.id,
          [formerEmail, stored.email].filter((address) => address !== null),
        ),
      );
    }
    if (formerEmail !== null && hasOtherAddress) {
      await this.signals.raise(
        tx,
        new UserEmailChanged(stored.id, formerEmail, stored.name, storedLocale(stored.locale)),
      );
    }
    return stored;
  }
}
