import type { Locale } from '#contract/vocabulary';

/** Texts of /events/{id}/stats. */
export const STATISTICS_TEXTS = {
  statistics_now: { cs: 'Současný stav', en: 'People now' },
  statistics_confirmed: { cs: 'přihlášeno', en: 'going' },
  statistics_pending: { cs: 'pozváno', en: 'invited' },
  statistics_waitlisted: { cs: 'na čekací listině', en: 'on the waitlist' },
  statistics_requested: { cs: 'čeká na schválení', en: 'asking to join' },
  statistics_declined: { cs: 'odmítnuto', en: 'declined' },
  statistics_banned: { cs: 'se zákazem účasti', en: 'banned' },
  statistics_checked_in: { cs: 'odbaveno u vchodu', en: 'checked in at the door' },
  statistics_days: { cs: 'Den po dni', en: 'Day by day' },
  statistics_day: { cs: 'Den', en: 'Day' },
  statistics_joined: { cs: 'přihlásilo se', en: 'joined' },
  statistics_left: { cs: 'odhlásilo se', en: 'left' },
  statistics_total: { cs: 'celkem přihlášeno', en: 'going in total' },
  statistics_no_days: {
    cs: 'Zatím se nikdo nepřihlásil ani neodhlásil.',
    en: 'Nobody has joined or left yet.',
  },
  statistics_days_hint: {
    cs: 'Dny jsou podle pražského času. Ukládají se jen počty, ne jména.',
    en: 'Days are in Prague time. Only numbers are kept, no names.',
  },
  statistics_file: { cs: 'Stáhnout dny jako CSV', en: 'Download the days as CSV' },
  statistics_door: { cs: 'Příchody', en: 'Arrivals' },
  statistics_time: { cs: 'Čas', en: 'Time' },
  statistics_arrived: { cs: 'odbaveno', en: 'checked in' },
  statistics_waitlist: { cs: 'Čekací listina', en: 'Waitlist' },
  statistics_waitlist_joined: { cs: 'zapsalo se', en: 'joined the waitlist' },
  statistics_waitlist_promoted: { cs: 'dostalo místo', en: 'got a seat' },
  statistics_waitlist_left: { cs: 'odešlo z listiny', en: 'left the waitlist' },
  statistics_offers: { cs: 'Nabídky míst', en: 'Offers of seats' },
  statistics_offers_made: { cs: 'nabídnuto', en: 'made' },
  statistics_offers_accepted: { cs: 'přijato', en: 'accepted' },
  statistics_offers_declined: { cs: 'odmítnuto', en: 'declined' },
  statistics_offers_lapsed: { cs: 'propadlo', en: 'expired' },
} as const satisfies Record<string, Record<Locale, string>>;
