/** Texts about tokens with narrow scopes, on the API tab. */
export const SCOPE_PAGE_TEXTS = {
  access_narrow: { cs: 'jen vybrané části', en: 'chosen parts only' },
  token_scopes: { cs: 'Co smí token s vybranými částmi', en: 'What a token with chosen parts may do' },
};
