/** Texts about the waitlist of an event and offered seats. */
export const WAITLIST_TEXTS = {
  kind_seat_offered: { cs: 'nabídka místa z čekací listiny', en: 'an offer of a seat from the waitlist' },
  kind_offer_lapsed: { cs: 'vypršelá nabídka místa', en: 'an expired offer of a seat' },
  stand_waitlisted_auto: {
    cs: 'Jste na čekací listině. Uvolněné místo hned dostane první člověk na listině.',
    en: 'You are on the waitlist. When a seat becomes free, the first person on the waitlist gets it at once.',
  },
  stand_waitlisted_offer: {
    cs: 'Jste na čekací listině. Uvolněné místo nabídneme prvnímu člověku na listině.',
    en: 'You are on the waitlist. When a seat becomes free, we offer it to the first person on the waitlist.',
  },
  stand_offered: {
    cs: 'Uvolnilo se místo a držíme ho pro vás.',
    en: 'A seat has become free, and it is reserved for you.',
  },
  seats_held: {
    cs: '{count} {count|místo držíme|místa držíme|míst držíme} pro čekací listinu',
    en: '{count} {count|seat is|seats are} held for the waitlist',
  },
  offer_until: { cs: 'Nabídka platí do {until}.', en: 'The offer is valid until {until}.' },
  people_place: { cs: '{place}. v pořadí', en: 'No. {place}' },
  people_offer_until: { cs: 'místo držíme do {until}', en: 'a seat is held until {until}' },
  waitlist_position: { cs: 'Vaše pořadí: {position}.', en: 'Your position: {position}.' },
  do_accept_seat: { cs: 'Přijmout místo', en: 'Accept the seat' },
  leave_offered: { cs: 'Odmítnout místo', en: 'Decline the seat' },
  leave_do_offered: {
    cs: 'Ano, odmítnout a opustit čekací listinu',
    en: 'Yes, decline and leave the waitlist',
  },
} as const;
