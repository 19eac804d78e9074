import { slugify, transliterate } from './transliterate';

describe('transliteration', () => {
  it.each([
    ['Žluťoučký kůň', 'Zlutoucky kun'],
    ['„Café“ – 5 € & více…', '"Cafe" - 5 & vice...'],
    ['Привет, мир', 'Privet, mir'],
    ['Ελλάδα', 'Ellada'],
    ['Łódź ŒUVRE', 'Lodz OEUVRE'],
    ['🎉 Oslava 🎂', 'Oslava'],
    ['a\tb\u00a0c', 'a b c'],
    ['Straße, Øre, đak, ﬁnále', 'Strasse, Ore, djak, finale'],
    ['e\u0301cole', 'ecole'],
    ['%20*', '%20*'],
  ])('of %j is %j', (text, ascii) => expect(transliterate(text)).toBe(ascii));
});

describe('slugs', () => {
  it.each([
    ['Týden v Toskánsku!', 'tyden-v-toskansku'],
    ['--Příliš__žluťoučký  kůň--', 'prilis-zlutoucky-kun'],
    ['Москва', 'moskva'],
    ['🎉', ''],
    ['100 % zdarma', '100-zdarma'],
    ['../../etc/passwd?x=<script>', 'etc-passwd-x-script'],
  ])('of %j are %j', (text, slug) => expect(slugify(text)).toBe(slug));

  it.each([
    ['jedna dva tri ctyri', 14, 'jedna-dva-tri'],
    ['jedna dva tri ctyri', 13, 'jedna-dva-tri'],
    ['jedna dva tri ctyri', 12, 'jedna-dva'],
    ['nejneobhospodarovavatelnejsi', 10, 'nejneobhos'],
    ['a bcdefghijklmn', 10, 'a-bcdefghi'],
  ])('of %j with at most %d characters are %j', (text, max, slug) => expect(slugify(text, max)).toBe(slug));

  it('are never longer than 80 characters', () => expect(slugify('ž'.repeat(10_000)).length).toBeLessThanOrEqual(80));
});
