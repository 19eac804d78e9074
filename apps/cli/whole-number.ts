import { OperatorError } from '#platform/config/operator-error';

/** Parses an option's value, which must be a whole number from 1 to `max` with at most 15 digits. */
export function wholeNumber(option: string, text: string, max = Infinity): number {
  const number = Number(text);
  if (!/^[1-9]\d{0,14}$/.test(text) || number > max)
    throw new OperatorError(`${option} must be a whole number from 1${max === Infinity ? '' : ` to ${max}`}.`);
  return number;
}
