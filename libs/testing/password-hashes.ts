import argon2 from '@node-rs/argon2';

const hash = argon2.hash;
/** The smallest cost that Argon2 allows. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const;

/**
 * New password hashes cost 0.1 ms of processor time instead of 12 ms. Checking a password takes as long as hashing it,
 * because the cost is a part of the hash. Every test file begins with cheap hashes.
 */
export function useCheapPasswordHashes(): void {
  argon2.hash = (password, options) => hash(password, { ...options, ...CHEAP });
}

/** New password hashes cost as much as in the real service again, until the end of the test file. */
export function useRealPasswordHashes(): void {
  argon2.hash = hash;
}
