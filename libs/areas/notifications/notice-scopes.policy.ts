import { levelOf, mayRead, type NarrowScope, type Scope } from '#contract/scopes';
import { NOTICE_SUBJECTS, type NoticeSubject } from './notice.query';

/** The scopes for each subject. To read notices about the subject, a caller needs at least one of them. */
const SCOPES_OF: Readonly<Record<NoticeSubject, readonly NarrowScope[]>> = {
  event: ['events:read', 'discover:read'],
  webhook: ['webhooks:read'],
  decision: ['notices:read'],
  app: ['notices:read'],
  report: ['reports:read'],
  group: ['groups:read'],
  comment: ['comments:read'],
  message: ['events:read', 'discover:read'],
};

/** The subjects about which a caller with these scopes may read notices (SCOPE-5). */
export function readableSubjects(scopes: readonly Scope[]): NoticeSubject[] {
  return NOTICE_SUBJECTS.filter((subject) => mayRead(scopes, SCOPES_OF[subject]));
}

/**
 * Whether a caller who may read notices may read entries of `GET /changes` about notices with this subject. A caller
 * with an access level may read all of them. `subject` is null for an entry that was stored before entries contained
 * the subject of the notice; only callers with an access level read such an entry.
 */
export function isReadableNotice(scopes: readonly Scope[], subject: string | null): boolean {
  return levelOf(scopes) !== null || readableSubjects(scopes).some((one) => one === subject);
}
