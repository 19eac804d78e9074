import type { ChangeType } from '#contract/changes';
import { statement } from '#platform/database/database';
import { VIEWER_STATES_SQL } from '../../events/event-relation';

/**
 * SQL for the topics that account $1 follows:
 *
 * - the account itself
 * - its groups, including groups that have invited it, and groups that it has asked to join
 * - the events that it organizes, or to which it has a relation (`VIEWER_STATES`)
 * - the events of the groups that it has joined, and the events in which these groups are interested
 *
 * Visibility is not checked here: visible-change.ts checks the visibility of each change.
 */
const TOPICS = `
  SELECT 'account' AS kind, $1::bigint AS id
  UNION ALL SELECT 'group', group_id FROM group_members WHERE user_id = $1
  UNION ALL SELECT 'event', id FROM (
    SELECT id FROM events WHERE organizer_id = $1
    UNION SELECT event_id FROM participations WHERE user_id = $1 AND status IN (${VIEWER_STATES_SQL})
    UNION SELECT e.id FROM group_members m JOIN events e ON e.group_id = m.group_id WHERE m.user_id = $1 AND m.joined_at IS NOT NULL
    UNION SELECT i.event_id FROM group_members m JOIN group_interests i ON i.group_id = m.group_id WHERE m.user_id = $1 AND m.joined_at IS NOT NULL
  ) followed`;

export const TOPICS_OF = statement('changes_topics', TOPICS);

/** A row of the log of all changes (table `changes`). The driver returns bigint columns as strings. */
export interface ChangeRow {
  /** The number of the entry in the feed. */
  readonly id: string;
  readonly at: Date;
  readonly topic_kind: 'account' | 'event' | 'group';
  readonly topic_id: string;
  readonly type: ChangeType;
  readonly subject_id: string;
  readonly subject_text: string | null;
  readonly parent_id: string | null;
  readonly person_id: string | null;
  /**
   * Whether the change also changed a number that other people see: the number of an event's participants or of a
   * group's members.
   */
  readonly counted: boolean;
  readonly by_id: string | null;
}

const COLUMNS = [
  'id',
  'at',
  'topic_kind',
  'topic_id',
  'type',
  'subject_id',
  'subject_text',
  'parent_id',
  'person_id',
  'counted',
  'by_id',
];
const columns = (row: string): string => COLUMNS.map((column) => `${row}.${column}`).join(', ');

/** The number of the last entry of the feed, and the current time. */
export const END_OF_CHANGES = statement(
  'changes_end',
  'SELECT last_number AS last, clock_timestamp() AS now FROM change_feed',
);

/** A row of END_OF_CHANGES. */
export interface EndOfChanges {
  readonly last: string;
  readonly now: Date;
}

/**
 * At most $3 entries of the topics that $1 follows, after number $2, in the order of their numbers. No entry after
 * number $2 is older than the time $4; because of this time, old partitions are not searched. Each row also has the end
 * of the feed; if there are no entries, there is one row with only the end of the feed.
 */
export const SELECT_NEW_CHANGES = statement(
  'changes_select_new',
  `WITH topic AS MATERIALIZED (${TOPICS})
   SELECT feed.last_number AS last, clock_timestamp() AS now, ${columns('c')}
     FROM change_feed feed
     LEFT JOIN (
       SELECT ${columns('entry')} FROM topic CROSS JOIN LATERAL (
         SELECT ${columns('c')} FROM changes c
          WHERE c.topic_kind = topic.kind AND c.topic_id = topic.id AND c.at >= $4 AND c.id > $2
          ORDER BY c.id LIMIT $3) entry
        ORDER BY entry.id LIMIT $3
     ) c ON true
    ORDER BY c.id`,
);

/**
 * For a cursor of the former format: the number before the first unread entry. Reading continues after this number. The
 * number is NULL if all entries were read.
 *
 * The entries in the cursor's snapshot $1 were read. For a cursor in the middle of a page, the entries in snapshot $2
 * up to number $3 were also read. $4 is a time that is earlier than all unread entries.
 *
 * `is_ahead`: the snapshot is later than the current state of this database, so the cursor comes from another database.
 */
