import { Body, Query, type PipeTransform } from '@nestjs/common';
import { ApiBody, ApiQuery } from '@nestjs/swagger';
import { plainToInstance, type ClassTransformOptions } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import {
  faultsOf,
  FIELD_CONSTRAINT,
  fieldsOf,
  schemasOf,
  type Dto,
  type Field,
  type FieldContext,
  type ReadOptions,
} from './field-definition';
import { Validator } from './validation-library';
import { cacheValidationMetadata } from './validation-metadata';
import { NOT_A_VALUE, TOO_LONG, type Notation } from './field-rule';
import type { Text } from '../messages/messages';
import { Refusal } from './refusal';
import { declareBody, declareQuery, refuseUnknownNames } from './strict';

/**
 * A body or query as it was sent, not yet validated: the use case calls `read()` where the order wants the 422
 * (WIRE-37).
 */
export class Input<T extends object> {
  constructor(
    private readonly dto: Dto<T>,
    private readonly raw: unknown,
    private readonly notation: Notation,
  ) {}

  /**
   * The validated DTO; absent fields are absent. Throws 422 `validation_failed` with `errors`. `stored`: values of the thing that is
   * changed, for fields that count depending on them.
   */
  read(stored: Partial<T> = {}): T {
    refuseUnknownNames();
    return readInput(this.dto, this.raw, this.notation, stored);
  }
}

/**
 * Reads raw values into a DTO or throws 422 `validation_failed`; errors stand in the order of the DTO's fields.
 * Unknown fields are ignored, whatever they are called; no values at all are an empty object.
 * `text` is for queries and multipart fields, where numbers and booleans are written as text.
 */
export function readInput<T extends object>(dto: Dto<T>, raw: unknown, notation: Notation, stored: Partial<T> = {}): T {
  if (raw !== undefined && raw !== null && !isObject(raw)) throw Refusal.invalid('body', 'body_unreadable');
  if (takesNothing.has(dto) && isNothing(raw)) return new dto();
  const fields = sieved(dto, raw ?? {}, notation, stored);
  const isEmpty = Object.keys(fields).length === 0;
  if (isEmpty && takesNothing.has(dto)) return new dto();
  const instance = plainToInstance(dto, fields, TRANSFORM[notation]);
  const refused = validator.validateSync(instance, VALIDATE);
  if (refused.length === 0) {
    if (isEmpty) takesNothing.add(dto);
    return instance;
  }
  const errors = new Violations();
  collect(dto, refused, '', errors);
  throw errors.refusal();
}

/** Collects what is wrong with several fields and says it at once, for rules that no single field can know. */
export class Violations {
  private readonly errors: Record<string, Text[]> = {};

  /** `violations.add('longitude', 'both_or_none', { field: 'latitude' })` */
  add(field: string, key: Text['key'], values?: Text['values']): this {
    (this.errors[field] ??= []).push(values ? { key, values } : { key });
    return this;
  }

  /**
   * Two fields that go together, or not at all. It is reported on the missing one; where one is absent and the other null, on
   * the absent one. `at` stands before both names.
   */
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
  if (value === undefined) return 0;
  return value === null ? 1 : 2;
}

/** Hands a handler what was sent as an `Input` of its DTO. It validates nothing: that is for `read()`, when the rules want it. */
export class InputPipe<T extends object> implements PipeTransform<unknown, Input<T>> {
  constructor(
    private readonly dto: Dto<T>,
    private readonly notation: Notation,
  ) {}

  transform(raw: unknown): Input<T> {
    return new Input(this.dto, raw, this.notation);
  }
}

/** `@BodyInput(CreateEventDto) body: Input<CreateEventDto>`: the JSON body, also in the OpenAPI document. */
export function BodyInput(dto: Dto): ParameterDecorator {
  const required = [...fieldsOf(dto).values()].some((field) => field.options.required);
  return (controller, method, index) => {
    Body(new InputPipe(dto, 'json'))(controller, method, index);
    declareBody(handlerOf(controller, method), dto);
    documented(ApiBody({ type: dto, required }), controller, method);
  };
}

