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
export interface Described extends Reference {
  readonly headers?: Record<string, Header>;
  readonly content?: Record<string, Media>;
}
interface Parameter extends Reference {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema & Reference;
}
interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<string, Described>;
}

/** The parts of an OpenAPI document that are tested. */
export interface ApiDocument {
  readonly info: { readonly version: string };
  readonly paths: Record<string, Record<string, DescribedOperation>>;
  readonly components: Record<string, Record<string, unknown>>;
}

export interface Operation extends DescribedOperation {
  readonly id: string;
  /** GET, POST … */
  readonly method: string;
  /** The path from the origin, with `{name}` placeholders. */
  readonly path: string;
  readonly pathNames: readonly string[];
  readonly query: readonly Parameter[];
  readonly isPaged: boolean;
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const described = methods[method];
      if (!described) return [];
      const parameters = (described.parameters ?? []).map((one) => followed(document, one));
      const query = parameters.filter((one) => one.in === 'query');
      return [
        {
          ...described,
          path,
          query,
          id: described.operationId,
          method: method.toUpperCase(),
          pathNames: parameters.filter((one) => one.in === 'path').map(({ name }) => name),
          isPaged: query.some(({ name }) => name === 'page'),
        },
      ];
    }),
  );
}

/** The node itself, or the target of its `$ref`. */
export function followed<Node extends object>(document: ApiDocument, node: Node & Reference): Node {
  if (node.$ref === undefined) return node;
  return node.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], document) as Node;
}

/** `/api/v1/events/{id}` with its placeholders filled in. */
export function pathWith({ path }: Operation, names: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(names[name] ?? ''));
}
