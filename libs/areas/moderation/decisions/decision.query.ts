import type { ReportOutcome, ReportReason, ReportSubject } from '#contract/vocabulary';
import { statement } from '#platform/database/database';

/** Something that was reported and not yet decided. */
export interface QueueRow {
  /** Of its first open report; names the thing in decisions. */
  readonly report_id: string;
  readonly subject_type: ReportSubject;
  /** As it was first reported. */
  readonly subject_sent: string;
  /** Slug; null where that account is gone. */
  readonly author: string | null;
  readonly reports: number;
  /** Each once. */
  readonly reasons: readonly ReportReason[];
  readonly notes: readonly string[];
  readonly first_at: Date;
  readonly last_at: Date;
  /** The thing as it was first reported. */
  readonly snapshot: Readonly<Record<string, unknown>>;
}

/** By how many reported it, then what waits longest. $1 how many. */
export const MODERATION_QUEUE = statement(
  'moderation_queue',
  `SELECT first.id AS report_id, q.subject_type, first.subject_sent, u.slug AS author, q.reports, q.reasons, q.notes, q.first_at, q.last_at, first.snapshot
     FROM (SELECT r.subject_type, min(r.id) AS first_id, count(*)::int AS reports, array_agg(DISTINCT r.reason) AS reasons,
                  coalesce(array_agg(r.note ORDER BY r.id) FILTER (WHERE r.note IS NOT NULL), '{}') AS notes, min(r.created_at) AS first_at, max(r.created_at) AS last_at
             FROM reports r WHERE r.outcome IS NULL GROUP BY r.subject_type, r.subject_id) q
     JOIN reports first ON first.id = q.first_id LEFT JOIN users u ON u.id = first.author_id
    ORDER BY q.reports DESC, q.first_id LIMIT $1`,
);

/** What report $1 is about, decided or not. */
export const REPORTED_THING = statement('moderation_reported_thing', 'SELECT subject_type, subject_id, outcome FROM reports WHERE id = $1');

export interface ReportedThingRow {
  readonly subject_type: ReportSubject;
  readonly subject_id: string;
  readonly outcome: ReportOutcome | null;
}

/** Locks the open reports on the thing $1, $2, in one order for everybody who decides. */
export const LOCK_OPEN_REPORTS = statement(
  'moderation_lock_open_reports',
  'SELECT id, subject_sent, author_id, snapshot FROM reports WHERE subject_type = $1 AND subject_id = $2 AND outcome IS NULL ORDER BY id FOR UPDATE',
);

export interface OpenReportRow {
  readonly id: string;
  readonly subject_sent: string;
  readonly author_id: string | null;
  readonly snapshot: Readonly<Record<string, unknown>>;
}

export const ADD_DECISION = statement(
  'moderation_add_decision',
  `INSERT INTO moderation_decisions (subject_type, subject_id, author_id, action, reason, decided_by, decided_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
);