/** `@QueryInput(PageQueryDto) query: Input<PageQueryDto>`: the query, also in the OpenAPI document. */
export function QueryInput(dto: Dto): ParameterDecorator {
  const schemas = schemasOf(dto);
  return (controller, method, index) => {
    Query(new InputPipe(dto, 'text'))(controller, method, index);
    declareQuery(handlerOf(controller, method), dto);
    for (const { name, options } of fieldsOf(dto).values()) {
      const { description, ...schema } = schemas[name] ?? {};
      const parameter = { name, required: options.required ?? false, schema, ...(description ? { description } : {}) };
      documented(ApiQuery(parameter), controller, method);
    }
  };
}

function handlerOf(controller: object, method: string | symbol | undefined): object {
  return (controller as Record<string | symbol, object>)[method ?? 'constructor'] ?? controller;
}

function documented(decorator: MethodDecorator, controller: object, method: string | symbol | undefined): void {
  const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(controller, method);
  if (method !== undefined && descriptor) decorator(controller, method, descriptor);
}

cacheValidationMetadata();

/**
 * DTOs that were read from no field at all, and were valid: so they are each time, because a field knows its own value alone. A join
 * without a body and a list without a query are most requests, and validating nothing cost each 40 microseconds.
 */
const takesNothing = new WeakSet<Dto>();

const validator = new Validator();
const VALIDATE = { forbidUnknownValues: false, validationError: { target: false } } as const;
const TRANSFORM: Record<Notation, ClassTransformOptions & ReadOptions> = {
  json: { notation: 'json' },
  text: { notation: 'text' },
};

/**
 * Only what the DTO declares and only in the shape it declares, so that class-transformer, which trusts what it goes through
 * (`constructor`, `then`, any depth), meets nothing but single values and objects made here.
 */
function sieved(dto: Dto, raw: object, notation: Notation, stored: Readonly<Record<string, unknown>> = {}): object {
  const kept: Record<string, unknown> = {};
  for (const field of fieldsOf(dto).values()) {
    if (!Object.hasOwn(raw, field.name)) continue;
    const sent = raw as Readonly<Record<string, unknown>>;
    const value = sent[field.name];
    if (field.options.counts && !field.options.counts(sent, stored)) continue;
    if (value !== undefined) kept[field.name] = shaped(field, value, notation);
  }
  return kept;
}

function shaped({ rule }: Field, value: unknown, notation: Notation): unknown {
  if (value === null || typeof value !== 'object') return value;
  const { item, maxItems = 0 } = rule;
  const one = (raw: unknown): unknown => (item && isObject(raw) ? sieved(item(), raw, notation) : single(raw));
  if (rule.shape === 'object') return one(value);
  if (rule.shape === 'value' || !Array.isArray(value)) return NOT_A_VALUE;
  return value.length > maxItems ? TOO_LONG : value.map(one);
}

function single(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? NOT_A_VALUE : value;
}

function isNothing(raw: object | null | undefined): boolean {
  for (const name in raw) if (Object.hasOwn(raw, name)) return false;
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Takes the faults out of class-validator's answer, in the order of the fields, an object's own after its list's. */
function collect(dto: Dto, refused: readonly ValidationError[], prefix: string, errors: Violations): void {
  const byProperty = new Map(refused.map((error) => [error.property, error]));
  for (const { name, rule } of fieldsOf(dto).values()) {
    const error = byProperty.get(name);
    if (!error) continue;
    const path = prefix + name;
    const context = error.contexts?.[FIELD_CONSTRAINT] as FieldContext | undefined;
    if (context)
      for (const { at, text } of faultsOf(context.field, error.value)) errors.add(path + at, text.key, text.values);
    if (!rule.item || !error.children) continue;
    if (rule.shape === 'object') collect(rule.item(), error.children, `${path}.`, errors);
    else
      for (const child of error.children)
        collect(rule.item(), child.children ?? [], `${path}.${child.property}.`, errors);
  }
}
