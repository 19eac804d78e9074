import { hash } from 'node:crypto';

/** The stored form of long random secrets, such as tokens, session keys and secrets of links: SHA-256 as hex text. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
