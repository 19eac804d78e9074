import { Injectable } from '@nestjs/common';
import { AccountMailsCommands, type AccountLink } from '#areas/account-mail/account-mails.commands';
import { hashPassword } from '#areas/identity/passwords';
import type { User } from '#areas/identity/user.entity';
import { emailViolations } from '#areas/identity/user.rules';
import { isTaken, UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import type { Locale } from '#contract/vocabulary';
import { Database, type Transaction } from '#platform/database/database';
import type { Registration } from './account.dto';
import { Accounts, EmailTaken } from './accounts';

/**
 * The link is unknown, used, expired or otherwise void (MAIL-6), or another account has taken the email address of the
 * link since the mail was sent. Pages show the same message in all cases.
 */
export class LinkIsVoid extends Error {}

/**
 * Requests the mails of accounts (registration, new password, new email address) and handles the links in these mails
 * (docs/rules/account-mail.md).
 */
@Injectable()
export class AccountLinks {
  constructor(
    private readonly database: Database,
    private readonly mails: AccountMailsCommands,
    private readonly accounts: Accounts,
    private readonly users: UsersReader,
    private readonly commands: UsersCommands,
  ) {}

  /** Whether a mail server is configured. */
  get canSendMail(): boolean {
    return this.mails.isOn;
  }

  /**
   * Requests a link to confirm a registration. The result is the same whether or not the email address has an account.
   * Throws 422 if the email address is invalid.
   */
  async askToRegister(
    { name, email, password, ...profile }: Registration,
    locale: Locale,
    nextPath: string | null,
  ): Promise<void> {
    emailViolations(email).throwIfAny();
    await this.mails.request({
      kind: 'register',
      address: email,
      locale,
      name,
      passwordHash: await hashPassword(password),
      profile,
      nextPath,
    });
  }

  /** Requests a new link if the address has a pending registration. The result is the same for every address. */
  async requestAgain(address: string, locale: Locale): Promise<void> {
    await this.mails.requestAgain(address, locale);
  }

  kindAndAddressOf(token: string): ReturnType<AccountMailsCommands['kindAndAddressOf']> {
    return this.mails.kindAndAddressOf(token);
  }

  /** Requests a link for a new password. The result is the same whether or not the address has an account. */
  async askForReset(address: string, locale: Locale): Promise<void> {
    await this.mails.request({ kind: 'reset', address, locale });
  }

  /**
   * Requests a mail to the new email address, with a link. The account's email address changes when the person confirms
   * the new email address on the page of this link. Throws 422 on `email` if the email address is invalid.
   */
  async askForEmail(user: User, address: string, locale: Locale): Promise<void> {
    emailViolations(address).throwIfAny();
    await this.mails.request({ kind: 'email', address, locale, user });
  }

  /** Returns the link if it confirms a registration or a new email address, otherwise null. The link stays unused. */
  confirmationLink(token: string): Promise<AccountLink | null> {
    return this.mails.link(token, 'register', 'email');
  }

  /** Returns the link if it is for a new password, otherwise null. The link stays unused. */
  resetLink(token: string): Promise<AccountLink | null> {
    return this.mails.link(token, 'reset');
  }

  /**
   * Creates the registered account, or changes an account's email address. Throws LinkIsVoid if the link is void, or if
   * another account has the email address.
   */
  async confirm(token: string): Promise<AccountLink> {
    const link = await this.confirmationLink(token);
    if (!link) throw new LinkIsVoid();
    try {
      if (link.kind === 'register') await this.register(token, link);
      else await this.database.transaction((tx) => this.changeEmail(tx, token, link));
    } catch (error) {
      throw error instanceof EmailTaken || isTaken(error, 'email') ? new LinkIsVoid() : error;
    }
    return link;
  }

  /** Sets the password and ends all sessions of the account. Throws LinkIsVoid if the link is void. */
  async reset(token: string, password: string): Promise<void> {
    const found = await this.resetLink(token);
    if (!found) throw new LinkIsVoid();
    await this.database.transaction(async (tx) => {
      const { link, user } = await this.lockLinkAndAccount(tx, token, 'reset', found);
      await this.mails.markUsed(tx, link);
      await this.commands.update(tx, user, { password });
    });
  }

  private async register(token: string, { name, address, locale, passwordHash, profile }: AccountLink): Promise<void> {
    if (name === null || passwordHash === null) throw new LinkIsVoid();
    await this.accounts.create({ ...profile, name, email: address, locale }, passwordHash, async (tx) => {
      const link = await this.mails.lockLink(tx, token, 'register');
      if (!link) throw new LinkIsVoid();
      await this.mails.markUsed(tx, link);
    });
  }

  private async changeEmail(tx: Transaction, token: string, found: AccountLink): Promise<void> {
    const { link, user } = await this.lockLinkAndAccount(tx, token, 'email', found);
    await this.mails.markUsed(tx, link);
    await this.commands.update(tx, user, { email: link.address });
  }

  private async lockLinkAndAccount(
    tx: Transaction,
    token: string,
    kind: 'email' | 'reset',
    { userId }: AccountLink,
  ): Promise<{ link: AccountLink; user: User }> {
    // The account is locked before the link. A change of the password takes its locks in the same order, so the two
    // transactions cannot deadlock.
    const user = userId === null ? null : await this.users.lockById(tx, userId);
    const link = user && (await this.mails.lockLink(tx, token, kind));
    if (!link) throw new LinkIsVoid();
    return { link, user };
  }
}
