import type { Mail, Mailbox } from '#platform/mail/mailbox';

/** A mail in the response of `GET /sandbox/mail`. */
export interface ListedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly { readonly name: string; readonly type: string }[];
  readonly at: string;
}

/** Stores mails in memory instead of sending them. */
export class SandboxMailbox implements Mailbox {
  private mails: ListedMail[] = [];

  constructor(private readonly now: () => string) {}

  async send({ to, subject, text, html, attachments = [] }: Mail): Promise<void> {
    const files = attachments.map(({ name, type }) => ({ name, type }));
    this.mails.push({ to: to.address, subject, text, html, attachments: files, at: this.now() });
  }

  /** All mails, the newest first. */
  list(): ListedMail[] {
    return this.mails.toReversed();
  }

  clear(): void {
    this.mails = [];
  }
}
