import { isNode, mapNodes, type Node } from './schema';

/**
 * Converts nullable values from OpenAPI 3.0 to 3.1. In 3.0, `nullable` is a keyword in addition to the type; in 3.1,
 * null is a type. In 3.1 a reference may have other keywords next to it, so an `allOf` with a single entry (which
 * swagger adds around a reference) is replaced by the entry.
 */
export function withNullTypes(document: Node): Node {
  return mapNodes(document, (node) => {
    const { nullable, ...schema } = unwrapAllOf(node);
    if (typeof nullable !== 'boolean') return schema;
    return nullable ? orNull(schema) : schema;
  }) as Node;
}

function unwrapAllOf(node: Node): Node {
  const { allOf, ...rest } = node;
  if (!Array.isArray(allOf) || allOf.length !== 1 || !isNode(allOf[0]) || rest.properties) return node;
  const { type, ...others } = rest;
  return { ...allOf[0], ...others, ...(type !== undefined && !('$ref' in allOf[0]) && { type }) };
}

const NULL = { type: 'null' };

function orNull(schema: Node): Node {
  const { $ref, type, enum: values, oneOf, anyOf, ...rest } = schema;
  if ($ref !== undefined) return { ...rest, anyOf: [{ $ref }, NULL] };
  if (Array.isArray(oneOf)) return { ...rest, oneOf: [...(oneOf as Node[]), NULL] };
  if (Array.isArray(anyOf)) return { ...rest, anyOf: [...(anyOf as Node[]), NULL] };
  const listed = Array.isArray(values) ? values.filter((one) => one !== null) : null;
  // Null is the only listed value.
  if (listed?.length === 0) return { ...rest, ...NULL };
  const types = typeof type === 'string' ? { type: [type, 'null'] } : {};
  return { ...types, ...rest, ...(listed && { enum: [...(listed as unknown[]), null] }) };
}
