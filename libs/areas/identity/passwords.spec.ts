import { hashPassword, isPassword } from './passwords';

describe('hashing and checking a password', () => {
  it('creates a different Argon2id hash each time, even for the same password', async () => {
    const [first, second] = await Promise.all([hashPassword('tajné heslo'), hashPassword('tajné heslo')]);
    expect(first).toMatch(/^\$argon2id\$/);
    expect(second).not.toBe(first);
  });

  it('accepts a password only if there is a stored hash and the password matches it', async () => {
    const stored = await hashPassword('tajné heslo');
    expect(await isPassword('tajné heslo', stored)).toBe(true);
    expect(await isPassword('tajné hesla', stored)).toBe(false);
    expect(await isPassword('tajné heslo', null)).toBe(false);
  });
});
