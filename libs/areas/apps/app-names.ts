import { LIMITS } from '#contract/limits';
import { isDeceptive, isVisible } from '#platform/text/characters';

const { name } = LIMITS.apps;

/** Whether an app may have this name. */
export function isAppName(text: string): boolean {
  const { length } = [...text];
  return length >= name.min && length <= name.max && text === text.trim() && isVisible(text) && !isDeceptive(text);
}
