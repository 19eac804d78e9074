import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index of the primary key of participations also contains `status`. Without `status` in this index, PostgreSQL
 * used another index and read all participations of the user.
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
