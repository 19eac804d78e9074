import { Body, Query, ValidationPipe } from '@nestjs/common';
import { ApiBody, ApiQuery } from '@nestjs/swagger';
import type { ValidationError } from 'class-validator';
import type { MessageKey } from '../messages/catalogue';
import type { Text } from '../messages/messages';
import type { ItemCheck } from './constraints';
import { fieldsOf, type DeclaredField, type Dto } from './declared-fields';
import { Refusal } from './refusal';
import { declareBody, declareQuery, refuseUnknownNames } from './strict';
import { Violations } from './violations';

/** `json`: values have types. `text`: all values are texts (queries, forms and multipart fields; WIRE-14). */
export type InputFormat = 'json' | 'text';

/**
 * The key of a property that is added to the input before the validation. The property contains stored values of the
 * object that the request changes (`Input.readWith`).
 */
export const STORED = Symbol('stored');

/** Replaces an object or a list if the DTO does not allow an object or a list there, so that the field is refused. */
const NOT_A_VALUE = Symbol('not a value');

/**
 * The maximum number of unknown fields of an object that are passed to the pipe. Further unknown fields are omitted.
 */
const MAX_UNKNOWN_FIELDS = 20;

/**
 * Creates the pipe that validates the inputs of one format. The option `forbidNonWhitelisted` is not set: with it,
 * `faultsOf` would get a constraint `whitelistValidation` for every unknown field, and would need a text for this
 * constraint.
 */
const pipeFor = (groups: string[]): ValidationPipe =>
  new ValidationPipe({
    transform: true,
    transformOptions: { groups, exposeUnsetFields: false },
    whitelist: true,
    stopAtFirstError: true,
    validationError: { target: true, value: true },
    exceptionFactory: (errors) => faultsOf(errors).refusal(),
  });
const PIPES: Readonly<Record<InputFormat, ValidationPipe>> = { json: pipeFor([]), text: pipeFor(['text']) };

/**
 * Validates a raw body or query, and returns the DTO. An absent body or query is read as an empty object.
 *
 * @throws Refusal 422 `validation_failed`, with `errors` in the order of the DTO's fields
 */
export async function readInput<T extends object>(
  dto: Dto<T>,
  raw: unknown,
  format: InputFormat,
  stored = {},
): Promise<T> {
  if (typeof (raw ?? {}) !== 'object' || Array.isArray(raw)) throw Refusal.invalid('body', 'body_unreadable');
  const value = { ...boundedCopy(dto, raw ?? {}), [STORED]: stored };
  return (await PIPES[format].transform(value, { type: 'body', metatype: dto })) as T;
}

/** The result of a validation: the DTO or the refusal, and a function for a second validation with stored values. */
export interface Validated<T> {
  readonly outcome: T | Refusal;
  /**
   * Validates again, and returns the DTO or throws the refusal. The functions `isUsedIf` of the fields (fields.ts) get
   * the stored values as a parameter.
   */
  readonly readWith: (stored: Partial<T>) => Promise<T>;
}

