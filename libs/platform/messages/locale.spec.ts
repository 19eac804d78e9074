import { localeFor } from './locale';

// WIRE-32
describe('the language of a response', () => {
  it.each([
    ['cs', null, 'cs'],
    ['en', 'cs', 'en'],
    ['cs-CZ,cs;q=0.9,en;q=0.8', null, 'cs'],
    ['en;q=0.8, cs;q=0.9', null, 'cs'],
    ['EN-us', 'cs', 'en'],
    ['cs;q=0, en;q=0.1', 'cs', 'en'],
    ['cs;q=0', 'en', 'en'],
    ['de, fr;q=0.5', 'cs', 'cs'],
    ['de, fr;q=0.5', null, 'en'],
    ['de, en;q=0.1', 'cs', 'en'],
    ['*', 'cs', 'cs'],
    ['', 'cs', 'cs'],
    [undefined, 'cs', 'cs'],
    [undefined, 'cs-CZ', 'cs'],
    [undefined, 'sk', 'en'],
    [undefined, null, 'en'],
    [';;;,,q=,=;', 'cs', 'cs'],
    ['cs;q=abc, en;q=0.2', null, 'en'],
    ['cs;q=5', 'en', 'en'],
    ['cs;q=0.1234, en;q=0.1', null, 'en'],
    ['en;q=0.9, cs', null, 'cs'],
    ['csx', 'en', 'en'],
    ['__proto__, constructor', null, 'en'],
    ['cs;level=1;q=0.3,en;q=0.2', null, 'cs'],
    ['en, cs', null, 'en'],
    [',,,cs', null, 'cs'],
  ] as const)('for the header %j and the language %j of the token’s owner is %s', (header, owner, locale) =>
    expect(localeFor(header, owner)).toBe(locale),
  );
});
