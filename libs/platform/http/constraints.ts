import { ValidateBy, ValidatorConstraint, type ValidationArguments } from 'class-validator';
import type { MessageKey } from '../messages/catalogue';
import type { Text } from '../messages/messages';
import { parseDay } from '../time/input-time';

/** Neither NUL nor a lone surrogate (WIRE-12). */
export const STORABLE = /^[^\0\p{Surrogate}]*$/u;

/** WIRE-11: lengths count Unicode code points. `@MaxLength` leaves out variation selectors. */
@ValidatorConstraint()
export class MaxCodePoints {
  validate = (value: string, { constraints: [max] }: ValidationArguments): boolean =>
    !isLongerThan(value, max as number);
}

/** WIRE-11, as `MaxCodePoints`. */
@ValidatorConstraint()
export class MinCodePoints {
  validate = (value: string, { constraints: [min] }: ValidationArguments): boolean =>
    isLongerThan(value, (min as number) - 1);
}

/** WIRE-16: at most this number of decimals. `@IsNumber({ maxDecimalPlaces })` throws for a number such as 1e-7. */
@ValidatorConstraint()
export class Decimals {
  validate = (value: number, { constraints: [decimals] }: ValidationArguments): boolean =>
    Number(value.toFixed(decimals as number)) === value;
}

/** WIRE-9, WIRE-10: an existing day `YYYY-MM-DD` of an accepted year. `@IsDateString` accepts other formats. */
@ValidatorConstraint()
export class CalendarDay {
  validate = (value: unknown): boolean => typeof value === 'string' && parseDay(value) !== null;
}

/** WIRE-17: an absolute http or https address. `@IsUrl` refuses hosts that browsers accept. */
@ValidatorConstraint()
export class WebAddress {
  validate = (value: string): boolean => /^https?:\/\/[^\s<>"]+$/i.test(value) && URL.canParse(value);
}

/** WIRE-17: an address without a user name or password. */
@ValidatorConstraint()
export class WithoutLogin {
  validate = (value: string): boolean => new URL(value).username === '' && new URL(value).password === '';
}

/** The options of class-validator for a fault of an item, or false. */
export type ItemFault = { readonly message: MessageKey; readonly context?: Text['values'] } | false | undefined;
export type ItemCheck = (item: unknown, index: number, all: readonly unknown[]) => ItemFault;

/** WIRE-18: checks the items of a list. The option `each: true` does not report which items are wrong. */
export const EachItem = (check: ItemCheck): PropertyDecorator =>
  ValidateBy(
    { name: 'eachItem', validator: { validate: (items: unknown[]) => !items.some(check) } },
    { message: 'list', context: { check } },
  );

/** Counts code points only where the number of UTF-16 units does not decide. */
export const isLongerThan = (text: string, points: number): boolean =>
  text.length > points && (text.length > points * 2 || [...text].length > points);
