// Generates the API-specific parts of the SDK from docs/openapi.json. `schema.ts` contains the types that
// openapi-typescript generates. `operations.ts` describes how the request of each operation is sent and how the
// response is read, and contains the types of the methods, error codes and scopes. If the document or this script has
// changed, both files are written to libs/sdk/src/generated. This folder is not committed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '..');
const DOCUMENT = join(ROOT, 'docs/openapi.json');
const GENERATED = join(ROOT, 'libs/sdk/src/generated');
const STAMP = join(GENERATED, '.stamp');
const HEAD = '// Written by scripts/sdk-generate.mjs from docs/openapi.json.\n\n';
const PREFIX = '/api/v1';
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
/** Error codes that belong to no operation: they are in the document's introduction, but in no response. */
const CODES_WITHOUT_OPERATION = ['bad_request', 'method_not_allowed', 'request_timeout', 'headers_too_large'];

export async function generateSdk() {
  const text = readFileSync(DOCUMENT, 'utf8');
  const stamp = createHash('sha256')
    .update(text)
    .update(readFileSync(new URL(import.meta.url)))
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  const document = JSON.parse(text);
  const types = await openapiTypescript(withoutExamples(document), {
    // A field with a default may be absent in requests.
    defaultNonNullable: false,
    inject: "import type { Upload } from '../uploads.ts';",
    transform: (schema) => (schema.format === 'binary' ? ts.factory.createTypeReferenceNode('Upload') : undefined),
  });
  mkdirSync(GENERATED, { recursive: true });
  writeFileSync(join(GENERATED, 'schema.ts'), HEAD + astToString(types));
  writeFileSync(join(GENERATED, 'operations.ts'), HEAD + operationsOf(document));
  writeFileSync(STAMP, stamp);
}

/** Returns the document without its examples (half of the document). The generated types do not depend on examples. */
function withoutExamples(document) {
  const bare = (value, key) => {
    if (Array.isArray(value)) return value.map((one) => bare(one));
    if (value === null || typeof value !== 'object') return value;
    // The names in `properties` are names of fields. A field may have the name `example`.
    const namesAreFields = key === 'properties';
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => namesAreFields || !['example', 'examples'].includes(name))
        .map(([name, one]) => [name, bare(one, name)]),
    );
  };
  return bare(document);
}

function operationsOf(document) {
  const all = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(`${PREFIX}/`))
    .flatMap(([path, operations]) =>
      METHODS.filter((method) => operations[method]).map((method) =>
        describe(document, path, method, operations[method]),
      ),
    );
  const codes = new Set([
    ...Object.values(document.components.schemas).flatMap((schema) => schema.properties?.code?.enum ?? []),
    ...CODES_WITHOUT_OPERATION,
  ]);
  return [
    "import type { Method, Operation } from '../operation.ts';\n",
    `export const OPERATIONS = {\n${all.map(({ id, row }) => `  ${id}: ${row},\n`).join('')}} as const satisfies Record<string, Operation>;\n`,
    'export interface Methods {',
    ...all.map(({ id, summary }) => `  /** ${summary.replaceAll('*/', '* /')} */\n  readonly ${id}: Method<'${id}'>;`),
    '}\n',
    `export type RefusalCode =\n${[...codes]
      .sort()
      .map((code) => `  | '${code}'`)
      .join('\n')};\n`,
    `export type Scope =\n${Object.keys(document.components.securitySchemes.oauth.flows.authorizationCode.scopes)
      .map((scope) => `  | '${scope}'`)
      .join('\n')};\n`,
  ].join('\n');
}

function describe(document, path, method, operation) {
  const id = operation.operationId;
  const parameters = (operation.parameters ?? []).map((one) => resolveReference(document, one));
  const names = (where) => parameters.filter((one) => one.in === where).map((one) => one.name);
  const body = bodyOf(document, operation);
  const clashes = [...names('path'), ...names('query'), ...body.fields].filter(
    (name, at, whole) => whole.indexOf(name) !== at,
  );
  if (clashes.length > 0)
    throw new Error(
      `${id}: the name ${clashes.join(', ')} is used twice, but a method of the SDK has one object for all values`,
    );
  const row = {
    method: method.toUpperCase(),
    path: path.slice(PREFIX.length),
    ...(body.kind && { body: body.kind }),
    ...(body.lists.length > 0 && { lists: body.lists }),
    ...(body.kind && names('query').length > 0 && { query: names('query') }),
    ...answerOf(document, operation, names('query').includes('page')),
    ...(names('query').includes('before') && { before: true }),
  };
  return { id, row: literal(row), summary: `${operation.summary ?? id} · ${row.method} ${row.path}` };
}

/**
 * Returns `kind`: `json`, `form` or `either`; undefined for an operation without a body. With `either`, a request with
 * a file is sent as a form, and any other request as JSON. `fields`: the names of all fields. `lists`: the names of the
 * fields that a form may contain several times, as `name[]`.
 */
function bodyOf(document, { requestBody, operationId }) {
  const content = resolveReference(document, requestBody ?? {}).content ?? {};
  const [json, form] = ['application/json', 'multipart/form-data'].map((type) =>
    resolveReference(document, content[type]?.schema ?? {}),
  );
  const hasJson = Boolean(content['application/json']);
  const hasForm = Boolean(content['multipart/form-data']);
  let kind;
  if (hasJson && hasForm) kind = 'either';
  else if (hasJson) kind = 'json';
  else if (hasForm) kind = 'form';
  if (Object.keys(content).length > 0 && !kind)
    throw new Error(`${operationId}: a body that is neither JSON nor a form`);
  const fields = Object.keys({ ...json.properties, ...form.properties });
  const lists = fields.filter((name) => name.endsWith('[]')).map((name) => name.slice(0, -2));
  return { kind, fields: fields.map((name) => name.replace(/\[\]$/, '')), lists };
}

/**
 * Returns `answer`, the part of the response that callers get: `data` (the content, if the envelope contains nothing
 * else), `whole` (the envelope), `page` (a page of a list), or `text` or `blob` (a response that is not JSON). If the
 * response has no content, `answer` is absent.
 */
function answerOf(document, { operationId, responses }, hasPages) {
  const contents = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => resolveReference(document, response).content ?? {});
  const kinds = new Set(
    contents.filter((content) => Object.keys(content).length > 0).map((content) => kindOf(document, content)),
  );
  if (kinds.size > 1) throw new Error(`${operationId}: its successful responses have different kinds of content`);
  const [answer] = kinds;
  return answer ? { answer: hasPages ? 'page' : answer } : {};
}

function kindOf(document, content) {
  const json = content['application/json'];
  if (!json)
    return Object.keys(content).every((type) => type.startsWith('text/') || type === 'image/svg+xml') ? 'text' : 'blob';
  const names = Object.keys(resolveReference(document, json.schema).properties ?? {});
  return names.length === 1 && names[0] === 'data' ? 'data' : 'whole';
}

function resolveReference(document, node) {
  return node.$ref
    ? node.$ref
        .slice(2)
        .split('/')
        .reduce((found, key) => found[key], document)
    : node;
}

function literal(row) {
  const value = (one) => (Array.isArray(one) ? `[${one.map(value).join(', ')}]` : one === true ? 'true' : `'${one}'`);
  return `{ ${Object.entries(row)
    .map(([name, one]) => `${name}: ${value(one)}`)
    .join(', ')} }`;
}

if (process.argv[1] === import.meta.filename) await generateSdk();
