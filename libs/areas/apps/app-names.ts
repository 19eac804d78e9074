import { LIMITS } from '#contract/limits';
import { isVisible } from '#platform/text/characters';

const { name } = LIMITS.apps;
/**
 * Control characters, and characters that change the direction of a text. With them, one name could look like another.
 */
const DECEPTIVE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export function isDeceptive(text: string): boolean {
  return DECEPTIVE.test(text);
}

/** Whether an app may have this name. */
export function isAppName(text: string): boolean {
  const { length } = [...text];
  return length >= name.min && length <= name.max && text === text.trim() && isVisible(text) && !isDeceptive(text);
}
