import { REFUSALS, SERVICE_UNAVAILABLE, type RefusalCode } from '#contract/refusals';
import type { Locale } from '#contract/vocabulary';
import { REFUSED_WITH } from '#platform/http/answers';
import { translate } from '#platform/messages/messages';
import { headersOf } from './headers';
import { pascal, refTo, type Node, type PlacedOperation, type Response } from './schema';

/** Errors that a request of any operation can get, most of them before its handler runs (WIRE-37). */
const EVERY_OPERATION: readonly RefusalCode[] = [
  'unauthenticated',
  'premium_required',
  'insufficient_scope',
  'banned',
  'too_many_requests',
  'server_error',
  // For unknown names of parameters and fields in requests with `Prefer: handling=strict` (WIRE-53).
  'validation_failed',
];
/**
 * Further errors that a request with a writing method can get: an error of the body, which the server reads for every
 * such request, and errors of the Idempotency-Key.
 */
const EVERY_WRITE: readonly RefusalCode[] = ['payload_too_large', 'request_in_progress', 'idempotency_key_reused'];

/** All error codes of an operation: those of every operation, those of its method and path, and its declared codes. */
export function codesOf({ path, method, operation }: PlacedOperation): RefusalCode[] {
  const codes = new Set<RefusalCode>(EVERY_OPERATION);
  if (method !== 'get') EVERY_WRITE.forEach((code) => codes.add(code));
  if (path.includes('{')) codes.add('not_found');
  for (const code of (operation[REFUSED_WITH] ?? []) as RefusalCode[]) codes.add(code);
  return (Object.keys(REFUSALS) as RefusalCode[]).filter((code) => codes.has(code));
}

/** Error responses and their schemas. A response with a `sharedName` is defined once for all operations. */
export class RefusalResponses {
  readonly schemas: Record<string, Node> = {};
  readonly responses: Record<string, Response> = {};

  /** One response per status. The schema of `code` allows only the codes that the operation has with this status. */
  answersTo(placed: PlacedOperation): Record<string, Node> {
    const byStatus = new Map<number, RefusalCode[]>();
    for (const code of codesOf(placed)) {
      const { status } = REFUSALS[code];
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    const responses: [number, Node][] = [...byStatus].map(([status, codes]) => [
      status,
      this.response(placed.operation.operationId, status, codes),
    ]);
    responses.push([SERVICE_UNAVAILABLE.status, this.unavailable()]);
    return Object.fromEntries(responses.sort(([one], [other]) => one - other));
  }

  private response(operationId: string, status: number, codes: readonly RefusalCode[]): Node {
    const shared = sharedName(codes);
    const name = shared ?? `${pascal(operationId)}${STATUS_NAMES[status] ?? String(status)}`;
    this.schemas[`${name}Refusal`] ??= schemaOf(codes);
    const description = codes.map((code) => `\`${code}\`: ${REFUSALS[code].en}`).join('\n\n');
    const examples = Object.fromEntries(codes.map((code) => [code, refTo('examples', code)]));
    const response: Response = {
      description,
      headers: headersOf(status, [
        ...(codes.includes('request_in_progress') ? ['Retry-After'] : []),
        ...(codes.includes('precondition_failed') ? ['ETag'] : []),
      ]),
      content: { 'application/json': { schema: refTo('schemas', `${name}Refusal`), examples } },
    };
    if (shared === null) return response;
    this.responses[name] ??= response;
    return refTo('responses', name);
  }

  private unavailable(): Node {
    const { status, code, en } = SERVICE_UNAVAILABLE;
    this.schemas.ServerErrorRefusal ??= schemaOf([code]);
    this.responses.ServiceUnavailable ??= {
      description: `\`${code}\`: ${en} During maintenance every change is refused with this code, and \`message\` contains the operator's reason.`,
      headers: headersOf(status),
      content: {
        'application/json': {
          schema: refTo('schemas', 'ServerErrorRefusal'),
          examples: { [code]: refTo('examples', 'service_unavailable') },
        },
      },
    };
    return refTo('responses', 'ServiceUnavailable');
  }
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  422: 'Unprocessable',
  429: 'TooMany',
};

/**
 * The name of a response that many operations share: a response with a single code, or with one of the two sets of
 * codes that many operations have. Null for other responses.
 */
function sharedName(codes: readonly RefusalCode[]): string | null {
  if (codes.length === 1) return pascal(codes[0] as string);
  const joined = codes.join(' ');
  if (joined === 'premium_required insufficient_scope banned') return 'NotAdmitted';
  return joined === 'idempotency_key_reused validation_failed' ? 'InvalidWrite' : null;
}

function schemaOf(codes: readonly RefusalCode[]): Node {
  const mayHaveErrors = codes.includes('validation_failed');
  const errors = {
    $ref: '#/components/schemas/FieldErrors',
    description: codes.length > 1 ? 'texts by field; only with `validation_failed`' : 'texts by field',
  };
  return {
    type: 'object',
    required: ['message', 'code', ...(mayHaveErrors && codes.length === 1 ? ['errors'] : [])],
    properties: {
      message: { type: 'string', description: "for people, in the caller's language; never parse it" },
      code: { type: 'string', enum: [...codes], description: 'for programs; never changes' },
      ...(mayHaveErrors && { errors }),
    },
  };
}

export const FIELD_ERRORS: Node = {
  type: 'object',
  description:
    'texts by dotted field: `title`, `stops.0.title`, `images.2`; `body` for a body that cannot be read at all',
  additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
};

/** One example for each code in `used`, and an example of an overloaded server. */
export function refusalExamples(used: ReadonlySet<RefusalCode>): Record<string, Node> {
  const examples = (Object.keys(REFUSALS) as RefusalCode[])
    .filter((code) => used.has(code))
    .map((code) => [code, exampleOf(code)] as const);
  return {
    ...Object.fromEntries(examples),
    service_unavailable: {
      summary: 'overloaded, or being restarted',
      value: { message: SERVICE_UNAVAILABLE.en, code: SERVICE_UNAVAILABLE.code },
    },
  };
}

function exampleOf(code: RefusalCode): Node {
  return { summary: REFUSALS[code].en, value: refusalBody(code, 'en') };
}

/** The body of an error response. */
export function refusalBody(code: RefusalCode, locale: Locale): Node {
  if (code !== 'validation_failed') return { message: REFUSALS[code][locale], code };
  const text = translate({ key: 'required' }, locale);
  return { message: text, code, errors: { title: [text] } };
}
