import { randomBytes } from 'node:crypto';
import { LIMITS } from '#contract/limits';
import { hashSecret } from '#platform/text/hash-secret';

/** Base 32 of RFC 4648 without padding: five bits per letter; no 0, 1, 8 or 9. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const CODE = /^[A-Z2-7]{16}$/;

/** Returns ten codes of 80 random bits. Hyphens divide a code into groups of four characters. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: LIMITS.second_step.recovery_codes }, () => {
    const letters = Array.from(randomBytes(16), (byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
    return letters.replace(/(.{4})(?=.)/g, '$1-');
  });
}

/**
 * The hash that is stored for a code. Letter case, spaces and hyphens are ignored; 0, 1 and 8 are read as O, I and B.
 * Null for a text that is not a recovery code.
 */
export function recoveryCodeHash(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '').replace(/0/g, 'O').replace(/1/g, 'I').replace(/8/g, 'B');
  return CODE.test(letters) ? hashSecret(letters) : null;
}
