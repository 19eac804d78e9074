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
 * Whether `GET /changes` returns entries about notices with this subject to the caller. `subject` is null for an entry
 * that was stored before entries contained the subject of the notice.
 */
export function isReadableNotice(scopes: readonly Scope[], subject: string | null): boolean {
  return levelOf(scopes) !== null || readableSubjects(scopes).some((one) => one === subject);
}
