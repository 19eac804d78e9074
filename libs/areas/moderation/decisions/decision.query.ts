import type { ReportReason, ReportSubject } from '#contract/vocabulary';
import { statement } from '#platform/database/database';
import { isBannedSql } from '../../identity/account-conditions.sql';

/** An object that has open reports and waits for a decision. */
export interface QueueRow {
  /** Id of the object's first open report. The commands and pages for decisions identify the object by this id. */
  readonly report_id: string;
  readonly subject_type: ReportSubject;
  /** The id or slug, as sent in the first open report. */
  readonly subject_sent: string;
  /** Slug of the author; null for a deleted account. */
  readonly author: string | null;
  readonly author_name: string | null;
  /** The number of open reports. */
  readonly reports: number;
  /** The reasons of the open reports, without duplicates. */
  readonly reasons: readonly ReportReason[];
  readonly notes: readonly string[];
  readonly first_at: Date;
  readonly last_at: Date;
  /** The content of the object at the time of the first open report. */
  readonly snapshot: Readonly<Record<string, unknown>>;
}

/** SQL: summarizes the open reports `r` on an object. */
const REPORT_SUMMARY = `min(r.id) AS first_id, count(*)::int AS reports, array_agg(DISTINCT r.reason) AS reasons,
                  coalesce(array_agg(r.note ORDER BY r.id) FILTER (WHERE r.note IS NOT NULL), '{}') AS notes, min(r.created_at) AS first_at, max(r.created_at) AS last_at`;
/** SQL: the columns of a `QueueRow`. `first` is the first open report, `u` the author, and `q` the `REPORT_SUMMARY`. */
const QUEUE_COLUMNS =
  'first.id AS report_id, first.subject_type, first.subject_sent, u.slug AS author, u.name AS author_name, q.reports, q.reasons, q.notes, q.first_at, q.last_at, first.snapshot';

/**
 * The objects with open reports. The object with the most open reports comes first; of objects with the same number of
 * reports, the object that was reported first comes first. $1 limit, $2 offset.
 */
export const MODERATION_QUEUE = statement(
  'moderation_queue',
  `SELECT ${QUEUE_COLUMNS}
     FROM (SELECT ${REPORT_SUMMARY}
             FROM reports r WHERE r.outcome IS NULL GROUP BY r.subject_type, r.subject_id) q
     JOIN reports first ON first.id = q.first_id LEFT JOIN users u ON u.id = first.author_id
    ORDER BY q.reports DESC, q.first_id LIMIT $1 OFFSET $2`,
);

/** The row of `MODERATION_QUEUE` for the object of report $1; no row if the object has no open reports. */
export const QUEUED_OBJECT = statement(
  'moderation_queued_object',
  `SELECT ${QUEUE_COLUMNS}
     FROM (SELECT ${REPORT_SUMMARY}
             FROM reports asked JOIN reports r ON r.subject_type = asked.subject_type AND r.subject_id = asked.subject_id AND r.outcome IS NULL
            WHERE asked.id = $1) q
     JOIN reports first ON first.id = q.first_id LEFT JOIN users u ON u.id = first.author_id`,
);

/** A past decision about a reported object, or about another object of the same author. */
export interface FormerDecisionRow {
  readonly subject_type: ReportSubject;
  /** Whether the decision is about the reported object. */
  readonly is_same: boolean;
  readonly action: DecisionAction;
  readonly days: number | null;
  readonly reason: string;
  readonly decided_at: Date;
  readonly objection_granted: boolean | null;
}

/**
 * The latest 20 decisions about the object of report $1 and about other objects of the same author. The latest decision
 * is first.
 */
export const FORMER_DECISIONS = statement(
  'moderation_former_decisions',
  `SELECT d.subject_type, d.subject_type = r.subject_type AND d.subject_id = r.subject_id AS is_same, d.action, d.days, d.reason, d.decided_at, d.objection_granted
     FROM reports r JOIN moderation_decisions d ON d.author_id = r.author_id OR d.subject_type = r.subject_type AND d.subject_id = r.subject_id
    WHERE r.id = $1 ORDER BY d.id DESC LIMIT 20`,
);

/** SQL: the objects that wait for a decision. */
const REPORTED_OBJECTS = '(SELECT DISTINCT subject_type, subject_id FROM reports WHERE outcome IS NULL) q';

/** The number of objects that wait for a decision. */
export const QUEUE_TOTAL = statement(
  'moderation_queue_total',
  `SELECT count(*)::int AS total FROM ${REPORTED_OBJECTS}`,
);

/** SQL: whether decision `d` has an objection without an answer. */
export const HAS_OPEN_OBJECTION = 'd.objection IS NOT NULL AND d.objection_granted IS NULL';

/** The numbers of objects and objections that wait for a decision. */
export interface Waiting {
  readonly reported_objects: number;
  readonly objections: number;
}

export const WAITING = statement(
  'moderation_waiting',
  `SELECT (SELECT count(*)::int FROM ${REPORTED_OBJECTS}) AS reported_objects,
          (SELECT count(*)::int FROM moderation_decisions d WHERE ${HAS_OPEN_OBJECTION}) AS objections`,
);

/** The object of report $1, also if the report is already decided. */
export const REPORTED_OBJECT = statement(
  'moderation_reported_object',
  'SELECT subject_type, subject_id FROM reports WHERE id = $1',
);

