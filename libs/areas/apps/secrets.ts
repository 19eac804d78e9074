import { createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** People and secret scanners recognize a client secret of this service by this prefix. */
const PREFIX = 'evs_';
const BYTES = 32;

export function newClientSecret(): string {
  return PREFIX + randomBytes(BYTES).toString('base64url');
}

/** An id does not begin with a hyphen, because it would look like an option on the command line. */
export function newClientId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? newClientId() : id;
}

/** The stored form of codes, tokens and client secrets: SHA-256 as hex text. */
export function hashOf(secret: string): string {
  return hash('sha256', secret);
}

/** Whether the secret matches one of the hashes; compares all of them, in constant time. */
export function matchesAny(secret: string, hashes: readonly string[]): boolean {
  const secretHash = Buffer.from(hashOf(secret));
  return hashes.map((one) => timingSafeEqual(secretHash, Buffer.from(one))).includes(true);
}

/**
 * The stored form of the code that a person types. The code is so short that all codes can be tried. Therefore the hash
 * needs a key.
 */
export class UserCodes {
  private readonly key: Buffer;

  constructor(appSecret: string) {
    this.key = Buffer.from(hkdfSync('sha256', appSecret, '', 'device-codes', 32));
  }

  hashOf(code: string): string {
    return createHmac('sha256', this.key).update(code).digest('hex');
  }
}

/** The typed code in the form that is hashed: capital letters and digits, without separators. */
export function plainUserCode(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
}
