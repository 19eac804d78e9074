import { MESSAGES, type MessageKey } from './catalogue';
import { localeFor, translate } from './messages';

describe('the catalogue', () => {
  it.each(Object.entries(MESSAGES))(
    'has, for the key %s, texts with the same placeholders in both languages and a word form for every plural category',
    (_key, { en, cs }) => {
      const placeholders = (text: string) => [...text.matchAll(/\{(\w+)[|}]/g)].map(([, name]) => name);
      expect([...new Set(placeholders(cs))].sort()).toEqual([...new Set(placeholders(en))].sort());
      for (const [, words = ''] of en.matchAll(/\{\w+\|([^}]*)\}/g)) expect(words.split('|')).toHaveLength(2);
      for (const [, words = ''] of cs.matchAll(/\{\w+\|([^}]*)\}/g)) expect(words.split('|')).toHaveLength(3);
    },
  );
});

describe('a translated text', () => {
  it.each<[MessageKey, Record<string, string | number>, string, string]>([
    ['too_short', { min: 1 }, 'This must have at least 1 character.', 'Text musí mít alespoň 1 znak.'],
    ['too_short', { min: 3 }, 'This must have at least 3 characters.', 'Text musí mít alespoň 3 znaky.'],
    ['too_long', { max: 100 }, 'This must have at most 100 characters.', 'Text smí mít nejvýše 100 znaků.'],
    ['too_small', { min: 0.01 }, 'This must be at least 0.01.', 'Hodnota musí být alespoň 0,01.'],
    ['one_of', { values: 'a, b' }, 'This must be one of: a, b.', 'Povolené hodnoty jsou: a, b.'],
    ['and_more', { count: 1 }, '(and 1 more)', '(a 1 další)'],
    ['and_more', { count: 2 }, '(and 2 more)', '(a 2 další)'],
    ['and_more', { count: 5 }, '(and 5 more)', '(a 5 dalších)'],
    ['too_small', {}, 'This must be at least {min}.', 'Hodnota musí být alespoň {min}.'],
    ['one_of', { values: '$& {min}' }, 'This must be one of: $& {min}.', 'Povolené hodnoty jsou: $& {min}.'],
  ])('for the key %s and the values %j is correct in both languages', (key, values, en, cs) => {
    expect(translate({ key, values }, 'en')).toBe(en);
    expect(translate({ key, values }, 'cs')).toBe(cs);
  });
});

// WIRE-32
describe('the language of an answer', () => {
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
    ['csx', 'en', 'en'],
    ['__proto__, constructor', null, 'en'],
    ['cs;level=1;q=0.3,en;q=0.2', null, 'cs'],
    ['en, cs', null, 'en'],
    [',,,cs', null, 'cs'],
  ] as const)('for the header %j and the language %j of the token’s owner is %s', (header, owner, locale) =>
    expect(localeFor(header, owner)).toBe(locale),
  );
});
