import { Logger } from '@nestjs/common';
import type PgBoss from 'pg-boss';

const PARALLEL_MAILS = 10;
const POLL_MS = 1_000;

/**
 * Sends the mails of one queue. This class replaces the method `work` of pg-boss, which does not await the statement
 * that ends a job: if the database were unavailable, the rejected promise would end the process.
 */
export class MailWorker {
  private readonly log = new Logger(MailWorker.name);
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | null = null;
  private isStopped = false;

  /** @param deliver sends the mail of a row; it may be called again for a row whose mail was already sent */
  constructor(
    private readonly boss: PgBoss,
    private readonly queue: string,
    private readonly deliver: (id: number) => Promise<void>,
  ) {
    this.timer = setInterval(() => this.wake(), POLL_MS).unref();
  }

  /** Sends the due mails now, without waiting for the next poll. Does nothing if a run is in progress. */
  wake(): void {
    this.running ??= this.sendAll()
      .catch((error: unknown) =>
        this.log.warn({ err: error }, 'the mail queue is not available; the next poll retries'),
      )
      .finally(() => (this.running = null));
  }

  /** Resolves when no mail is due, when the database has failed, or after `stop`. */
  async drain(): Promise<void> {
    // A run in progress does not send mails that were queued after its last check, so another run is needed.
    await this.running;
    this.wake();
    await this.running;
  }

  /** Resolves when no mail is being sent. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  private async sendAll(): Promise<void> {
    while (!this.isStopped) {
      const jobs = await this.boss.fetch<{ id: number }>(this.queue, { batchSize: PARALLEL_MAILS });
      if (jobs.length === 0) return;
      const results = await Promise.allSettled(jobs.map((job) => this.send(job)));
      const failure = results.find((result) => result.status === 'rejected');
      if (failure) throw failure.reason;
    }
  }

  private async send({ id, data }: PgBoss.Job<{ id: number }>): Promise<void> {
    try {
      await this.deliver(data.id);
    } catch (error) {
      await this.boss.fail(this.queue, id, { message: String(error) });
      return;
    }
    await this.boss.complete(this.queue, id);
  }
}
