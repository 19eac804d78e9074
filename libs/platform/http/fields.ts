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
import { booleanOf, Convert, IN_TEXT, numberOf, orZero, reading, trimmed } from './conversions';
import { fieldsOf, STORED, type Dto } from './input';

/** Whether a field may be absent or null (WIRE-23): absent leaves the stored value, null clears it. */
export interface FieldOptions {
  /** Refuses absent, null and empty. */
  readonly required?: boolean;
  /** Accepts null and an empty text. Default: texts, addresses and coordinates that are not required accept them. */
  readonly nullable?: boolean;
  /** False drops the field like an unknown one, whatever its value (WIRE-22). `stored`: see `Input.readWith`. */
  readonly counts?: (sent: Readonly<Record<string, unknown>>, stored: Readonly<Record<string, unknown>>) => boolean;
  readonly description?: string;
  /** For the OpenAPI document only. */
  readonly default?: unknown;
}

type Range = FieldOptions & { readonly min?: number; readonly max?: number };
type ListRange = FieldOptions & { readonly min?: number; readonly max: number; readonly unique?: boolean };

/** A text of `min` to `max` Unicode code points after trimming, without NUL and lone surrogates (WIRE-11, WIRE-12). */
export function TextField({ min, max, ...options }: Range): PropertyDecorator {
  return field({ type: 'string', minLength: min, maxLength: max }, clearable(options), ...text(min, max));
}

/** A `TextField` with at least one visible character (WIRE-13). */
export function TitleField(options: Range): PropertyDecorator {
  return applyDecorators(TextField(options), rules.Matches(VISIBLE, says('invisible')));
}

export function EnumField(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const isIn = rules.IsIn(values, says('one_of', { values: values.join(', ') }));
  return field({ type: 'string', enum: [...values] }, options, Convert(trimmed), isIn);
}

export function IntegerField({ min, max, ...options }: Range): PropertyDecorator {
  const schema = { type: 'integer', minimum: min, maximum: max };
  return field(schema, options, rules.IsInt(says('integer')), ...range(min, max ?? Number.MAX_SAFE_INTEGER));
}

/** A number with at most `decimals` decimals. Without `multipleOf`: validators refuse 0.07, a binary fraction. */
export function NumberField({ min, max, decimals, ...options }: Range & { decimals?: number }): PropertyDecorator {
  const isExact = rules.Validate(custom.Decimals, [decimals ?? 100], says('decimals', { decimals: decimals ?? 100 }));
  const schema = { type: 'number', minimum: min, maximum: max };
  return field(schema, options, rules.IsNumber({}, says('number')), ...range(min, max), isExact);
}

/** true or false; in queries and forms also `1` and `0`. */
export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'boolean' }, options, Convert(booleanOf, IN_TEXT), rules.IsBoolean(says('boolean')));
}

/** A `Date` in the DTO (WIRE-7). */
export function DateTimeField(options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: 'string', format: 'date-time', example: '2026-11-20T18:00:00Z' };
  return field(schema, options, Convert(reading(parseDateTime)), rules.IsDate(says('datetime')));
}

/** A calendar day `YYYY-MM-DD`, a text in the DTO. */
export function DayField(options: FieldOptions = {}): PropertyDecorator {
  const isDay = rules.Validate(custom.CalendarDay, says('day'));
  return field({ type: 'string', format: 'date' }, options, Convert(trimmed), isDay);
}

export function LatitudeField(options: FieldOptions = {}): PropertyDecorator {
  return NumberField({ ...LIMITS.latitude, ...clearable(options) });
}

export function LongitudeField(options: FieldOptions = {}): PropertyDecorator {
  return NumberField({ ...LIMITS.longitude, ...clearable(options) });
}

/** An absolute http or https address without a login, as it was sent (WIRE-17). */
export function UrlField({ max, ...options }: Range): PropertyDecorator {
  const message = ({ value }: { value: string }) => (custom.isWebAddress(value) ? 'url_with_login' : 'url');
  const isAddress = rules.Validate(custom.WebAddress, { message } as rules.ValidationOptions);
  return field({ type: 'string', format: 'uri', maxLength: max }, clearable(options), ...text(0, max), isAddress);
}

/** A hashid. The area decodes it, and refuses an unknown one. `orNumber` also takes a number, which becomes a text. */
export function HashidField({ orNumber, ...options }: FieldOptions & { orNumber?: boolean } = {}): PropertyDecorator {
  if (!orNumber) return field(REFERENCE, options, ...text(0, LIMITS.reference.max));
  const toText = Convert((value) => (Number.isSafeInteger(value) ? String(value) : value));
  const schema = { oneOf: [REFERENCE, { type: 'integer', minimum: 1 }] };
  return field(schema, options, ...text(0, LIMITS.reference.max), toText);
}

/** The slug of a user or a post. */
export const SlugField: (options?: FieldOptions) => PropertyDecorator = HashidField;

