import type { Locale } from '#contract/vocabulary';

export interface NoticeText {
  readonly subject: string;
  readonly body: string;
}

/**
 * Texts of reminders, and of the notices about changes of events and series, new participants and waiting people,
 * offered seats, comments, messages of organizers, and groups (NOTE-11 to NOTE-18, MSG-2, JOIN-60). notice-phrases.ts
 * composes `{changes}`, `{where}`, `{names}`, `{message}`, `{quote}` and `{does}`.
 */
export const FURTHER_NOTICES = {
  event_changed: {
    en: { subject: 'Changed: {event}', body: 'The event “{event}” has changed. {changes}' },
    cs: { subject: 'Změna: {event}', body: 'Akce „{event}“ se změnila. {changes}' },
  },
  series_changed: {
    en: {
      subject: 'New place: {event}',
      body: 'The place of all upcoming dates of “{event}” has changed. Your next date is {when}. {changes}',
    },
    cs: {
      subject: 'Nové místo: {event}',
      body: 'U všech nadcházejících termínů série „{event}“ se změnilo místo. Váš nejbližší termín: {when}. {changes}',
    },
  },
  reminder: {
    en: { subject: 'Reminder: {event}', body: 'The event “{event}” starts soon: {when}.{where}' },
    cs: { subject: 'Připomínka: {event}', body: 'Akce „{event}“ se blíží: {when}.{where}' },
  },
  joined: {
    en: { subject: 'New participants: {event}', body: '{names} joined “{event}” ({when}).' },
    cs: { subject: 'Noví účastníci: {event}', body: 'Nové přihlášky na akci „{event}“ ({when}): {names}.' },
  },
  waitlisted: {
    en: { subject: 'New on the waitlist: {event}', body: '{names} joined the waitlist of “{event}” ({when}).' },
    cs: {
      subject: 'Noví čekající: {event}',
      body: 'Noví lidé na čekací listině akce „{event}“ ({when}): {names}.',
    },
  },
  seat_offered: {
    en: {
      subject: 'Offer of a seat: {event}',
      body: 'A seat at “{event}” ({when}) is reserved for you until {until}. If you do not accept it on the page of the event by then, the next person on the waitlist gets the offer.',
    },
    cs: {
      subject: 'Nabídka místa: {event}',
      body: 'Na akci „{event}“ ({when}) se uvolnilo místo a do {until} je rezervované pro vás. Pokud ho do té doby nepřijmete na stránce akce, nabídneme ho dalšímu člověku z čekací listiny.',
    },
  },
  offer_lapsed: {
    en: {
      subject: 'Offer expired: {event}',
      body: 'The seat at “{event}” ({when}) that was reserved for you is no longer available: the offer expired. You are no longer on the waitlist.',
    },
    cs: {
      subject: 'Nabídka místa vypršela: {event}',
      body: 'Nabídka místa na akci „{event}“ ({when}) vypršela. Na čekací listině už nejste.',
    },
  },
  comment: {
    en: { subject: 'New comment: {event}', body: '{person} {does} “{event}”{quote}' },
    cs: { subject: 'Nový komentář: {event}', body: '{person} {does} „{event}“{quote}' },
  },
  organizer_message: {
    en: { subject: 'Message from the organizer: {event}', body: '{person} writes about “{event}”: {message}' },
    cs: { subject: 'Zpráva od pořadatele: {event}', body: '{person} píše k akci „{event}“: {message}' },
  },
  group_invitation: {
    en: { subject: 'Invitation to the group {group}', body: '{person} invites you to the group “{group}”.' },
    cs: { subject: 'Pozvánka do skupiny {group}', body: '{person} vás zve do skupiny „{group}“.' },
  },
  group_request: {
    en: { subject: 'Request to join the group {group}', body: '{person} asks to join your group “{group}”.' },
    cs: { subject: 'Žádost o vstup do skupiny {group}', body: '{person} žádá o vstup do vaší skupiny „{group}“.' },
  },
  group_approval: {
    en: {
      subject: 'You are in the group {group}',
      body: 'Your request to join the group “{group}” has been approved.',
    },
    cs: { subject: 'Jste ve skupině {group}', body: 'Vaše žádost o vstup do skupiny „{group}“ byla schválena.' },
  },
} as const satisfies Record<string, Record<Locale, NoticeText>>;

/** Shown instead of an organizer's message that was removed, or that was deleted together with its event. */
export const NO_MESSAGE: Record<Locale, string> = {
  en: 'this message is no longer available.',
  cs: 'tato zpráva už není k dispozici.',
};

/** The texts of `{does}`: the action of the author of a comment or a reply, before the title of an event or post. */
export const COMMENTING: Readonly<Record<'comment' | 'reply', Record<'event' | 'post', Record<Locale, string>>>> = {
  comment: {
    event: { en: 'commented on', cs: 'komentuje akci' },
    post: { en: 'commented on', cs: 'komentuje příspěvek' },
  },
  reply: {
    event: { en: 'replied to a comment on', cs: 'odpovídá na komentář u akce' },
    post: { en: 'replied to a comment on', cs: 'odpovídá na komentář u příspěvku' },
  },
};

/** The sentences about the changed parts of an event, and for each part the words for a missing value. */
export const CHANGED_FIELDS = {
  starts: {
    text: {
      en: 'New start: {to} (previously: {from}).',
      cs: 'Nový začátek: {to} (dříve: {from}).',
    },
    missing: { en: 'not set', cs: 'neuvedeno' },
  },
  ends: {
    text: { en: 'New end: {to} (previously: {from}).', cs: 'Nový konec: {to} (dříve: {from}).' },
    missing: { en: 'not set', cs: 'neuvedeno' },
  },
  place: {
    text: { en: 'New place: {to} (previously: {from}).', cs: 'Nové místo: {to} (dříve: {from}).' },
    missing: { en: 'not given', cs: 'neuvedeno' },
  },
  address: {
    text: { en: 'New address: {to} (previously: {from}).', cs: 'Nová adresa: {to} (dříve: {from}).' },
    missing: { en: 'not given', cs: 'neuvedena' },
  },
} as const satisfies Record<string, { text: Record<Locale, string>; missing: Record<Locale, string> }>;
export type ChangedField = keyof typeof CHANGED_FIELDS;

/** The sentence about changed coordinates. A notice does not contain the coordinates. */
export const MOVED_ON_MAP: Record<Locale, string> = {
  en: 'The place on the map has moved.',
  cs: 'Místo na mapě se posunulo.',
};

/** The text of `{where}` if the event has a place. */
export const PLACE_SENTENCE: Record<Locale, string> = { en: ' Place: {place}.', cs: ' Místo: {place}.' };

/** The text of `{quote}` if the notice quotes a comment. */
export const QUOTE: Record<Locale, string> = { en: ': “{quote}”', cs: ': „{quote}“' };

/** The phrase for the people whom the notice counts but does not name, by the plural category of their number. */
export const OTHERS: Record<Locale, Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }> = {
  en: { one: '1 other person', other: '{count} others' },
  cs: { one: '1 další', few: '{count} další', other: '{count} dalších' },
};

/** The phrase for all people in a notice without names, by the plural category of their number. */
export const PEOPLE: Record<Locale, Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }> = {
  en: { one: '1 person', other: '{count} people' },
  cs: { one: '1 člověk', few: '{count} lidé', other: '{count} lidí' },
};
