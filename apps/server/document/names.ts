import { NOTICE_SUBJECTS } from '#areas/notifications/notice.query';
import { NOTICE_KINDS } from '#areas/notifications/notice.texts';
import * as accountLimits from '#contract/account-limits';
import { CHANGE_TEXTS } from '#contract/change-texts';
import * as changes from '#contract/changes';
import { SCOPES } from '#contract/scopes';
import * as vocabulary from '#contract/vocabulary';
import { isNode, pascal, componentNameOf, refTo, mapNodes, singular, type Node, type Operation } from './schema';

/** Names of schemas, by class. All other schemas have the name of their class, without `Resource` or `Dto`. */
const NAMES: Readonly<Record<string, string>> = {
  PersonResource: 'User',
  OwnTokenResource: 'Token',
  InviteDto: 'InviteParticipant',
  JoinDto: 'JoinEvent',
  MakeTicketsDto: 'CreateTickets',
  StopDto: 'PutStop',
  EventSourceResource: 'EventOrigin',
};

/** Lists of allowed values whose schema needs another name, because another schema has the usual name. */
const LIST_NAMES: Readonly<Record<string, string>> = {
  CHANGE_SUBJECTS: 'ChangeSubjectType',
  NOTICE_SUBJECTS: 'NoticeSubjectType',
};

/**
 * The lists of at least two allowed values, with the name of each list's schema. The schema of EVENT_TYPES is
 * `EventType`: the list's name in the singular. If two lists contain the same values, the first name in alphabetical
 * order is used. The keys of the map are made of the sorted values (`keyOf`), because the TypeScript compiler may list
 * the members of a union in another order.
 */
const ENUMS: ReadonlyMap<string, { readonly name: string; readonly values: readonly string[] }> = enums({
  ...vocabulary,
  ...changes,
  ...accountLimits,
  SCOPES,
  NOTICE_KINDS,
  NOTICE_SUBJECTS,
});

function keyOf(values: readonly unknown[]): string {
  return JSON.stringify([...values].sort());
}

/** Descriptions of lists of values, by the names of their schemas. */
const DESCRIPTIONS: Readonly<Record<string, Node>> = { ChangeType: { description: changeTypesText() } };

function enums(lists: Node): Map<string, { name: string; values: readonly string[] }> {
  const enumByValues = new Map<string, { name: string; values: readonly string[] }>();
  for (const [constant, values] of Object.entries(lists).sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (!Array.isArray(values) || values.length < 2) continue;
    const words = constant.toLowerCase().split('_');
    const name = LIST_NAMES[constant] ?? pascal([...words.slice(0, -1), singular(words.at(-1) ?? '')].join('_'));
    const key = keyOf(values);
    if (!enumByValues.has(key)) enumByValues.set(key, { name, values: values as string[] });
  }
  return enumByValues;
}

/**
 * Replaces the class names of the schemas by the names for the document. Also moves pages, and lists of allowed values,
 * into separate schemas.
 */
export function nameSchemas(document: Node, operations: readonly Operation[]): void {
  const components = document.components as { schemas: Record<string, Node> };
  const { schemas } = components;
  for (const operation of operations) namePage(operation, schemas);
  const lists: Record<string, Node> = {};
  const change = (node: Node): Node => extractEnum(renameReference(node), lists);
  for (const operation of operations) Object.assign(operation, mapNodes({ ...operation }, change));
  const renamed = Object.entries(schemas).map(
    ([name, schema]) => [nameOf(name), mapNodes(schema, change) as Node] as const,
  );
  components.schemas = unique([...renamed, ...Object.entries(lists)]);
}

/** Throws if two different schemas have the same name, because the document would contain only one of them. */
function unique(namedSchemas: readonly (readonly [name: string, schema: Node])[]): Record<string, Node> {
  const schemas: Record<string, Node> = {};
  for (const [name, schema] of namedSchemas) {
    if (schemas[name] && JSON.stringify(schemas[name]) !== JSON.stringify(schema))
      throw new Error(`two schemas would be called ${name}: give one a name in apps/server/document/names.ts`);
    schemas[name] = schema;
  }
  return schemas;
}

function nameOf(schema: string): string {
  return NAMES[schema] ?? schema.replace(/(?:Resource|Dto)$/, '');
}

function renameReference(node: Node): Node {
  const name = componentNameOf(node);
  if (name !== null && /^#\/components\/schemas\//.test(node.$ref as string))
    return { ...node, ...refTo('schemas', nameOf(name)) };
  if (!isNode(node.discriminator) || !isNode(node.discriminator.mapping)) return node;
  const mapping = Object.fromEntries(
    Object.entries(node.discriminator.mapping).map(([value, ref]) => [
      value,
      refTo('schemas', nameOf(String(ref).split('/').at(-1) ?? '')).$ref,
    ]),
  );
  return { ...node, discriminator: { ...node.discriminator, mapping } };
}

/**
 * If the allowed values of a schema are one of the lists in `ENUMS`, returns a reference to the schema of that list.
 */
function extractEnum(node: Node, lists: Record<string, Node>): Node {
  if (!Array.isArray(node.enum)) return node;
  const values = node.enum.filter((one) => one !== null) as string[];
  const listSchema = ENUMS.get(keyOf(values));
  if (!listSchema) return node;
  lists[listSchema.name] = { type: 'string', ...DESCRIPTIONS[listSchema.name], enum: [...listSchema.values] };
  const { type: _type, enum: _enum, ...rest } = node;
  const $ref = refTo('schemas', listSchema.name);
  return node.enum.includes(null) ? { ...rest, anyOf: [$ref, { type: 'null' }] } : { ...$ref, ...rest };
}

/**
 * Moves the schema of a page into a separate schema, for example `OwnEventPage` for a page of `OwnEvent`. A page
 * that has a `title` (from its decorator) gets this title as its name.
 */
function namePage({ responses }: Operation, schemas: Record<string, Node>): void {
  const media = responses['200']?.content?.['application/json'];
  const { title, properties } = media?.schema ?? {};
  if (!media || !isNode(properties) || !isNode(properties.links)) return;
  const items =
    isNode(properties.data) && isNode(properties.data.items) ? componentNameOf(properties.data.items) : null;
  const name = typeof title === 'string' ? title : `${nameOf(items ?? '')}Page`;
  const links = shareSchema('PageLinks', properties.links, schemas);
  const meta = shareSchema('PageMeta', properties.meta as Node, schemas);
  const { title: _title, ...schema } = media.schema;
  const page = {
    ...schema,
    properties: {
      ...properties,
      links: withDescription(links, properties.links),
      meta: withDescription(meta, properties.meta as Node),
    },
  };
  if (schemas[name] && JSON.stringify(schemas[name]) !== JSON.stringify(page))
    throw new Error(`two pages would be called ${name}: give one a title`);
  schemas[name] = page;
  media.schema = refTo('schemas', name);
}

/** Copies the description of a referenced schema to the reference. */
function withDescription(reference: Node, { description }: Node): Node {
  return { ...reference, description };
}

/**
 * Stores `schema` under the name and returns a reference. If a different schema has this name, returns `schema` itself.
 */
function shareSchema(name: string, schema: Node, schemas: Record<string, Node>): Node {
  schemas[name] ??= schema;
  return JSON.stringify(schemas[name]) === JSON.stringify(schema) ? refTo('schemas', name) : schema;
}

/** All types of changes with their meaning, as a Markdown list. */
function changeTypesText(): string {
  return changes.CHANGE_TYPES.map((type) => `- \`${type}\`: ${CHANGE_TEXTS[type].en}`).join('\n');
}
