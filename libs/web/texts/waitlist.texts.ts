/** Texts about the waitlist of an event and offered seats. */
export const WAITLIST_TEXTS = {
  kind_seat_offered: { cs: 'nabídka místa z čekací listiny', en: 'an offer of a seat from the waitlist' },
  kind_offer_lapsed: { cs: 'vypršelá nabídka místa', en: 'an offer of a seat that expired' },
  stand_waitlisted_auto: {
    cs: 'Jste na čekací listině. Uvolněné místo dostane hned první z vás.',
    en: 'You are on the waitlist. A seat that becomes free goes to the first person at once.',
  },
  stand_waitlisted_offer: {
    cs: 'Jste na čekací listině. Uvolněné místo nabídneme nejdřív prvnímu z vás.',
    en: 'You are on the waitlist. A seat that becomes free is offered to the first person.',
  },
  stand_offered: {
    cs: 'Uvolnilo se místo a držíme ho pro vás.',
    en: 'A seat has become free, and it is reserved for you.',
  },
  offer_until: { cs: 'Nabídka platí do {until}.', en: 'The offer is valid until {until}.' },
  people_place: { cs: '{place}. v pořadí', en: 'No. {place}' },
  people_offer_until: { cs: 'místo držíme do {until}', en: 'a seat is held until {until}' },
  people_here_by: { cs: 'odkaz „{name}“', en: 'link “{name}”' },
  waitlist_position: { cs: 'Vaše pořadí: {position}.', en: 'Your position: {position}.' },
  do_accept_seat: { cs: 'Přijmout místo', en: 'Accept' },
  leave_offered: { cs: 'Odmítnout místo', en: 'Decline' },
  leave_do_offered: {
    cs: 'Ano, odmítnout a opustit čekací listinu',
    en: 'Yes, decline and leave the waitlist',
  },
} as const;
