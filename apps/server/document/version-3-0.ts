import { isNode, type Node } from './schema';

const NULL = 'null';
const SCHEMAS = '#/components/schemas/';

/**
 * Converts the document to OpenAPI 3.0.3, for generators that do not support 3.1. Webhooks, the summary of `info` and
 * the identifier of the license are removed, because 3.0 does not have them. The meaning of the rest does not change.
 * `nullable` replaces the type null. The list `examples` is replaced by `example`, whose value is the first example. A
 * reference with other keywords next to it is moved into `allOf`; the other keywords stay. A parameter with a reference
 * to a schema (an enum) gets a copy of this schema, because older generators do not read enums from references. Schemas
 * to which no reference remains are removed.
 */
export function inVersion30(document: Node): Node {
  const { summary: _summary, license, ...info } = document.info as Node & { license: Node };
  const { identifier: _identifier, ...licenseFields } = license;
  const { webhooks: _webhooks, ...known } = document;
  return withoutUnused(
    new DocumentConverter(document).convert({
      ...known,
      openapi: '3.0.3',
      info: { ...info, license: licenseFields },
    }) as Node,
  );
}

class DocumentConverter {
  constructor(private readonly document: Node) {}

  convert(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.convert(one));
    if (!isNode(value)) return value;
    const node = Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, isLiteral(key, value) ? one : this.convert(one)]),
    );
    return this.withEnum(withOneExample(withReferenceInAllOf(this.withNullable(node))));
  }

  private withNullable(node: Node): Node {
    if (node.type === NULL) return { ...node, type: 'string', nullable: true, enum: [null] };
    if (Array.isArray(node.type)) {
      const [type, ...others] = (node.type as string[]).filter((one) => one !== NULL);
      if (others.length > 0) throw new Error(`OpenAPI 3.0 has no schema with the types ${type}, ${others.join(', ')}`);
      return { ...node, type, ...(node.type.includes(NULL) && { nullable: true }) };
    }
    const { anyOf, oneOf, ...rest } = node;
    const variants = (anyOf ?? oneOf) as Node[] | undefined;
    // The variant null was converted to an enum that contains only null.
    const otherVariants = variants?.filter(({ enum: values }) => !Array.isArray(values) || values[0] !== null);
    if (!otherVariants || otherVariants.length === variants?.length) return node;
    const [only, ...others] = otherVariants as [Node, ...Node[]];
    return others.length === 0 ? { ...rest, ...this.orNull(only) } : { ...rest, oneOf: [this.orNull(only), ...others] };
  }

  /** `nullable` has an effect only next to a type, so a reference gets the type of its schema. */
  private orNull(schema: Node): Node {
    const { $ref, enum: values } = schema;
    if (typeof $ref === 'string') return { type: this.schemaAt($ref).type, nullable: true, allOf: [schema] };
    return { ...schema, nullable: true, ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }) };
  }

  private withEnum(node: Node): Node {
    if (typeof node.in !== 'string' || !isNode(node.schema)) return node;
    const { $ref, allOf, ...own } = node.schema;
    const reference = $ref ?? (allOf as Node[] | undefined)?.[0]?.$ref;
    return reference === undefined ? node : { ...node, schema: { ...this.schemaAt(reference as string), ...own } };
  }

  private schemaAt(reference: string): Node {
    return (
      (this.document.components as { schemas: Record<string, Node> }).schemas[reference.slice(SCHEMAS.length)] ?? {}
    );
  }
}

/**
 * Whether the value with this key is an example, a default or a list of allowed values. Such a value is not converted,
 * because it is not a schema. In a response, `examples` is an object with a name for each example. This object is
 * converted, except the `value` of each example.
 */
function isLiteral(key: string, { examples }: Node): boolean {
  return (
    key === 'example' ||
    key === 'default' ||
    key === 'enum' ||
    key === 'value' ||
    (key === 'examples' && Array.isArray(examples))
  );
}

function withOneExample(node: Node): Node {
  if (!Array.isArray(node.examples)) return node;
  const { examples, ...rest } = node;
  return { ...rest, example: (examples as unknown[])[0] };
}

function withReferenceInAllOf(node: Node): Node {
  const { $ref, ...rest } = node;
  return typeof $ref === 'string' && Object.keys(rest).length > 0 ? { ...rest, allOf: [{ $ref }] } : node;
}

function withoutUnused(document: Node): Node {
  const components = document.components as { schemas: Record<string, Node> };
  const text = JSON.stringify(document);
  const schemas = Object.entries(components.schemas).filter(([name]) => text.includes(`"${SCHEMAS}${name}"`));
  return { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } };
}
