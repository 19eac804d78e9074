import { SealingKeys } from './sealer';

describe('the keys of encrypted texts', () => {
  const sealer = new SealingKeys('secret');

  it('decrypt only unaltered texts that were encrypted with the current or the former secret', () => {
    const sealed = sealer.seal('Přijďte');
    expect([
      sealer.open(sealed),
      new SealingKeys('other').open(sealed),
      new SealingKeys('other', 'secret').open(sealed),
    ]).toEqual(['Přijďte', null, 'Přijďte']);
    const changed = Buffer.from(sealed, 'base64');
    changed[changed.length - 1]! ^= 1;
    expect(sealer.open(changed.toString('base64'))).toBeNull();
  });

  it('never use a nonce twice, even with two secrets', () => {
    const other = new SealingKeys('other');
    const nonces = Array.from({ length: 2_000 }, (_, n) =>
      Buffer.from((n % 3 ? sealer : other).seal('x'), 'base64')
        .subarray(0, 12)
        .toString('hex'),
    );
    expect(new Set(nonces).size).toBe(nonces.length);
  });
});
