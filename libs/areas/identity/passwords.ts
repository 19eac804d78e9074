import { randomBytes } from 'node:crypto';
import { lazily } from '#platform/loading/lazily';

/** Argon2id with the library's parameters. Native code and a megabyte of it: a start waits for none, the first password does. */
const argon2 = lazily<typeof import('@node-rs/argon2')>(__filename, '@node-rs/argon2');

/** Nobody's: verified where there is none, so that it takes as long. */
let dummyHash: string | undefined;

/** → what is kept of a password */
export function hashPassword(password: string): Promise<string> {
  return argon2().hash(password);
}

/** Whether it is the password of which this was kept; never, and no sooner, where nothing was. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  // Made by whoever comes first, needed or not: else the first unknown address of a server would answer later than a known one.
  dummyHash ??= await argon2().hash(randomBytes(16));
  const fits = await argon2().verify(passwordHash ?? dummyHash, password);
  return passwordHash !== null && fits;
}
