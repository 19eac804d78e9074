import { isNode, type Node } from './schema';

/**
 * Formats of texts and numbers by field name. Fields with the same name have the same meaning everywhere (WIRE-6,
 * WIRE-33). The test server validates every response against these formats, so a test fails if the value of a field
 * does not have the format of the field's name.
 */
const FORMATS: readonly (readonly [name: RegExp, type: string, format: Node])[] = [
  [/(?:^at|_at|_until|_since)$/, 'string', { format: 'date-time' }],
  [/(?:^|_)url$/, 'string', { format: 'uri' }],
  [/^(?:until|day|birth_date)$/, 'string', { format: 'date' }],
  [
    /(?:_count|_participants|_limit|_minutes|_hours|_credits|_events|_offers)$|^(?:width|height|(?:waitlist_)?position|interval|age_min|age_max|events_organized)$/,
    'number',
    { type: 'integer' },
  ],
];

/**
 * Adds the format to each property whose name and type match an entry of `FORMATS`. A property with its own format, a
 * list of values or a `not` stays unchanged.
 */
export function addFormats(schemas: Record<string, Node>): void {
  for (const { properties } of Object.values(schemas)) {
    if (!isNode(properties)) continue;
    for (const [name, schema] of Object.entries(properties))
      if (isNode(schema)) properties[name] = withFormat(name, schema);
  }
}

function withFormat(name: string, schema: Node): Node {
  if (schema.enum !== undefined || schema.format !== undefined || schema.not !== undefined) return schema;
  const types = [schema.type].flat<unknown[]>();
  const found = FORMATS.find(([pattern, type]) => types.includes(type) && pattern.test(name));
  if (!found) return schema;
  const [, from, { type: to, ...rest }] = found;
  if (to === undefined) return { ...schema, ...rest };
  return { ...schema, ...rest, type: Array.isArray(schema.type) ? types.map((one) => (one === from ? to : one)) : to };
}
