import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '#contract/limits';

const TABLE = join(__dirname, 'table');
const { q, listed: maxPlaces, clearly: minSizeRatio } = LIMITS.places;

/** A town or district. */
export interface NamedPlace {
  readonly name: string;
  /** Null if the table contains no region. */
  readonly region: string | null;
  /** The country's code in ISO 3166. */
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** The result of `findPlace`: one place, several, or none. */
export type PlaceMatch =
  | { readonly is: 'one'; readonly place: NamedPlace }
  | { readonly is: 'several'; readonly places: readonly NamedPlace[] }
  | { readonly is: 'none' };

interface Row {
  readonly place: NamedPlace;
  readonly population: number;
  /** The name and the other names, folded (`fold`). */
  readonly names: readonly string[];
  /** The label, folded (`fold`). */
  readonly label: string;
}

let rows: readonly Row[] | null = null;
let byNameOrLabel: Map<string, Row[]> | null = null;

/**
 * Returns "name, region" (or "name, country" without a region), which usually distinguishes places of the same name.
 */
export function labelOfPlace({ name, region, country }: NamedPlace): string {
  return `${name}, ${region ?? country}`;
}

/**
 * Returns at most 10 places, the biggest first. A place is found if a word of its name, or one of its other names,
 * begins with the text. Returns none if the text is too short or too long (PLACE-1), or has neither letters nor digits.
 */
export function searchPlaces(text: string): readonly NamedPlace[] {
  const length = [...text.trim()].length;
  const query = fold(text);
  if (length < q.min || length > q.max || query === '') return [];
  const found: NamedPlace[] = [];
  for (const { place, names } of loadRows()) {
    if (!names.some((name) => name.startsWith(query)) && !names[0]?.includes(` ${query}`)) continue;
    found.push(place);
    if (found.length === maxPlaces) break;
  }
  return found;
}

/**
 * Returns the place whose label is the text. If no label is the text, looks for the places with this name. Returns the
 * biggest of these places if it is at least ten times as big as each of the others, or if they all have the same label.
 * Otherwise returns at most 10 places with different labels: first places whose own name is the text, then places that
 * have the text as another name (PLACE-2).
 */
export function findPlace(text: string): PlaceMatch {
  loadRows();
  const query = fold(text);
  const rowsByLabel = (byNameOrLabel?.get(query) ?? []).filter(({ label }) => label === query);
  const candidates = rowsByLabel.length > 0 ? rowsByLabel : (byNameOrLabel?.get(query) ?? []);
  const [first, second] = candidates;
  if (!first) return { is: 'none' };
  // If several places have the same label, the label means the biggest of them, because a person could not distinguish
  // these places in a list of labels.
  if (!second || rowsByLabel.length > 0 || first.population >= minSizeRatio * second.population)
    return { is: 'one', place: first.place };
  const labels = new Map<string, NamedPlace>();
  const isOwnName = ({ names }: Row): boolean => names[0] === query;
  const ordered = candidates.toSorted((one, other) => Number(isOwnName(other)) - Number(isOwnName(one)));
  for (const { place, label } of ordered) if (!labels.has(label)) labels.set(label, place);
  if (labels.size === 1) return { is: 'one', place: first.place };
  return { is: 'several', places: [...labels.values()].slice(0, maxPlaces) };
}

/** Whether `name` is the own name (not another name) of a place with these coordinates. */
export function isNameOfPlaceAt(name: string, latitude: unknown, longitude: unknown): boolean {
  loadRows();
  const candidates = byNameOrLabel?.get(fold(name)) ?? [];
  return candidates.some(
    ({ place }) => place.name === name && place.latitude === latitude && place.longitude === longitude,
  );
}

function loadRows(): readonly Row[] {
  if (rows) return rows;
  rows = ['places.tsv', 'districts.tsv']
    .flatMap((file) => readFileSync(join(TABLE, file), 'utf8').trim().split('\n'))
    .map(rowOf)
    .sort((one, other) => other.population - one.population);
  byNameOrLabel = new Map();
  for (const row of rows)
    for (const key of new Set([...row.names, row.label]))
      byNameOrLabel.set(key, [...(byNameOrLabel.get(key) ?? []), row]);
  return rows;
}

function rowOf(line: string): Row {
  const [name = '', others = '', country = '', region = '', latitude, longitude, population] = line.split('\t');
  const place = {
    name,
    region: region === '' ? null : region,
    country,
    latitude: Number(latitude),
    longitude: Number(longitude),
  };
  const names = [name, ...others.split('|').filter(Boolean)].map(fold);
  return { place, population: Number(population), names, label: fold(labelOfPlace(place)) };
}

/** Returns the text in lower case, without diacritics and punctuation, and with single spaces between words. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łøđ]/g, (letter) => ({ ł: 'l', ø: 'o', đ: 'd' })[letter] ?? letter)
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
