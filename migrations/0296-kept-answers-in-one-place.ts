import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A kept answer of usual size, 2 to 3 KB sealed, stays in its row: in the table beside it there were two rows more, each with an entry
 * in an index. Those that are there stay as they are. And the index of moments goes, by which nothing has ever been looked for: what
 * is forgotten is found by its account.
 */
export class KeptAnswersInOnePlace0296 implements MigrationInterface {
  readonly name = 'KeptAnswersInOnePlace0000000000296';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE kept_answers SET (toast_tuple_target = 8160)');
    await runner.query('DROP INDEX kept_answers_kept');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE kept_answers RESET (toast_tuple_target)');
    await runner.query('CREATE INDEX kept_answers_kept ON kept_answers (kept_at)');
  }
}
