import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** Nobody's: verified where there is none, so that it takes as long. */
let nobodys: string | undefined;

/** Argon2id with the library's parameters. */
export function hashPassword(password: string): Promise<string> {
  return hash(password);
}

/** Whether it is the password of which this was kept; never, and no sooner, where nothing was. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  // Made by whoever comes first, needed or not: else the first unknown address of a server would answer later than a known one.
  nobodys ??= await hash(randomBytes(16));
  const fits = await verify(passwordHash ?? nobodys, password);
  return passwordHash !== null && fits;
}
