import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sets toast_tuple_target of kept_answers, so that a response of usual size (2 to 3 KB) is stored in its row and not in
 * the TOAST table. Existing rows do not change. Drops the index kept_answers_kept, because no statement uses it.
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
