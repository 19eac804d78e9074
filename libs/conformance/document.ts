export type Schema = Record<string, unknown>;

interface Reference {
  readonly $ref?: string;
}
export interface Header extends Reference {
  readonly required?: boolean;
}
interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}
export interface DeclaredResponse extends Reference {
  readonly headers?: Record<string, Header>;
  readonly content?: Record<string, Media>;
}
interface Parameter extends Reference {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema & Reference;
}
interface DeclaredOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<string, DeclaredResponse>;
}

/** The parts of an OpenAPI document that the conformance kit reads. */
export interface ApiDocument {
  readonly info: { readonly version: string };
  readonly paths: Record<string, Record<string, DeclaredOperation>>;
  readonly components: Record<string, Record<string, unknown>>;
}

export interface Operation extends DeclaredOperation {
  readonly id: string;
  /** GET, POST … */
  readonly method: string;
  /** The path from the origin, with `{name}` placeholders. */
  readonly path: string;
  /** The names of the path parameters. */
  readonly pathNames: readonly string[];
  /** The query parameters. */
  readonly query: readonly Parameter[];
  readonly isPaged: boolean;
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const described = methods[method];
      if (!described) return [];
      const parameters = (described.parameters ?? []).map((parameter) => resolveReference(document, parameter));
      const query = parameters.filter(({ in: location }) => location === 'query');
      return [
        {
          ...described,
          path,
          query,
          id: described.operationId,
          method: method.toUpperCase(),
          pathNames: parameters.filter(({ in: location }) => location === 'path').map(({ name }) => name),
          isPaged: query.some(({ name }) => name === 'page'),
        },
      ];
    }),
  );
}

/** Returns the node itself, or the target of its `$ref`. */
export function resolveReference<Node extends object>(document: ApiDocument, node: Node & Reference): Node {
  if (node.$ref === undefined) return node;
  return node.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], document) as Node;
}

/** The operation's path, such as `/api/v1/events/{id}`, with values in place of the placeholders. */
export function pathWith({ path }: Operation, pathValues: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(pathValues[name] ?? ''));
}
