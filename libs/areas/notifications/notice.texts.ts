import type { Locale, ReportOutcome, ReportSubject } from '#contract/vocabulary';

interface NoticeText {
  readonly subject: string;
  readonly body: string;
}

/**
 * What people are told (JOIN-45, JOIN-46, JOIN-47), by kind. `{event}` is the title, `{when}` the start in the
 * reader's language and time zone, `{person}` whose doing it is, `{refund}` the sentence REFUNDED or nothing.
 */
export const NOTICES = {
  event_cancelled: {
    en: { subject: 'Cancelled: {event}', body: 'The event “{event}” ({when}) has been cancelled.{refund}' },
    cs: { subject: 'Zrušeno: {event}', body: 'Událost „{event}“ ({when}) byla zrušena.{refund}' },
  },
  series_cancelled: {
    en: { subject: 'Cancelled: all dates of {event}', body: 'All upcoming dates of “{event}” have been cancelled, yours from {when} on.{refund}' },
    cs: { subject: 'Zrušeno: všechny termíny {event}', body: 'Všechny nadcházející termíny „{event}“ byly zrušeny, ty vaše od {when}.{refund}' },
  },
  event_deleted: {
    en: { subject: 'Called off: {event}', body: 'The event “{event}” ({when}) will not take place: its organizer has deleted it.' },
    cs: { subject: 'Nekoná se: {event}', body: 'Událost „{event}“ ({when}) se nekoná: organizátor ji smazal.' },
  },
  invitation: {
    en: { subject: 'Invitation: {event}', body: '{person} invites you to “{event}” ({when}).' },
    cs: { subject: 'Pozvánka: {event}', body: '{person} vás zve na „{event}“ ({when}).' },
  },
  request: {
    en: { subject: 'Request to join {event}', body: '{person} asks to join “{event}” ({when}).' },
    cs: { subject: 'Žádost o účast: {event}', body: '{person} žádá o účast na „{event}“ ({when}).' },
  },
  approval: {
    en: { subject: 'You are in: {event}', body: 'Your request to join “{event}” ({when}) has been approved.' },
    cs: { subject: 'Jste mezi účastníky: {event}', body: 'Vaše žádost o účast na „{event}“ ({when}) byla schválena.' },
  },
  decline: {
    en: { subject: 'Request declined: {event}', body: 'Your request to join “{event}” ({when}) has been declined.' },
    cs: { subject: 'Žádost zamítnuta: {event}', body: 'Vaše žádost o účast na „{event}“ ({when}) byla zamítnuta.' },
  },
  promotion: {
    en: { subject: 'A place for you: {event}', body: 'You have moved from the waitlist to the participants of “{event}” ({when}).' },
    cs: { subject: 'Máte místo: {event}', body: 'Z čekací listiny jste postoupili mezi účastníky „{event}“ ({when}).' },
  },
  webhook_paused: {
    en: { subject: 'Your webhook is paused', body: 'Your webhook {url} is paused: it took no more messages. Make it active again once it does; what happened meanwhile is in /changes.' },
    cs: { subject: 'Váš webhook je pozastavený', body: 'Váš webhook {url} je pozastavený: zprávy už nepřijímal. Až bude, zapněte ho; co se mezitím stalo, je v /changes.' },
  },
  removal: {
    en: { subject: 'Removed from {event}', body: 'The organizer has removed you from “{event}” ({when}).' },
    cs: { subject: 'Odebráno z {event}', body: 'Organizátor vás odebral z „{event}“ ({when}).' },
  },
  // Of moderation: `{thing}` and `{outcome}` are of PHRASES, `{named}` is its title in brackets or nothing, `{reason}` the moderators',
  // `{ends}` how long a ban holds, `{object}` the sentence OBJECT or nothing.
  content_removed: {
    en: { subject: 'Something of yours was removed', body: 'The moderators have removed something of yours: {thing}{named}. Reason: “{reason}”{object}' },
    cs: { subject: 'Něco vašeho bylo odstraněno', body: 'Moderátoři odstranili něco vašeho: {thing}{named}. Důvod: „{reason}“{object}' },
  },
  warning: {
    en: { subject: 'A warning from the moderators', body: 'The moderators warn you because of something of yours: {thing}{named}. Reason: “{reason}”{object}' },
    cs: { subject: 'Upozornění od moderátorů', body: 'Moderátoři vás upozorňují kvůli něčemu vašemu: {thing}{named}. Důvod: „{reason}“{object}' },
  },
  account_banned: {
    en: { subject: 'Your account is banned', body: 'The moderators have banned your account {ends} because of something of yours: {thing}{named}. Reason: “{reason}”{object}' },
    cs: { subject: 'Váš účet je zablokován', body: 'Moderátoři zablokovali váš účet {ends} kvůli něčemu vašemu: {thing}{named}. Důvod: „{reason}“{object}' },
  },
  objection_granted: {
    en: { subject: 'Your objection is granted', body: 'The moderators have granted your objection: {thing}{named}. What they had decided is undone. “{reason}”' },
    cs: { subject: 'Vaší námitce bylo vyhověno', body: 'Moderátoři vyhověli vaší námitce: {thing}{named}. Co rozhodli, je zrušeno. „{reason}“' },
  },
  objection_dismissed: {
    en: { subject: 'Your objection is dismissed', body: 'The moderators have dismissed your objection: {thing}{named}. What they have decided stands. Reason: “{reason}”' },
    cs: { subject: 'Vaše námitka byla zamítnuta', body: 'Moderátoři zamítli vaši námitku: {thing}{named}. Co rozhodli, platí. Důvod: „{reason}“' },
  },
  report_decided: {
    en: { subject: 'What you reported was decided', body: 'The moderators have looked at what you reported: {thing}{named}. {outcome}' },
    cs: { subject: 'O vašem nahlášení je rozhodnuto', body: 'Moderátoři posoudili, co jste nahlásili: {thing}{named}. {outcome}' },
  },
} as const satisfies Record<string, Record<Locale, NoticeText>>;

