import { Body, Query, ValidationPipe } from '@nestjs/common';
import { ApiBody, ApiQuery, type ApiPropertyOptions, type SchemaObject } from '@nestjs/swagger';
import type { ValidationError } from 'class-validator';
import type { MessageKey } from '../messages/catalogue';
import type { Text } from '../messages/messages';
import type { ItemFaults } from './constraints';
import { Refusal } from './refusal';

/** A DTO class. */
export type Dto<T extends object = object> = new () => T;

/** How values are written: JSON has types; queries, forms and multipart fields are text, where `1` may be a number or true. */
export type Notation = 'json' | 'text';

/** Under this key of a raw body: values that count where the body leaves a field out (`Input.readWith`). */
export const STORED = Symbol('stored');

/** Replaces an object or a list where a field takes neither. */
const NOT_A_VALUE = Symbol('not a value');

/** Unknown fields of one object that validation sees. */
const MOST_UNKNOWN = 20;

/**
 * Nest's validation pipe for all input. `forbidNonWhitelisted` here turns unknown fields into errors (`whitelistValidation`).
 * Only the first fault of a field is reported.
 */
function pipeOf(groups: string[]): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    transformOptions: { groups, exposeUnsetFields: false },
    whitelist: true,
    stopAtFirstError: true,
    validationError: { target: true, value: true },
    exceptionFactory: (errors) => addErrors(errors, new Violations()).refusal(),
  });
}
const PIPES: Record<Notation, ValidationPipe> = { json: pipeOf([]), text: pipeOf(['text']) };

/** @throws Refusal 422 `validation_failed` with `errors` in the order of the DTO's fields. No values at all are an empty object. */
export async function readInput<T extends object>(
  dto: Dto<T>,
  raw: unknown,
  notation: Notation,
  stored: object = {},
): Promise<T> {
  if (typeof (raw ?? {}) !== 'object' || Array.isArray(raw)) throw Refusal.invalid('body', 'body_unreadable');
  const value = { ...bounded(dto, (raw ?? {}) as object), [STORED]: stored };
  return (await PIPES[notation].transform(value, { type: 'body', metatype: dto })) as T;
}

/**
 * A validated body or query. The use case calls `read()` where the order of refusals puts the 422 (WIRE-37): a body with
 * faults is refused there, after the refusals of visibility and rights.
 */
export class Input<T extends object> {
  private constructor(
    private readonly outcome: T | Refusal,
    /** Validates once more, beside stored values. */
    readonly readWith: (stored: Partial<T>) => Promise<T>,
  ) {}

  static async of<T extends object>(dto: Dto<T>, raw: unknown, notation: Notation): Promise<Input<T>> {
    const outcome: T | Refusal = await readInput(dto, raw, notation).catch((error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    });
    return new Input<T>(outcome, (stored) => readInput(dto, raw, notation, stored));
  }

  /** Absent fields are absent. @throws Refusal 422 `validation_failed` */
  read(): T {
    if (this.outcome instanceof Refusal) throw this.outcome;
    return this.outcome;
  }
}

/** Collects the faults of several fields, for rules that concern more than one field. */
export class Violations {
  private readonly errors: Record<string, Text[]> = {};

  /** `violations.add('longitude', 'both_or_none', { field: 'latitude' })` */
  add(field: string, key: Text['key'], values?: Text['values']): this {
    (this.errors[field] ??= []).push(values ? { key, values } : { key });
    return this;
  }

  /** Refuses one field without the other, on the missing one: absent beside null, or either beside a value. */
  bothOrNone<Field extends string>(
    sent: { readonly [field in Field]?: unknown },
    one: Field,
    other: Field,
    at = '',
  ): this {
    const [ofOne, ofOther] = [presence(sent[one]), presence(sent[other])];
    if (ofOne < ofOther) this.add(at + one, 'both_or_none', { field: other });
    if (ofOther < ofOne) this.add(at + other, 'both_or_none', { field: one });
    return this;
  }

  throwIfAny(): void {
    if (Object.keys(this.errors).length > 0) throw this.refusal();
  }

  refusal(): Refusal {
    return new Refusal('validation_failed', { errors: this.errors });
  }
}

/** 0: absent, 1: null, 2: a value. */
function presence(value: unknown): number {
  return value === undefined ? 0 : value === null ? 1 : 2;
}

/** A field as its decorator declares it, with its schema for query parameters and multipart forms. */
export interface DeclaredField {
  readonly required: boolean;
  readonly schema: SchemaObject;
  /** Of a list of objects. */
  readonly item: Dto | null;
}

