import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Locale } from '#contract/vocabulary';
import { withoutBadBreaks } from './line-breaks';
import { translator, type TextKey } from './texts';

const load = createRequire(__filename);
const NO_BREAK_SPACE = '\u00a0';

/** The objects with texts that the files in libs/web/texts export. */
function exportedTexts(): object[] {
  const folder = join(__dirname, 'texts');
  return readdirSync(folder).flatMap((file) =>
    Object.values(load(join(folder, file)) as object).filter((one): one is object => typeof one === 'object'),
  );
}

describe('the texts of the pages', () => {
  it('use each key only once, because otherwise one text would silently replace another text', () => {
    const keys = exportedTexts().flatMap((texts) => Object.keys(texts));
    expect(keys.length).toBeGreaterThan(700);
    expect(keys.filter((key, n) => keys.indexOf(key) !== n)).toEqual([]);
  });

  it('contain three forms of each counted word in Czech, and two forms in English', () => {
    const texts = exportedTexts().flatMap((some) => Object.values(some) as Record<Locale, string>[]);
    const wordCounts = (locale: Locale) =>
      texts.flatMap((text) =>
        [...text[locale].matchAll(/\{\w+\|([^}]*)\}/g)].map(([, words]) => words!.split('|').length),
      );
    expect(new Set(wordCounts('cs'))).toEqual(new Set([3]));
    expect(new Set(wordCounts('en'))).toEqual(new Set([2]));
  });

  it('use “akce”, “pořadatel” and “příspěvek”, and no synonyms of them, like all other Czech texts of the service', () => {
    const folder = join(__dirname, '..');
    const files = [
      'web/texts.ts',
      ...readdirSync(join(__dirname, 'texts')).map((file) => `web/texts/${file}`),
      ...['notice.texts.ts', 'further-notice.texts.ts', 'notice-mail.ts'].map((file) => `areas/notifications/${file}`),
      'areas/account-mail/account-mail.texts.ts',
      ...[
        'refusals',
        'scope-texts',
        'change-texts',
        'help-general',
        'help-events',
        'help-community',
        'help-situations',
      ].map((name) => `contract/${name}.ts`),
      ...['docs/texts.ts', 'docs/security-page.ts', 'document/introduction.cs.ts'].map(
        (file) => `../apps/server/${file}`,
      ),
      'platform/messages/catalogue.ts',
    ];
    // All texts use "akce", "pořadatel", "příspěvek" and "příspěvek v Pulsu" instead of these words.
    const otherWords = /událost|organizátor|článe?k|článc|místní zpráv/i;
    expect(files.filter((file) => otherWords.test(readFileSync(join(folder, file), 'utf8')))).toEqual([]);
  });

  it.each<[TextKey, Record<string, number>, string, string]>([
    ['price_credits', { count: 1 }, '1 kredit', '1 credit'],
    ['price_credits', { count: 4 }, '4 kredity', '4 credits'],
    ['price_credits', { count: 5 }, '5 kreditů', '5 credits'],
    ['minutes', { count: 1 }, '1 minuta', '1 minute'],
    ['minutes', { count: 2 }, '2 minuty', '2 minutes'],
    ['minutes', { count: 90 }, '90 minut', '90 minutes'],
    ['days', { count: 30 }, '30 dní', '30 days'],
    ['moderation_for_days', { count: 1 }, '1 den', '1 day'],
    ['moderation_for_days', { count: 3 }, '3 dny', '3 days'],
    ['moderation_for_days', { count: 7 }, '7 dní', '7 days'],
    ['age_between', { min: 0, max: 1 }, '0–1 rok', 'aged 0–1'],
    ['age_between', { min: 1, max: 3 }, '1–3 roky', 'aged 1–3'],
    ['age_between', { min: 3, max: 18 }, '3–18 let', 'aged 3–18'],
    ['age_from', { min: 1 }, 'od 1 roku', 'aged 1 and over'],
    ['age_from', { min: 2 }, 'od 2 let', 'aged 2 and over'],
    ['age_to', { max: 1 }, 'do 1 roku', 'aged up to 1'],
    ['age_to', { max: 6 }, 'do 6 let', 'aged up to 6'],
    ['attending', { count: 1 }, 'jde 1', '1 going'],
    ['attending', { count: 2 }, 'jdou 2', '2 going'],
    ['attending', { count: 5 }, 'jde 5', '5 going'],
    ['attending_of', { count: 4, max: 10 }, 'jdou 4/10', '4 of 10 going'],
    ['attended', { count: 1 }, 'šel 1 člověk', '1 went'],
    ['attended', { count: 3 }, 'šli 3 lidé', '3 went'],
    ['attended', { count: 8 }, 'šlo 8 lidí', '8 went'],
    [
      'going_hidden',
      { count: 1 },
      'Celkem 1. Tento člověk se tu neukazuje.',
      '1 in all. This person is not shown here.',
    ],
    ['going_hidden', { count: 2 }, 'Celkem 2. Nikdo z nich se tu neukazuje.', '2 in all. None of them is shown here.'],
  ])('contain the form of the word that fits the number: %s %j', (key, values, cs, en) => {
    const texts = (['cs', 'en'] as const).map((locale) =>
      translator(locale)(key, values).replaceAll(NO_BREAK_SPACE, ' '),
    );
    expect(texts).toEqual([cs, en]);
  });

  // PAGE-16
  it.each<[string, string]>([
    ['V Praze i v Brně, k lidem a s lidmi', 'V_Praze i_v_Brně, k_lidem a_s_lidmi'],
    ['Máte e-mail a heslo? (A jméno?)', 'Máte e-mail a_heslo? (A_jméno?)'],
    ['O akci „U stolu“ z roku 2026', 'O_akci „U_stolu“ z_roku 2026'],
    ['do 30 minut, nejvýše 5 MB, 10 % z 200 Kč', 'do 30_minut, nejvýše 5_MB, 10_% z_200_Kč'],
    ['{price} Kč pro {count} {count|člena|členy|členů}', '{price}_Kč pro {count}_{count|člena|členy|členů}'],
    ['Do {count} dnů nejvýše {max} fotek, od {min} let', 'Do {count}_dnů nejvýše {max}_fotek, od {min}_let'],
    ['{name} píše', '{name} píše'],
    ['Připojte se k {name}', 'Připojte se k_{name}'],
    ['Ne: do, na, od, za, ke, se', 'Ne: do, na, od, za, ke, se'],
  ])(
    'allow no line break in Czech after a word of one letter, or between a number and its unit: %s',
    (text, unbroken) => {
      expect(withoutBadBreaks(text, 'cs').replaceAll(NO_BREAK_SPACE, '_')).toBe(unbroken);
      expect(withoutBadBreaks(text, 'en')).toBe(text);
    },
  );

  // PAGE-16
  it('contain no-break spaces in Czech when they are shown', () => {
    expect(translator('cs')('price_czk', { price: '200' })).toBe(`200${NO_BREAK_SPACE}Kč`);
    expect(translator('cs')('about')).toBe(`O${NO_BREAK_SPACE}akci`);
  });
});
