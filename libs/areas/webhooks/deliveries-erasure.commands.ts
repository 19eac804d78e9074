import { statement, type Transaction } from '#platform/database/database';
import { withoutPerson } from './without-person';

/** At most $2 messages with an id above $3 whose body contains the slug $1, in the order of their ids. */
const MESSAGES_WITH_SLUG = statement(
  'webhooks_messages_naming',
  'SELECT id, body FROM webhook_deliveries WHERE strpos(body, $1) > 0 AND id > $3 ORDER BY id LIMIT $2',
);
const WRITE_BODIES = statement(
  'webhooks_write_bodies',
  'UPDATE webhook_deliveries d SET body = w.body FROM unnest($1::bigint[], $2::text[]) AS w (id, body) WHERE d.id = w.id',
);

const BATCH = 500;

/**
 * Removes the person from all stored messages to webhooks (`withoutPerson`). In each message, a different random slug
 * replaces the person's slug.
 */
export async function eraseFromDeliveries(
  tx: Transaction,
  slug: string,
  newPseudonymSlug: () => string,
): Promise<void> {
  let lastId = '0';
  for (;;) {
    const messages = await tx.rows<{ id: string; body: string }>(MESSAGES_WITH_SLUG, [slug, BATCH, lastId]);
    await tx.rows(WRITE_BODIES, [
      messages.map(({ id }) => id),
      messages.map(({ body }) => withoutPerson(body, slug, newPseudonymSlug())),
    ]);
    if (messages.length < BATCH) return;
    lastId = messages.at(-1)?.id ?? lastId;
  }
}
