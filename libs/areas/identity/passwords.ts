import { randomBytes } from 'node:crypto';
import { lazily } from '#platform/loading/lazily';

/**
 * Argon2id with the library's default parameters. A megabyte of native code, loaded at the first password rather than
 * at the start.
 */
const argon2 = lazily<typeof import('@node-rs/argon2')>(__filename, '@node-rs/argon2');

/** Hash of a random password: verified if the account has none, so that the response takes as long. */
let dummyHash: string | undefined;

/** @returns the hash to store */
export function hashPassword(password: string): Promise<string> {
  return argon2().hash(password);
}

/** Whether the password matches the hash. Without a hash the result is false after the same time. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  // Created by the first call, needed or not: otherwise the first unknown address after a start would take longer than
  // a known one.
  dummyHash ??= await argon2().hash(randomBytes(16));
  const fits = await argon2().verify(passwordHash ?? dummyHash, password);
  return passwordHash !== null && fits;
}
