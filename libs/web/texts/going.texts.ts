/**
 * Texts about the people who go to an event, about joining and leaving an event, about the event in a calendar, and
 * about fields of an account.
 */
export const GOING_TEXTS = {
  going: { cs: 'Kdo jde', en: 'Who is going' },
  going_past: { cs: 'Kdo byl', en: 'Who went' },
  going_cancelled: { cs: 'Kdo se přihlásil', en: 'Who signed up' },
  going_more: { cs: 'a další: {count}', en: 'and {count} more' },
  going_hidden: {
    cs: 'Celkem {count}. {count|Tento člověk|Nikdo z nich|Nikdo z nich} se tu neukazuje.',
    en: '{count} in all. {count|This person is not|None of them is} shown here.',
  },
  joining_requested: {
    cs: 'Žádost je odeslaná. Jakmile ji pořadatel schválí, dáme vám vědět.',
    en: 'Your request is sent. We will notify you when the organizer approves it.',
  },
  joining_waiting: { cs: 'Zapsali jsme vás na čekací listinu.', en: 'You are on the waitlist now.' },
  left_confirmed: { cs: 'Odhlásili jsme vás z akce.', en: 'You have left the event.' },
  left_pending: { cs: 'Pozvání jste odmítli.', en: 'You have declined the invitation.' },
  left_waitlisted: { cs: 'Už nejste na čekací listině.', en: 'You are no longer on the waitlist.' },
  left_requested: { cs: 'Žádost jste vzali zpět.', en: 'You have withdrawn your request.' },
  left_offered: { cs: 'Nabízené místo jste odmítli.', en: 'You have declined the offered seat.' },
  event_subscribe: { cs: 'Kalendář v tomto zařízení', en: 'Calendar on this device' },
  show_participation: {
    cs: 'Ukazovat mě mezi lidmi, kteří jdou na akci (uvidí to jen lidé s účtem)',
    en: 'Show me in the list of people who go to an event (only people with an account see it)',
  },
  register_birth_hint: {
    cs: 'Některé akce jsou jen pro lidi určitého věku.',
    en: 'Some events are only for people of a certain age.',
  },
} as const;
