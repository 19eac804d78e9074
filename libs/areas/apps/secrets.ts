import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '#platform/config/settings';
import { hashSecret } from '#platform/text/hash-secret';

/** People and secret scanners recognize a client secret of this service by this prefix. */
const PREFIX = 'evs_';
const BYTES = 32;

export function newClientSecret(): string {
  return PREFIX + randomBytes(BYTES).toString('base64url');
}

/** An id never begins with a hyphen, because on the command line such an id would look like an option. */
export function newClientId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? newClientId() : id;
}

/** Whether the secret matches one of the hashes. The secret is compared with every hash, in constant time. */
export function matchesAny(secret: string, hashes: readonly string[]): boolean {
  const secretHash = Buffer.from(hashSecret(secret));
  return hashes.map((one) => timingSafeEqual(secretHash, Buffer.from(one))).includes(true);
}

/**
 * Computes the hashes that are stored instead of the codes that people type, and instead of the networks of clients
 * (`networkOf`). There are few possible codes and networks, so an attacker who has read a hash could find its code or
 * network by trying all of them. Therefore the hash needs a key.
 */
@Injectable()
export class KeyedHashes {
  private readonly key: Buffer;

  constructor({ appSecret }: Settings) {
    this.key = Buffer.from(hkdfSync('sha256', appSecret, '', 'device-codes', 32));
  }

  hashOf(value: string): string {
    return createHmac('sha256', this.key).update(value).digest('hex');
  }
}

/** The typed code in the form that is hashed: capital letters and digits, without separators. */
export function plainUserCode(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
}
