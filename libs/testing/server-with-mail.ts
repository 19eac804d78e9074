import type { Settings } from '#platform/config/settings';
import { MailDelivery } from '#platform/mail/mail-delivery';
import { MailServer } from './mail-server';
import { TestServer } from './test-server';

/** Milliseconds between two batches of waiting mails. */
const BATCH_INTERVAL_MS = 500;

export interface ServerWithMail {
  readonly server: TestServer;
  /** The mail server, which stores the mails that the test server has sent. */
  readonly mailServer: MailServer;
  readonly stop: () => Promise<void>;
}

/** Starts a test server with its own mail server. */
export async function startWithMail(overrides: Partial<Settings> = {}): Promise<ServerWithMail> {
  const mailServer = await MailServer.open();
  const server = await TestServer.start({ smtpUrl: mailServer.url, ...overrides });
  const delivery = server.app.get(MailDelivery);
  await delivery.start(BATCH_INTERVAL_MS);
  mailServer.sendWaitingMails = () => delivery.drain();
  return {
    server,
    mailServer,
    stop: async () => {
      await server.stop();
      await mailServer.close();
    },
  };
}
