import type { FastifyRequest } from 'fastify';
import type { OwnPlace } from '#areas/identity/user.entity';
import type { Locale } from '#contract/vocabulary';
import type { Dto } from '#platform/http/declared-fields';
import { readInput } from '#platform/http/input';
import type { Page } from '#platform/http/page';
import { pathOf, queryOf } from '#platform/http/paths';
import { Refusal } from '#platform/http/refusal';
import type { Labelled } from './field-labels';
import { plainValue } from './form/raw-fields';
import { fieldErrors, textIn } from './forms';
import { sentPlace } from './places/sent-place';

/** The result of reading a list: a page of the list, or the errors of the parameters. */
export interface Listing<Item> {
  /** Null if there are errors. */
  readonly page: Page<Item> | null;
  /** The errors, by the names of the parameters. */
  readonly errors: Readonly<Record<string, string>>;
  /** Labels of at most 10 places, if several places have the name that was sent in `place`. Otherwise empty. */
  readonly places: readonly string[];
  /** The values that the form shows: the sent values, and the name of the reader's own place if this place is used. */
  readonly values: Readonly<Record<string, string>>;
  readonly neighbours: readonly { readonly rel: 'prev' | 'next'; readonly href: string }[];
}

/**
 * Reads one page of a list. The query parameters of the request select the page and filter the list. Empty form fields
 * count as absent. If parameters are invalid, returns their errors; the web page shows these errors (PAGE-28).
 */
export async function readListing<T extends object, Item>(
  request: Pick<FastifyRequest, 'query' | 'url'>,
  locale: Locale,
  dto: Dto<Labelled<T>>,
  read: (query: T) => Promise<Page<Item>>,
): Promise<Listing<Item>> {
  const query = parametersOf(request, dto);
  const values = textsIn(query);
  try {
    const parameters = Object.entries(query).filter(([, value]) => value !== '');
    const page = await read(await readInput(dto, Object.fromEntries(parameters), 'text'));
    return { page, errors: {}, places: [], values, neighbours: neighboursOf(request.url, page) };
  } catch (error) {
    return { page: null, errors: fieldErrors(error, locale), places: [], values, neighbours: [] };
  }
}

/**
 * Like `readListing`, for lists around a point. If `lat` or `lng` has a value, `place` and `own` are ignored (PLACE-4).
 * `own` is the reader's own place. It is used if `place` contains the name of this place, or if `place` is absent and
 * `bbox` is empty or absent. With an empty `place`, the list is not limited to a place.
 */
export async function readListingAround<T extends object, Item>(
  request: Pick<FastifyRequest, 'query' | 'url'>,
  locale: Locale,
  dto: Dto<Labelled<T>>,
  read: (query: T) => Promise<Page<Item>>,
  own: OwnPlace | null = null,
): Promise<Listing<Item>> {
  const { place: typed, ...others } = parametersOf(request, dto);
  const isSent = (name: string): boolean => others[name] !== undefined && others[name] !== '';
  const hasPoint = isSent('lat') || isSent('lng');
  const isDefault = own !== null && typed === undefined && !hasPoint && !isSent('bbox');
  const text = isDefault ? own.name : (textIn(typed)?.trim() ?? '');
  const placeField: Record<string, string> = isDefault || typed !== undefined ? { place: text } : {};
  const isOwn = own !== null && text === own.name;
  const { place, error, choices } = sentPlace(hasPoint || isOwn ? undefined : text);
  const centre = isOwn && !hasPoint ? own : place;
  if (error) {
    const errors = fieldErrors(Refusal.invalid('place', error), locale);
    return { page: null, errors, places: choices, values: { ...textsIn(others), ...placeField }, neighbours: [] };
  }
  const point = centre ? { lat: String(centre.latitude), lng: String(centre.longitude) } : {};
  const listing = await readListing({ url: request.url, query: { ...others, ...point } }, locale, dto, read);
  const { lat: _lat, lng: _lng, ...values } = listing.values;
  return { ...listing, values: { ...(centre ? values : listing.values), ...placeField } };
}

/** The query parameters of the request. Numbers and days may be written as in forms (PAGE-96). */
function parametersOf({ query }: Pick<FastifyRequest, 'query'>, dto: Dto): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(query ?? {}).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? plainValue(dto, name, value) : value,
    ]),
  );
}

/** The parameters that were sent once and are not empty. */
function textsIn(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const isText = (field: [string, unknown]): field is [string, string] =>
    typeof field[1] === 'string' && field[1] !== '';
  return Object.fromEntries(Object.entries(query).filter(isText));
}

/**
 * Links to the previous and the next page of a list. On a page after the last page, `prev` leads to the last page.
 * The links contain all other parameters that are not empty, and an empty `place`.
 */
export function neighboursOf(
  url: string,
  { total, slice: { page, limit } }: Pick<Page<unknown>, 'total' | 'slice'>,
  parameter = 'page',
): Listing<unknown>['neighbours'] {
  const last = Math.max(1, Math.ceil(total / limit));
  const others = new URLSearchParams(queryOf(url));
  // An empty `place` is not deleted, because without the parameter the reader's own place would be used.
  for (const [name, value] of [...others]) if (value === '' && name !== 'place') others.delete(name, value);
  const hrefOf = (to: number): string => {
    others.set(parameter, String(to));
    return `${pathOf(url)}?${others.toString()}`;
  };
  return [
    ...(page > 1 ? [{ rel: 'prev' as const, href: hrefOf(Math.min(page - 1, last)) }] : []),
    ...(page < last ? [{ rel: 'next' as const, href: hrefOf(page + 1) }] : []),
  ];
}

/** The page numbers of the lists that the web page of an event or a post shows: `?comments=2&photos=3`. */
export interface ListPages {
  readonly comments: number;
  readonly photos: number;
}

export const FIRST_PAGES: ListPages = { comments: 1, photos: 1 };

export function listPagesIn(query: unknown): ListPages {
  const { comments, photos } = (query ?? {}) as Readonly<Record<string, unknown>>;
  return { comments: pageNumber(comments), photos: pageNumber(photos) };
}

/**
 * Links to the previous and the next page of one list on the web page `path`. The links contain the page number of the
 * other list.
 */
export function neighboursOfList(
  path: string,
  pages: ListPages,
  list: keyof ListPages,
  page: Page<unknown>,
): Listing<unknown>['neighbours'] {
  const others = Object.entries(pages).filter(([, number]) => number > 1) as [string, number][];
  const query = new URLSearchParams(
    others.map(([name, number]): [string, string] => [name, String(number)]),
  ).toString();
  return neighboursOf(`${path}?${query}`, page, list).map(({ rel, href }) => ({ rel, href: `${href}#${list}` }));
}

/** Returns the page number in a parameter, and 1 for any other value. */
export function pageNumber(text: unknown): number {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
}
