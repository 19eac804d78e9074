import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { OwnField, Tool } from './tools';

type Json = Readonly<Record<string, unknown>>;

type InputSchema = ListedTool['inputSchema'];

const KEY: OwnField = {
  type: 'string',
  description: 'an idempotency key: a repeated call with the same key returns the first answer',
};
/**
 * JSON Schema keywords that explain a field to a model. All other keywords are omitted, because they would make the
 * list of tools longer, and the API validates the values.
 */
const KEPT_KEYWORDS = [
  'type',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'format',
  'items',
  'anyOf',
  'description',
];

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Json[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Json }>> };
}

/**
 * The input schema of a tool: the fields of its operations (restricted by `only` and `except`), its own fields, and
 * `key` if the tool writes.
 */
export function inputSchema(tool: Tool, document: OpenAPIObject): InputSchema {
  const operations = tool.operations.map((id) => operationOf(id, document));
  const fields = Object.assign({}, ...operations.map((one) => fieldsOf(one, document))) as Record<string, Json>;
  const names = (tool.only ?? Object.keys(fields)).filter((name) => !tool.except?.includes(name));
  const properties = Object.fromEntries([
    ...names.filter((name) => name in fields).map((name) => [name, fields[name] as Json] as const),
    ...Object.entries(tool.own ?? {}),
    ...(tool.writes ? [['key', KEY] as const] : []),
  ]) as Record<string, unknown>;
  return {
    type: 'object',
    properties: properties as InputSchema['properties'],
    ...(tool.required ? { required: [...tool.required] } : {}),
  };
}

/** @throws if the document has no such operation */
export function operationOf(id: string, { paths }: OpenAPIObject): Operation {
  const found = Object.values(paths)
    .flatMap((path) => Object.values(path as Readonly<Record<string, Operation>>))
    .find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`the document has no operation ${id}`);
  return found;
}

function fieldsOf({ parameters = [], requestBody }: Operation, document: OpenAPIObject): Record<string, Json> {
  const inPathOrQuery = parameters.filter((one) => one.in === 'path' || one.in === 'query');
  const body = resolveReference(requestBody?.content?.['application/json']?.schema ?? {}, document);
  return {
    ...Object.fromEntries(
      inPathOrQuery.map(({ name, schema, description }) => [
        String(name),
        simplify({ ...(schema as Json), ...(description === undefined ? {} : { description }) }, document),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries((body.properties ?? {}) as Record<string, Json>).map(([name, schema]) => [
        name,
        simplify(schema, document),
      ]),
    ),
  };
}

/** The schema with only the keywords of KEPT_KEYWORDS. A reference is replaced by the schema that it refers to. */
function simplify(schema: Json, document: OpenAPIObject): Json {
  const resolved = resolveReference(schema, document);
  return Object.fromEntries(
    KEPT_KEYWORDS.filter((name) => name in resolved).map((name) => {
      const value = resolved[name];
      if (name === 'items') return [name, simplify(value as Json, document)];
      if (name === 'anyOf') return [name, (value as Json[]).map((one) => withoutDescription(simplify(one, document)))];
      return [name, value];
    }),
  );
}

/** The referenced schema. Keywords next to the reference, such as `description`, replace the same keywords in it. */
function resolveReference(schema: Json, document: OpenAPIObject): Json {
  const { $ref, ...beside } = schema;
  if (typeof $ref !== 'string') return schema;
  const target = (document.components?.schemas ?? {})[$ref.split('/').at(-1) ?? ''] as Json | undefined;
  return { ...target, ...beside };
}

function withoutDescription({ description: _, ...schema }: Json): Json {
  return schema;
}
