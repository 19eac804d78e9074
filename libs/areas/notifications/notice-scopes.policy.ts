import { levelOf, mayRead, type NarrowScope, type Scope } from '#contract/scopes';
import { NOTICE_SUBJECTS, type NoticeSubject } from './notice.query';

/** For each subject: to read notices about it, a caller needs at least one of these scopes. */
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
 * Whether a caller may read the entries of `GET /changes` about notices with this subject. The calling code has checked
 * that the caller may read notices. A caller with an access level (`levelOf`) may read all these entries. `subject` is
 * null for an old entry that does not contain the subject of the notice. Only a caller with an access level may read
 * such an entry.
 */
export function isReadableNotice(scopes: readonly Scope[], subject: string | null): boolean {
  return levelOf(scopes) !== null || readableSubjects(scopes).some((one) => one === subject);
}
