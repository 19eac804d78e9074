import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/**
 * Hash of a random password. If there is no account or the account has no password, the typed password is compared with
 * this hash. The response then takes the same time as for an account with a password.
 */
let dummyHash: string | undefined;

export function hashPassword(password: string): Promise<string> {
  return hash(password);
}

/** Whether the password matches the hash. Without a hash, the result is false, but the computing time is the same. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  // The first call always creates the dummy hash. Otherwise the first sign-in with an unknown address after a start
  // would take longer than a sign-in with a known address.
  dummyHash ??= await hash(randomBytes(16));
  const matches = await verify(passwordHash ?? dummyHash, password);
  return passwordHash !== null && matches;
}
