import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Schema = Record<string, unknown>;
export interface DeclaredResponse {
  readonly headers?: Record<string, { readonly $ref?: string; readonly required?: boolean }>;
  readonly content?: Record<string, { readonly schema: Schema }>;
  readonly $ref?: string;
}
export interface Document {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, DeclaredResponse> }>>;
  readonly components: {
    readonly schemas: Record<string, Schema>;
    readonly responses: Record<string, DeclaredResponse>;
    readonly headers: Record<string, { readonly required?: boolean }>;
  };
}

/**
 * The environment variable that holds the path of a folder. In this folder, the processes of a test run store the error
 * codes that the server returned. jest-global-setup.ts sets the variable.
 */
export const CODES_FOLDER_VARIABLE = 'TEST_DOCUMENTED_SEEN';

/** Statuses that the server may send before it knows the operation. They are not compared with the document. */
export const STATUSES_WITHOUT_OPERATION: ReadonlySet<number> = new Set([400, 405, 408, 431]);

/** Returns the line for an error code of an operation, as it is stored in the folder. */
export function codeLine(method: string, path: string, status: number, code: string): string {
  return `${method.toUpperCase()} ${path} ${status} ${code}`;
}

/** Returns one line (`codeLine`) for each error code that the document declares for an operation. */
export function declaredCodes({ paths, components }: Document): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) >= 400)
        .flatMap(([status, response]) =>
          codesOf(response, components).map((code) => codeLine(method, path, Number(status), code)),
        ),
    ),
  );
}

function codesOf(response: DeclaredResponse, { responses, schemas }: Document['components']): string[] {
  if (response.$ref)
    return codesOf(responses[nameIn(response.$ref)] as DeclaredResponse, { responses, schemas, headers: {} });
  const schema = response.content?.['application/json']?.schema ?? {};
  const resolved = typeof schema.$ref === 'string' ? (schemas[nameIn(schema.$ref)] ?? {}) : schema;
  return (resolved as { properties?: { code?: { enum?: string[] } } }).properties?.code?.enum ?? [];
}

/**
 * Returns the lines of the declared codes that no test of the run received. `folder` is the path in
 * CODES_FOLDER_VARIABLE.
 */
export function codesNotReceived(document: Document, folder: string): string[] {
  const seen = new Set(readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')));
  return declaredCodes(document).filter((line) => !seen.has(line));
}

function nameIn(ref: string): string {
  return ref.split('/').at(-1) as string;
}
