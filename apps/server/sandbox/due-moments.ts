import { LIMITS } from '#contract/limits';
import { Database, statement } from '#platform/database/database';
import { dueSlot } from '#platform/jobs/slots';

const MINUTE_MS = 60_000;

/**
 * $1: the current time of the sandbox; $2: the start of the current minute; $3: NOTICE_QUIET_SECONDS. Returns two
 * moments:
 * - `sent_at`: when the next webhook message or push message after $1 must be sent.
 * - `at`: the first moment after $2 at which a row becomes due for a job. Jobs run on whole minutes, so a row that
 *   became due in the current minute is still waiting. The first digest of an event, and a digest that is due within
 *   five minutes, count as due five minutes after $1, because the job `joined-digest` runs within this time.
 *
 * Old rows that jobs only have to delete are not included, because the sandbox clock also stops at each nightly run
 * (`nextStop`), whose jobs delete these rows.
 */
const NEXT_DUE = statement(
  'sandbox_next_due',
  `SELECT min(at) AS at,
     least((SELECT min(next_attempt_at) FROM webhook_deliveries WHERE next_attempt_at > $1),
           (SELECT min(next_attempt_at) FROM push_messages WHERE next_attempt_at > $1)) AS sent_at
   FROM (
     SELECT min(look_at) AS at FROM event_reminders WHERE look_at > $2
     UNION ALL SELECT min(changed_at) + make_interval(secs => $3) FROM event_changes
     UNION ALL SELECT min(greatest(d.written_at + interval '${LIMITS.notices.digest} seconds', $1::timestamptz + interval '5 minutes'))
                FROM participations p JOIN events e ON e.id = p.event_id
                LEFT JOIN event_digests d ON d.event_id = p.event_id AND d.kind = p.digest WHERE p.digest IS NOT NULL
     UNION ALL SELECT min(offer_expires_at) FROM participations WHERE offer_expires_at > $2
     UNION ALL SELECT min(expires_at) FROM all_puls_posts WHERE expires_at > $2
     UNION ALL SELECT min(banned_until) FROM users WHERE banned_until > $2
     UNION ALL SELECT min(due_at) FROM account_erasures WHERE due_at > $2
   ) AS due WHERE at > $2`,
);

/**
 * The next moment at which the sandbox clock stops on its way to `target`. It is the earliest of these: the next
 * attempt to send a webhook or push message, the whole minute at which a row is due for a job, the nightly run of jobs,
 * and `target`.
 */
export async function nextStop(database: Database, now: Date, target: Date, noticeQuietSeconds: number): Promise<Date> {
  const [row] = await database.rows<{ at: Date | null; sent_at: Date | null }>(NEXT_DUE, [
    now,
    startOfMinute(now),
    noticeQuietSeconds,
  ]);
  const stops = [
    target,
    nextNight(now),
    ...(row?.at ? [wholeMinute(row.at)] : []),
    ...(row?.sent_at ? [row.sent_at] : []),
  ];
  return new Date(Math.min(...stops.map((stop) => stop.getTime()).filter((stop) => stop > now.getTime())));
}

function startOfMinute(at: Date): Date {
  return new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
}

/** Rounds up, because scheduled jobs start on whole minutes. */
function wholeMinute(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS);
}

function nextNight(now: Date): Date {
  const last = dueSlot('day', now);
  // The next nightly run is 23 to 25 hours after the last one, because of daylight saving time.
  for (let hours = 22; ; hours++) {
    const night = dueSlot('day', new Date(last.getTime() + hours * 60 * MINUTE_MS));
    if (night > last) return night;
  }
}
