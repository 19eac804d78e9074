import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../database/database';
import { runDetached } from '../database/one-connection';
import { DatabaseServer } from '../database/database-server';
import { ServerClient } from '../database/server-client';
import { ChangeSequencer } from './change-sequencer';

/**
 * Milliseconds during which commits are collected. Their changes are then numbered together, and one NOTIFY announces
 * them. A NOTIFY for each commit would be slower, because PostgreSQL serializes commits that contain NOTIFY.
 */
const COLLECTION_MS = 40;
/**
 * Milliseconds between two polls while `follow` is in use. Polls find the changes of a process that died after its
 * commit and before its notification.
 */
const POLL_MS = 700;
const RECONNECT_MS = 1_000;

/**
 * Numbers the changes after each commit of this process, and notifies every process by LISTEN and NOTIFY. The first
 * call of `listenRemote` opens a separate connection for LISTEN. A notification has no content: it only means that
 * there may be new changes.
 */
@Injectable()
export class CommitNotifier implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly log = new Logger(CommitNotifier.name);
  private readonly listeners = new Set<() => void>();
  /** The number of calls of `listenRemote` whose returned function has not been called yet. */
  private remoteListeners = 0;
  /** The number of calls of `follow` whose returned function has not been called yet. */
  private followers = 0;
  private lastNumber: bigint | null = null;
  private readonly url: string;
  private collecting: NodeJS.Timeout | null = null;
  private polling: NodeJS.Timeout | null = null;
  private client: ServerClient | null = null;
  private stopped = false;
  /** True from the beginning of the shutdown. Numbering may then fail, because connections are closed. */
  private isClosing = false;

  constructor(
    database: Database,
    private readonly sequencer: ChangeSequencer,
    server: DatabaseServer,
  ) {
    this.url = server.url;
    database.whenCommitted(() => this.notifySoon());
  }

  /**
   * Calls `listener` whenever any process may have committed changes, until the returned function is called. This
   * method also starts polls, because a notification can be lost.
   */
  follow(listener: () => void): () => void {
    const unsubscribers = [this.subscribe(listener), this.listenRemote()];
    this.followers++;
    this.polling ??= runDetached(() => setInterval(() => void this.poll(), POLL_MS).unref());
    return () => {
      for (const unsubscribe of unsubscribers) unsubscribe();
      this.followers--;
      if (this.followers > 0 || !this.polling) return;
      clearInterval(this.polling);
      this.polling = null;
    };
  }

  /**
   * Calls `listener` after commits of this process and at every notification, until the returned function is called.
   * Notifications of other processes are received only after a call of `listenRemote`. The caller must also poll,
   * because a notification can be lost.
   */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /**
   * Receives the notifications of other processes on a separate connection. The returned function ends the caller's use
   * of the connection. A lost connection is opened again only while at least one caller uses it.
   */
  listenRemote(): () => void {
    let isReleased = false;
    this.remoteListeners++;
    if (!this.client) runDetached(() => void this.connect());
    return () => {
      if (!isReleased) this.remoteListeners--;
      isReleased = true;
    };
  }

  beforeApplicationShutdown(): void {
    this.isClosing = true;
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.collecting) clearTimeout(this.collecting);
    if (this.polling) clearInterval(this.polling);
    await this.client?.end().catch(() => undefined);
  }

  private notifySoon(): void {
    if (this.stopped) return;
    this.collecting ??= runDetached(() =>
      setTimeout(() => {
        this.collecting = null;
        void this.sequencer
          .numberAndNotify()
          // The numbering is not retried: the next commit, request for changes or poll numbers these changes too.
          .catch((error: unknown) => {
            if (!this.isClosing) this.log.warn({ err: error }, 'numbering changes after a commit failed');
          })
          .then(() => this.notify());
      }, COLLECTION_MS).unref(),
    );
  }

  private async poll(): Promise<void> {
    const last = await this.sequencer.numberEntries().catch(() => null);
    if (last === null || last === this.lastNumber) return;
    this.lastNumber = last;
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }

  /**
   * Opens the connection for LISTEN. Retries until the connection works, or until `listenRemote` is no longer in use.
   * In the meantime `follow` polls.
   */
  private async connect(): Promise<void> {
    const client = new ServerClient({
      connectionString: this.url,
      application_name: 'events-listen',
      connectionTimeoutMillis: 5_000,
    });
    this.client = client;
    client.on('notification', () => this.notify());
    client.once('end', () => void this.reconnect(client));
    try {
      await client.connect();
      await client.query('LISTEN changes');
      this.notify();
    } catch (error) {
      this.log.warn({ err: error }, 'the connection for LISTEN failed');
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