/** A field that another request sets: refused with any value, null too. */
export function FixedField(): PropertyDecorator {
  const schema = { type: 'string', not: {}, description: 'cannot be changed: refused when sent', required: false };
  return applyDecorators(ApiProperty(schema as ApiPropertyOptions), rules.Equals(undefined, says('not_changeable')));
}

export function EnumListField(values: readonly string[], options: ListRange): PropertyDecorator {
  const fault: Text = { key: 'one_of', values: { values: values.join(', ') } };
  return valueList({ type: 'string', enum: [...values] }, options, (item) =>
    values.includes(item as string) ? null : fault,
  );
}

export function SlugListField(options: ListRange): PropertyDecorator {
  const { max } = LIMITS.reference;
  return valueList(REFERENCE, options, (item) => {
    if (typeof item !== 'string') return { key: 'string' };
    if (!custom.STORABLE.test(item)) return { key: 'characters' };
    return custom.isLongerThan(item, max) ? { key: 'too_long', values: { max } } : null;
  });
}

/** A list of objects. Their faults have dotted names (`stops.0.title`). */
export function ObjectListField(item: () => Dto, { min, max, ...options }: ListRange): PropertyDecorator {
  const isEach = [Type(item), rules.ValidateNested(says('object'))];
  return field(
    { type: () => item(), isArray: true, minItems: min, maxItems: max },
    options,
    ...length(min, max),
    ...isEach,
  );
}

const REFERENCE = { type: 'string', maxLength: LIMITS.reference.max };

/** The fault as a text of the catalogue: its key is the message, its values are the context. */
function says(key: MessageKey, values?: Text['values']): rules.ValidationOptions {
  return { message: key, context: values };
}

function clearable<Options extends FieldOptions>(options: Options): Options {
  return { nullable: !options.required, ...options };
}

function field(schema: object, options: FieldOptions, ...decorators: PropertyDecorator[]): PropertyDecorator {
  const { required = false, nullable = false, counts, ...document } = options;
  const property = { ...schema, ...(nullable && !required && { nullable }), ...document, required };
  return applyDecorators(
    ApiProperty(property as ApiPropertyOptions),
    // Every field has its own condition: without one, a redeclared field inherits the condition of the parent class.
    rules.ValidateIf((_, value) => required || (nullable ? (value ?? null) !== null : value !== undefined)),
    // `PartialType` makes a required field optional. Null is then not allowed.
    rules.IsDefined({ message: ({ object, property: name }) => (isRequired(object, name) ? 'required' : 'not_null') }),
    ...decorators,
    ...(counts ? [Transform(({ value, obj }) => (counts(obj, obj[STORED]) ? value : undefined))] : []),
  );
}

const isRequired = ({ constructor }: object, name: string) => fieldsOf(constructor as Dto).get(name)?.required;

function text(min = 0, max = Number.MAX_SAFE_INTEGER): PropertyDecorator[] {
  const message = ({ value }: { value: string }) => (custom.isLongerThan(value, max) ? 'too_long' : 'too_short');
  return [
    Convert(trimmed),
    rules.IsString(says('string')),
    rules.Matches(custom.STORABLE, says('characters')),
    rules.Validate(custom.CodePoints, [min, max], { message, context: { min, max } } as rules.ValidationOptions),
  ];
}

function range(min = -Number.MAX_VALUE, max = Number.MAX_VALUE): PropertyDecorator[] {
  const bounds = [rules.Min(min, says('too_small', { min })), rules.Max(max, says('too_large', { max }))];
  return [Convert(orZero), Convert(numberOf, IN_TEXT), ...bounds];
}

function length(min = 0, max: number): PropertyDecorator[] {
  const atMost = rules.ArrayMaxSize(max, says('list_too_long', { max }));
  return [rules.IsArray(says('list')), atMost, rules.ArrayMinSize(min, says('list_too_short', { min }))];
}

function valueList(
  items: object,
  { min, max, unique, ...options }: ListRange,
  faultOf: (item: unknown) => Text | null,
): PropertyDecorator {
  const faultsOf: custom.ItemFaults = (list) => {
    const faults = list.map((item) => (item === null ? ({ key: 'not_null' } as const) : faultOf(item)));
    if (unique && !faults.some(Boolean))
      return list.flatMap((item, i) => (list.indexOf(item) < i ? [[i, { key: 'repeated' }]] : []));
    return faults.flatMap((fault, i) => (fault ? [[i, fault]] : []));
  };
  return field(
    { type: 'array', items, minItems: min, maxItems: max, uniqueItems: unique },
    options,
    Convert((value) => (Array.isArray(value) ? value.map(trimmed) : value)),
    Convert((value) => (typeof value === 'string' ? [value] : value), IN_TEXT),
    ...length(min, max),
    rules.Validate(custom.EachItem, [faultsOf], { message: 'list', context: { faultsOf } }),
  );
}
