import { hashPassword, isPassword } from './passwords';

describe('a password', () => {
  it('is stored as Argon2id, a different text each time', async () => {
    const [one, other] = await Promise.all([hashPassword('tajné heslo'), hashPassword('tajné heslo')]);
    expect(one).toMatch(/^\$argon2id\$/);
    expect(other).not.toBe(one);
  });

  it('is verified by the stored hash only', async () => {
    const kept = await hashPassword('tajné heslo');
    expect(await isPassword('tajné heslo', kept)).toBe(true);
    expect(await isPassword('tajné hesla', kept)).toBe(false);
    expect(await isPassword('tajné heslo', null)).toBe(false);
  });
});
