import { LIMITS } from '#contract/limits';
import type { Locale } from '#contract/vocabulary';
import { LANGUAGE_TAGS } from '#platform/messages/language-tags';
import { dateFormat } from '#platform/time/date-format';
import { composedPhrases } from './notice-phrases';
import {
  BAN_ENDS,
  NOTICES,
  OBJECTION,
  OBJECTION_WITH_URL,
  PHRASES,
  QUOTED_REASON,
  REFUNDED,
  type NoticeKind,
} from './notice.texts';
import { parseUrl } from '#platform/text/url';

/** The parts of a notice's text. */
export interface NoticeWords {
  readonly kind: NoticeKind;
  readonly event_title: string | null;
  readonly event_starts_at: Date | null;
  /** Name of the acting person; null if there is none, or if the account was deleted. */
  readonly person: string | null;
  /** Credits that were paid back to the recipient: a bigint as text. */
  readonly refunded_credits: string;
  /** The stored values of placeholders of this kind of notice, by name. */
  readonly words: Readonly<Record<string, string>>;
  /**
   * Names of people in a notice about new participants, or about new people on the waitlist, in the order in which they
   * joined. Deleted accounts are omitted.
   */
  readonly names?: readonly string[] | null;
  /**
   * For a notice about a comment: the beginning of this comment; null if the comment, its event or its post was deleted
   * or is hidden.
   */
  readonly quote?: string | null;
  /** The text of the organizer's message; null if the message was deleted or is hidden. */
  readonly message?: string | null;
}

/** Language and time zone of the recipient of a notice. */
export interface NoticeRecipient {
  readonly locale: Locale;
  readonly timezone: string;
  /**
   * Whether a link is shown next to the text, as on pages and in mails. The text may then contain the name of a host,
   * but no full address (NOTE-9).
   */
  readonly hasLinks?: boolean;
}

const OBJECTION_DAYS = LIMITS.moderation.kept / 86_400;
const SOMEBODY: Record<Locale, string> = { en: 'Somebody', cs: 'Někdo' };

/** Subject and text of a notice for its recipient. */
export function noticeWords(
  notice: NoticeWords,
  { locale, timezone, hasLinks = false }: NoticeRecipient,
): { readonly subject: string; readonly text: string } {
  const { subject, body } = NOTICES[notice.kind][locale];
  const credits = Number(notice.refunded_credits);
  // The Czech format puts "v" between date and time, but some hours need "ve", for example 12:00. A comma is always
  // correct.
  const instantIn = (dateStyle: 'full' | 'long', at: Date): string =>
    dateFormat(LANGUAGE_TAGS[locale], { dateStyle, timeStyle: 'short', timeZone: timezone })
      .format(at)
      .replace(' v ', ', ');
  const instant = (at: Date): string => instantIn('full', at);
  // A deadline has no day of the week, because Czech would have to inflect the name of the day after "do".
  const deadline = (at: Date): string => instantIn('long', at);
  const { ends, page, url, until, reason } = notice.words;
  const objection = hasLinks ? OBJECTION : OBJECTION_WITH_URL;
  const host = hasLinks ? parseUrl(url ?? '')?.host : undefined;
  const values: Record<string, string> = {
    ...Object.fromEntries(
      Object.entries(notice.words).map(([name, word]) => [name, PHRASES[name]?.[word]?.[locale] ?? word]),
    ),
    ...(host !== undefined && { url: host }),
    ...composedPhrases(notice, locale, instant),
    event: notice.event_title ?? notice.words.title ?? '',
    person: notice.person ?? SOMEBODY[locale],
    when: notice.event_starts_at ? instant(notice.event_starts_at) : '',
    ...(until !== undefined && { until: deadline(new Date(until)) }),
    ...(reason !== undefined && { reason: quotedReason(reason, locale) }),
    ends:
      ends === undefined || ends === 'never'
        ? BAN_ENDS.never[locale]
        : BAN_ENDS.until[locale].replace('{time}', deadline(new Date(ends))),
    objection:
      page === undefined ? '' : objection[locale].replace('{days}', String(OBJECTION_DAYS)).replace('{page}', page),
    refund: credits > 0 ? REFUNDED[locale].replace('{credits}', String(credits)) : '',
  };
  const fillIn = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
  return { subject: fillIn(subject), text: fillIn(body) };
}

/** The reason in quotation marks. A full stop follows, unless the reason itself ends with `.`, `!`, `?` or `…`. */
function quotedReason(reason: string, locale: Locale): string {
  return QUOTED_REASON[locale].replace('{reason}', () => reason) + (/[.!?…]$/.test(reason) ? '' : '.');
}
