/** Texts of the footer and of the pages that the operator writes. */
export const SITE_TEXTS = {
  page_terms: { cs: 'Podmínky', en: 'Terms' },
  page_privacy: { cs: 'Soukromí', en: 'Privacy' },
  page_imprint: { cs: 'Provozovatel', en: 'Imprint' },
  page_help: { cs: 'Nápověda', en: 'Help' },
  // The name of each language is written in that language.
  language_cs: { cs: 'Česky', en: 'Česky' },
  language_en: { cs: 'English', en: 'English' },
} as const;
