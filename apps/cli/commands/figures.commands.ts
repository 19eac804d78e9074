import type { Command } from 'commander';
import { isBannedSql } from '#areas/identity/banned.policy';
import { Database, statement } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { answer } from '../session';

/** Counts of the whole installation, in one snapshot. $1: now. */
const STATS = statement(
  'cli_stats',
  `
  SELECT (SELECT count(*)::int FROM users WHERE NOT gone) AS users, (SELECT count(*)::int FROM users u WHERE ${isBannedSql('u')} AND NOT gone) AS banned_users,
         (SELECT count(*)::int FROM events) AS events, (SELECT count(*)::int FROM live_events WHERE over_at > $1) AS listed_events,
         (SELECT count(*)::int FROM participations WHERE status = 'confirmed') AS confirmed_participations,
         (SELECT count(*)::int FROM series) AS series, (SELECT count(*)::int FROM groups) AS groups, (SELECT count(*)::int FROM posts) AS posts,
         (SELECT count(*)::int FROM comments) AS comments, (SELECT count(*)::int FROM puls_posts WHERE expires_at > $1) AS active_puls_posts,
         (SELECT count(*)::int FROM media_files WHERE state = 'kept') AS files, (SELECT coalesce(sum(bytes), 0)::float8 FROM media_files WHERE state = 'kept') AS file_bytes,
         pg_database_size(current_database())::float8 AS database_bytes`,
);

const HAS_QUEUE = statement('cli_has_queue', `SELECT to_regclass('pgboss.job') IS NOT NULL AS there`);

/**
 * By queue: numbers of waiting, active, failed and to be retried items, and the time since which the oldest one waits.
 */
const QUEUES = statement(
  'cli_queues',
  `
  SELECT name AS queue, count(*) FILTER (WHERE state = 'created')::int AS waiting, count(*) FILTER (WHERE state = 'active')::int AS active,
         count(*) FILTER (WHERE state = 'retry')::int AS retrying, count(*) FILTER (WHERE state = 'failed')::int AS failed,
         min(created_on) FILTER (WHERE state IN ('created', 'active', 'retry')) AS oldest
    FROM pgboss.job WHERE name NOT LIKE '\\_\\_pgboss\\_\\_%' GROUP BY name ORDER BY name`,
);

export function figuresCommands(program: Command): void {
  program
    .command('stats')
    .description('figures: accounts, events, files, bytes')
    .action(async () => {
      await answer(async (app) => (await app.get(Database).rows<object>(STATS, [app.get(Clock).now()]))[0]);
    });

  program
    .command('queue')
    .description('mail and webhooks that wait, by queue')
    .action(async () => {
      await answer(async (app) => {
        const database = app.get(Database);
        const [made] = await database.rows<{ there: boolean }>(HAS_QUEUE);
        // The first server that sends a mail creates the queue.
        return made?.there ? await database.rows<object>(QUEUES) : [];
      });
    });
}
