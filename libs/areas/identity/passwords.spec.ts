import { hashPassword, isPassword } from './passwords';

describe('hashPassword and isPassword', () => {
  it('create an Argon2id hash that differs each time', async () => {
    const [one, other] = await Promise.all([hashPassword('tajné heslo'), hashPassword('tajné heslo')]);
    expect(one).toMatch(/^\$argon2id\$/);
    expect(other).not.toBe(one);
  });

  it('accept only the hashed password, and no password if there is no hash', async () => {
    const stored = await hashPassword('tajné heslo');
    expect(await isPassword('tajné heslo', stored)).toBe(true);
    expect(await isPassword('tajné hesla', stored)).toBe(false);
    expect(await isPassword('tajné heslo', null)).toBe(false);
  });
});
