import type { FastifyRequest } from 'fastify';
import type { Locale } from '#contract/vocabulary';
import type { Dto } from '#platform/http/declared-fields';
import { readInput } from '#platform/http/input';
import type { Page } from '#platform/http/page';
import type { Named } from '../field-labels';
import { fieldErrors } from '../forms';

/** A list for its parameters: the page, or the errors of the parameters. */
export interface Listing<Item> {
  readonly page: Page<Item> | null;
  /** By parameter. */
  readonly errors: Readonly<Record<string, string>>;
  /** The sent values, for the form. */
  readonly values: Readonly<Record<string, string>>;
  readonly neighbours: readonly { readonly rel: 'prev' | 'next'; readonly href: string }[];
}

/**
 * Reads a list by the parameters of its address. Empty form fields count as absent; invalid parameters give a page with
 * their errors and 422 (PAGE-28).
 */
export async function readListing<T extends object, Item>(
  request: FastifyRequest,
  locale: Locale,
  dto: Dto<Named<T>>,
  read: (query: T) => Promise<Page<Item>>,
): Promise<Listing<Item>> {
  const sent = Object.entries((request.query ?? {}) as Record<string, unknown>).filter(([, value]) => value !== '');
  const values = Object.fromEntries(sent.filter((field): field is [string, string] => typeof field[1] === 'string'));
  try {
    const page = await read(await readInput(dto, Object.fromEntries(sent), 'text'));
    return { page, errors: {}, values, neighbours: neighboursOf(request.url, page) };
  } catch (error) {
    return { page: null, errors: fieldErrors(error, locale), values, neighbours: [] };
  }
}

/** The previous and next pages, with all other parameters as sent. */
export function neighboursOf(
  url: string,
  { total, slice: { page, limit } }: Page<unknown>,
): Listing<unknown>['neighbours'] {
  const last = Math.max(1, Math.ceil(total / limit));
  const [path = '/', search = ''] = url.split(/\?(.*)/s);
  const others = new URLSearchParams(search);
  for (const [name, value] of [...others]) if (value === '') others.delete(name, value);
  const address = (to: number): string => {
    others.set('page', String(to));
    return `${path}?${others.toString()}`;
  };
  return [
    ...(page > 1 ? [{ rel: 'prev' as const, href: address(Math.min(page - 1, last)) }] : []),
    ...(page < last ? [{ rel: 'next' as const, href: address(page + 1) }] : []),
  ];
}

/** The first page for any text that is not the number of a page. */
export function pageNumber(text: unknown): number {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
}
