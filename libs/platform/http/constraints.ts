import {
  registerDecorator,
  ValidateBy,
  ValidatorConstraint,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';
import type { MessageKey } from '../messages/catalogue';
import type { Text } from '../messages/messages';
import { parseDay } from '../time/input-time';
import { parseUrl } from '../text/url';

/** The text contains neither NUL nor a lone surrogate (WIRE-12). */
export const STORABLE = /^[^\0\p{Surrogate}]*$/u;

/**
 * The maximum length in Unicode code points (WIRE-11). `@MaxLength` is not used, because it does not count variation
 * selectors.
 */
@ValidatorConstraint()
export class MaxCodePoints {
  validate = (value: string, { constraints: [max] }: ValidationArguments): boolean =>
    !isLongerThan(value, max as number);
}

/** The minimum length in Unicode code points (WIRE-11). */
@ValidatorConstraint()
export class MinCodePoints {
  validate = (value: string, { constraints: [min] }: ValidationArguments): boolean =>
    isLongerThan(value, (min as number) - 1);
}

/**
 * The maximum number of decimals (WIRE-16). `@IsNumber({ maxDecimalPlaces })` is not used, because it throws for
 * numbers such as 1e-7.
 */
@ValidatorConstraint()
export class Decimals {
  validate = (value: number, { constraints: [decimals] }: ValidationArguments): boolean =>
    Number(value.toFixed(decimals as number)) === value;
}

/**
 * An existing day `YYYY-MM-DD` of an accepted year (WIRE-9, WIRE-10). `@IsDateString` is not used, because it accepts
 * other formats.
 */
@ValidatorConstraint()
export class CalendarDay {
  validate = (value: unknown): boolean => typeof value === 'string' && parseDay(value) !== null;
}

/**
 * An absolute http or https address with a host (WIRE-17). The pattern is needed, because `URL` would take the host of
 * `https:///a` from the path. `@IsUrl` is not used, because it refuses some hosts that browsers accept.
 */
@ValidatorConstraint()
export class WebAddress {
  validate = (value: string): boolean => /^https?:\/\/[^\s<>"/\\][^\s<>"]*$/i.test(value) && parseUrl(value) !== null;
}

/** The address contains no user name or password (WIRE-17). */
@ValidatorConstraint()
export class WithoutCredentials {
  validate = (value: string): boolean => new URL(value).username === '' && new URL(value).password === '';
}

/** The fault of an item, as options of class-validator; false or undefined if the item has no fault. */
export type ItemFault = { readonly message: MessageKey; readonly context?: Text['values'] } | false | undefined;
export type ItemCheck = (item: unknown, index: number, all: readonly unknown[]) => ItemFault;

/** Checks the items of a list (WIRE-18). `each: true` is not used, because it does not report which items are wrong. */
export const EachItem = (check: ItemCheck): PropertyDecorator =>
  ValidateBy(
    { name: 'eachItem', validator: { validate: (items: unknown[]) => !items.some(check) } },
    { message: 'list', context: { check } },
  );

/** A rule about several fields of an object. Its error has an empty field name, which means the object itself. */
export const ObjectRule =
  (isMet: (object: Readonly<Record<string, unknown>>) => boolean, options: ValidationOptions): ClassDecorator =>
  (target) =>
    registerDecorator({
      name: 'objectRule',
      target,
      propertyName: '',
      options,
      validator: { validate: (_, { object }: ValidationArguments) => isMet(object as Record<string, unknown>) },
    });

/** Whether the text has more than `points` code points. Counts them only if the UTF-16 length alone gives no answer. */
export const isLongerThan = (text: string, points: number): boolean =>
  text.length > points && (text.length > points * 2 || [...text].length > points);