export const NUMBER_OF_FORMER_CURSOR = statement(
  'changes_number_of_former_cursor',
  `SELECT (SELECT min(c.id) - 1 FROM changes c
            WHERE c.at >= $4 AND c.xid >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(c.xid, $1::pg_snapshot)
              AND ($2::pg_snapshot IS NULL OR c.id > $3 OR NOT pg_visible_in_snapshot(c.xid, $2::pg_snapshot))) AS number,
          pg_snapshot_xmax(coalesce($2::pg_snapshot, $1::pg_snapshot)) > pg_snapshot_xmax(pg_current_snapshot()) AS is_ahead`,
);

/** A row of SELECT_NEW_CHANGES. `id` is null if the row has no entry. */
export type NewChangeRow = EndOfChanges & (ChangeRow | { readonly id: null });

/**
 * The relation of user $1 to the events $2. `by_group`: the event belongs to a group that the user has joined, or such
 * a group is interested in the event.
 */
export const EVENT_RELATIONS = statement(
  'changes_event_relations',
  `SELECT e.id, e.organizer_id, e.is_public, me.status AS participation, me.waitlist_number,
          EXISTS (SELECT FROM group_members m JOIN groups g ON g.id = m.group_id WHERE m.user_id = $1 AND m.joined_at IS NOT NULL
            AND m.group_id IN (SELECT e.group_id UNION ALL SELECT i.group_id FROM group_interests i WHERE i.event_id = e.id)) AS by_group
     FROM events e LEFT JOIN participations me ON me.event_id = e.id AND me.user_id = $1
    WHERE e.id = ANY($2)`,
);

/** The role of user $1 in the groups $2. */
export const GROUP_ROLES = statement(
  'changes_group_roles',
  'SELECT m.group_id AS id, m.role FROM group_members m JOIN groups g ON g.id = m.group_id WHERE m.user_id = $1 AND m.group_id = ANY($2)',
);

/**
 * The objects with these ids that still exist and are visible. The views that are read here omit objects that
 * moderators removed, and objects that are hidden because an account is banned. If an object is not in the result, the
 * feed reports only that the object is gone. $1 is the owner of the series, posts and notices.
 */
export const EXISTING_OBJECTS = statement(
  'changes_existing_objects',
  `SELECT 'series' AS kind, id, NULL AS slug, NULL::bigint AS person_id FROM series WHERE organizer_id = $1 AND id = ANY($2)
   UNION ALL SELECT 'post', id, slug, NULL FROM posts WHERE author_id = $1 AND id = ANY($3)
   UNION ALL SELECT 'comment', id, NULL, NULL FROM comments WHERE id = ANY($4)
   UNION ALL SELECT 'expense', id, NULL, NULL FROM expenses WHERE id = ANY($5)
   UNION ALL SELECT 'photo', id, NULL, NULL FROM gallery_photos WHERE id = ANY($6)
   UNION ALL SELECT 'itinerary', event_id, NULL, NULL FROM itineraries WHERE event_id = ANY($7)
   UNION ALL SELECT 'ticket', id, NULL, NULL FROM tickets WHERE id = ANY($8)
   UNION ALL SELECT 'participant', p.event_id, NULL, p.user_id FROM participations p
     JOIN unnest($9::bigint[], $10::bigint[]) AS asked (event_id, user_id) ON asked.event_id = p.event_id AND asked.user_id = p.user_id
   UNION ALL SELECT 'member', m.group_id, NULL, m.user_id FROM group_members m
     JOIN unnest($11::bigint[], $12::bigint[]) AS asked (group_id, user_id) ON asked.group_id = m.group_id AND asked.user_id = m.user_id
   UNION ALL SELECT 'notice', id, NULL, NULL FROM notifications WHERE user_id = $1 AND id = ANY($13)`,
);

/** The displayed columns of the people $1. */
export const PEOPLE_OF_CHANGES = statement(
  'changes_people',
  'SELECT id, name, nickname, slug, avatar_key FROM users WHERE id = ANY($1)',
);
