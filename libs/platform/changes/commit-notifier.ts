import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { detached } from '../database/one-connection';
import { DatabaseServer } from '../database/database-server';
import { ServerClient } from '../database/server-client';

const NOTIFY_COMMIT = statement('changes_ring', "SELECT pg_notify('changes', '')");
/**
 * Milliseconds that commits are collected: NOTIFY serializes commits, so there is one NOTIFY for many commits, after
 * them.
 */
const DEBOUNCE_MS = 40;
/**
 * Milliseconds of polling besides notifications: one is lost if a server dies right after a commit, or the connection
 * breaks.
 */
const POLL_MS = 700;
const RECONNECT_MS = 1_000;
/** A machine that disappears without closing the connection is detected after ten seconds of silence and ten probes. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/**
 * Notifies every server of commits (LISTEN and NOTIFY, on one connection per process, opened by the first remote
 * listener). A notification carries no data; it means that a read may find something new.
 */
@Injectable()
export class CommitNotifier implements OnApplicationShutdown {
  private readonly log = new Logger(CommitNotifier.name);
  private readonly subscribers = new Set<() => void>();
  /** Listeners that are also called by polling. */
  private readonly listeners = new Set<() => void>();
  /** Number of listeners for commits of other processes. */
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

  /**
   * Calls `listener` after commits of any process and at least every POLL_MS, until the returned function is called.
   */
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
   * Calls `subscriber` after commits of this process, and of other processes while `listenRemote` is active, until the
   * returned function is called. Notifications may be lost, so the caller must also poll.
   */
  subscribe(subscriber: () => void): () => void {
    this.subscribers.add(subscriber);
    return () => void this.subscribers.delete(subscriber);
  }

  /** Receives notifications of other processes, on a dedicated connection, until the returned function is called. */
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

  /** Retried until it succeeds or there is no listener; polling continues meanwhile. */
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
