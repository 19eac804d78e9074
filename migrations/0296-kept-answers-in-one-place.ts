import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A stored response of usual size (2 to 3 KB sealed) stays in its row. In the TOAST table it took two more rows, each
 * with an index entry. Existing rows do not change. The index by time is dropped, because no statement used it:
 * responses to be deleted are found by their account.
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
