import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { detached } from '../database/one-connection';
import { DatabaseServer } from '../database/database-server';
import { ServerClient } from '../database/server-client';

const NOTIFY_COMMIT = statement('changes_ring', "SELECT pg_notify('changes', '')");
/** Milliseconds that rings are gathered: a NOTIFY makes commits wait for each other, so there is one for many of them, after them. */
const DEBOUNCE_MS = 40;
/** Milliseconds after which is looked without a ring: one is lost when a server dies right after a commit, or the connection breaks. */
const POLL_MS = 700;
const RECONNECT_MS = 1_000;
/** A machine that has gone without a word is noticed after ten seconds of silence and ten questions. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/**
 * Tells every server that something was committed (LISTEN and NOTIFY, on one connection a process, from when somebody first listens).
 * A ring says no more than that it is worth looking.
 */
@Injectable()
export class CommitNotifier implements OnApplicationShutdown {
  private readonly log = new Logger(CommitNotifier.name);
  private readonly subscribers = new Set<() => void>();
  /** Of the hearers: those who are told without a ring too. */
  private readonly listeners = new Set<() => void>();
  /** Who wants to hear of what other processes commit. */
  private remoteListeners = 0;
  private readonly url: string;
  private notifying: NodeJS.Timeout | null = null;
  private polling: NodeJS.Timeout | null = null;
  private client: ServerClient | null = null;
  private stopped = false;

  constructor(
    private readonly database: Database,
    server: DatabaseServer,
  ) {
    this.url = server.url;
    database.whenCommitted(() => this.notifySoon());
  }

  /** Calls `listener` whenever it is worth looking, until the returned function is called. */
  listen(listener: () => void): () => void {
    const unsubscribers = [this.subscribe(listener), this.listenRemote()];
    this.listeners.add(listener);
    this.polling ??= setInterval(() => this.notify(this.listeners), POLL_MS).unref();
    return () => {
      for (const unsubscribe of unsubscribers) unsubscribe();
      this.listeners.delete(listener);
      if (this.listeners.size > 0 || !this.polling) return;
      clearInterval(this.polling);
      this.polling = null;
    };
  }

  /**
   * Calls `hearer` at every ring, until the returned function is called: of what this process commits, and of others' commits while somebody
   * reaches out for them. For who looks now and then without a ring, since one may be lost.
   */
  subscribe(subscriber: () => void): () => void {
    this.subscribers.add(subscriber);
    return () => void this.subscribers.delete(subscriber);
  }

  /** Rings of other processes are heard (by a connection of its own) until the returned function is called. */
  listenRemote(): () => void {
    let isOver = false;
    this.remoteListeners++;
    if (!this.client) void this.connect();
    return () => {
      if (!isOver) this.remoteListeners--;
      isOver = true;
    };
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.notifying) clearTimeout(this.notifying);
    if (this.polling) clearInterval(this.polling);
    await this.client?.end().catch(() => undefined);
  }

  private notifySoon(): void {
    if (this.stopped) return;
    this.notifying ??= detached(() =>
      setTimeout(() => {
        this.notifying = null;
        this.notify(this.subscribers);
        this.database.outsideTransaction.rows(NOTIFY_COMMIT).catch(() => undefined);
      }, DEBOUNCE_MS).unref(),
    );
  }

  private notify(subscribers: ReadonlySet<() => void>): void {
    for (const one of subscribers) one();
  }

  /** Until it works, or nobody listens any more; meanwhile is looked without a ring. */
  private async connect(): Promise<void> {
    const client = new ServerClient({
      connectionString: this.url,
      application_name: 'events-listen',
      ...KEEP_ALIVE,
      connectionTimeoutMillis: 5_000,
    });
    this.client = client;
    client.on('notification', () => this.notify(this.subscribers));
    client.once('end', () => void this.reconnect(client));
    try {
      await client.connect();
      await client.query('LISTEN changes');
      this.notify(this.subscribers);
    } catch (error) {
      this.log.warn({ err: error }, 'no connection to listen on');
      await client.end().catch(() => undefined);
      this.reconnect(client);
    }
  }

  private reconnect(lost: ServerClient): void {
    if (this.client !== lost || this.stopped) return;
    this.client = null;
    setTimeout(() => {
      if (!this.client && !this.stopped && this.remoteListeners > 0) void this.connect();
    }, RECONNECT_MS).unref();
  }
}
