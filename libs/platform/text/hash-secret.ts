import { hash } from 'node:crypto';

/**
 * The stored form of secrets that cannot be guessed, such as tokens, session keys and addresses of subscriptions:
 * SHA-256 as hex text. Use `KeyedHashes` for short codes, which can be found by trying all of them.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
