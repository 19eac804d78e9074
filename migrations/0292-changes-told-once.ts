import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Changes four functions of the feed. tell_sight_of_series() (migration 0188) and tell_sight_of_events() (0291) now
 * report the removal of an event only if the event was visible before. When a person is erased, tell_notices_read()
 * (0148) now also reports the notices that name the person, and tell_place_of_another() (0291) now also reports that
 * the number of confirmed participants may have changed.
 */
export class ChangesToldOnce0292 implements MigrationInterface {
  readonly name = 'ChangesToldOnce0000000000292';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(IS_OUT_BY_BAN);
    await runner.query(
      sightOfEvents(
        `NOT is_out_by_ban(NEW) AND NOT EXISTS (SELECT FROM all_series s WHERE s.id = NEW.series_id AND s.removed_at IS NOT NULL)`,
      ),
    );
    await runner.query(sightOfSeries('NOT is_out_by_ban(e)'));
    await runner.query(
      noticesChanged('(n.read_at, n.person_id, n.words) IS DISTINCT FROM (b.read_at, b.person_id, b.words)'),
    );
    await runner.query(placeOfAnother(", counted => NEW.status = 'confirmed'"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(placeOfAnother(''));
    await runner.query(noticesChanged('n.read_at IS DISTINCT FROM b.read_at'));
    await runner.query(sightOfSeries('true'));
    await runner.query(sightOfEvents('true'));
    await runner.query('DROP FUNCTION is_out_by_ban(all_events)');
  }
}

/** The condition for bans in the view `events` (0185), without the check of `banned_until` (0260). */
const IS_OUT_BY_BAN = `
  CREATE FUNCTION is_out_by_ban(event all_events) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT event.status = 'active' AND event.over_at > now() AND EXISTS (SELECT FROM users u WHERE u.id = event.organizer_id AND u.banned)
  $$`;

/** The function of migration 0291, with another condition for reporting a removal. */
function sightOfEvents(wasInSight: string): string {
  return `
    CREATE OR REPLACE FUNCTION tell_sight_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.removed_at IS NOT NULL AND ${wasInSight} OR EXISTS (SELECT FROM events e WHERE e.id = NEW.id) THEN
        PERFORM tell_sight_of_event(NEW.id, NEW.removed_at IS NOT NULL);
        IF NEW.series_id IS NOT NULL THEN
          PERFORM record_update('account', NEW.organizer_id, 'series.updated', NEW.series_id);
          IF NOT EXISTS (SELECT FROM events e WHERE e.series_id = NEW.series_id AND e.series_index < NEW.series_index) THEN
            PERFORM record_update('event', e.id, 'event.updated', e.id) FROM events e WHERE e.series_id = NEW.series_id AND e.id <> NEW.id ORDER BY e.id;
          END IF;
        END IF;
      END IF;
      RETURN NULL;
    END $$`;
}

/** The function of migration 0188, with another condition for reporting a removal. */
function sightOfSeries(wasInSight: string): string {
  return `
    CREATE OR REPLACE FUNCTION tell_sight_of_series() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM record_change('account', NEW.organizer_id, CASE WHEN NEW.removed_at IS NULL THEN 'series.updated' ELSE 'series.gone' END, NEW.id);
      PERFORM tell_sight_of_event(e.id, NEW.removed_at IS NOT NULL) FROM all_events e
        WHERE e.series_id = NEW.id AND e.removed_at IS NULL
          AND (NEW.removed_at IS NOT NULL AND ${wasInSight} OR EXISTS (SELECT FROM events seen WHERE seen.id = e.id)) ORDER BY e.id;
      RETURN NULL;
    END $$`;
}

function placeOfAnother(counted: string): string {
  return `
    CREATE OR REPLACE FUNCTION tell_place_of_another() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM record_change('event', NEW.event_id, 'participant.updated', NEW.user_id${counted});
      RETURN NULL;
    END $$`;
}

/** The function of migration 0148, with another condition for reporting a notice. */
function noticesChanged(isTold: string): string {
  return `
    CREATE OR REPLACE FUNCTION tell_notices_read() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO changes (topic_kind, topic_id, type, subject_id, counted, by_id)
      SELECT 'account', n.user_id, 'notice.updated', n.id, false, change_teller() FROM told n JOIN before b USING (id)
       WHERE ${isTold} ORDER BY n.id;
      RETURN NULL;
    END $$`;
}
