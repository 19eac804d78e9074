import { LIMITS } from '#contract/limits';
import { declareField, fieldsOf, type Dto, type FieldOptions } from './field-definition';
import { listRule, objectRule, objectsRule, type ListBounds } from './list-rules';
import {
  booleanRule,
  dateTimeRule,
  dayRule,
  enumRule,
  fixedRule,
  idOrNumberRule,
  integerRule,
  numberRule,
  referenceRule,
  textRule,
  titleRule,
  urlRule,
  type NumberBounds,
  type TextBounds,
} from './value-rules';

/*
 * Decorators for the fields of DTOs. All take `required` and `nullable` (field-definition.ts). Unless told, texts,
 * addresses and coordinates that are not required may be null, and nothing else may.
 */

/** A text, trimmed, of `min` to `max` Unicode code points; no NUL, no lone surrogates (WIRE-11, WIRE-12). */
export function TextField({ min, max, ...options }: TextBounds & FieldOptions): PropertyDecorator {
  return declareField(textRule({ min, max }), clearable(options));
}

/** A title or name: as `TextField`, and something in it can be read (WIRE-13). */
export function TitleField({ min, max, ...options }: TextBounds & FieldOptions): PropertyDecorator {
  return declareField(titleRule({ min, max }), clearable(options));
}

/** One of a list of texts. */
export function EnumField(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return declareField(enumRule(values), options);
}

/** A whole number from `min` to `max`. */
export function IntegerField({
  min,
  max,
  ...options
}: Omit<NumberBounds, 'decimals'> & FieldOptions): PropertyDecorator {
  return declareField(integerRule({ min, max }), options);
}

/** A number from `min` to `max` with at most so many decimals. */
export function NumberField({ min, max, decimals, ...options }: NumberBounds & FieldOptions): PropertyDecorator {
  return declareField(numberRule({ min, max, decimals }), options);
}

/** true or false; in queries and multipart also `1`, `0`. */
export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  return declareField(booleanRule(), options);
}

/** A datetime, a `Date` in the DTO (WIRE-7). */
export function DateTimeField(options: FieldOptions = {}): PropertyDecorator {
  return declareField(dateTimeRule(), options);
}

/** A calendar day `YYYY-MM-DD`, a text in the DTO. */
export function DayField(options: FieldOptions = {}): PropertyDecorator {
  return declareField(dayRule(), options);
}

export function LatitudeField(options: FieldOptions = {}): PropertyDecorator {
  return declareField(numberRule(LIMITS.latitude), clearable(options));
}

export function LongitudeField(options: FieldOptions = {}): PropertyDecorator {
  return declareField(numberRule(LIMITS.longitude), clearable(options));
}

/** An absolute http or https address without a login, of at most `max` characters, as it was written. */
export function UrlField({ max, ...options }: TextBounds & FieldOptions): PropertyDecorator {
  return declareField(urlRule({ max }), clearable(options));
}

/** A hashid as text; its area decodes it, and refuses the field when it is nobody's. */
export function HashidField({
  orNumber,
  ...options
}: FieldOptions & { readonly orNumber?: boolean } = {}): PropertyDecorator {
  return declareField(orNumber ? idOrNumberRule() : referenceRule(), options);
}

/** A user's or post's slug as text. */
export function SlugField(options: FieldOptions = {}): PropertyDecorator {
  return declareField(referenceRule(), options);
}

/** A field that only another request may say: refused whenever it is sent, as null too. */
export function FixedField(options: FieldOptions = {}): PropertyDecorator {
  return declareField(fixedRule(), { description: 'cannot be changed: refused when sent', ...options });
}

/** A list of values out of an allowed few. */
export function EnumListField(
  values: readonly string[],
  { min, max, unique, ...options }: ListBounds & FieldOptions,
): PropertyDecorator {
  return declareField(listRule(enumRule(values), { min, max, unique }), options);
}

/** A list of slugs. */
export function SlugListField({ min, max, unique, ...options }: ListBounds & FieldOptions): PropertyDecorator {
  return declareField(listRule(referenceRule(), { min, max, unique }), options);
}

/** An object with fields of its own; its faults have dotted names (`place.title`). */
export function ObjectField(item: () => Dto, options: FieldOptions = {}): PropertyDecorator {
  return declareField(objectRule(item), options);
}

/** A list of objects with fields of their own; their faults have dotted names (`stops.0.title`). */
export function ObjectListField(
  item: () => Dto,
  { min, max, unique, ...options }: ListBounds & FieldOptions,
): PropertyDecorator {
  return declareField(objectsRule(item, { min, max, unique }), options);
}

/**
 * The same fields, none of them required: the body of a PATCH.
 * `class UpdateGroupDto extends allOptional(CreateGroupDto) {}`
 */
export function allOptional<T extends object>(dto: Dto<T>): Dto<Partial<T>> {
  const Optional = class {};
  for (const { name, rule, options } of fieldsOf(dto).values()) {
    // The compiler notes a property's type for swagger; nobody does so for a class made here.
    Reflect.defineMetadata('design:type', Object, Optional.prototype, name);
    declareField(rule, { ...options, required: false })(Optional.prototype, name);
  }
  return Optional;
}

function clearable(options: FieldOptions): FieldOptions {
  return { nullable: !options.required, ...options };
}
