/** Texts of the tab that lists an account's API requests. */
export const REQUEST_TEXTS = {
  requests_tab: { cs: 'Požadavky na API', en: 'API requests' },
  requests_text: {
    cs: 'Požadavky vašich tokenů na API za posledních 7 dní, od nejnovějšího. Obsah ani parametry požadavků neukládáme.',
    en: 'Requests that your tokens made to the API in the last 7 days, newest first. We do not store their bodies or parameters.',
  },
  requests_none: { cs: 'Tomu neodpovídá žádný požadavek.', en: 'There are no such requests.' },
  requests_chart: { cs: 'Počet požadavků po šesti hodinách', en: 'Number of requests per six hours' },
  requests_done: { cs: 'vyřízené', en: 'done' },
  requests_refused: { cs: 'odmítnuté', en: 'refused' },
  requests_any: { cs: 'všechny', en: 'all' },
  requests_filter: { cs: 'Vybrat', en: 'Filter' },
  requests_all: { cs: 'Zrušit výběr', en: 'Show all' },
  requests_status: { cs: 'Výsledek', en: 'Status' },
  requests_code: { cs: 'Kód odmítnutí', en: 'Code of the refusal' },
  requests_route: { cs: 'Operace', en: 'Route' },
  requests_token: { cs: 'Token', en: 'Token' },
  requests_before: { cs: 'Starší než', en: 'Before' },
  requests_dry_run: { cs: 'nanečisto', en: 'dry run' },
} as const;
