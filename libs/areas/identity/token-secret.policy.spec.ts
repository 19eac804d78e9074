import { LIMITS } from '#contract/limits';
import { hashSecret } from '#platform/text/hash-secret';
import { kindOf, mintSecret, secretOf, TOKEN_KINDS } from './token-secret.policy';

describe('the secret of a token', () => {
  const [, random = ''] = /^evt_([0-9A-Za-z]{36})[0-9A-Za-z]{6}$/.exec(mintSecret()) ?? [];

  // ACC-3
  it('has a prefix and at least the required number of random bits', () => {
    expect(random.length * Math.log2(62)).toBeGreaterThanOrEqual(LIMITS.tokens.random_bits);
    expect(new Set(Array.from({ length: 100 }, mintSecret)).size).toBe(100);
  });

  // ACC-3
  it('contains each of the characters 0 to 7 as often as any other character', () => {
    const sample = Array.from({ length: 2_000 }, () => mintSecret().slice(4, 40)).join('');
    // If bytes were reduced modulo 62, the first eight characters of the alphabet would be more frequent than the other
    // characters. Together they would be 15.6 % of a secret instead of 12.9 %.
    const first = [...sample].filter((character) => /[0-7]/.test(character)).length;
    expect(first / sample.length).toBeGreaterThan(0.116);
    expect(first / sample.length).toBeLessThan(0.142);
  });

  // ACC-3
  it('has a checksum with which mistyped or invented secrets are recognized without a database query', () => {
    const secret = mintSecret();
    expect(kindOf(secret)).toBe('personal');
    for (let i = 0; i < secret.length; i++) {
      const other = secret[i] === 'x' ? 'y' : 'x';
      expect(kindOf(secret.slice(0, i) + other + secret.slice(i + 1))).toBeNull();
    }
    for (const text of ['', 'evt_', secret.slice(0, -1), `${secret}0`, ` ${secret}`, secret.toUpperCase()])
      expect(kindOf(text)).toBeNull();
  });

  // ACC-3
  it('has a checksum that depends on the kind of token', () => {
    const key = Buffer.alloc(64, 7);
    expect(TOKEN_KINDS.map((kind) => kindOf(secretOf(key, kind)))).toEqual([...TOKEN_KINDS]);
    expect(TOKEN_KINDS.map((kind) => kindOf(mintSecret(kind)))).toEqual([...TOKEN_KINDS]);
  });

  // ACC-2
  it('is always the same for the same key', () => {
    const key = Buffer.alloc(64, 7);
    expect(secretOf(key)).toBe(secretOf(Buffer.from(key)));
    expect(kindOf(secretOf(key))).toBe('personal');
    expect(secretOf(key)).not.toBe(secretOf(Buffer.alloc(64, 8)));
  });

  // ACC-2
  it('is hashed with SHA-256', () => {
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
