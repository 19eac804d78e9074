import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { waitUntil } from './wait-until';

/** A mail as it arrived. */
export interface ReceivedMail {
  /** The address to which the mail was delivered. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly { readonly name: string | null; readonly type: string; readonly text: string }[];
  /** The value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
}

/** A mail server on this machine that accepts and stores everything. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Makes the test server send the waiting mails now. Otherwise, a test would wait for the next batch. */
  sendWaitingMails: () => Promise<void> = async () => undefined;

  private constructor(private readonly server: SMTPServer) {}

  static async open(): Promise<MailServer> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on(
          'end',
          () =>
            void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
              for (const { address } of session.envelope.rcptTo) opened.mails.push(receivedMailOf(mail, address));
              done();
            }, done),
        );
      },
    });
    const opened = new MailServer(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return opened;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** The mails to an address, in the order of arrival. */
  of(address: string): ReceivedMail[] {
    return this.mails.filter(({ to }) => to === address);
  }

  /** Waits until an address has `count` mails, and returns mail number `count` (counted from 1). */
  async nth(address: string, count: number): Promise<ReceivedMail> {
    await waitUntil(async () => {
      if (this.of(address).length < count) await this.sendWaitingMails();
      return this.of(address).length >= count;
    });
    return this.of(address)[count - 1] as ReceivedMail;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

function receivedMailOf(mail: Email, to: string): ReceivedMail {
  return {
    to,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    attachments: mail.attachments.map(({ filename, mimeType, method, content }) => ({
      name: filename,
      type: method ? `${mimeType}; method=${method}` : mimeType,
      text: typeof content === 'string' ? content : new TextDecoder().decode(content),
    })),
    header: (name) => mail.headers.find(({ key }) => key === name)?.value,
  };
}
