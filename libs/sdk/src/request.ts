import type { Operation } from './operation.ts';
import { blobOf, isUpload, type Upload } from './uploads.ts';

type NamedArguments = Readonly<Record<string, unknown>>;

/** The request of an operation. */
export interface ApiRequest {
  readonly method: Operation['method'];
  /** The path below /api/v1, with the query. */
  readonly path: string;
  readonly body?: string | FormData;
}

/**
 * Builds the request of an operation with these arguments. Throws a TypeError if an argument of the path is missing or
 * cannot be an id or a slug.
 */
export async function requestOf(operation: Operation, args: NamedArguments): Promise<ApiRequest> {
  const remaining = new Map(Object.entries(args).filter(([, value]) => value !== undefined));
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const segment = segmentOf(name, remaining.get(name));
    remaining.delete(name);
    return segment;
  });
  const query = new URLSearchParams();
  for (const [name, value] of [...remaining]) {
    if (operation.body && !operation.query?.includes(name)) continue;
    remaining.delete(name);
    if (value !== null) query.set(name, textOf(value));
  }
  const address = [path, query.toString()].filter(Boolean).join('?');
  return {
    method: operation.method,
    path: address,
    ...(operation.body && { body: await bodyOf(operation, remaining) }),
  };
}

/**
 * Encodes a path argument. Throws a TypeError if the value is not a string or a number. Also throws for an empty text,
 * `.` and `..`, because the path would then belong to another operation.
 */
function segmentOf(name: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} must be an id or a slug`);
  return encodeURIComponent(text);
}

async function bodyOf(
  { body, lists = [] }: Operation,
  fields: ReadonlyMap<string, unknown>,
): Promise<string | FormData> {
  const isForm = body === 'form' || (body === 'either' && [...fields.values()].some(isUpload));
  if (!isForm) return JSON.stringify(Object.fromEntries(fields));
  const form = new FormData();
  for (const [name, value] of fields) {
    if (value === null) continue;
    if (!lists.includes(name)) await append(form, name, value);
    else for (const one of value as readonly unknown[]) await append(form, `${name}[]`, one);
  }
  return form;
}

async function append(form: FormData, name: string, value: unknown): Promise<void> {
  if (isUpload(value)) form.append(name, await blobOf(value), fileNameOf(value));
  else form.append(name, textOf(value));
}

/** Converts an argument to a text. The items of a list are separated by commas, as the API expects in a query. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : [value].flat().join();
}

/** Servers treat a part of a form as a file only if it has a file name. */
function fileNameOf(upload: Upload): string {
  return 'name' in upload && typeof upload.name === 'string' && upload.name !== '' ? upload.name : 'file';
}
