import type { OpenAPIObject } from '@nestjs/swagger';
import type { RefusalCode } from '#contract/refusals';
import { componentNameOf, operationsOf, type Response } from '../document/schema';

/** The parts of an operation that the pages below /docs need. */
export interface DescribedOperation {
  readonly id: string;
  /** The HTTP method in upper case. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  /** All error codes that the OpenAPI document names for the operation. */
  readonly codes: ReadonlySet<RefusalCode>;
}

/** All operations, in the order of the OpenAPI document. */
export function describedOperations({ paths, components }: OpenAPIObject): DescribedOperation[] {
  const shared = (components?.responses ?? {}) as unknown as Record<string, Response>;
  return operationsOf(paths).map(({ path, method, operation }) => {
    const { operationId: id, summary = '', tags: [tag = ''] = [], responses } = operation;
    const codes = Object.entries(responses).flatMap(([status, response]) =>
      Number(status) < 400 ? [] : codesOf(shared[componentNameOf(response) ?? ''] ?? response),
    );
    return { id, method: method.toUpperCase(), path, summary, tag, codes: new Set(codes) };
  });
}

/** The fragment of the operation's address in the reference: `#/Events/createEvent`. */
export function anchorOf({ tag, id }: Pick<DescribedOperation, 'tag' | 'id'>): string {
  return `#/${encodeURIComponent(tag)}/${id}`;
}

/** The error codes of a response. They are the names of its examples. */
function codesOf({ content = {} }: Response): RefusalCode[] {
  return Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples) as RefusalCode[]);
}
