import { ApiProperty, type ApiPropertyOptions, type SchemaObject } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { FAULTLESS, fault, type Fault, type FieldRule, type Notation } from './field-rule';
import { ValidateBy, ValidateNested } from './validation-library';

/** Whether a field may be absent or null (WIRE-23): absent is untouched, null is cleared. */
export interface FieldOptions {
  /** Absent, null or empty is refused. */
  readonly required?: boolean;
  /** Null (and an empty text) clears the field; otherwise null is refused. */
  readonly nullable?: boolean;
  /**
   * Whether the field counts beside the other values of the request. `stored`: what absent fields count as (`Input.read`).
   * One that does not is ignored like an unknown field, whatever its value (WIRE-22).
   */
  readonly counts?: (sent: Readonly<Record<string, unknown>>, stored: Readonly<Record<string, unknown>>) => boolean;
  /** For the OpenAPI document only. */
  readonly description?: string;
  /** For the OpenAPI document only: what an absent field counts as. */
  readonly default?: unknown;
}

/** A field of a DTO: what it takes and whether it may be absent. */
export interface Field {
  readonly name: string;
  readonly rule: FieldRule;
  readonly options: FieldOptions;
}

/** A DTO class. */
export type Dto<T extends object = object> = new () => T;

/** What `readInput` hands class-transformer, so that conversion knows the notation. */
export interface ReadOptions {
  readonly notation: Notation;
}

/** The name of the one class-validator constraint every field has. */
export const FIELD_CONSTRAINT = 'field';

/** What class-validator hands back with a refused value: with it the keys and values of the texts are known (`faultsOf`). */
export interface FieldContext {
  readonly field: Field;
}

const ownFields = new WeakMap<object, Map<string, Field>>();
const allFields = new WeakMap<object, ReadonlyMap<string, Field>>();

/**
 * Declares a field by class-transformer (conversion), class-validator (what is refused) and swagger (the document).
 * Every decorator of fields.ts ends here.
 */
export function declareField(rule: FieldRule, options: FieldOptions): PropertyDecorator {
  return (prototype, property) => {
    const field: Field = { name: String(property), rule, options };
    const own = ownFields.get(prototype) ?? new Map<string, Field>();
    ownFields.set(prototype, own.set(field.name, field));
    Transform(({ value, options: read }) => rule.convert(value, (read as unknown as ReadOptions).notation))(
      prototype,
      property,
    );
    const context: FieldContext = { field };
    ValidateBy(
      {
        name: FIELD_CONSTRAINT,
        validator: {
          validate: (value: unknown) => faultsOf(field, value).length === 0,
          defaultMessage: () => FIELD_CONSTRAINT,
        },
      },
      { context },
    )(prototype, property);
    const { item } = rule;
    if (item) {
      Type(item)(prototype, property);
      ValidateNested()(prototype, property);
    }
    ApiProperty(propertyOptions(field))(prototype, property);
  };
}

/** The fields of a DTO in the order of its declaration, those of the classes it extends first. */
export function fieldsOf(dto: Dto): ReadonlyMap<string, Field> {
  const known = allFields.get(dto);
  if (known) return known;
  const parent = Object.getPrototypeOf(dto.prototype) as object | null;
  const inherited =
    parent && parent !== Object.prototype ? fieldsOf(parent.constructor as Dto) : new Map<string, Field>();
  const fields = new Map([...inherited, ...(ownFields.get(dto.prototype as object) ?? [])]);
  allFields.set(dto, fields);
  return fields;
}

/** The OpenAPI schemas of a DTO's fields by name: for a query's parameters and multipart forms. */
export function schemasOf(dto: Dto): Record<string, SchemaObject> {
  return Object.fromEntries([...fieldsOf(dto).values()].map((field) => [field.name, schemaOf(field)]));
}

/** What is wrong with a converted value; undefined is an absent one. */
export function faultsOf({ rule, options }: Field, value: unknown): readonly Fault[] {
  if (value === undefined) return options.required ? fault('required') : FAULTLESS;
  if (value !== null) return rule.faults(value);
  if (options.required) return fault('required');
  return options.nullable ? FAULTLESS : fault('not_null');
}

function schemaOf({ rule, options }: Field): SchemaObject {
  return {
    ...rule.schema,
    ...(options.nullable && !options.required ? { nullable: true } : {}),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.default === undefined ? {} : { default: options.default }),
  };
}

function propertyOptions(field: Field): ApiPropertyOptions {
  const { rule, options } = field;
  const common = { ...schemaOf(field), required: options.required ?? false };
  const { item } = rule;
  if (!item) return common as ApiPropertyOptions;
  // Swagger knows a type that is to be asked for later by the function's name, which must be `type`.
  return { ...common, type: () => item(), isArray: rule.shape === 'objects' };
}
