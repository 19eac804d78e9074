import { ValidatorConstraint, type ValidationArguments, type ValidatorConstraintInterface } from 'class-validator';
import type { Text } from '../messages/messages';
import { parseDay } from '../time/input-time';

/** Refuses NUL and lone surrogates (WIRE-12). */
export const STORABLE = /^[^\0\p{Surrogate}]*$/u;

/** WIRE-11: the length in Unicode code points. `@Length` also leaves out variation selectors. */
@ValidatorConstraint()
export class CodePoints implements ValidatorConstraintInterface {
  validate(value: string, { constraints: [min, max] }: ValidationArguments): boolean {
    return isLongerThan(value, (min as number) - 1) && !isLongerThan(value, max as number);
  }
}

/** WIRE-16: at most so many decimals. `@IsNumber({ maxDecimalPlaces })` throws for a number such as 1e-7. */
@ValidatorConstraint()
export class Decimals implements ValidatorConstraintInterface {
  validate(value: number, { constraints: [decimals] }: ValidationArguments): boolean {
    return Number(value.toFixed(decimals as number)) === value;
  }
}

/** WIRE-9, WIRE-10: an existing day `YYYY-MM-DD` of an accepted year. `@IsDateString` accepts other formats. */
@ValidatorConstraint()
export class CalendarDay implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return typeof value === 'string' && parseDay(value) !== null;
  }
}

/** WIRE-17: an absolute http or https address without a login. `@IsUrl` refuses hosts that browsers accept. */
@ValidatorConstraint()
export class WebAddress implements ValidatorConstraintInterface {
  validate(value: string): boolean {
    return isWebAddress(value) && new URL(value).username + new URL(value).password === '';
  }
}

/** The faults of a list's items, each with the index of its item. */
export type ItemFaults = (items: readonly unknown[]) => readonly (readonly [index: number, fault: Text])[];

/** WIRE-18: a list whose items have no fault. The option `each: true` does not report which items are wrong. */
@ValidatorConstraint()
export class EachItem implements ValidatorConstraintInterface {
  validate(items: readonly unknown[], { constraints: [faultsOf] }: ValidationArguments): boolean {
    return (faultsOf as ItemFaults)(items).length === 0;
  }
}

/** Counts code points only where the number of UTF-16 units does not decide. */
export function isLongerThan(text: string, points: number): boolean {
  return text.length > points && (text.length > points * 2 || [...text].length > points);
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s<>"]+$/i.test(text) && URL.canParse(text);
}
