import { hashPassword, isPassword } from './passwords';

describe('passwords', () => {
  it('are stored as an Argon2id hash that differs each time', async () => {
    const [first, second] = await Promise.all([hashPassword('tajné heslo'), hashPassword('tajné heslo')]);
    expect(first).toMatch(/^\$argon2id\$/);
    expect(second).not.toBe(first);
  });

  it('are correct only if they match the hash, and never without a hash', async () => {
    const stored = await hashPassword('tajné heslo');
    expect(await isPassword('tajné heslo', stored)).toBe(true);
    expect(await isPassword('tajné hesla', stored)).toBe(false);
    expect(await isPassword('tajné heslo', null)).toBe(false);
  });
});
