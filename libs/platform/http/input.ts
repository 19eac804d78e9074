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

/** How values are written: JSON has types; queries, forms and multipart fields are text (WIRE-14). */
export type Notation = 'json' | 'text';

/** The key under which a raw body contains stored values (`Input.readWith`). */
export const STORED = Symbol('stored');

/** Replaces an object or a list in a field that accepts neither. */
const NOT_A_VALUE = Symbol('not a value');

/** Unknown fields of an object that reach the pipe. */
const MOST_UNKNOWN = 20;

/**
 * The pipe for all input. With `forbidNonWhitelisted` here, `faultsOf` gets a constraint `whitelistValidation` for
 * every unknown field, and needs a text for it.
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
const PIPES: Readonly<Record<Notation, ValidationPipe>> = { json: pipeFor([]), text: pipeFor(['text']) };

/**
 * @throws Refusal 422 `validation_failed`, `errors` in the order of the DTO's fields. Absent values are read as an
 *   empty object.
 */
export async function readInput<T extends object>(
  dto: Dto<T>,
  raw: unknown,
  notation: Notation,
  stored = {},
): Promise<T> {
  if (typeof (raw ?? {}) !== 'object' || Array.isArray(raw)) throw Refusal.invalid('body', 'body_unreadable');
  const value = { ...bounded(dto, raw ?? {}), [STORED]: stored };
  return (await PIPES[notation].transform(value, { type: 'body', metatype: dto })) as T;
}

/** The result of a validation: the DTO or its 422, and a second validation that takes stored values into account. */
export interface Validated<T> {
  readonly outcome: T | Refusal;
  /** A stored value is used for a field that is absent in the body. */
  readonly readWith: (stored: Partial<T>) => Promise<T>;
}

/** Validates without throwing. */
export async function validated<T extends object>(
  dto: Dto<T>,
  raw: unknown,
  notation: Notation,
): Promise<Validated<T>> {
  const outcome: T | Refusal = await readInput(dto, raw, notation).catch((error: unknown) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  return { outcome, readWith: (stored) => readInput(dto, raw, notation, stored) };
}

/** A validated body or query. Its 422 waits for `read()`, because other refusals come before it (WIRE-37). */
export class Input<T extends object> {
  protected constructor(private readonly result: Validated<T>) {}

  static async of<T extends object>(dto: Dto<T>, raw: unknown, notation: Notation): Promise<Input<T>> {
    return new Input<T>(await validated(dto, raw, notation));
  }

  /** Absent fields are absent. @throws Refusal 422 `validation_failed` */
  read(): T {
    refuseUnknownNames();
    if (this.result.outcome instanceof Refusal) throw this.result.outcome;
    return this.result.outcome;
  }

  /** Like `read`, after a second validation: a stored value is used for a field that is absent in the body. */
  async readWith(stored: Partial<T>): Promise<T> {
    refuseUnknownNames();
    return this.result.readWith(stored);
  }
}

/** `@BodyInput(CreateEventDto) body: Input<CreateEventDto>`: the JSON body, also in the OpenAPI document. */
export function BodyInput(dto: Dto): ParameterDecorator {
  const required = [...fieldsOf(dto).values()].some((field) => field.required);
  return documented(
    Body({ transform: (raw) => Input.of(dto, raw, 'json') }),
    declares(declareBody, dto),
    ApiBody({ type: dto, required }),
  );
}

/** `@QueryInput(PageQueryDto) query: Input<PageQueryDto>`: the query, also in the OpenAPI document. */
export function QueryInput(dto: Dto): ParameterDecorator {
  const parameters = [...fieldsOf(dto)].map(([name, { required, isArray: _, description, type, ...schema }]) =>
    // A field without a schema type (`oneOf`) has the class of its property there.
    ApiQuery({
      name,
      required,
      schema: typeof type === 'string' ? { type, ...schema } : schema,
      ...(description && { description }),
    }),
  );
  return documented(
    Query({ transform: (raw) => Input.of(dto, raw, 'text') }),
    declares(declareQuery, dto),
    ...parameters,
  );
}

function declares(declare: (handler: object, dto: Dto) => void, dto: Dto): MethodDecorator {
  return (_controller, _method, descriptor) => declare(descriptor.value as object, dto);
}

function documented(parameter: ParameterDecorator, ...decorators: MethodDecorator[]): ParameterDecorator {
  return (controller, method, index) => {
    parameter(controller, method, index);
    const descriptor = method && Object.getOwnPropertyDescriptor(controller, method);
    if (method && descriptor) for (const decorate of decorators) decorate(controller, method, descriptor);
  };
}

/**
 * A copy with the depth and the lengths that the DTO declares. class-transformer compares all keys of an object with
 * one another (120,000 keys: 7 s), and the pipe changes its input. A list is cut after the first item above its
 * maximum.
 */
function bounded(dto: Dto, raw: object): object {
  const fields = fieldsOf(dto);
  let unknown = 0;
  const taken = Object.entries(raw).filter(([name]) => fields.has(name) || unknown++ < MOST_UNKNOWN);
  return Object.fromEntries(taken.map(([name, value]) => [name, boundedValue(value, fields.get(name))]));
}

function boundedValue(value: unknown, field?: DeclaredField, isItem = false): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) && !isItem && field?.maxItems)
    return value.slice(0, field.maxItems + 1).map((item) => boundedValue(item, field, true));
  return isItem && field?.isArray && !Array.isArray(value)
    ? bounded((field.type as unknown as () => Dto)(), value)
    : NOT_A_VALUE;
}

/** The faults in the order of the fields; in a list, items that are not objects come first. */
function faultsOf(errors: readonly ValidationError[], found = new Violations(), prefix = ''): Violations {
  const names = [...fieldsOf((errors[0]?.target?.constructor ?? Object) as Dto).keys()];
  const rank = ({ property, target, constraints }: ValidationError): number =>
    Array.isArray(target) ? Number(!constraints) : names.indexOf(property);
  for (const error of [...errors].sort((a, b) => rank(a) - rank(b))) {
    const path = prefix + error.property;
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