export interface ReportedObjectRow {
  readonly subject_type: ReportSubject;
  readonly subject_id: string;
}

/** Locks the open reports on object $2 of type $1, always in the same order. */
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
  `INSERT INTO moderation_decisions (subject_type, subject_id, subject_sent, snapshot, author_id, action, days, reason, decided_by, decided_at, objection_hash)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id`,
);

/** A decision, and the author's objection to it if there is one. */
export interface DecisionRow {
  readonly id: string;
  readonly subject_type: ReportSubject;
  readonly subject_id: string;
  readonly subject_sent: string | null;
  readonly snapshot: Readonly<Record<string, unknown>> | null;
  readonly author_id: string | null;
  /** Slug of the author; null for a deleted account. */
  readonly author: string | null;
  readonly author_name: string | null;
  readonly action: DecisionAction;
  /** Duration of a ban in days; null for a permanent ban and for other actions. */
  readonly days: number | null;
  readonly reason: string;
  /** Slug of the moderator; null for a decision from the command line or by a deleted account. */
  readonly decided_by: string | null;
  readonly decided_by_name: string | null;
  readonly decided_by_id: string | null;
  readonly decided_at: Date;
  readonly objection: string | null;
  readonly objected_at: Date | null;
  readonly objection_granted: boolean | null;
  readonly objection_answer: string | null;
  readonly objection_decided_at: Date | null;
}

export type DecisionAction = 'dismiss' | 'remove' | 'warn' | 'ban';

const DECISIONS = `
  SELECT d.id, d.subject_type, d.subject_id, d.subject_sent, d.snapshot, d.author_id, author.slug AS author, author.name AS author_name, d.action, d.days, d.reason, actor.slug AS decided_by, actor.name AS decided_by_name, d.decided_by AS decided_by_id,
         d.decided_at, d.objection, d.objected_at, d.objection_granted, d.objection_answer, d.objection_decided_at
    FROM moderation_decisions d LEFT JOIN users author ON author.id = d.author_id LEFT JOIN users actor ON actor.id = d.decided_by`;

export const DECISION = statement('moderation_decision', `${DECISIONS} WHERE d.id = $1`);

/** The decision to which an objection link leads. $1: the hash of the key in the link. */
export const DECISION_BY_LINK = statement('moderation_decision_by_link', `${DECISIONS} WHERE d.objection_hash = $1`);

/** All decisions, the latest decision first. $1 limit, $2 offset. */
export const DECISION_HISTORY = statement(
  'moderation_decision_history',
  `${DECISIONS} ORDER BY d.id DESC LIMIT $1 OFFSET $2`,
);
export const DECISION_TOTAL = statement(
  'moderation_decision_total',
  'SELECT count(*)::int AS total FROM moderation_decisions',
);

/** Objections without an answer, the oldest objection first. $1 limit. */
export const OBJECTIONS = statement(
  'moderation_objections',
  `${DECISIONS} WHERE ${HAS_OPEN_OBJECTION} ORDER BY d.objected_at, d.id LIMIT $1`,
);

/**
 * One row if there is a moderator or admin other than user $1 and the author $2. Deleted and banned accounts do not
 * count.
 */
export const HAS_OTHER_MODERATOR = statement(
  'moderation_has_other_moderator',
  `SELECT 1 AS other FROM users u WHERE (u.moderator OR u.admin) AND NOT u.gone AND NOT ${isBannedSql('u')} AND u.id <> $1 AND u.id IS DISTINCT FROM $2::bigint LIMIT 1`,
);

/** Locks decision $1. */
export const LOCK_DECISION = statement('moderation_lock_decision', `${DECISIONS} WHERE d.id = $1 FOR UPDATE OF d`);

/** Adds an objection to decision $1. Does nothing if the decision already has an objection. $2 text, $3 now. */
export const ADD_OBJECTION = statement(
  'moderation_add_objection',
  'UPDATE moderation_decisions SET objection = $2, objected_at = $3 WHERE id = $1 AND objection IS NULL RETURNING id',
);

/** Stores the answer to an objection: $1 decision, $2 whether granted, $3 reason, $4 moderator, $5 now. */
export const ANSWER_OBJECTION = statement(
  'moderation_answer_objection',
  'UPDATE moderation_decisions SET objection_granted = $2, objection_answer = $3, objection_decided_by = $4, objection_decided_at = $5 WHERE id = $1',
);

/**
 * The end of the longest ban of author $1 that is in force at time $3. These bans do not count: the ban by decision $2,
 * bans whose objection was granted, and bans that were decided before an operator last banned or unbanned the author.
 * Returns no row if no other ban is in force. `until` is null for a permanent ban.
 */
export const OTHER_BAN = statement(
  'moderation_other_ban',
  `SELECT b.until
     FROM (SELECT u.operator_ban_until AS until FROM users u WHERE u.id = $1 AND u.operator_ban_at IS NOT NULL
           UNION ALL
           SELECT CASE WHEN d.days IS NOT NULL THEN d.decided_at + d.days * interval '1 day' END
             FROM moderation_decisions d JOIN users u ON u.id = d.author_id
            WHERE d.author_id = $1 AND d.id <> $2 AND d.action = 'ban' AND d.objection_granted IS NOT TRUE AND (u.operator_ban_at IS NULL OR d.decided_at > u.operator_ban_at)) b
    WHERE b.until IS NULL OR b.until > $3
    ORDER BY b.until DESC NULLS FIRST LIMIT 1`,
);