/** What stands for a word of a notice in these places. */
export const PHRASES: Readonly<Record<string, Readonly<Record<string, Record<Locale, string>>>>> = {
  thing: {
    event: { en: 'event', cs: 'událost' },
    series: { en: 'series', cs: 'série' },
    group: { en: 'group', cs: 'skupina' },
    post: { en: 'post', cs: 'článek' },
    comment: { en: 'comment', cs: 'komentář' },
    photo: { en: 'photo', cs: 'fotka' },
    puls: { en: 'Puls post', cs: 'příspěvek v Pulsu' },
    user: { en: 'account', cs: 'účet' },
  } satisfies Record<ReportSubject, Record<Locale, string>>,
  outcome: {
    dismissed: { en: 'They found nothing against the rules.', cs: 'Nenašli nic proti pravidlům.' },
    removed: { en: 'They have removed it.', cs: 'Odstranili to.' },
    warned: { en: 'They have warned its author.', cs: 'Autora upozornili.' },
    banned: { en: 'They have banned its author.', cs: 'Autora zablokovali.' },
  } satisfies Record<ReportOutcome, Record<Locale, string>>,
};

/** Of a decision that its author may object to, where `words` have the page for that. */
export const OBJECT: Record<Locale, string> = {
  en: ' You may object, once, within {days} days: {page}',
  cs: ' Jednou, do {days} dnů, můžete podat námitku: {page}',
};

/** How long a ban holds: `words.ends` is the instant, or "never". */
export const BAN_ENDS: Readonly<Record<'never' | 'until', Record<Locale, string>>> = {
  never: { en: 'for good', cs: 'natrvalo' },
  until: { en: 'until {time}', cs: 'do {time}' },
};

/** Told only to those to whom it gave credits back; `{credits}` is how many. */
export const REFUNDED: Record<Locale, string> = {
  en: ' Credits you paid are back on your account: {credits}.',
  cs: ' Zaplacené kredity jsou zpět na vašem účtu: {credits}.',
};

export type NoticeKind = keyof typeof NOTICES;
export const NOTICE_KINDS = Object.keys(NOTICES) as NoticeKind[];
