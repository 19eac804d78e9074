/** A mail to one person, as text and HTML with the same content. */
export interface Mail {
  readonly to: { readonly name: string; readonly address: string };
  /** The name of the service in the language of the mail. */
  readonly senderName: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /**
   * The link by which the person stops mails of this kind: with one click in the mail program (RFC 8058), or on a page
   * that asks for confirmation.
   */
  readonly unsubscribe?: string | null;
  readonly attachments?: readonly MailAttachment[];
}

/** A file that is attached to a mail. */
export interface MailAttachment {
  readonly name: string;
  /** The content type with its parameters: `text/calendar; charset=utf-8; method=PUBLISH`. */
  readonly type: string;
  readonly content: string;
}

export interface Mailbox {
  /** Sends a mail. Throws if the mail server does not accept the mail in time. */
  send(mail: Mail): Promise<void>;
}

/** Milliseconds to wait for a response of the mail server. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 } as const;

/**
 * Maximum duration of the delivery of one mail in milliseconds. Without this limit, a mail server that sends a byte now
 * and then could prolong a delivery without end. The limit is less than `expireInMinutes` of the queue: after that
 * time, the queue would start a second delivery of the same mail.
 */
const DELIVERY_LIMIT_MS = 90_000;

/** The address from which the service sends mails. */
export function senderOf(baseUrl: string): string {
  return `no-reply@${new URL(baseUrl).hostname}`;
}

/** Opens the mail server of SMTP_URL. Mails are sent from the address `senderOf(baseUrl)`. */
export async function openMailbox(
  smtpUrl: string,
  baseUrl: string,
  deliveryLimitMs = DELIVERY_LIMIT_MS,
): Promise<Mailbox> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url: smtpUrl, ...TIMEOUTS });
  const address = senderOf(baseUrl);
  return {
    send: async ({ senderName, unsubscribe, attachments = [], ...mail }) => {
      const headers = unsubscribe
        ? { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
        : {};
      const files = attachments.map(({ name, type, content }) => ({ filename: name, contentType: type, content }));
      await transport.sendMail({
        ...mail,
        from: { name: senderName, address },
        attachments: files,
        // `Auto-Submitted` prevents automatic replies.
        headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
        // Closes the connection when the time limit is reached.
        signal: AbortSignal.timeout(deliveryLimitMs),
      });
    },
  };
}

/**
 * Connects, sends EHLO and signs in, but sends no mail. Throws if the server does not answer or refuses one of these
 * steps. An abort closes the connection.
 */
export async function checkMailServer(smtpUrl: string, signal: AbortSignal): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url: smtpUrl, ...TIMEOUTS });
  signal.addEventListener('abort', () => transport.close());
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
