import { DocumentRefused } from '#areas/apply/document';
import { REFUSALS } from '#contract/refusals';
import { ServiceBusy } from '#platform/capacity/service-busy';
import { StartupError } from '#platform/config/startup-error';
import { isUnavailable } from '#platform/database/availability';
import { Refusal } from '#platform/http/refusal';
import { OperatorError } from '#platform/config/operator-error';
import { translate } from '#platform/messages/messages';
import { inOneLine } from '#platform/text/characters';
import { reasonOf } from '#platform/text/reason';

/**
 * The text that a command prints for an error: a message if the operator can correct the cause or repeat the command,
 * and the stack for a defect.
 */
export function explain(error: unknown): string {
  if (error instanceof DocumentRefused) return error.errors.map(explain).join('\n');
  if (error instanceof Refusal) return explainRefusal(error);
  // The message may contain what the operator has typed, for example a slug with a line break.
  if (error instanceof OperatorError) return inOneLine(error.message);
  if (error instanceof StartupError) return error.message;
  if (error instanceof ServiceBusy) return explainBusy(error);
  if (isSystemError(error)) return inOneLine(error.message);
  if (isUnavailable(error))
    return `The database was not available, or another process had locked the same rows: ${reasonOf(error)}. Run the command again.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Whether the operating system returned the error, for example because of a missing permission, folder or disk space.
 * Node's message of such an error names the operation and the file or address.
 */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** The error's text, followed by the reason. (A server writes the reason only into its log, not into responses.) */
function explainBusy({ text, message, cause }: ServiceBusy): string {
  const reason = cause instanceof Error ? reasonOf(cause) : '';
  return [text ? translate(text, 'en') : message, reason].filter(Boolean).join(' ');
}

function explainRefusal({ code, details }: Refusal): string {
  if (!details.errors) return REFUSALS[code].en;
  return Object.entries(details.errors)
    .map(([field, texts]) => `${field}: ${texts.map((text) => translate(text, 'en')).join(' ')}`)
    .join('\n');
}
