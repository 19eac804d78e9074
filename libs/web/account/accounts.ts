import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isPassword } from '#areas/identity/passwords';
import { isReservedSlug } from '#areas/identity/user.policy';
import type { UserDto } from '#areas/identity/user.dto';
import type { User } from '#areas/identity/user.entity';
import { isTaken, UsersCommands, type UserFields } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { Settings } from '#platform/config/settings';
import { Database, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { slugify } from '#platform/text/transliterate';
import { Clock } from '#platform/time/clock';

/**
 * Number of days for which a new account in the demo has Premium, so that newcomers can create a token in the browser,
 * without the command line.
 */
const DEMO_PREMIUM_DAYS = 30;
const DAY_MS = 86_400_000;
/** Maximum length of a name in a slug. Leaves room for the suffix that distinguishes equal names. */
const MAX_NAME_IN_SLUG = 48;

/** The e-mail address of a registration, or the new address of an account, already belongs to another account. */
export class EmailTaken extends Error {}

/** The password was changed after it was verified. */
export class PasswordChangedMeanwhile extends Error {}

/** An account as it was when its password was verified. */
type VerifiedAccount = Pick<User, 'id' | 'passwordHash'>;

/** Creates accounts, changes their passwords and e-mail addresses, and verifies passwords. */
@Injectable()
export class Accounts {
  constructor(
    private readonly database: Database,
    private readonly users: UsersReader,
    private readonly commands: UsersCommands,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates an account with a password: `fields.password`, or its hash `passwordHash`. Throws 422 if a field is
   * invalid, and EmailTaken if an account already has the e-mail address. For such an address, the method takes as much
   * time as for a new account, so the response time does not reveal that the address has an account. `beforeCreation`
   * runs in the same transaction before the account is created. If the slug is taken, the transaction is repeated with
   * another slug.
   */
  async create(
    fields: UserFields & { name: string },
    passwordHash: string | null = null,
    beforeCreation: (tx: Transaction) => Promise<void> = async () => undefined,
  ): Promise<User> {
    const premium_until = this.settings.demoData
      ? new Date(this.clock.now().getTime() + DEMO_PREMIUM_DAYS * DAY_MS)
      : null;
    const slug = slugOf(fields.name);
    for (let candidate = slug; ; candidate = `${slug}-${randomBytes(4).toString('hex')}`) {
      try {
        return await this.database.transaction(async (tx) => {
          await beforeCreation(tx);
          return this.commands.create(tx, candidate, { ...fields, premium_until }, passwordHash);
        });
      } catch (error) {
        if (isTaken(error, 'email')) throw new EmailTaken();
        if (!isTaken(error, 'slug')) throw error;
      }
    }
  }

  /**
   * Changes the password and ends all sessions. Throws 404 if the account no longer exists, 422 if `password` is
   * invalid, and PasswordChangedMeanwhile if the current password is no longer the verified one.
   */
  async setPassword(verified: VerifiedAccount, password: string): Promise<User> {
    return this.update(verified, { password });
  }

  /**
   * Changes the e-mail address without confirmation by mail, for a service without a mail server. Throws 422 if `email`
   * is invalid, EmailTaken if another account has the address, and 404 and PasswordChangedMeanwhile like `setPassword`.
   */
  async setEmail(verified: VerifiedAccount, email: string): Promise<User> {
    try {
      return await this.update(verified, { email });
    } catch (error) {
      throw isTaken(error, 'email') ? new EmailTaken() : error;
    }
  }

  private update({ id, passwordHash }: VerifiedAccount, fields: UserDto): Promise<User> {
    return this.database.transaction(async (tx) => {
      const user = await this.users.lockById(tx, id);
      if (!user) throw new Refusal('not_found');
      if (user.passwordHash !== passwordHash) throw new PasswordChangedMeanwhile();
      return this.commands.update(tx, user, fields);
    });
  }

  /**
   * Returns the account with this e-mail address and password. Returns null for a wrong password, an unknown address or
   * a banned account.
   */
  async authenticate(email: string, password: string): Promise<User | null> {
    const user = await this.users.byEmail(email);
    const matches = await isPassword(password, user?.passwordHash ?? null);
    return user && matches && !user.banned ? user : null;
  }
}

/** The slug for a name. Another account may already have this slug, for example an account with the same name. */
function slugOf(name: string): string {
  const slug = slugify(name, MAX_NAME_IN_SLUG);
  return slug === '' || isReservedSlug(slug) ? 'user' : slug;
}
