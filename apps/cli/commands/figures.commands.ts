import type { Command } from 'commander';
import { isBannedSql } from '#areas/identity/account-conditions.sql';
import { WebhooksReader } from '#areas/webhooks/webhooks.reader';
import { Database, statement } from '#platform/database/database';
import { mailQueues } from '#platform/mail/mail-queues';
import { Clock } from '#platform/time/clock';
import { answer } from '../answer';

/** Counts for the whole installation, all from one snapshot of the database. $1: now. */
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

export function figuresCommands(program: Command): void {
  program
    .command('stats')
    .description('prints the numbers of accounts, events, files and bytes')
    .action(async () => {
      await answer(async (app) => (await app.get(Database).rows<object>(STATS, [app.get(Clock).now()]))[0]);
    });

  program
    .command('queue')
    .description(
      'prints for each queue of mails, and for the webhooks that have something to send, how many wait, are in progress, or wait for a retry; also prints how many messages are not retried any more',
    )
    .action(async () => {
      await answer(async (app) => {
        const reader = app.get(WebhooksReader);
        const webhooks = await reader.queue(app.get(Clock).now());
        return [
          ...(await mailQueues(app.get(Database))),
          ...(webhooks ? [{ queue: 'webhooks', ...webhooks, failed: await reader.countFailed() }] : []),
        ];
      });
    });
}
