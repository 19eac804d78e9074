import type { Locale, ReportOutcome, ReportSubject } from '#contract/vocabulary';
import { FURTHER_NOTICES, type NoticeText } from './further-notice.texts';

/**
 * Texts of notices (JOIN-45, JOIN-46, JOIN-47), by kind. A comment in the list explains the placeholders of the texts
 * about moderation; further-notice.texts.ts has more placeholders. The other placeholders are:
 * - `{event}`: the title of the event
 * - `{when}`: the start of the event, in the reader's language and time zone
 * - `{person}`: the name of the person who acted
 * - `{refund}`: the sentence REFUNDED, or empty
 * - `{url}`: the address of a webhook; only its host if a link is next to the text
 * - `{app}`: the name of an app
 */
export const NOTICES = {
  event_cancelled: {
    en: { subject: 'Cancelled: {event}', body: 'The event “{event}” ({when}) has been cancelled.{refund}' },
    cs: { subject: 'Zrušeno: {event}', body: 'Akce „{event}“ ({when}) byla zrušena.{refund}' },
  },
  series_cancelled: {
    en: {
      subject: 'Cancelled: all dates of {event}',
      body: 'All upcoming dates of “{event}” have been cancelled. The first of your cancelled dates: {when}.{refund}',
    },
    cs: {
      subject: 'Zrušeno: všechny termíny série {event}',
      body: 'Všechny nadcházející termíny série „{event}“ byly zrušeny. První z vašich zrušených termínů: {when}.{refund}',
    },
  },
  event_deleted: {
    en: {
      subject: 'Will not take place: {event}',
      body: 'The event “{event}” ({when}) will not take place: its organizer has deleted it.',
    },
    cs: { subject: 'Nekoná se: {event}', body: 'Akce „{event}“ ({when}) se nekoná: pořadatel ji smazal.' },
  },
  invitation: {
    en: { subject: 'Invitation: {event}', body: '{person} invites you to “{event}” ({when}).' },
    cs: { subject: 'Pozvánka: {event}', body: '{person} vás zve na akci „{event}“ ({when}).' },
  },
  request: {
    en: { subject: 'Request to join {event}', body: '{person} asks to join “{event}” ({when}).' },
    cs: { subject: 'Žádost o účast: {event}', body: '{person} žádá o účast na akci „{event}“ ({when}).' },
  },
  approval: {
    en: { subject: 'Request approved: {event}', body: 'Your request to join “{event}” ({when}) has been approved.' },
    cs: {
      subject: 'Jste mezi účastníky: {event}',
      body: 'Vaše žádost o účast na akci „{event}“ ({when}) byla schválena.',
    },
  },
  decline: {
    en: { subject: 'Request declined: {event}', body: 'Your request to join “{event}” ({when}) has been declined.' },
    cs: {
      subject: 'Žádost zamítnuta: {event}',
      body: 'Vaše žádost o účast na akci „{event}“ ({when}) byla zamítnuta.',
    },
  },
  promotion: {
    en: {
      subject: 'A seat for you: {event}',
      body: 'You have moved from the waitlist to the participants of “{event}” ({when}).',
    },
    cs: {
      subject: 'Máte místo: {event}',
      body: 'Z čekací listiny jste postoupili mezi účastníky akce „{event}“ ({when}).',
    },
  },
  webhook_paused: {
    en: {
      subject: 'Your webhook is paused',
      body: 'Your webhook {url} is paused because it stopped accepting messages. Activate it again once it works. To read the changes that it missed, use /changes of the API.',
    },
    cs: {
      subject: 'Váš webhook je pozastavený',
      body: 'Váš webhook {url} je pozastavený, protože přestal přijímat zprávy. Až bude zase fungovat, zapněte ho. Změny, které mezitím nedostal, přečtete v API přes /changes.',
    },
  },
  removal: {
    en: { subject: 'Removed from {event}', body: 'The organizer has removed you from “{event}” ({when}).' },
    cs: { subject: 'Odebráno z akce {event}', body: 'Pořadatel vás odebral z akce „{event}“ ({when}).' },
  },
  // Moderation: `{thing}` and `{outcome}` are from PHRASES. `{named}` is the title of the content in parentheses, or
  // empty. `{reason}` is the moderator's text in quotation marks (QUOTED_REASON). `{ends}` is the end of a ban.
  // `{objection}` is the sentence about the right to an objection (OBJECTION or OBJECTION_WITH_URL), or empty.
  content_removed: {
    en: {
      subject: 'Your content was removed',
      body: 'The moderators have removed your content: {thing}{named}. Reason: {reason}{objection}',
    },
    cs: {
      subject: 'Váš obsah byl odstraněn',
      body: 'Moderátoři odstranili váš obsah: {thing}{named}. Důvod: {reason}{objection}',
    },
  },
  warning: {
    en: {
      subject: 'A warning from the moderators',
      body: 'The moderators have warned you about this: {thing}{named}. Reason: {reason}{objection}',
    },
    cs: {
      subject: 'Upozornění od moderátorů',
      body: 'Moderátoři vás upozorňují na porušení pravidel: {thing}{named}. Důvod: {reason}{objection}',
    },
  },
  account_banned: {
    en: {
      subject: 'Your account has been banned',
      body: 'The moderators have banned your account {ends} because of this: {thing}{named}. Reason: {reason}{objection}',
    },
    cs: {
      subject: 'Váš účet je zablokován',
      body: 'Moderátoři zablokovali váš účet {ends}. Týká se to: {thing}{named}. Důvod: {reason}{objection}',
    },
  },
  objection_granted: {
    en: {
      subject: 'Your objection has been accepted',
      body: 'The moderators have accepted your objection about this: {thing}{named}. They have reversed their decision. Reason: {reason}',
    },
    cs: {
      subject: 'Vaší námitce bylo vyhověno',
      body: 'Moderátoři vyhověli vaší námitce. Týká se to: {thing}{named}. Původní rozhodnutí zrušili. Důvod: {reason}',
    },
  },
  objection_dismissed: {
    en: {
      subject: 'Your objection has been rejected',
      body: 'The moderators have rejected your objection about this: {thing}{named}. Their decision does not change. Reason: {reason}',
    },
    cs: {
      subject: 'Vaše námitka byla zamítnuta',
      body: 'Moderátoři zamítli vaši námitku. Týká se to: {thing}{named}. Jejich rozhodnutí se nemění. Důvod: {reason}',
    },
  },
  report_decided: {
    en: {
      subject: 'A decision on your report',
      body: 'The moderators have reviewed what you reported: {thing}{named}. {outcome}',
    },
    cs: {
      subject: 'O vašem nahlášení je rozhodnuto',
      body: 'Moderátoři posoudili, co jste nahlásili: {thing}{named}. {outcome}',
    },
  },
  app_connected: {
    en: {
      subject: 'An app is connected: {app}',
      body: 'The app “{app}” can now act for your account. If you did not connect it, disconnect it and change your password.',
    },
    cs: {
      subject: 'Připojená aplikace: {app}',
      body: 'Aplikace „{app}“ teď může jednat za váš účet. Pokud jste ji nepřipojili vy, odpojte ji a změňte si heslo.',
    },
  },
  ...FURTHER_NOTICES,
} as const satisfies Record<string, Record<Locale, NoticeText>>;

