import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The indexes with their columns. The first index finds the entries of one topic, and the second finds the end of the
 * feed.
 */
const INDEXES = {
  changes_topic_number: 'topic_kind, topic_id, id',
  changes_number: 'id',
} as const;

/**
 * Indexes for reading the feed by the numbers of its entries (`id`). The index of each week (a partition) is created
 * CONCURRENTLY, because a week of changes can be large. So this migration runs outside a transaction. After an
 * interruption, each step can be repeated.
 */
export class FeedByNumber0381 implements MigrationInterface {
  readonly name = 'FeedByNumber0000000000381';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [index, columns] of Object.entries(INDEXES)) {
      await runner.query(`CREATE INDEX IF NOT EXISTS ${index} ON ONLY changes (${columns})`);
      const weeks = (await runner.query(`
        SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'changes'::regclass
           AND NOT EXISTS (SELECT FROM pg_index i JOIN pg_inherits a ON a.inhrelid = i.indexrelid
                            WHERE i.indrelid = pg_inherits.inhrelid AND a.inhparent = '${index}'::regclass)`)) as {
        name: string;
      }[];
      for (const { name } of weeks) {
        const own = `${name}_${index.slice('changes_'.length)}`;
        await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${own}`);
        await runner.query(`CREATE INDEX CONCURRENTLY ${own} ON ${name} (${columns})`);
        await runner.query(`ALTER INDEX ${index} ATTACH PARTITION ${own}`);
      }
    }
    await runner.query('DROP INDEX IF EXISTS changes_topic');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX IF NOT EXISTS changes_topic ON changes (topic_kind, topic_id, xid, id)');
    await runner.query('DROP INDEX changes_topic_number, changes_number');
  }
}
