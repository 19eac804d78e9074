import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts the words and grams (single characters and pairs of characters) of events that were listed before migration
 * 0092 created live_words and live_grams. Databases of version 0.2.0 and later have these counts already. Servers can
 * read and write events meanwhile: the counts and the changes that are marked as counted come from one snapshot, and
 * the job discover-sweep counts all later changes.
 */
export class WordsCounted0550 implements MigrationInterface {
  readonly name = 'WordsCounted0000000000550';
  readonly locks = ['live_grams', 'live_words'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$ BEGIN
        -- This lock waits until a run of discover-sweep has ended, because discover-sweep inserts the same words.
        LOCK TABLE live_words, live_grams IN EXCLUSIVE MODE;
        IF NOT EXISTS (SELECT FROM live_words) AND NOT EXISTS (SELECT FROM live_grams) THEN
          WITH changes AS (UPDATE live_event_changes SET counted_in = true WHERE NOT counted_in),
          words AS (
            INSERT INTO live_words (word, events)
            SELECT word, count(*) FROM live_events, LATERAL (SELECT DISTINCT left(w, 100) AS word FROM unnest(string_to_array(folded, ' ')) AS w WHERE w <> '') w GROUP BY word)
          INSERT INTO live_grams (gram, events)
          SELECT gram, sum(n) FROM (SELECT count(*) AS n, folded FROM live_events GROUP BY folded) texts, unnest(f_grams(folded)) AS gram GROUP BY gram;
        END IF;
      END $$;
    `);
  }

  async down(): Promise<void> {}
}