/** The phrases for the values of the placeholders `{thing}` and `{outcome}`. */
export const PHRASES: Readonly<Record<string, Readonly<Record<string, Record<Locale, string>>>>> = {
  thing: {
    event: { en: 'event', cs: 'akce' },
    series: { en: 'series', cs: 'série' },
    group: { en: 'group', cs: 'skupina' },
    post: { en: 'post', cs: 'příspěvek' },
    comment: { en: 'comment', cs: 'komentář' },
    photo: { en: 'photo', cs: 'fotka' },
    puls: { en: 'Puls post', cs: 'příspěvek v Pulsu' },
    message: { en: 'message to the people of an event', cs: 'zpráva účastníkům akce' },
    user: { en: 'account', cs: 'účet' },
  } satisfies Record<ReportSubject, Record<Locale, string>>,
  outcome: {
    dismissed: { en: 'They found nothing against the rules.', cs: 'Nenašli nic proti pravidlům.' },
    removed: { en: 'They have removed it.', cs: 'Odstranili to.' },
    warned: { en: 'They have warned its author.', cs: 'Autora upozornili.' },
    banned: { en: 'They have banned its author.', cs: 'Autora zablokovali.' },
  } satisfies Record<ReportOutcome, Record<Locale, string>>,
};

/** The quotation marks around the moderator's text (`{reason}` in NOTICES). */
export const QUOTED_REASON: Record<Locale, string> = { en: '“{reason}”', cs: '„{reason}“' };

/**
 * The sentence for a decision against which the author may submit an objection. A link to the page for objections is
 * next to the text.
 */
export const OBJECTION: Record<Locale, string> = {
  en: ' You can submit one objection, within {days} days.',
  cs: ' Do {days} dnů můžete podat jednu námitku.',
};

/** Like OBJECTION, but the text itself contains the address of the page for objections. */
export const OBJECTION_WITH_URL: Record<Locale, string> = {
  en: ' You can submit one objection, within {days} days: {page}',
  cs: ' Do {days} dnů můžete podat jednu námitku: {page}',
};

/** The phrases for `{ends}`, the end of a ban. `words.ends` of the notice is the instant, or "never". */
export const BAN_ENDS: Readonly<Record<'never' | 'until', Record<Locale, string>>> = {
  never: { en: 'permanently', cs: 'natrvalo' },
  until: { en: 'until {time}', cs: 'do {time}' },
};

/** The sentence for people who got credits back. `{credits}` is the number of credits. */
export const REFUNDED: Record<Locale, string> = {
  en: ' The credits you paid have been returned to your account: {credits}.',
  cs: ' Zaplacené kredity jsou zpět na vašem účtu: {credits}.',
};

export type NoticeKind = keyof typeof NOTICES;
export const NOTICE_KINDS = Object.keys(NOTICES) as NoticeKind[];
