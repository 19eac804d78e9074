import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database, type Transaction } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { renderMail } from '#platform/mail/render-mail';
import { MailDelivery, oldestToMail, type MailSource } from '#platform/mail/mail-delivery';
import type { Mail } from '#platform/mail/mailbox';
import { storedLocale } from '#platform/messages/locale';
import { hashSecret } from '#platform/text/hash-secret';
import {
  MAIL_TO_SEND,
  MARK_MAILED,
  STORE_MAIL_LINK,
  QUEUE_FRESH_MAILS,
  type AccountMailRow,
} from './account-mail.query';
import { ACCOUNT_MAIL_WORDS, ACCOUNT_MAILS, type AccountMailText } from './account-mail.texts';

const TOKEN_BYTES = 32;

/**
 * Creates mails about accounts. The account of an address is looked up when the mail is created, not in the request.
 * The request therefore does the same work for every address (MAIL-2, MAIL-5). The secret of a link is also generated
 * when the mail is created. Only the mail contains the secret.
 */
@Injectable()
export class AccountMailSource implements MailSource, OnModuleInit {
  readonly queue = 'account-mails';

  constructor(
    private readonly database: Database,
    private readonly delivery: MailDelivery,
    private readonly wire: WireFormat,
  ) {}

  onModuleInit(): void {
    this.delivery.register(this);
  }

  async take(tx: Transaction, now: Date, limit: number): Promise<readonly number[]> {
    const taken = await tx.rows<{ id: string }>(QUEUE_FRESH_MAILS, [now, oldestToMail(now), limit]);
    return taken.map(({ id }) => Number(id));
  }

  async mailOf(id: number, now: Date): Promise<Mail | null> {
    const [row] = await this.database.rows<AccountMailRow>(MAIL_TO_SEND, [id]);
    if (!row) return null;
    const hasAccount = row.owner_id !== null;
    switch (row.kind) {
      case 'register':
        return hasAccount
          ? this.createMail(row, 'register_known', '/sign-in')
          : this.createMailWithLink(row, '/confirm/', LIMITS.account_mail.confirmation, now);
      case 'email':
        return hasAccount ? null : this.createMailWithLink(row, '/confirm/', LIMITS.account_mail.confirmation, now);
      case 'reset':
        return hasAccount && !row.owner_banned
          ? this.createMailWithLink(row, '/reset/', LIMITS.account_mail.reset, now)
          : null;
      case 'email_changed':
        return this.createMail(row, 'email_changed', '/sign-in');
    }
  }

  async markSent(id: number, now: Date): Promise<void> {
    await this.database.autocommit.rows(MARK_MAILED, [id, now]);
  }

  private async createMailWithLink(
    row: AccountMailRow,
    path: '/confirm/' | '/reset/',
    seconds: number,
    now: Date,
  ): Promise<Mail | null> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const resetUserId = row.kind === 'reset' ? row.owner_id : null;
    const storedLinks = await this.database.autocommit.rows(STORE_MAIL_LINK, [
      row.id,
      hashSecret(token),
      new Date(now.getTime() + seconds * 1000),
      resetUserId,
    ]);
    return storedLinks.length > 0 ? this.createMail(row, row.kind, path + token) : null;
  }

  private createMail(
    { address, locale: requestedLocale, name, owner_name, owner_address, owner_locale }: AccountMailRow,
    text: AccountMailText,
    path: string,
  ): Mail {
    const locale = storedLocale(owner_locale ?? requestedLocale);
    const { subject, paragraphs, action } = ACCOUNT_MAILS[text][locale];
    // The mail must not contain a name from a form, because the address in the form may belong to another person. In
    // `email_changed`, `name` is the name of the account.
    const recipientName = text === 'email_changed' ? name : owner_name;
    const greeting =
      recipientName === null
        ? ACCOUNT_MAIL_WORDS.hello[locale]
        : ACCOUNT_MAIL_WORDS.hello_name[locale].replace('{name}', () => recipientName);
    const brand = new URL(this.wire.page('/')).host;
    const foot =
      text === 'register_known' ? [{ text: ACCOUNT_MAIL_WORDS.forgotten[locale], url: this.wire.page('/forgot') }] : [];
    return {
      // If the address has an account, the mail goes to the address as the account spells it. The address as typed in
      // the request may belong to another mailbox: the account is found by the lower-case address, and two different
      // addresses can be equal in lower case. The mail `email_changed` goes to the former address of the account, even
      // if another account has this address by now.
      to: { name: recipientName ?? '', address: text === 'email_changed' ? address : (owner_address ?? address) },
      ...renderMail({
        locale,
        subject,
        greeting,
        paragraphs: paragraphs.map((one) => one.replace('{brand}', () => brand)),
        action: { text: action, url: this.wire.page(path) },
        foot,
      }),
    };
  }
}
