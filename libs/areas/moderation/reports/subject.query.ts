import type { ReportSubject } from '#contract/vocabulary';
import { statement, type Statement } from '#platform/database/database';
import { isBannedSql } from '../../identity/account-conditions.sql';

/** The current state of an object that can be reported. */
export interface SubjectRow {
  readonly id: string;
  /** The owner of the object. For a message this is the organizer of the event. */
  readonly author_id: string;
  /** The event of a photo, of a message, or of a comment on an event. A comment on a post has `post_id` instead. */
  readonly event_id?: string | null;
  readonly post_id?: string | null;
  /** Only for a person: `searchable` and `banned` decide who sees the person. */
  readonly searchable?: boolean;
  readonly banned?: boolean;
  /** The content that moderators see. */
  readonly snapshot: Readonly<Record<string, unknown>>;
}

/**
 * SQL of the snapshot that is stored with a report. The snapshot contains these columns of row `s` if they are not
 * null.
 */
function snapshotSql(...columns: readonly string[]): string {
  return `jsonb_strip_nulls(jsonb_build_object(${columns.map((column) => `'${column}', s.${column}`).join(', ')})) AS snapshot`;
}

const subjectStatement = (kind: ReportSubject, text: string): Statement =>
  statement(`moderation_subject_${kind}`, text);

/** The current state of the object with row id $1. */
export const SUBJECTS: Readonly<Record<ReportSubject, Statement>> = {
  event: subjectStatement(
    'event',
    `SELECT s.id, s.organizer_id AS author_id, ${snapshotSql('title', 'description', 'starts_at', 'location_name', 'location_address', 'ticket_url', 'images')} FROM events s WHERE s.id = $1`,
  ),
  series: subjectStatement(
    'series',
    `SELECT s.id, s.organizer_id AS author_id, jsonb_build_object('title', s.template->'title', 'description', s.template->'description') AS snapshot FROM series s WHERE s.id = $1`,
  ),
  group: subjectStatement(
    'group',
    `SELECT s.id, s.owner_id AS author_id, ${snapshotSql('name', 'description', 'location_name', 'avatar_key', 'cover_key')} FROM groups s WHERE s.id = $1`,
  ),
  post: subjectStatement(
    'post',
    `SELECT s.id, s.author_id, ${snapshotSql('slug', 'title', 'excerpt', 'body', 'location', 'cover_key')} FROM posts s WHERE s.id = $1`,
  ),
  comment: subjectStatement(
    'comment',
    `SELECT s.id, s.author_id, coalesce(root.event_id, s.event_id) AS event_id, coalesce(root.post_id, s.post_id) AS post_id, ${snapshotSql('body', 'image_key')}
     FROM comments s LEFT JOIN comments root ON root.id = s.root_id WHERE s.id = $1`,
  ),
  photo: subjectStatement(
    'photo',
    `SELECT s.id, s.author_id, s.event_id, ${snapshotSql('key')} FROM gallery_photos s WHERE s.id = $1`,
  ),
  puls: subjectStatement(
    'puls',
    `SELECT s.id, s.author_id, ${snapshotSql('body', 'location_name', 'image_key', 'video_key')} FROM puls_posts s WHERE s.id = $1`,
  ),
  message: subjectStatement(
    'message',
    `SELECT s.id, e.organizer_id AS author_id, s.event_id, ${snapshotSql('text')} FROM event_messages s JOIN events e ON e.id = s.event_id WHERE s.id = $1`,
  ),
  user: subjectStatement(
    'user',
    `SELECT s.id, s.id AS author_id, s.searchable, ${isBannedSql('s')} AS banned, ${snapshotSql('name', 'nickname', 'avatar_key')} FROM users s WHERE s.id = $1 AND NOT s.gone`,
  ),
};
