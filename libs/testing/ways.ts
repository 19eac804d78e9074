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

/** Values for a parameter of a path, by the path up to the parameter and with it. */
export type PathValues = (pathTemplate: string) => readonly string[] | null;

/**
 * Every reading address of the document with the things of a test in its paths, without a query and with each value of each
 * parameter that has a list of them; `more` are queries for paths that need one.
 * @throws when a path is not known to `values`, so that a new operation cannot be left out
 */
export function readingAddresses(values: PathValues, more: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(DOCUMENT.paths).flatMap(([template, { get }]) => {
    if (!get) return [];
    const path = template.replace('/api/v1', '');
    const lists = (get.parameters ?? [])
      .filter((one) => one.in === 'query')
      .flatMap(({ name, schema }) => (listOf(schema) ?? []).map((value) => `?${name}=${value}`));
    return filled(path, values).flatMap((address) =>
      [...(more[path] ?? ['']), ...lists].map((query) => address + query),
    );
  });
}

/** The same of everything outside the API that answers GET: pages, calendars, feeds. */
export function pageAddresses(server: TestServer, values: PathValues, left: readonly RegExp[]): string[] {
  const pages = server.app
    .get(RouteTable)
    .list()
    .filter(({ method, url }) => method === 'GET' && !url.startsWith('/api/') && !left.some((one) => one.test(url)));
  return [...new Set(pages.map(({ url }) => url.replace(/:(\w+)/g, '{$1}')))].flatMap((path) => filled(path, values));
}

function filled(path: string, values: PathValues): readonly string[] {
  if (!path.includes('{')) return [path];
  const known = values(path);
  if (!known) throw new Error(`${path} is new: say in this test what stands for its parameters`);
  return known;
}

function listOf(schema: Schema): readonly string[] | undefined {
  const { $ref, allOf } = schema;
  if ($ref) return listOf(DOCUMENT.components.schemas[$ref.split('/').at(-1) as string] ?? {});
  return schema.enum ?? allOf?.map(listOf).find(Boolean);
}

/** Whether an answer has one of these words anywhere. */
export function shows(answer: Pick<Answer, 'status' | 'text'>, words: readonly string[]): boolean {
  return answer.status < 400 && words.some((word) => answer.text.includes(word));
}
