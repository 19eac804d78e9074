import { levelOf, mayRead, type NarrowScope, type Scope } from '#contract/scopes';
import { NOTICE_SUBJECTS, type NoticeSubject } from './notice.query';

/** The scopes that let a caller read what a notice is about: one of them is enough. */
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

/** The subjects whose notices the scopes let the caller read (SCOPE-5). */
export function readableSubjects(scopes: readonly Scope[]): NoticeSubject[] {
  return NOTICE_SUBJECTS.filter((subject) => mayRead(scopes, SCOPES_OF[subject]));
}

/** Whether such a notice is in the feed of the caller. `subject` is null for a notice from before subjects were recorded in the feed. */
export function isReadableNotice(scopes: readonly Scope[], subject: string | null): boolean {
  return levelOf(scopes) !== null || readableSubjects(scopes).some((one) => one === subject);
}
