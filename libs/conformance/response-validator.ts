import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import {
  resolveReference,
  type ApiDocument,
  type DeclaredResponse,
  type Header,
  type Operation,
  type Schema,
} from './document';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON; undefined if the body is not JSON. */
  readonly body: unknown;
}

/**
 * Statuses of refusals that are sent before the server has determined the operation. Only the introduction of the
 * OpenAPI document mentions these statuses. The operations do not declare them.
 */
const STATUSES_WITHOUT_OPERATION: ReadonlySet<number> = new Set([400, 405, 408, 431]);

/** Compares a response with its operation's declaration. Additional fields and headers are allowed. */
export class ResponseValidator {
  private readonly ajv = addFormats(new Ajv2020({ strict: false, allErrors: true })).addFormat('uri', isUrl);
  private readonly validators = new Map<Schema, ValidateFunction>();

  constructor(private readonly document: ApiDocument) {}

  differences(operation: Operation, answer: Answer): string[] {
    const { status } = answer;
    if (STATUSES_WITHOUT_OPERATION.has(status)) return [];
    const declared = operation.responses[status];
    if (!declared) return [`${status} is not declared${codeOf(answer.body) ? ` (${codeOf(answer.body)})` : ''}`];
    const response = resolveReference<DeclaredResponse>(this.document, declared);
    return [...this.headers(response, answer), ...this.body(response, answer)].map(
      (difference) => `${status}: ${difference}`,
    );
  }

  private headers({ headers = {} }: DeclaredResponse, answer: Answer): string[] {
    return Object.entries(headers).flatMap(([name, declared]) => {
      const { required, schema } = resolveReference<Header & { schema?: Schema }>(this.document, declared);
      const value = answer.headers.get(name);
      if (value === null) return required ? [`lacks the header ${name}`] : [];
      const typed = schema?.['type'] === 'integer' ? Number(value) : value;
      return schema && !this.validatorOf(schema)(typed) ? [`the header ${name} is ${value}`] : [];
    });
  }

  private body({ content = {} }: DeclaredResponse, { headers, text, body }: Answer): string[] {
    const types = Object.keys(content);
    if (types.length === 0) return text === '' ? [] : ['has a body'];
    const type = (headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
    const media = content[type];
    if (!media) return [`has the content type ${type || '(none)'}, not ${types.join(' or ')}`];
    if (type !== 'application/json') return [];
    if (body === undefined) return ['is not JSON'];
    const validate = this.validatorOf(media.schema);
    if (validate(body)) return [];
    const lines = (validate.errors ?? []).map(
      ({ instancePath, message = '', params }) =>
        `${instancePath.replace(/\/\d+/g, '/n')} ${message} ${JSON.stringify(instancePath === '/code' ? codeOf(body) : params)}`,
    );
    return [...new Set(lines)];
  }

  private validatorOf(schema: Schema): ValidateFunction {
    let validate = this.validators.get(schema);
    if (!validate) {
      validate = this.ajv.compile({ ...schema, components: { schemas: this.document.components['schemas'] } });
      this.validators.set(schema, validate);
    }
    return validate;
  }
}

export function codeOf(body: unknown): string | undefined {
  const { code } = (body ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** `URL.canParse` of Node 20 and 22 refuses addresses with accents after some thousand calls, so it is not used. */
function isUrl(text: string): boolean {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}
