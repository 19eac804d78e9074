import { randomBytes } from 'node:crypto';

/**
 * Crockford's base 32. It does not contain the letters I, L, O and U. (I, L and O look like digits.) Each character
 * encodes five bits.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ONLY_ALPHABET = new RegExp(`^[${ALPHABET}]+$`);
const CHARACTER_BITS = 5;
const GROUP_LENGTH = 4;
const CHECK_IN_BITS = 80;
/**
 * Finds, in a text, the codes that are written in the stored form (at least three groups of four, joined by hyphens),
 * in upper or lower case.
 */
export const CODES_IN_TEXT = new RegExp(
  `(?<![\\w-])[${ALPHABET}]{${GROUP_LENGTH}}(?:-[${ALPHABET}]{${GROUP_LENGTH}}){2,}(?![\\w-])`,
  'gi',
);
const GROUP_BEFORE_ANOTHER = new RegExp(`(.{${GROUP_LENGTH}})(?=.)`, 'g');

/** A code with at least `bits` random bits, in groups of four characters: `7K3M-Q2XA-9FWD`. */
export function randomCode(bits: number): string {
  let letters = '';
  for (const byte of randomBytes(Math.ceil(bits / CHARACTER_BITS))) letters += ALPHABET.charAt(byte % ALPHABET.length);
  return inGroups(letters);
}

/** A new random code that a confirmed participant shows at the door. */
export function newCheckInCode(): string {
  return randomCode(CHECK_IN_BITS);
}

/**
 * The stored form of a typed or scanned code. Letter case, spaces and hyphens are ignored; O is read as 0, I and L as
 * 1. Null for a text that cannot be a code.
 */
export function readCode(typed: string): string | null {
  const letters = withoutLookalikes(typed.toUpperCase().replace(/[\s-]/g, ''));
  return ONLY_ALPHABET.test(letters) ? inGroups(letters) : null;
}

/**
 * The normal form of a code: upper case, only letters and digits, O as 0, I and L as 1. Devices at the door get the
 * hash of this form.
 */
export function normalCode(code: string): string {
  return withoutLookalikes(code.toUpperCase().replace(/[^0-9A-Z]/g, ''));
}

/** The stored form of a code that is given in its normal form. */
export function storedCode(normal: string): string {
  return inGroups(normal);
}

function withoutLookalikes(letters: string): string {
  return letters.replace(/O/g, '0').replace(/[IL]/g, '1');
}

function inGroups(letters: string): string {
  return letters.replace(GROUP_BEFORE_ANOTHER, '$1-');
}
