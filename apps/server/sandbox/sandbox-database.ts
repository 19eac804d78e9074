import { join } from 'node:path';
import { Client } from 'pg';
import { openEmbeddedPostgres, type EmbeddedPostgres } from '#platform/database/embedded/embedded-postgres';

/** The name of the database with the first state (the state after each reset). */
const FIRST = 'first';

/**
 * Functions with the names of PostgreSQL's time functions. The role's search_path finds these functions first, so the
 * SQL of the service uses the time of the sandbox's clock. `CURRENT_TIMESTAMP` and similar keywords are not functions;
 * test/sandbox/sql-time.spec.ts fails if a statement contains such a keyword.
 */
const TIME = `
  CREATE SCHEMA sandbox_time;
  CREATE TABLE sandbox_time.shift (ahead interval NOT NULL);
  INSERT INTO sandbox_time.shift VALUES ('0');
  CREATE FUNCTION sandbox_time.now() RETURNS timestamptz LANGUAGE sql STABLE AS
    'SELECT pg_catalog.now() + ahead FROM sandbox_time.shift';
  CREATE FUNCTION sandbox_time.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    'SELECT pg_catalog.clock_timestamp() + ahead FROM sandbox_time.shift';`;

const SET_SHIFT = `UPDATE sandbox_time.shift SET ahead = $1 * interval '1 millisecond'`;

/**
 * The PostgreSQL of a sandbox. It contains a database with the first state, the database that the service uses, and a
 * spare copy of the first state.
 */
export class SandboxDatabase {
  /** The name of the database that the service uses. */
  private live = FIRST;
  /**
   * The name of the copy of the first state that the next reset uses. Null if there is no copy, or if copying has
   * failed.
   */
  private spare: Promise<string | null> = Promise.resolve(null);
  private copies = 0;

  private constructor(private readonly server: EmbeddedPostgres) {}

  /**
   * Opens a folder that was filled by `make` and `addSpareCopy`. PostgreSQL does not wait for writes to the disk. The
   * folder is removed when PostgreSQL stops.
   */
  static async open(folder: string): Promise<SandboxDatabase> {
    const database = new SandboxDatabase(
      await openEmbeddedPostgres({ folder: join(folder, 'postgres'), durable: false }),
    );
    // `addSpareCopy` created a copy with the name that the first call of `nextName` returns.
    database.spare = Promise.resolve(database.nextName());
    return database;
  }

  /**
   * Starts PostgreSQL and creates a database for the first state, which contains only the functions of `TIME`. Unlike
   * after `open`, the folder stays when PostgreSQL stops.
   */
  static async make(folder: string): Promise<SandboxDatabase> {
    const database = new SandboxDatabase(await openEmbeddedPostgres({ folder: join(folder, 'postgres') }));
    await database.run('postgres', 'ALTER ROLE CURRENT_USER SET search_path = public, sandbox_time, pg_catalog');
    await database.run('postgres', `CREATE DATABASE ${FIRST}`);
    await database.run(FIRST, TIME);
    return database;
  }

  get url(): string {
    return this.urlOf(this.live);
  }

  /** The URL of the first state's database. The database must be filled before `restore`. */
  get firstUrl(): string {
    return this.urlOf(FIRST);
  }

  /** Replaces the service's database by a copy of the first state. The service must not be connected. */
  async restore(): Promise<void> {
    const former = this.live;
    const spare = await this.spare;
    this.spare = Promise.resolve(null);
    this.live = spare ?? (await this.copy());
    if (former !== FIRST) await this.run('postgres', `DROP DATABASE ${former} WITH (FORCE)`);
    // If this copy fails, the next reset makes another copy; an error of that copy is reported.
    this.spare = this.copy().catch(() => null);
  }

  /**
   * Creates the copy that the first `restore` after `open` uses, so that the start of a sandbox does not wait until
   * PostgreSQL has created a copy.
   */
  async addSpareCopy(): Promise<void> {
    await this.copy();
  }

  /** Sets how far the time of the sandbox is ahead of the real time, in milliseconds. */
  async setTimeAhead(aheadMs: number): Promise<void> {
    await this.run(this.live, SET_SHIFT, [aheadMs]);
  }

  /** Stops PostgreSQL. */
  async close(): Promise<void> {
    await this.spare;
    await this.server.release();
  }

  private async copy(): Promise<string> {
    const name = this.nextName();
    await this.run('postgres', `CREATE DATABASE ${name} TEMPLATE ${FIRST}`);
    return name;
  }

  private nextName(): string {
    return `copy_${++this.copies}`;
  }

  private urlOf(database: string): string {
    return Object.assign(new URL(this.server.url), { pathname: database }).href;
  }

  private async run(database: string, sql: string, values?: unknown[]): Promise<void> {
    const client = new Client({ connectionString: this.urlOf(database) });
    await client.connect();
    try {
      await client.query(sql, values);
    } finally {
      await client.end();
    }
  }
}
