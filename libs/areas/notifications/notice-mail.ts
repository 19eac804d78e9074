import type { Locale } from '#contract/vocabulary';
import { noticeLocale, noticeWords, type NoticeWords } from './notice-words';

/** A notice with its reader. */
export interface MailableNotice extends NoticeWords {
  readonly name: string;
  readonly email: string | null;
  readonly locale: string;
  readonly timezone: string;
}

interface MailText {
  readonly subject: string;
  readonly text: string;
}

const GREETING: Record<Locale, string> = { en: 'Hello {name},', cs: 'Dobrý den, {name},' };

/** A notice as a mail in its reader's language, with the start of the event as clocks show it where the reader is. */
export function noticeMail(notice: MailableNotice): MailText {
  const locale = noticeLocale(notice.locale);
  const { subject, text } = noticeWords(notice, { locale, timezone: notice.timezone });
  return { subject, text: `${GREETING[locale].replace('{name}', () => notice.name)}\n\n${text}\n` };
}
