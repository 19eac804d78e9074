import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What somebody is to an event is asked at nearly every request. The key's index answers that alone; without the status in it
 * PostgreSQL took the index of a user's participations to be cheaper and read all of them: 4,000 for one.
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
