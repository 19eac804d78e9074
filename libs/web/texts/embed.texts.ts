/** Texts of the pages that other sites show in a frame. */
export const EMBED_TEXTS = {
  embed_open: { cs: 'Zobrazit a přidat se', en: 'View and join' },
  embed_request: { cs: 'Zobrazit a požádat o účast', en: 'View and ask to join' },
  embed_view: { cs: 'Zobrazit', en: 'View' },
  embed_none: { cs: 'Zatím žádné nadcházející akce.', en: 'No upcoming events yet.' },
  embed_missing: {
    cs: 'Tady není nic veřejného k zobrazení.',
    en: 'There is nothing public to show here.',
  },
} as const;
