import type { Pool, PoolClient } from 'pg';
import { isUnavailable } from './availability';
import { queryAllInOneMessage, type QueryConfig } from './pipeline';

/**
 * Maximum number of connections that batched reads use in parallel. With more connections, PostgreSQL would compete
 * with this process for the processor: responses would take longer, and the throughput would not increase.
 */
const CONNECTIONS = 3;
/**
 * Maximum number of reads in a message. PostgreSQL runs the reads of a message one after the other. All of them get
 * their rows when the last one has finished, after about two milliseconds.
 */
const MAX_BATCH = 8;

interface PendingRead {
  readonly statement: QueryConfig;
  /** The sequence number of this read. */
  readonly number: number;
  readonly resolve: (rows: object[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends short reads of different requests in one message if there are more reads than connections
 * (docs/adr/0311-short-reads.md). Each read has its own snapshot and result, and a failed read does not affect the
 * others. While a connection is free, each read is sent immediately and alone.
 */
export class ReadBatcher {
  private pending: PendingRead[] = [];
  private busyConnections = 0;
  private readCount = 0;

  /** @param runAlone runs one statement on a separate connection */
  constructor(
    private readonly pool: () => Pool,
    private readonly runAlone: (statement: QueryConfig) => Promise<object[]>,
  ) {}

  /** The number of reads that have not been sent yet. */
  get pendingCount(): number {
    return this.pending.length;
  }

  read<Row extends object>(statement: QueryConfig): Promise<Row[]> {
    return new Promise<object[]>((resolve, reject) => {
      this.pending.push({ statement, number: ++this.readCount, resolve, reject });
      if (this.busyConnections < CONNECTIONS) void this.drain();
    }) as Promise<Row[]>;
  }

  private async drain(): Promise<void> {
    this.busyConnections++;
    try {
      while (this.pending.length > 0) await this.sendBatch();
    } finally {
      this.busyConnections--;
    }
  }

  private async sendBatch(): Promise<void> {
    const lastNumber = this.readCount;
    let client: PoolClient;
    try {
      client = await this.pool().connect();
    } catch (error) {
      // Only reads that were pending when `connect` was called are rejected. Later reads have waited for a shorter
      // time.
      const later = this.pending.filter(({ number }) => number > lastNumber);
      const failed = this.pending.slice(0, this.pending.length - later.length);
      this.pending = later;
      return failed.forEach(({ reject }) => reject(error));
    }
    const batch = this.pending.splice(0, Math.min(MAX_BATCH, Math.ceil(this.pending.length / CONNECTIONS)));
    // The batch is empty if other connections have sent all reads in the meantime.
    if (batch.length === 0) return client.release();
    try {
      const results = await queryAllInOneMessage(
        client,
        batch.map(({ statement }) => statement),
      );
      client.release();
      batch.forEach(({ resolve }, n) => resolve(results[n] as object[]));
    } catch (error) {
      // Closes the connection, as pg's pool does after an error.
      client.release(true);
      for (const { statement, resolve, reject } of batch) {
        if (batch.length === 1 || isConnectionLost(error)) reject(error);
        // One of the reads failed, and PostgreSQL did not run the reads after it. Every read of the batch now runs
        // alone.
        else this.runAlone(statement).then(resolve, reject);
      }
    }
  }
}

/** Whether the connection is lost. False if PostgreSQL has only reported an error of one statement. */
function isConnectionLost(error: unknown): boolean {
  return isUnavailable(error) && (error as { severity?: unknown }).severity !== 'ERROR';
}
