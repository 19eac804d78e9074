import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Maximum number of rows that one statement fills. */
const BATCH = 5_000;

/**
 * Adds the searched text with its punctuation to live_events and live_event_changes, for queries with short words
 * (DISC-7). The update of existing rows skips locked rows; the job `discover-sweep` fills them later. This migration
 * runs outside a transaction, because the index is created CONCURRENTLY. Each step can be repeated after a failure.
 */
export class TextWithPunctuation0590 implements MigrationInterface {
  readonly name = 'TextWithPunctuation0000000000590';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE live_events ADD COLUMN IF NOT EXISTS folded_text text');
    await runner.query('ALTER TABLE live_event_changes ADD COLUMN IF NOT EXISTS folded_text text');
    await fill(runner);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS live_events_incomplete');
    await runner.query(
      'CREATE INDEX CONCURRENTLY live_events_incomplete ON live_events (id) WHERE created_at IS NULL OR folded_text IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE live_events DROP COLUMN folded_text');
    await runner.query('ALTER TABLE live_event_changes DROP COLUMN folded_text');
  }
}

async function fill(runner: QueryRunner): Promise<void> {
  const folded = (text: string): string =>
    `btrim(regexp_replace(lower(unaccent('unaccent'::regdictionary, normalize(${text}, NFC))), '\\s+', ' ', 'g'))`;
  for (let after = '0'; ;) {
    const rows = (await runner.query(
      `WITH batch AS MATERIALIZED (
         SELECT id FROM live_events WHERE id > $1 AND folded_text IS NULL ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
       filled AS (
         UPDATE live_events l
            SET folded_text = concat_ws(E'\\n', ${folded('e.title')}, ${folded('f_visible_text(e.description)')},
                                        ${folded("concat_ws(' ', e.location_name, e.location_address)")})
           FROM all_events e WHERE e.id = l.id AND l.id IN (SELECT id FROM batch))
       SELECT max(id) AS last FROM batch`,
      [after],
    )) as readonly { last: string | null }[];
    const last = rows[0]?.last;
    if (last === null || last === undefined) return;
    after = last;
  }
}
