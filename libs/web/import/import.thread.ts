import { LIMITS } from '#contract/limits';
import { answerQuestions } from '#platform/threads/answer-questions';
import { calendarDrafts } from './calendar-drafts';
import { fieldsOf, type EventDraft, type FilledDraft } from './event-draft';
import { pageDrafts } from './page-drafts';

/** A file from another site, the reader's time zone, and the current time. */
export interface ImportQuestion {
  readonly text: string;
  readonly zone: string;
  readonly now: Date;
  /** Whether a file that is not a calendar is read as an HTML page. */
  readonly mayBePage: boolean;
}

/**
 * Finds the events of a file. Returns at most `LIMITS.imports.choices` + 1 events: a person can choose only from the
 * first `choices` events, and the additional event shows that the file contains more. `ImportFiles` starts this thread.
 */
answerQuestions(({ text, zone, now, mayBePage }: ImportQuestion): FilledDraft[] => {
  const drafts = calendarDrafts(text, zone, now) ?? (mayBePage ? pageDrafts(text, zone) : []);
  return sortedDrafts(drafts, now)
    .slice(0, LIMITS.imports.choices + 1)
    .map(fieldsOf);
});

/**
 * Sorts events: upcoming events come first (the next event first), then events without a start, then past events (the
 * latest first).
 */
function sortedDrafts(drafts: readonly EventDraft[], now: Date): EventDraft[] {
  const rank = ({ startsAt }: EventDraft): number => {
    if (startsAt === null) return 1;
    return startsAt >= now ? 0 : 2;
  };
  const time = ({ startsAt }: EventDraft): number => Math.abs((startsAt ?? now).getTime() - now.getTime());
  return [...drafts].sort((one, other) => rank(one) - rank(other) || time(one) - time(other));
}
