import type { Settings } from '#platform/config/settings';
import { MailDelivery } from '#platform/mail/mail-delivery';
import { MailServer } from './mail-server';
import { TestServer } from './test-server';

/** Milliseconds between two hand-overs of the mails that wait: with the server's own second that would be most of a test's time. */
const HAND_OVER_EVERY_MS = 50;

export interface ServerWithMail {
  readonly server: TestServer;
  /** The mails it has sent. */
  readonly post: MailServer;
  readonly stop: () => Promise<void>;
}

/** A server whose mails arrive, at a mail server of its own. */
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
