import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import * as rules from 'class-validator';
import { LIMITS } from '#contract/limits';
import type { MessageKey } from '../messages/catalogue';
import type { Text } from '../messages/messages';
import { VISIBLE } from '../text/characters';
import { parseDateTime } from '../time/input-time';
import * as custom from './constraints';
import { booleanOf, Convert, IN_TEXT, numberOf, zeroIfTiny, trimAndParse, trimmed } from './conversions';
import { fieldsOf, type Dto } from './declared-fields';
import { STORED } from './input';

type Values = Readonly<Record<string, unknown>>;
type Sent = { readonly value: unknown; readonly obj: Values & { readonly [STORED]: Values } };

/**
 * The options of a field, for example whether the field may be absent or null (WIRE-23). If a field is absent, the
 * stored value is unchanged. If the field is null, the stored value is cleared.
 */
export interface FieldOptions {
  /** The field must not be absent, null or empty. */
  readonly required?: boolean;
  /**
   * Null and an empty text are allowed. The default is true for texts, URLs and coordinates that are not required.
   */
  readonly nullable?: boolean;
  /**
   * If `isUsedIf` returns false, the field is ignored as if unknown (WIRE-22). `stored` contains the stored values that
   * `Input.readWith` gets.
   */
  readonly isUsedIf?: (sent: Values, stored: Values) => boolean;
  readonly description?: string;
  /** Only for the OpenAPI document. */
  readonly default?: unknown;
}

type Range = FieldOptions & { readonly min?: number; readonly max?: number };
type ListRange = FieldOptions & { readonly min?: number; readonly max: number; readonly unique?: boolean };

/** A text of `min` to `max` Unicode code points after trimming, without NUL or lone surrogates (WIRE-11, WIRE-12). */
export const TextField = ({ min, max, ...options }: Range): PropertyDecorator =>
  field({ type: 'string', minLength: min, maxLength: max }, nullableUnlessRequired(options), ...text(min, max));

/** A `TextField` with at least one visible character (WIRE-13). */
export const TitleField = (options: Range): PropertyDecorator =>
  applyDecorators(TextField(options), rules.Matches(VISIBLE, errorText('invisible')));

export const EnumField = (values: readonly string[], options: FieldOptions = {}): PropertyDecorator =>
  field({ type: 'string', enum: [...values] }, options, Convert(trimmed), rules.IsIn(values, oneOf(values)));

export const IntegerField = ({ min, max, ...options }: Range): PropertyDecorator =>
  number({ type: 'integer', minimum: min, maximum: max }, options, rules.IsInt(errorText('integer')));

/**
 * A number with at most `decimals` decimals. The schema has no `multipleOf`: validators compute with binary fractions
 * and would refuse 0.07.
 */
export const NumberField = ({ min, max, decimals, ...options }: Range & { decimals?: number }): PropertyDecorator =>
  applyDecorators(
    number({ type: 'number', minimum: min, maximum: max }, options, rules.IsNumber({}, errorText('number'))),
    ...(decimals === undefined
      ? []
      : [rules.Validate(custom.Decimals, [decimals], errorText('decimals', { decimals }))]),
  );

/** True or false. In queries and forms, `1` and `0` are also accepted. */
export const BooleanField = (options: FieldOptions = {}): PropertyDecorator =>
  field({ type: 'boolean' }, options, Convert(booleanOf, IN_TEXT), rules.IsBoolean(errorText('boolean')));

/** A datetime, which is a `Date` in the DTO (WIRE-7). */
export const DateTimeField = (options: FieldOptions = {}): PropertyDecorator =>
  field(DATE_TIME, options, Convert(trimAndParse(parseDateTime)), rules.IsDate(errorText('datetime')));

/** A calendar day `YYYY-MM-DD`, which is a text in the DTO. */
export const DayField = (options: FieldOptions = {}): PropertyDecorator =>
  field(
    { type: 'string', format: 'date' },
    options,
    Convert(trimmed),
    rules.Validate(custom.CalendarDay, errorText('day')),
  );

export const LatitudeField = (options: FieldOptions = {}): PropertyDecorator =>
  NumberField({ ...LIMITS.latitude, ...nullableUnlessRequired(options) });

export const LongitudeField = (options: FieldOptions = {}): PropertyDecorator =>
  NumberField({ ...LIMITS.longitude, ...nullableUnlessRequired(options) });

/** An absolute http or https address without user name or password. The address is stored as it was sent (WIRE-17). */
export const UrlField = ({ max, ...options }: Range): PropertyDecorator =>
  applyDecorators(
    field({ type: 'string', format: 'uri', maxLength: max }, nullableUnlessRequired(options), ...text(0, max)),
    rules.Validate(custom.WebAddress, errorText('url')),
    rules.Validate(custom.WithoutCredentials, errorText('url_with_login')),
  );

/**
 * A hashid, which the calling code decodes. It has no maximum length: a long text is an unknown id (WIRE-57). With
 * `orNumber`, a whole number is also accepted, and becomes a text.
 */
export const HashidField = ({ orNumber, ...options }: FieldOptions & { orNumber?: boolean } = {}): PropertyDecorator =>
  field(
    orNumber ? { oneOf: [REFERENCE, { type: 'integer', minimum: 1 }] } : REFERENCE,
    options,
    Convert((value) => (orNumber && Number.isSafeInteger(value) ? String(value) : value)),
    ...text(),
  );

/** The slug of a user or a post. It is checked like a hashid. */
export const SlugField = (options: FieldOptions = {}): PropertyDecorator => HashidField(options);

