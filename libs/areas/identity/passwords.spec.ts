import { hashPassword, isPassword } from './passwords';

describe('the hash of a password', () => {
  it('is an Argon2id hash that differs each time', async () => {
    const [one, other] = await Promise.all([hashPassword('tajné heslo'), hashPassword('tajné heslo')]);
    expect(one).toMatch(/^\$argon2id\$/);
    expect(other).not.toBe(one);
  });

  it('is verified against the stored hash, and never if there is no hash', async () => {
    const kept = await hashPassword('tajné heslo');
    expect(await isPassword('tajné heslo', kept)).toBe(true);
    expect(await isPassword('tajné hesla', kept)).toBe(false);
    expect(await isPassword('tajné heslo', null)).toBe(false);
  });
});
