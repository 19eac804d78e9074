import { LIMITS } from '#contract/limits';
import { OperatorError } from '#platform/config/operator-error';
import { isVisible } from '#platform/text/characters';

/**
 * Returns the reason without spaces at its start and end.
 * @throws OperatorError for a reason that is too short, too long, or has no visible character
 */
export function requiredReason(reason: string): string {
  const text = reason.trim();
  const { min, max } = LIMITS.moderation.reason;
  if ([...text].length < min || [...text].length > max)
    throw new OperatorError(`--reason must have ${min} to ${max} characters.`);
  if (!isVisible(text)) throw new OperatorError('--reason must have a visible character.');
  return text;
}
