import { useRealPasswordHashes } from '#testing/password-hashes';
import { hashPassword, isPassword } from './passwords';

describe('hashing and checking a password', () => {
  beforeAll(useRealPasswordHashes);

  it('creates a different Argon2id hash of the same cost each time, even for the same password', async () => {
    const [first, second] = await Promise.all([hashPassword('tajné heslo'), hashPassword('tajné heslo')]);
    for (const hash of [first, second]) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
  });

  it('accepts a password only if there is a stored hash and the password matches it', async () => {
    const stored = await hashPassword('tajné heslo');
    expect(await isPassword('tajné heslo', stored)).toBe(true);
    expect(await isPassword('tajné hesla', stored)).toBe(false);
    expect(await isPassword('tajné heslo', null)).toBe(false);
  });
});
