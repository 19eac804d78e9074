import { statement, type Queryable } from '#platform/database/database';

const HAS_QUEUES = statement('mail_has_queues', `SELECT to_regclass('pgboss.job') IS NOT NULL AS is_present`);

/**
 * Per queue: the numbers of mails that wait, are being sent, wait for a retry, or have failed, and since when the
 * oldest mail that is neither sent nor failed is in the queue.
 */
const QUEUES = statement(
  'mail_queues',
  `
  SELECT name AS queue, count(*) FILTER (WHERE state = 'created')::int AS waiting, count(*) FILTER (WHERE state = 'active')::int AS active,
         count(*) FILTER (WHERE state = 'retry')::int AS retrying, count(*) FILTER (WHERE state = 'failed')::int AS failed,
         min(created_on) FILTER (WHERE state IN ('created', 'active', 'retry')) AS oldest
    FROM pgboss.job WHERE name NOT LIKE '\\_\\_pgboss\\_\\_%' GROUP BY name ORDER BY name`,
);

export interface MailQueue {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
  readonly retrying: number;
  readonly failed: number;
  readonly oldest: Date | null;
}

/**
 * The queues that contain mails. pg-boss removes sent and failed mails after 12 hours. The list is empty if no server
 * with SMTP_URL has created the queues yet.
 */
export async function mailQueues(database: Queryable): Promise<readonly MailQueue[]> {
  const [row] = await database.rows<{ is_present: boolean }>(HAS_QUEUES);
  return row?.is_present ? database.rows<MailQueue>(QUEUES) : [];
}
