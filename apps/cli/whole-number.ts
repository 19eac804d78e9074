import { OperatorError } from '#platform/config/operator-error';

/** Parses an option's value, which must be a whole number of at least 1. */
export function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new OperatorError(`${option} must be a whole number from 1.`);
  return Number(text);
}
