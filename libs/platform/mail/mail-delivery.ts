import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type PgBoss from 'pg-boss';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { Database, type Transaction } from '#platform/database/database';
import { DatabaseServer } from '#platform/database/database-server';
import { ServerClient } from '#platform/database/server-client';
import { Clock } from '#platform/time/clock';
import { MailWorker } from './mail-worker';
import { openMailbox, type Mail, type Mailbox } from './mailbox';

/** The injection token of the mailbox that replaces the mail server. The injected value is null if there is none. */
export const REPLACEMENT_MAILBOX = Symbol('REPLACEMENT_MAILBOX');

/** A table whose rows become mails. */
export interface MailSource {
  /** The name of the queue for the mails of this table. */
  readonly queue: string;
  /**
   * Selects at most `limit` rows that are not queued yet and whose cause is later than `oldestToMail(now)`. Marks them
   * as queued, and returns their ids.
   */
  take(tx: Transaction, now: Date, limit: number): Promise<readonly number[]>;
  /** Returns the mail for a row; null if the row no longer needs a mail. Called immediately before the mail is sent. */
  mailOf(id: number, now: Date): Promise<Mail | null>;
  /** Marks the row as sent. This method is called after the mail server has accepted the mail. */
  markSent(id: number, now: Date): Promise<void>;
}

/**
 * Only mails whose cause is later than this time are queued. The cause is a notice, a request for the mail, or a
 * decision about a report.
 */
export function oldestToMail(now: Date): Date {
  return new Date(now.getTime() - LIMITS.mails.queued_within * 1000);
}

/** Six attempts within about a quarter of an hour. If all attempts fail, the mail is not sent, and its row remains. */
const RETRIES = { retryLimit: 5, retryDelay: 20, retryBackoff: true, expireInMinutes: 2 } as const;
const ENQUEUE_EVERY_MS = 1_000;
const BATCH_SIZE = 500;
const STOP_TIMEOUT_MS = 5_000;
/** An option that pg-boss passes to its pool of connections. */
const CLIENT_OPTION = { Client: ServerClient };

/**
 * Sends mails if SMTP_URL is set. Other code only inserts rows into the tables of the sources. This class adds each row
 * to a durable queue, in the transaction that marks the row as queued. It sends the queued mails with retries, on any
 * number of servers. Without SMTP_URL, the library of the queue is not loaded, and its schema is not created.
 */
@Injectable()
export class MailDelivery implements BeforeApplicationShutdown {
  private readonly log = new Logger(MailDelivery.name);
  private readonly sources: MailSource[] = [];
  /** The workers, by the name of their queue. */
  private readonly workers = new Map<string, MailWorker>();
  private boss: PgBoss | null = null;
  private timer: NodeJS.Timeout | null = null;
  /** The run in progress that queues rows; resolves to the number of queued rows. Null if no run is in progress. */
  private enqueueing: Promise<number> | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly server: DatabaseServer,
    private readonly clock: Clock,
    @Inject(REPLACEMENT_MAILBOX) private readonly replacementMailbox: Mailbox | null,
  ) {}

  /** Each area that sends mails calls this method before `start` is called. */
  register(source: MailSource): void {
    this.sources.push(source);
  }

  /** The server calls this method before it listens. Commands do not call this method, so they send no mail. */
  async start(enqueueEveryMs = ENQUEUE_EVERY_MS): Promise<void> {
    if (this.settings.smtpUrl === null) return;
    const mailbox = this.replacementMailbox ?? (await openMailbox(this.settings.smtpUrl, this.settings.baseUrl));
    const { default: Boss } = await import('pg-boss');
    const boss = new Boss({
      connectionString: this.server.url,
      application_name: 'events-mail',
      max: 2,
      schedule: false,
      ...CLIENT_OPTION,
    });
    boss.on('error', (error) => this.log.warn({ err: error }, 'the mail queue reported an error'));
    await boss.start();
    for (const source of this.sources) {
      await boss.createQueue(source.queue, { name: source.queue, ...RETRIES });
      const worker = new MailWorker(boss, source.queue, (id) => this.deliver(mailbox, source, id));
      this.workers.set(source.queue, worker);
    }
    this.boss = boss;
    this.timer = setInterval(
      () =>
        void this.enqueueAll().catch((error: unknown) =>
          this.log.warn({ err: error }, 'mails could not be queued; the next run retries'),
        ),
      enqueueEveryMs,
    );
    this.timer.unref();
  }

  /** Queues all rows of all sources, and returns when an attempt was made to send each queued mail that is due. */
  async drain(): Promise<void> {
    // A run in progress does not queue rows that were added after its query, so another run is needed.
    await this.enqueueing;
    while ((await this.enqueueAll()) > 0);
    for (const worker of this.workers.values()) await worker.drain();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    const { boss } = this;
    this.boss = null;
    const ended = Promise.all([...this.workers.values()].map((worker) => worker.stop()));
    await Promise.race([ended, pause(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    await boss?.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
  }

  /**
   * Queues at most `BATCH_SIZE` rows of each source, and returns the number of queued rows. If a run is in progress,
   * waits for this run and returns its number.
   */
  private enqueueAll(): Promise<number> {
    this.enqueueing ??= this.enqueueFromAll().finally(() => (this.enqueueing = null));
    return this.enqueueing;
  }

  private async enqueueFromAll(): Promise<number> {
    let queuedCount = 0;
    for (const source of this.sources) queuedCount += await this.enqueueFrom(source);
    return queuedCount;
  }

  private async enqueueFrom(source: MailSource): Promise<number> {
    const { boss } = this;
    if (!boss) return 0;
    const queuedCount = await this.database.transaction(async (tx) => {
      const rowIds = await source.take(tx, this.clock.now(), BATCH_SIZE);
      if (rowIds.length > 0)
        await boss.insert(
          rowIds.map((id) => ({ name: source.queue, data: { id } })),
          { db: queueDatabase(tx) },
        );
      return rowIds.length;
    });
    // The worker checks its queue now; its next poll would be up to a second later.
    if (queuedCount > 0) this.workers.get(source.queue)?.wake();
    return queuedCount;
  }

  /**
   * Sends the mail of a row. A repeated call sends no mail if the row was marked as sent, because `mailOf` returns
   * null.
   */
  private async deliver(mailbox: Mailbox, source: MailSource, id: number): Promise<void> {
    const mail = await source.mailOf(id, this.clock.now());
    if (!mail) return;
    await mailbox.send(mail);
    await source.markSent(id, this.clock.now());
  }
}

/** Returns the database access for pg-boss, which runs its statements in the given transaction. */
function queueDatabase(tx: Transaction): PgBoss.Db {
  return { executeSql: async (text, values) => ({ rows: await tx.manager.query<object[]>(text, values) }) };
}
