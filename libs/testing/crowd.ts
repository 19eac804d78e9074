import { mintSecret } from '#areas/identity/token-secret.policy';
import { PublicIds } from '#platform/http/public-ids';
import { hashSecret } from '#platform/text/hash-secret';
import type { Answer } from './http-client';
import type { Host } from './host';
import { clientOf, type Person } from './people';
import { waitUntil } from './wait-until';

/** Creates many people, each with a token, by two SQL statements. */
export async function crowd(server: Host, size: number, prefix = 'dav'): Promise<Person[]> {
  const secrets = Array.from({ length: size }, mintSecret);
  const rows = await server.database.manager.query<{ id: string; slug: string }[]>(
    `INSERT INTO users (slug, name, verified, created_at, updated_at)
     SELECT $1 || '-' || gen_random_uuid(), 'Dav', true, now(), now() FROM generate_series(1, $2) RETURNING id, slug`,
    [prefix, size],
  );
  await server.database.manager.query(
    `INSERT INTO tokens (user_id, name, hash, access, last_used_at, created_at) SELECT unnest($1::bigint[]), 'app', unnest($2::text[]), 'write', now(), now()`,
    [rows.map(({ id }) => id), secrets.map(hashSecret)],
  );
  return rows.map(({ id, slug }, i) => {
    const token = secrets[i] ?? '';
    return {
      slug,
      name: 'Dav',
      id: server.app.get(PublicIds).encode('user', Number(id)),
      userId: Number(id),
      token,
      api: clientOf(server, token),
    };
  });
}

/** Repeats a request until the status is not 503 (no free capacity). Clients should do the same. */
export async function retryWhileBusy(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  await waitUntil(async () => {
    if (answer.status !== 503) return true;
    await new Promise((resolve) => setTimeout(resolve, 200));
    answer = await ask();
    return false;
  });
  return answer;
}

/** Counts the responses by status and code: `{ '200': 50, '409 event_full': 450 }`. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const outcome = status < 300 ? String(status) : `${status} ${body?.code}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}
