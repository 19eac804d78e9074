import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

const { mintSecret } = createRequire(import.meta.url)('../../dist/libs/areas/identity/token-secret.policy.js');

/**
 * Creates people with a write token each, and the organizer `jana` with events whose descriptions have a usual length.
 * Returns the tokens in the order of the people.
 */
export async function seedPeopleAndEvents(client, peopleCount, eventCount) {
  const secrets = Array.from({ length: peopleCount }, () => mintSecret());
  const hashes = secrets.map((secret) => createHash('sha256').update(secret).digest('hex'));
  await client.query(
    `INSERT INTO users (slug, name, verified, created_at, updated_at) SELECT 'p' || i, 'Petr ' || i, true, now(), now() FROM generate_series(1, $1) i`,
    [peopleCount],
  );
  await client.query(
    `INSERT INTO tokens (user_id, name, hash, access, last_used_at, created_at)
     SELECT u.id, 'bench', h, 'write', now() + interval '1 day', now() FROM unnest($1::text[]) WITH ORDINALITY AS t (h, i) JOIN users u ON u.slug = 'p' || i`,
    [hashes],
  );
  await client.query(`INSERT INTO users (slug, name, created_at, updated_at) VALUES ('jana', 'Jana', now(), now())`);
  await client.query(
    `INSERT INTO events (organizer_id, title, description, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, created_at, updated_at)
     SELECT (SELECT id FROM users WHERE slug = 'jana'), 'Piknik ' || i, repeat('Přijďte. ', 60), 'food', now() + i * interval '1 minute' + interval '1 day', true, 'open', false, false, now(), now()
     FROM generate_series(1, $1) i`,
    [eventCount],
  );
  await client.query('ANALYZE');
  return secrets;
}
