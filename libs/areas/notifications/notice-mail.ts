import type { Locale } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { renderMail } from '#platform/mail/render-mail';
import type { Mail } from '#platform/mail/mailbox';
import { storedLocale } from '#platform/messages/locale';
import { isForOrganizer, NOTICES_PAGE, pagePathOf, type NoticeTarget } from './notice-places';
import { noticeWords, type NoticeWords } from './notice-words';
import type { NoticeKind } from './notice.texts';

/** A notice, and the name, address, language and time zone of its reader. */
export interface MailableNotice extends NoticeWords, NoticeTarget {
  readonly name: string;
  readonly email: string | null;
  readonly locale: string;
  readonly timezone: string;
}

const TEXTS = {
  // Czech would have to put the name into the vocative.
  greeting: { en: 'Hello {name},', cs: 'Dobrý den!' },
  accept_seat: { en: 'Accept the seat', cs: 'Přijmout místo' },
  answer_invitation: { en: 'Answer the invitation', cs: 'Odpovědět na pozvání' },
  answer_request: { en: 'Answer the request', cs: 'Vyřídit žádost' },
  show_event: { en: 'View the event', cs: 'Zobrazit akci' },
  show_people: { en: 'View the participants', cs: 'Zobrazit účastníky' },
  show_group: { en: 'View the group', cs: 'Zobrazit skupinu' },
  show_comment: { en: 'View the comment', cs: 'Zobrazit komentář' },
  show_message: { en: 'View the event', cs: 'Zobrazit akci' },
  show_webhook: { en: 'View the webhook', cs: 'Zobrazit webhook' },
  show_app: { en: 'View your connected apps', cs: 'Zobrazit připojené aplikace' },
  show_decision: { en: 'View the decision', cs: 'Zobrazit rozhodnutí' },
  object: { en: 'View the decision or submit an objection', cs: 'Zobrazit rozhodnutí nebo podat námitku' },
  show_report: { en: 'View your reports', cs: 'Zobrazit vaše nahlášení' },
  show_notices: { en: 'View your notices', cs: 'Zobrazit oznámení' },
  why: {
    en: 'You are receiving this e-mail because you have an account here.',
    cs: 'Tento e-mail dostáváte, protože tu máte účet.',
  },
  stop: { en: 'Stop e-mails of this kind', cs: 'Tento druh e-mailů už nechci' },
  choose: { en: 'Choose which e-mails you receive', cs: 'Vybrat, které e-maily chci' },
} as const satisfies Record<string, Record<Locale, string>>;

/** The text of the main link of notices that wait for an answer of the reader. */
const ANSWERS: Partial<Record<NoticeKind, keyof typeof TEXTS>> = {
  seat_offered: 'accept_seat',
  invitation: 'answer_invitation',
  group_invitation: 'answer_invitation',
  request: 'answer_request',
  group_request: 'answer_request',
};

/**
 * A notice as a mail in the reader's language, with the start of the event in the reader's time zone. The mail contains
 * a main link (`actionOf`), a link that stops mails about this kind of notice, and a link to the page on which the
 * reader chooses mails. `key` is the reader's key in `mail_choices`.
 */
export function noticeMail(notice: MailableNotice, key: string, wire: WireFormat): Omit<Mail, 'to'> {
  const locale = storedLocale(notice.locale);
  const { subject, text } = noticeWords(notice, { locale, timezone: notice.timezone, hasLinks: true });
  const unsubscribe = wire.page(`/unsubscribe/${key}/${notice.kind}`);
  return {
    ...renderMail({
      locale,
      subject,
      greeting: TEXTS.greeting[locale].replace('{name}', () => notice.name),
      paragraphs: paragraphsOf(text, notice.message),
      action: actionOf(notice, locale, wire),
      foot: [
        TEXTS.why[locale],
        { text: TEXTS.stop[locale], url: unsubscribe },
        { text: TEXTS.choose[locale], url: wire.page('/account/notices#mails') },
      ],
    }),
    unsubscribe,
  };
}

/**
 * The text and the address of the mail's main link. This link leads to the page of the notice (`pagePathOf`), to the
 * page for objections, or to the list of notices. The link to the page for objections contains a key, because a banned
 * person cannot sign in.
 */
function actionOf(notice: MailableNotice, locale: Locale, wire: WireFormat): { text: string; url: string } {
  const { link } = notice.words;
  if (link !== undefined) {
    const isAnswered = notice.kind === 'objection_granted' || notice.kind === 'objection_dismissed';
    return { text: TEXTS[isAnswered ? 'show_decision' : 'object'][locale], url: link };
  }
  const path = pagePathOf(notice, wire);
  const target = isForOrganizer(notice) ? 'people' : notice.subject_type;
  const key = path === NOTICES_PAGE ? 'show_notices' : (ANSWERS[notice.kind] ?? (`show_${target}` as const));
  return { text: TEXTS[key][locale], url: wire.page(path) };
}

/** The message of an organizer, which is at the end of the text, is a separate paragraph. */
function paragraphsOf(text: string, message: string | null = null): string[] {
  return message && text.endsWith(message) ? [text.slice(0, -message.length).trimEnd(), message] : [text];
}
