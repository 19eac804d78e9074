import { LIMITS } from '#contract/limits';
import { toUnits } from './money';

/** What an EPC QR code asks for; always euros. */
export interface CreditTransferOrder {
  readonly name: string;
  /** Electronic format: capitals and digits, no spaces. */
  readonly iban: string;
  readonly cents: number;
  readonly message: string;
}

const { bytes, name: nameLimit, remittance: remittanceLimit } = LIMITS.expenses.epc;

/**
 * The content of a QR code for a SEPA credit transfer, EPC069-12 version 002 in UTF-8 (PAY-10): one element a line, the last without
 * a line end. No BIC, purpose or structured reference. 70 characters are 210 bytes at most, so there is always room for a message.
 */
export function epcCode({ name, iban, cents, message }: CreditTransferOrder): string {
  const head = [
    'BCD',
    '002',
    '1',
    'SCT',
    '',
    cut(name, nameLimit.max),
    iban,
    `EUR${toUnits(cents).toFixed(2)}`,
    '',
    '',
  ].join('\n');
  const remittance = cut(message, remittanceLimit.max, bytes.max - Buffer.byteLength(`${head}\n`));
  return remittance === '' ? head.trimEnd() : `${head}\n${remittance}`;
}

/** On one line, without control characters, of at most so many UTF-16 units and bytes of UTF-8, never within a character. */
function cut(text: string, units: number, size = Infinity): string {
  let kept = '';
  for (const letter of text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()) {
    if (kept.length + letter.length > units || Buffer.byteLength(kept + letter) > size) break;
    kept += letter;
  }
  return kept.trimEnd();
}
