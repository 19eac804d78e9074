import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type PgBoss from 'pg-boss';
import { Settings } from '#platform/config/settings';
import { Database, statement, type Transaction } from '#platform/database/database';
import { DatabaseServer } from '#platform/database/database-server';
import { Clock } from '#platform/time/clock';
import { openMailbox, type Mailbox } from './mailbox';
import { noticeMail, type MailableNotice } from './notice-mail';
import { NOTICE_WORDS } from './notice.query';

const QUEUE = 'notices';
/** Five tries over about a quarter of an hour, then a notice is only a row. */
const RETRIES = { retryLimit: 5, retryDelay: 20, retryBackoff: true, expireInMinutes: 2 } as const;
const HAND_OVER_EVERY_MS = 2_000;
const BATCH = 500;
const MAILS_AT_ONCE = 10;
/** Nobody wants yesterday's news when a mail server is set for the first time. */
const FRESH_MS = 24 * 3_600_000;
const STOP_WITHIN_MS = 5_000;

/** Takes fresh notices that were not handed to the queue: $1 now, $2 since, $3 how many. */
const TAKE_FRESH_NOTIFICATIONS = statement(
  'notifications_take',
  `UPDATE notifications SET queued_at = $1 WHERE id IN (
     SELECT id FROM notifications WHERE queued_at IS NULL AND created_at > $2 ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

const SELECT_NOTIFICATION_TO_MAIL = statement(
  'notifications_mailable',
  `SELECT ${NOTICE_WORDS}, u.name, u.email, u.locale, u.timezone
     FROM notifications n JOIN users u ON u.id = n.user_id LEFT JOIN users p ON p.id = n.person_id
    WHERE n.id = $1 AND n.mailed_at IS NULL AND u.email IS NOT NULL`,
);

const MARK_NOTIFICATION_MAILED = statement('notifications_mailed', 'UPDATE notifications SET mailed_at = $2 WHERE id = $1');

/**
 * Sends notices by e-mail where SMTP_URL is set. Requests only write rows; this takes them, hands each to a durable queue in the
 * transaction that marks it, and sends from there with retries, on any number of replicas. Without SMTP_URL nothing of it is
 * loaded, and its queue's schema is never made.
 */
@Injectable()
export class MailDelivery implements BeforeApplicationShutdown {
  private readonly log = new Logger(MailDelivery.name);
  private boss: PgBoss | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly server: DatabaseServer,
    private readonly clock: Clock,
  ) {}

  /** Called by the server once it listens; the command line sends no mail. */
  async start(): Promise<void> {
    if (this.settings.smtpUrl === null) return;
    const mailbox = await openMailbox(this.settings.smtpUrl, this.settings.baseUrl);
    const { default: Boss } = await import('pg-boss');
    const boss = new Boss({ connectionString: this.server.url, application_name: 'events-mail', max: 2, schedule: false });
    boss.on('error', (error) => this.log.warn({ err: error }, 'the mail queue'));
    await boss.start();
    await boss.createQueue(QUEUE, { name: QUEUE, ...RETRIES });
    await boss.work<{ id: number }>(QUEUE, { batchSize: MAILS_AT_ONCE }, async (jobs) => {
      const sent = await Promise.allSettled(jobs.map(({ data }) => this.deliver(mailbox, data.id)));
      const failure = sent.find((one) => one.status === 'rejected');
      // The whole batch comes again; those that were sent are passed over.
      if (failure) throw failure.reason;
    });
    this.boss = boss;
    this.timer = setInterval(() => void this.handOver().catch((error: unknown) => this.log.warn({ err: error }, 'notices wait')), HAND_OVER_EVERY_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.boss?.stop({ graceful: true, timeout: STOP_WITHIN_MS });
  }

  private async handOver(): Promise<void> {
    const { boss } = this;
    if (!boss) return;
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      const taken = await tx.rows<{ id: string }>(TAKE_FRESH_NOTIFICATIONS, [now, new Date(now.getTime() - FRESH_MS), BATCH]);
      if (taken.length === 0) return;
      await boss.insert(taken.map(({ id }) => ({ name: QUEUE, data: { id: Number(id) } })), { db: within(tx) });
    });
  }

  /** Again and again until it is sent: one that was sent before is passed over. */
  private async deliver(mailbox: Mailbox, id: number): Promise<void> {
    const [notice] = await this.database.rows<MailableNotice>(SELECT_NOTIFICATION_TO_MAIL, [id]);
    if (!notice?.email) return;
    await mailbox.send({ to: { name: notice.name, address: notice.email }, ...noticeMail(notice) });
    await this.database.rows(MARK_NOTIFICATION_MAILED, [id, this.clock.now()]);
  }
}

/** The queue's statements as part of our transaction. */
function within(tx: Transaction): PgBoss.Db {
  return { executeSql: async (text, values) => ({ rows: await tx.manager.query<object[]>(text, values) }) };
}