const known = new WeakMap<Dto, ReadonlyMap<string, DeclaredField>>();

/** The fields of a DTO in the order of declaration, inherited ones first, as `@ApiProperty` stores them. */
export function fieldsOf(dto: Dto): ReadonlyMap<string, DeclaredField> {
  let fields = known.get(dto);
  if (!fields) {
    const names = (Reflect.getMetadata('swagger/apiModelPropertiesArray', dto.prototype as object) ?? []) as string[];
    known.set(dto, (fields = new Map(names.map((name) => [name.slice(1), declared(dto, name.slice(1))]))));
  }
  return fields;
}

function declared(dto: Dto, name: string): DeclaredField {
  const property = Reflect.getMetadata(
    'swagger/apiModelProperties',
    dto.prototype as object,
    name,
  ) as ApiPropertyOptions;
  const { required, type, isArray, ...schema } = property;
  const item = isArray ? (type as () => Dto)() : null;
  return { required: required === true, schema: { type, ...schema } as SchemaObject, item };
}

/**
 * A copy with the depth and the lengths that the DTO declares: class-transformer compares all keys of an object with one
 * another (120,000 keys take 7 s), and the validation pipe changes its input. A list ends after the first item too many.
 */
function bounded(dto: Dto, raw: object): object {
  const fields = fieldsOf(dto);
  const names = Object.keys(raw);
  const unknown = names.filter((name) => !fields.has(name)).slice(0, MOST_UNKNOWN);
  const copied = [...names.filter((name) => fields.has(name)), ...unknown];
  return Object.fromEntries(
    copied.map((name) => [name, boundedValue((raw as Record<string, unknown>)[name], fields.get(name))]),
  );
}

function boundedValue(value: unknown, field: DeclaredField | undefined, isItem = false): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const max = field?.schema.maxItems;
  if (!Array.isArray(value)) return isItem && field?.item ? bounded(field.item, value) : NOT_A_VALUE;
  return max === undefined || isItem
    ? NOT_A_VALUE
    : value.slice(0, max + 1).map((item) => boundedValue(item, field, true));
}

/** Adds what class-validator refused: in the order of the fields, in a list first the items that are no objects. */
function addErrors(errors: readonly ValidationError[], violations: Violations, prefix = ''): Violations {
  const names = [...fieldsOf((errors[0]?.target?.constructor ?? Object) as Dto).keys()];
  const rank = ({ property, target, constraints }: ValidationError): number =>
    Array.isArray(target) ? Number(!constraints) : names.indexOf(property);
  for (const { property, value, constraints = {}, contexts, children = [] } of [...errors].sort(
    (a, b) => rank(a) - rank(b),
  )) {
    const path = prefix + property;
    for (const [type, key] of Object.entries(constraints)) {
      const values = contexts?.[type] as (Text['values'] & { readonly faultsOf?: ItemFaults }) | undefined;
      if (!values?.faultsOf) violations.add(path, key as MessageKey, values);
      else
        for (const [index, fault] of values.faultsOf(value))
          violations.add(`${path}.${index}`, fault.key, fault.values);
    }
    addErrors(children, violations, `${path}.`);
  }
  return violations;
}

/** `@BodyInput(CreateEventDto) body: Input<CreateEventDto>`: the JSON body, also in the OpenAPI document. */
export function BodyInput(dto: Dto): ParameterDecorator {
  const required = [...fieldsOf(dto).values()].some((field) => field.required);
  return documented(
    Body({ transform: (raw: unknown) => Input.of(dto, raw, 'json') }),
    ApiBody({ type: dto, required }),
  );
}

/** `@QueryInput(PageQueryDto) query: Input<PageQueryDto>`: the query, also in the OpenAPI document. */
export function QueryInput(dto: Dto): ParameterDecorator {
  const parameters = [...fieldsOf(dto)].map(
    ([
      name,
      {
        required,
        schema: { description, ...schema },
      },
    ]) => ApiQuery({ name, required, schema, ...(description && { description }) }),
  );
  return documented(Query({ transform: (raw: unknown) => Input.of(dto, raw, 'text') }), ...parameters);
}

function documented(parameter: ParameterDecorator, ...decorators: MethodDecorator[]): ParameterDecorator {
  return (controller, method, index) => {
    parameter(controller, method, index);
    const descriptor = method && Object.getOwnPropertyDescriptor(controller, method);
    if (method && descriptor) for (const decorate of decorators) decorate(controller, method, descriptor);
  };
}
