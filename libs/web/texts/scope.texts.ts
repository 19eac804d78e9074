/** Texts of the page /account/api about tokens that have only some of the scopes. */
export const SCOPE_PAGE_TEXTS = {
  access_narrow: { cs: 'jen vybrané části', en: 'chosen parts only' },
  token_scopes: { cs: 'Co smí token s vybranými částmi', en: 'What a token with chosen parts may do' },
};
