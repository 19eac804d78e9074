import type { Pool, PoolClient } from 'pg';
import { isUnavailable } from './availability';
import { askAllInOneMessage, type Asked } from './pipeline';

/** Connections that short reads have at once. More would but take the processor from each other and from this process: a page waits longer, and no more are made. */
const LANES = 3;
/** Reads in a message. The last of them waits for all: some two milliseconds. */
const MOST_IN_A_MESSAGE = 8;

interface Waiting {
  readonly statement: Asked;
  /** How many had been asked with it. */
  readonly number: number;
  readonly resolve: (rows: object[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Short reads of different requests, in one message where there are more of them than connections (docs/adr/0311-short-reads.md). Each has
 * its own snapshot and its own answer; one that fails harms no other. Who comes while a connection is free is asked at once, alone.
 */
export class ShortReads {
  private waiting: Waiting[] = [];
  private lanes = 0;
  private asked = 0;

  /** @param alone asks one statement on a connection of its own */
  constructor(
    private readonly pool: () => Pool,
    private readonly alone: (statement: Asked) => Promise<object[]>,
  ) {}

  /** Reads that have not been sent yet. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  ask<Row extends object>(statement: Asked): Promise<Row[]> {
    return new Promise<object[]>((resolve, reject) => {
      this.waiting.push({ statement, number: ++this.asked, resolve, reject });
      if (this.lanes < LANES) void this.lane();
    }) as Promise<Row[]>;
  }

  private async lane(): Promise<void> {
    this.lanes++;
    try {
      while (this.waiting.length > 0) await this.message();
    } finally {
      this.lanes--;
    }
  }

  private async message(): Promise<void> {
    const { asked } = this;
    let client: PoolClient;
    try {
      client = await this.pool().connect();
    } catch (error) {
      // Who has come meanwhile has not waited for as long.
      const late = this.waiting.filter(({ number }) => number > asked);
      const failed = this.waiting.slice(0, this.waiting.length - late.length);
      this.waiting = late;
      return failed.forEach(({ reject }) => reject(error));
    }
    const together = this.waiting.splice(0, Math.min(MOST_IN_A_MESSAGE, Math.ceil(this.waiting.length / LANES)));
    // Those of the other connections were faster.
    if (together.length === 0) return client.release();
    try {
      const answers = await askAllInOneMessage(client, together.map(({ statement }) => statement));
      client.release();
      together.forEach(({ resolve }, n) => resolve(answers[n] as object[]));
    } catch (error) {
      // As pg's pool does after an error.
      client.release(true);
      for (const { statement, resolve, reject } of together) {
        if (together.length === 1 || isConnectionLost(error)) reject(error);
        // One of them has failed, nobody knows which; after it none was answered.
        else this.alone(statement).then(resolve, reject);
      }
    }
  }
}

/** And not one statement that PostgreSQL gave up. */
function isConnectionLost(error: unknown): boolean {
  return isUnavailable(error) && (error as { severity?: unknown }).severity !== 'ERROR';
}
