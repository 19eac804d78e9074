import type { Locale } from '#contract/vocabulary';
import { NOTICES, REFUNDED, type NoticeKind } from './notice.texts';

/** A notice with its reader. */
export interface MailableNotice {
  readonly kind: NoticeKind;
  readonly event_title: string;
  readonly event_starts_at: Date;
  readonly person: string | null;
  /** bigint, as text */
  readonly refunded_credits: string;
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
const SOMEBODY: Record<Locale, string> = { en: 'Somebody', cs: 'Někdo' };

/** A notice as a mail in its reader's language, with the start of the event as clocks show it where the reader is. */
export function noticeMail(notice: MailableNotice): MailText {
  const locale: Locale = notice.locale === 'cs' ? 'cs' : 'en';
  const { subject, body } = NOTICES[notice.kind][locale];
  const values: Record<string, string> = {
    name: notice.name,
    event: notice.event_title,
    person: notice.person ?? SOMEBODY[locale],
    when: new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone: notice.timezone }).format(notice.event_starts_at),
  };
  const credits = Number(notice.refunded_credits);
  values['refund'] = credits > 0 ? REFUNDED[locale].replace('{credits}', String(credits)) : '';
  const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
  return { subject: filled(subject), text: `${filled(GREETING[locale])}\n\n${filled(body)}\n` };
}
