import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Column `users.folded`, two indexes of users, and tables people_words and people_searches, for the search for people
 * (docs/adr/0351-people-search.md). The job `names-sweep` writes `folded` of existing accounts. This migration runs
 * outside a transaction, because indexes are created CONCURRENTLY. Each step can be repeated.
 */
export class People0351 implements MigrationInterface {
  readonly name = 'People0000000000351';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN IF NOT EXISTS folded text');
    // `part`: a word of the person's name, or only the first letters of a word. `is_part`: whether `part` is only the
    // first letters of a word.
    await runner.query(`
      CREATE TABLE IF NOT EXISTS people_words (
        part text COLLATE "C" NOT NULL,
        is_part boolean NOT NULL,
        name text NOT NULL,
        slug text NOT NULL,
        PRIMARY KEY (part, is_part, name, slug)
      )`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS people_searches (
        user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        searched_at timestamptz[] NOT NULL
      )`);
    await index(runner, 'users_words', 'users USING gin (f_words(folded)) WHERE searchable AND NOT gone');
    await index(runner, 'users_unfolded', 'users (id) WHERE folded IS NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE people_words, people_searches; ALTER TABLE users DROP COLUMN folded');
  }
}

async function index(runner: QueryRunner, name: string, on: string): Promise<void> {
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
}
