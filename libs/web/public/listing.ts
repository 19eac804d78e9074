import type { FastifyRequest } from 'fastify';
import type { Locale } from '#contract/vocabulary';
import { readInput, type Dto } from '#platform/http/input';
import type { Page } from '#platform/http/page';
import type { Named } from '../field-labels';
import { fieldErrors } from '../forms';

/** A list as it was asked for: the page, or what is wrong with the question. */
export interface Listing<Item> {
  readonly page: Page<Item> | null;
  /** By the parameter. */
  readonly errors: Readonly<Record<string, string>>;
  /** As they were sent, for the form. */
  readonly values: Readonly<Record<string, string>>;
  readonly neighbours: readonly { readonly rel: 'prev' | 'next'; readonly href: string }[];
}

/**
 * Reads a list by the parameters of its address. What a form leaves empty is absent; what cannot be read is a page that says so,
 * with 422 (PAGE-28).
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

/** The pages before and after, with all other parameters as they were sent. */
function neighboursOf(url: string, { total, slice: { page, limit } }: Page<unknown>): Listing<unknown>['neighbours'] {
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