/** Validates an input. If the input is invalid, `outcome` is the refusal, which is not thrown. */
export async function validateInput<T extends object>(
  dto: Dto<T>,
  raw: unknown,
  format: InputFormat,
): Promise<Validated<T>> {
  const outcome: T | Refusal = await readInput(dto, raw, format).catch((error: unknown) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  return { outcome, readWith: (stored) => readInput(dto, raw, format, stored) };
}

/**
 * A validated body or query. An invalid input is refused only when the handler calls `read` or `readWith`, so that
 * other errors can come first (WIRE-37).
 */
export class Input<T extends object> {
  protected constructor(private readonly result: Validated<T>) {}

  static async of<T extends object>(dto: Dto<T>, raw: unknown, format: InputFormat): Promise<Input<T>> {
    return new Input<T>(await validateInput(dto, raw, format));
  }

  /** The DTO, in which absent fields stay absent. @throws Refusal 422 `validation_failed` */
  read(): T {
    refuseUnknownNames();
    if (this.result.outcome instanceof Refusal) throw this.result.outcome;
    return this.result.outcome;
  }

  /** Like `read`, after a second validation in which the functions `isUsedIf` of the fields get the stored values. */
  async readWith(stored: Partial<T>): Promise<T> {
    refuseUnknownNames();
    return this.result.readWith(stored);
  }
}

/**
 * `@BodyInput(CreateEventDto) body: Input<CreateEventDto>` reads the JSON body, and adds it to the OpenAPI document.
 */
export function BodyInput(dto: Dto): ParameterDecorator {
  const required = [...fieldsOf(dto).values()].some((field) => field.required);
  return withDecorators(
    Body({ transform: (raw) => Input.of(dto, raw, 'json') }),
    declareOnHandler(declareBody, dto),
    ApiBody({ type: dto, required }),
  );
}

/** `@QueryInput(PageQueryDto) query: Input<PageQueryDto>` reads the query, and adds it to the OpenAPI document. */
export function QueryInput(dto: Dto): ParameterDecorator {
  const parameters = [...fieldsOf(dto)].map(([name, { required, isArray: _, description, type, ...schema }]) =>
    // The schema is passed explicitly. Otherwise the OpenAPI document would state the TypeScript class of the property
    // as the type of a field whose schema has no `type` (`oneOf`).
    ApiQuery({
      name,
      required,
      schema: typeof type === 'string' ? { type, ...schema } : schema,
      ...(description && { description }),
    }),
  );
  return withDecorators(
    Query({ transform: (raw) => Input.of(dto, raw, 'text') }),
    declareOnHandler(declareQuery, dto),
    ...parameters,
  );
}

/** Calls `declare` for the handler that has the decorated parameter. */
export function declareOnHandler<Declared>(
  declare: (handler: object, declared: Declared) => void,
  declared: Declared,
): MethodDecorator {
  return (_controller, _method, descriptor) => declare(descriptor.value as object, declared);
}

/** A decorator of a parameter that also adds decorators to the method. */
export function withDecorators(parameter: ParameterDecorator, ...decorators: MethodDecorator[]): ParameterDecorator {
  return (controller, method, index) => {
    parameter(controller, method, index);
    const descriptor = method && Object.getOwnPropertyDescriptor(controller, method);
    if (method && descriptor) for (const decorate of decorators) decorate(controller, method, descriptor);
  };
}

/**
 * Copies the value, but not deeper than the DTO declares. Of a list, copies at most one item more than the declared
 * maximum, so that a list that is too long is still refused. This limits the time of class-transformer, which compares
 * all keys of an object with one another (7 s for 120,000 keys). The copy also protects the original, because the pipe
 * changes its input.
 */
function boundedCopy(dto: Dto, raw: object): object {
  const fields = fieldsOf(dto);
  let unknownCount = 0;
  const copied = Object.entries(raw).filter(([name]) => fields.has(name) || unknownCount++ < MAX_UNKNOWN_FIELDS);
  return Object.fromEntries(copied.map(([name, value]) => [name, boundedValue(value, fields.get(name))]));
}

function boundedValue(value: unknown, field?: DeclaredField, isItem = false): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) && !isItem && field?.maxItems)
    return value.slice(0, field.maxItems + 1).map((item) => boundedValue(item, field, true));
  return isItem && field?.isArray && !Array.isArray(value)
    ? boundedCopy((field.type as unknown as () => Dto)(), value)
    : NOT_A_VALUE;
}

/** Returns the faults in the order of the fields. In a list, the faults of items that are not objects come first. */
function faultsOf(errors: readonly ValidationError[], found = new Violations(), prefix = ''): Violations {
  const names = [...fieldsOf((errors[0]?.target?.constructor ?? Object) as Dto).keys()];
  const rank = ({ property, target, constraints }: ValidationError): number =>
    Array.isArray(target) ? Number(!constraints) : names.indexOf(property);
  for (const error of [...errors].sort((a, b) => rank(a) - rank(b))) {
    // A fault of an `ObjectRule` has an empty `property`, because it concerns the whole object.
    const path = error.property === '' ? prefix.slice(0, -1) : prefix + error.property;
    for (const [type, key] of Object.entries(error.constraints ?? {})) {
      const context = error.contexts?.[type] as (Text['values'] & { readonly check?: ItemCheck }) | undefined;
      if (!context?.check) found.add(path, key as MessageKey, context);
      const items = context?.check ? (error.value as unknown[]).map(context.check) : [];
      items.forEach((fault, i) => fault && found.add(`${path}.${i}`, fault.message, fault.context));
    }
    faultsOf(error.children ?? [], found, `${path}.`);
  }
  return found;
}
