import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = [
  ['participations_digest', `INDEX`, `participations (event_id, digest) WHERE digest IS NOT NULL`],
  [
    'notifications_one_reminder',
    'UNIQUE INDEX',
    `notifications (event_id, user_id, event_starts_at) WHERE kind = 'reminder'`,
  ],
  [
    'notifications_unread_thread',
    'UNIQUE INDEX',
    `notifications (user_id, thread_id) WHERE kind = 'comment' AND read_at IS NULL`,
  ],
] as const;

/**
 * Two unique indexes allow at most one reminder for each person, event and start, and at most one unread notice of
 * comments for each reader and thread. The index participations_digest is used to find the rows of pending digests.
 */
export class NoticesOnce0361 implements MigrationInterface {
  readonly name = 'NoticesOnce0000000000361';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, kind, rows] of INDEXES) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE ${kind} CONCURRENTLY ${name} ON ${rows}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name] of INDEXES) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
