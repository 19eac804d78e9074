import { join } from 'node:path';
import { Client } from 'pg';
import { openEmbeddedPostgres, type EmbeddedPostgres } from '#platform/database/embedded/embedded-postgres';

/** The database with the state to which a reset returns. */
const FIRST = 'first';

/**
 * Functions of the same names as PostgreSQL's, found before those by the role's search_path: SQL of the service then
 * sees the time of the sandbox's clock. `CURRENT_TIMESTAMP` and its relatives are no functions;
 * test/sandbox/sql-time.spec.ts refuses them.
 */
const TIME = `
  CREATE SCHEMA sandbox_time;
  CREATE TABLE sandbox_time.shift (ahead interval NOT NULL);
  INSERT INTO sandbox_time.shift VALUES ('0');
  CREATE FUNCTION sandbox_time.now() RETURNS timestamptz LANGUAGE sql STABLE AS
    'SELECT pg_catalog.now() + ahead FROM sandbox_time.shift';
  CREATE FUNCTION sandbox_time.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    'SELECT pg_catalog.clock_timestamp() + ahead FROM sandbox_time.shift';`;

const MOVE = `UPDATE sandbox_time.shift SET ahead = $1 * interval '1 millisecond'`;

/** A throw-away PostgreSQL in a temporary folder. */
export class SandboxDatabase {
  /** The database that the service uses. */
  private live = FIRST;
  /** A copy of the first state for the next reset. */
  private spare: Promise<string> | null = null;
  private copies = 0;

  private constructor(private readonly server: EmbeddedPostgres) {}

  /**
   * Opens the folder that `make` and `addSpare` have filled. PostgreSQL does not wait for the disk, and its folder is
   * removed when it stops.
   */
  static async open(folder: string): Promise<SandboxDatabase> {
    const database = new SandboxDatabase(
      await openEmbeddedPostgres({ folder: join(folder, 'postgres'), durable: false }),
    );
    database.spare = Promise.resolve(database.nextName());
    return database;
  }

  /** Creates an empty database for the first state. The folder stays after `close`. */
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

  /** The database of the first state, to be filled before `restore`. */
  get firstUrl(): string {
    return this.urlOf(FIRST);
  }

  /** Makes a copy of the first state the live database. No service may be connected. */
  async restore(): Promise<void> {
    const former = this.live;
    this.live = await (this.spare ?? this.copy());
    if (former !== FIRST) await this.run('postgres', `DROP DATABASE ${former} WITH (FORCE)`);
    this.spare = this.copy();
    // Reported by the next reset.
    this.spare.catch(() => undefined);
  }

  /** Adds the copy that the first `restore` uses after `open`, so a start does not wait for PostgreSQL to create it. */
  async addSpare(): Promise<void> {
    await this.copy();
  }

  async move(aheadMs: number): Promise<void> {
    await this.run(this.live, MOVE, [aheadMs]);
  }

  /** Stops PostgreSQL. */
  async close(): Promise<void> {
    await this.spare?.catch(() => undefined);
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
