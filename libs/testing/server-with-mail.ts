import type { Settings } from '#platform/config/settings';
import { MailDelivery } from '#platform/mail/mail-delivery';
import { MailServer } from './mail-server';
import { TestServer } from './test-server';

/**
 * Milliseconds between two batches of waiting mails; with the server's default of a second, tests would mostly wait.
 */
const HAND_OVER_EVERY_MS = 50;

export interface ServerWithMail {
  readonly server: TestServer;
  /** The mail server with the sent mails. */
  readonly post: MailServer;
  readonly stop: () => Promise<void>;
}

/** A test server with its own mail server. */
export async function startWithMail(overrides: Partial<Settings> = {}): Promise<ServerWithMail> {
  const post = await MailServer.open();
  const server = await TestServer.start({ smtpUrl: post.url, ...overrides });
  await server.app.get(MailDelivery).start(HAND_OVER_EVERY_MS);
  return {
    server,
    post,
    stop: async () => {
      await server.stop();
      await post.close();
    },
  };
}
