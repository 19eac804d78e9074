import { isUtf8 } from 'node:buffer';
import { OperatorError } from '#platform/config/operator-error';

/**
 * Decodes a text that an operator sends. A byte order mark at its start, which some editors add, is removed.
 * @param name the name of the text in the error message
 * @throws OperatorError if the text is not UTF-8, because each invalid byte would otherwise be replaced by another
 *   character
 */
export function utf8Text(bytes: Buffer, name: string): string {
  if (!isUtf8(bytes)) throw new OperatorError(`${name} is not encoded in UTF-8.`);
  return new TextDecoder().decode(bytes);
}
