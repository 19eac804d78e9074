import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Nearly every request asks for the relation of a person to an event. The index of the primary key also contains the
 * status, so it answers without the table. Without the status, PostgreSQL chose the index of a user's participations
 * and read all of them: 4,000 rows for one.
 */
export class ParticipationStatusByKey0091 implements MigrationInterface {
  readonly name = 'ParticipationStatusByKey0000000000091';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(keyWith('INCLUDE (status)'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(keyWith(''));
  }
}

function keyWith(more: string): string {
  return `ALTER TABLE participations DROP CONSTRAINT participations_pkey, ADD CONSTRAINT participations_pkey PRIMARY KEY (event_id, user_id) ${more}`;
}
