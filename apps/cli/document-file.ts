import { readFileSync } from 'node:fs';
import { OperatorError } from '#platform/config/operator-error';
import { terminal } from './terminal';
import { utf8Text } from './utf8-text';

/** Reads the JSON document in a file, or on stdin if `file` is `-`. */
export function readDocument(file: string): unknown {
  let bytes: Buffer;
  try {
    bytes = file === '-' ? terminal().readStdin() : readFileSync(file);
  } catch (error) {
    throw new OperatorError(`The document cannot be read: ${(error as Error).message}`);
  }
  const text = utf8Text(bytes, 'The document');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`The document is not JSON: ${withoutQuote((error as Error).message)}`);
  }
}

/**
 * Removes the part of the document that Node quotes in the message. The quoted part may contain a password or several
 * lines.
 */
function withoutQuote(message: string): string {
  return message.replace(/, (?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s, '');
}
