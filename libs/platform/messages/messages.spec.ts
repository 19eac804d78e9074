import { MESSAGES, type MessageKey } from './catalogue';
import { translate } from './messages';

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