/** A field that this request cannot change. Every value is refused, even null. */
export const FixedField = (): PropertyDecorator =>
  applyDecorators(ApiProperty(FIXED as ApiPropertyOptions), rules.Equals(undefined, errorText('not_changeable')));

export const EnumListField = (values: readonly string[], options: ListRange): PropertyDecorator =>
  valueList(
    { type: 'string', enum: [...values] },
    options,
    (item) => !values.includes(item as string) && oneOf(values),
  );

export const SlugListField = (options: ListRange): PropertyDecorator =>
  valueList(REFERENCE, options, (item) => {
    if (typeof item !== 'string') return errorText('string');
    return !custom.STORABLE.test(item) && errorText('characters');
  });

/** A list of objects. Errors have dotted names (`stops.0.title`). */
export const ObjectListField = (item: () => Dto, { min, max, ...options }: ListRange): PropertyDecorator =>
  applyDecorators(
    field({ type: () => item(), isArray: true, minItems: min, maxItems: max }, options, ...list(min, max)),
    Type(item),
    rules.ValidateNested(errorText('object')),
  );

/** Requires that exactly one of two fields is set. The error has the name of the object (`scans.0`), not of a field. */
export const ExactlyOneOf = (one: string, other: string): ClassDecorator => {
  const values = { fields: `${one}, ${other}` };
  return applyDecorators(
    custom.ObjectRule((sent) => (sent[one] ?? sent[other] ?? null) !== null, errorText('one_required', values)),
    custom.ObjectRule(
      (sent) => (sent[one] ?? null) === null || (sent[other] ?? null) === null,
      errorText('one_only', values),
    ),
  );
};

const REFERENCE = { type: 'string' };
const DATE_TIME = { type: 'string', format: 'date-time', example: '2026-11-20T18:00:00Z' };
const FIXED = { type: 'string', not: {}, description: 'cannot be changed: refused when sent', required: false };

/**
 * Options of a validator: the message is the key of the error's text in the catalogue, and the context contains the
 * values of the placeholders in this text.
 */
const errorText = (key: MessageKey, values?: Text['values']) => ({ message: key, context: values });
const oneOf = (values: readonly string[]) => errorText('one_of', { values: values.join(', ') });

const nullableUnlessRequired = <Options extends FieldOptions>(options: Options): Options => ({
  nullable: !options.required,
  ...options,
});

function field(schema: object, options: FieldOptions, ...decorators: PropertyDecorator[]): PropertyDecorator {
  const { required = false, nullable = false, isUsedIf, description, default: defaultValue } = options;
  const isNullable = (nullable && !required) || undefined;
  const property = { ...schema, nullable: isNullable, description, default: defaultValue, required };
  return applyDecorators(
    ApiProperty(property),
    // Every field sets its own condition. Otherwise a field that is declared again in a subclass would inherit the
    // condition of the parent class.
    rules.ValidateIf((_, value) => required || (nullable ? (value ?? null) !== null : value !== undefined)),
    // `PartialType` makes a required field optional. The field may then be absent, but not null.
    rules.IsDefined({ message: ({ object, property: name }) => (isRequired(object, name) ? 'required' : 'not_null') }),
    ...decorators,
    ...(isUsedIf ? [Transform(({ value, obj }: Sent) => (isUsedIf(obj, obj[STORED]) ? value : undefined))] : []),
  );
}

const isRequired = ({ constructor }: object, name: string) => fieldsOf(constructor as Dto).get(name)?.required;

const text = (min = 0, max = Infinity): PropertyDecorator[] => [
  Convert(trimmed),
  rules.IsString(errorText('string')),
  rules.Matches(custom.STORABLE, errorText('characters')),
  rules.Validate(custom.MaxCodePoints, [max], errorText('too_long', { max })),
  rules.Validate(custom.MinCodePoints, [min], errorText('too_short', { min })),
];

type NumberSchema = { readonly type: string; readonly minimum?: number; readonly maximum?: number };
const number = (schema: NumberSchema, options: FieldOptions, isNumber: PropertyDecorator): PropertyDecorator => {
  const { minimum: min = -Infinity, maximum: max = schema.type === 'integer' ? Number.MAX_SAFE_INTEGER : Infinity } =
    schema;
  const range = [rules.Min(min, errorText('too_small', { min })), rules.Max(max, errorText('too_large', { max }))];
  return field(schema, options, Convert(zeroIfTiny), Convert(numberOf, IN_TEXT), isNumber, ...range);
};

const list = (min = 0, max: number): PropertyDecorator[] => [
  rules.IsArray(errorText('list')),
  rules.ArrayMaxSize(max, errorText('list_too_long', { max })),
  rules.ArrayMinSize(min, errorText('list_too_short', { min })),
];

const valueList = (
  items: object,
  { min, max, unique, ...options }: ListRange,
  faultOf: (item: unknown) => custom.ItemFault,
): PropertyDecorator =>
  field(
    { type: 'array', items, minItems: min, maxItems: max, uniqueItems: unique },
    options,
    Convert((value) => (Array.isArray(value) ? value.map(trimmed) : value)),
    Convert((value) => (typeof value === 'string' ? [value] : value), IN_TEXT),
    ...list(min, max),
    custom.EachItem((item, i, all) => {
      if (item === null) return errorText('not_null');
      const isRepeated = unique && all.indexOf(item) < i && !all.some((other) => other === null || faultOf(other));
      return faultOf(item) || (isRepeated && errorText('repeated'));
    }),
  );
