// Inserts a lot of data for the rehearsal of an upgrade. The SQL works with old and new versions of the schema.
import { sql } from './installation.mjs';

const BATCH = 5_000;

/**
 * Inserts 1,000 people, `events` events of these people, and `participations` participations that are divided equally
 * among the events. Half of the events are in the past. Triggers fill the dependent tables.
 */
export async function seed(url, events, participations) {
  await sql(
    url,
    `INSERT INTO users (slug, name, created_at, updated_at) SELECT 'seed-' || i, 'Člověk ' || i, now(), now() FROM generate_series(1, 1000) i`,
  );
  const [{ first }] = await sql(url, `SELECT min(id)::int AS first FROM users WHERE slug LIKE 'seed-%'`);
  for (let from = 0; from < events; from += BATCH) {
    await sql(
      url,
      `INSERT INTO events (organizer_id, title, description, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, latitude, longitude, created_at, updated_at)
       SELECT $1 + i % 1000, 'Seed ' || i, 'Přijďte ' || md5(i::text), 'food', now() + (i % 400 - 200) * interval '1 day', true, 'open', false, false,
              49 + i % 100 / 100.0, 14 + i % 300 / 100.0, now(), now()
         FROM generate_series($2::int, $3::int) i`,
      [first, from + 1, Math.min(from + BATCH, events)],
    );
  }
  const participationsPerEvent = participations / events;
  for (let from = 0; from < events; from += BATCH) {
    await sql(
      url,
      `INSERT INTO participations (event_id, user_id, status, joined_at, created_at, updated_at)
       SELECT e.id, $1 + (e.organizer_id - $1 + p) % 1000, 'confirmed', now(), now(), now()
         FROM (SELECT id, organizer_id FROM events WHERE title LIKE 'Seed %' ORDER BY id LIMIT ${BATCH} OFFSET $2::int) e, generate_series(1, $3::int) p`,
      [first, from, participationsPerEvent],
    );
  }
  await sql(url, 'UPDATE events SET confirmed_count = $1::int WHERE title LIKE $2', [participationsPerEvent, 'Seed %']);
  await sql(url, 'ANALYZE');
}

/** Returns a digest of the events and participations that `seed` inserted. Uses only columns that every version has. */
export async function contentOf(url) {
  const [{ content }] = await sql(
    url,
    `SELECT (SELECT count(*) || ' ' || sum(hashtextextended(concat_ws('|', id, organizer_id, title, description, starts_at, confirmed_count), 0)::numeric)
               FROM events WHERE title LIKE 'Seed %')
         || ' ' || (SELECT count(*) || ' ' || sum(hashtextextended(concat_ws('|', event_id, p.user_id, p.status, p.joined_at), 0)::numeric)
               FROM participations p JOIN events e ON e.id = p.event_id WHERE e.title LIKE 'Seed %') AS content`,
  );
  return content;
}
