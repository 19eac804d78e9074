import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns `folded` and `shared` of people_words, for a search for several words (docs/adr/0351-people-search.md). The
 * job `names-sweep` fills these columns in existing rows. The index `users_words` is removed. This migration runs
 * outside a transaction, because indexes are created CONCURRENTLY. Each step can be repeated.
 */
export class WordsWithNames0530 implements MigrationInterface {
  readonly name = 'WordsWithNames0000000000530';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE people_words ADD COLUMN IF NOT EXISTS folded text, ADD COLUMN IF NOT EXISTS shared smallint',
    );
    await replaceKey(runner, 'INCLUDE (folded, shared)');
    await index(runner, 'people_words_old', 'INDEX', 'people_words (slug) WHERE folded IS NULL');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS users_words');
  }

  async down(runner: QueryRunner): Promise<void> {
    await index(runner, 'users_words', 'INDEX', 'users USING gin (f_words(folded)) WHERE searchable AND NOT gone');
    await replaceKey(runner, '');
    await runner.query('ALTER TABLE people_words DROP COLUMN IF EXISTS folded, DROP COLUMN IF EXISTS shared');
  }
}

async function replaceKey(runner: QueryRunner, columns: string): Promise<void> {
  await index(runner, 'people_words_list', 'UNIQUE INDEX', `people_words (part, is_part, name, slug) ${columns}`);
  await runner.query(`
    ALTER TABLE people_words DROP CONSTRAINT IF EXISTS people_words_pkey,
      ADD CONSTRAINT people_words_pkey PRIMARY KEY USING INDEX people_words_list`);
}

async function index(runner: QueryRunner, name: string, kind: string, on: string): Promise<void> {
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await runner.query(`CREATE ${kind} CONCURRENTLY ${name} ON ${on}`);
}
