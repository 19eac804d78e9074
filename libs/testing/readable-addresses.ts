import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RouteTable } from '#platform/http/routes';
import type { Answer } from './http-client';
import type { TestServer } from './test-server';

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: Schema;
}

interface Schema {
  readonly enum?: readonly string[];
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
}

interface Document {
  readonly paths: Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

const DOCUMENT = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as Document;

/** Returns the addresses to request for a path with parameters such as `/events/{id}`, or null for an unknown path. */
export type AddressesOfPath = (pathTemplate: string) => readonly string[] | null;

/**
 * Returns the addresses of all GET operations in docs/openapi.json. The addresses do not begin with `/api/v1`. For a
 * path with parameters, the addresses come from `addressesOf`. Each address is returned once without a query, and once
 * for each value of each enum parameter. `queries` contains, for some paths, the queries that replace the empty query.
 * @throws if `addressesOf` returns null for a path, so that a new operation cannot be forgotten
 */
export function apiAddresses(
  addressesOf: AddressesOfPath,
  queries: Readonly<Record<string, readonly string[]>>,
): string[] {
  return Object.entries(DOCUMENT.paths).flatMap(([template, { get }]) => {
    if (!get) return [];
    const path = template.replace('/api/v1', '');
    const enumQueries = (get.parameters ?? [])
      .filter((one) => one.in === 'query')
      .flatMap(({ name, schema }) => (enumOf(schema) ?? []).map((value) => `?${name}=${value}`));
    return addressesOrThrow(path, addressesOf).flatMap((address) =>
      [...(queries[path] ?? ['']), ...enumQueries].map((query) => address + query),
    );
  });
}

/**
 * Returns the addresses of all GET routes outside the API (pages, calendars, feeds), except the routes whose path
 * matches a pattern of `excluded`.
 * @throws if `addressesOf` returns null for a path
 */
export function pageAddresses(server: TestServer, addressesOf: AddressesOfPath, excluded: readonly RegExp[]): string[] {
  const pages = server.app
    .get(RouteTable)
    .list()
    .filter(
      ({ method, url }) => method === 'GET' && !url.startsWith('/api/') && !excluded.some((one) => one.test(url)),
    );
  return [...new Set(pages.map(({ url }) => url.replace(/:(\w+)/g, '{$1}')))].flatMap((path) =>
    addressesOrThrow(path, addressesOf),
  );
}

function addressesOrThrow(path: string, addressesOf: AddressesOfPath): readonly string[] {
  if (!path.includes('{')) return [path];
  const addresses = addressesOf(path);
  if (!addresses) throw new Error(`${path} is new: add values for its parameters to this test`);
  return addresses;
}

function enumOf(schema: Schema): readonly string[] | undefined {
  const { $ref, allOf } = schema;
  if ($ref) return enumOf(DOCUMENT.components.schemas[$ref.split('/').at(-1) as string] ?? {});
  return schema.enum ?? allOf?.map(enumOf).find(Boolean);
}

/** Whether the answer is successful (its status is below 400) and contains at least one of these words. */
export function shows(answer: Pick<Answer, 'status' | 'text'>, words: readonly string[]): boolean {
  return answer.status < 400 && words.some((word) => answer.text.includes(word));
}
