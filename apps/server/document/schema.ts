/** A JSON object of the OpenAPI document. swagger creates OpenAPI 3.0; the code in this folder converts it to 3.1. */
export interface Node {
  [key: string]: unknown;
}

/** The parts of an operation that the code in this folder uses. */
export interface Operation extends Node {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Node[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
}

export interface Response extends Node {
  description: string;
  headers?: Record<string, Node>;
  content?: Record<string, Media>;
}

export interface Media extends Node {
  schema: Node;
  example?: unknown;
  examples?: Record<string, Node>;
}

/** One operation with its path and method. */
export interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

/** All operations, in the order of the document's paths. */
export function operationsOf(paths: object): PlacedOperation[] {
  return Object.entries(paths as Readonly<Record<string, Record<string, Operation>>>).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => (operations[method] ? [{ path, method, operation: operations[method] }] : [])),
  );
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a reference to a component, such as `#/components/schemas/OwnEvent`. */
export function refTo(kind: 'schemas' | 'headers' | 'responses' | 'examples', name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Returns the name of the component to which a reference points; null if the object is not a reference. */
export function componentNameOf(schema: Node): string | null {
  return typeof schema.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? null) : null;
}

/**
 * Replaces the value, if it is an object, and every object in it by the results of `change`. Inner objects are replaced
 * before outer ones.
 */
export function mapNodes(value: unknown, change: (node: Node) => Node): unknown {
  if (Array.isArray(value)) return value.map((one) => mapNodes(one, change));
  if (!isNode(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapNodes(one, change)])));
}

/** Converts `event_full`, `joinEvent` or `Blog posts` to `EventFull`, `JoinEvent`, `BlogPosts`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}

/** Converts a plural to the singular: `Statuses` to `Status`, `Currencies` to `Currency`. */
export function singular(word: string): string {
  if (/(?:us|ss)es$/i.test(word)) return word.slice(0, -2);
  if (/ies$/i.test(word) && word.toLowerCase() !== 'series') return `${word.slice(0, -3)}y`;
  return /[^s]s$/i.test(word) && !/(?:series|puls|us)$/i.test(word) ? word.slice(0, -1) : word;
}
