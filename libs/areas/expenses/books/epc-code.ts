import { LIMITS } from '#contract/limits';
import { toUnits } from './money';

/** Data of an EPC QR code; the currency is always the euro. */
export interface CreditTransferOrder {
  readonly name: string;
  /** The IBAN in its electronic format: capitals and digits, no spaces. */
  readonly iban: string;
  readonly cents: number;
  readonly message: string;
}

const { bytes, name: nameLimit, remittance: remittanceLimit } = LIMITS.expenses.epc;

/**
 * The content of a QR code for a SEPA credit transfer, EPC069-12 version 002 in UTF-8 (PAY-10). There is one element
 * per line. The last line has no line end. BIC, purpose and structured reference are empty; without a message, the
 * empty elements at the end are omitted. A name of 70 UTF-16 units has at most 210 bytes, so there is always room for
 * at least the beginning of a message.
 */
export function epcCode({ name, iban, cents, message }: CreditTransferOrder): string {
  const head = [
    'BCD',
    '002',
    '1',
    'SCT',
    '',
    shortenedLine(name, nameLimit.max),
    iban,
    `EUR${toUnits(cents).toFixed(2)}`,
    '',
    '',
  ].join('\n');
  const messageLine = shortenedLine(message, remittanceLimit.max, bytes.max - Buffer.byteLength(`${head}\n`));
  return messageLine === '' ? head.trimEnd() : `${head}\n${messageLine}`;
}

/**
 * Returns the beginning of the text as one line, with spaces instead of control characters. The line has at most
 * `maxUnits` UTF-16 units and at most `maxBytes` bytes of UTF-8, and is never cut inside a character.
 */
function shortenedLine(text: string, maxUnits: number, maxBytes = Infinity): string {
  let result = '';
  for (const character of text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()) {
    if (result.length + character.length > maxUnits || Buffer.byteLength(result + character) > maxBytes) break;
    result += character;
  }
  return result.trimEnd();
}
