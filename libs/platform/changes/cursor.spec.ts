import { CursorSealer, type Cursor } from './cursor';

const CURSOR: Cursor = { at: new Date('2026-11-22T05:00:00.123Z'), number: 9_007_199_254_740_993n };
/** Cursors of an earlier release, whose feed had entries without numbers; encrypted with the secret `secret`. */
const FORMER = {
  end: 'guwMW-wcRgUAOc_zvumGJTvMePt0irXFy-fCx6FeFJSxSVAptkfInRo',
  within: 'NI7s8T0sb4AeJknRLdvJ21dA2PC4Bzp2IqNfcNOH7BEIPDiJuL-nnuJSZFezbx1BBBmHAbpdo4TXnCCNE6CgEiGl6Q',
};

describe('a sealed cursor', () => {
  const sealer = new CursorSealer('secret');

  it('contains its position, and has the same text every time this position is sealed', () => {
    const sealed = sealer.seal(CURSOR);
    expect(sealer.open(sealed)).toEqual(CURSOR);
    expect(sealer.seal(CURSOR)).toBe(sealed);
    expect(new CursorSealer('secret').open(sealed)).toEqual(CURSOR);
    expect(sealed).toMatch(/^[\w-]+$/);
  });

  it('can be opened if it has the form of earlier versions', () => {
    const at = CURSOR.at;
    expect(sealer.open(FORMER.end)).toEqual({ at, base: '10:20:10,14', within: null });
    expect(sealer.open(FORMER.within)).toEqual({
      at,
      base: '10:20:10,14',
      within: { until: '14:30:14', id: 9_007_199_254_740_993n },
    });
  });

  it('differs from the id of its entry, and this id is not accepted as a cursor', () => {
    expect(sealer.entryId(CURSOR.number)).not.toBe(sealer.seal(CURSOR));
    expect(sealer.entryId(CURSOR.number)).toBe(new CursorSealer('secret').entryId(CURSOR.number));
    expect(sealer.open(sealer.entryId(CURSOR.number))).toBeNull();
  });

  it('cannot be opened if a bit is changed, a character is missing or added, or the secret is different', () => {
    const sealed = sealer.seal(CURSOR);
    const bytes = Buffer.from(sealed, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const other = Buffer.from(bytes);
      other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(sealer.open(other.toString('base64url'))).toBeNull();
    }
    expect(sealer.open(sealed.slice(0, -1))).toBeNull();
    expect(sealer.open(`${sealed}A`)).toBeNull();
    expect(new CursorSealer('other').open(sealed)).toBeNull();
  });

  it.each(['', 'x', 'garbage', '1', 'A'.repeat(22), 'A'.repeat(100_000), 'ä', '../../etc'])(
    'cannot be opened if the text is invalid: %j',
    (text) => expect(sealer.open(text)).toBeNull(),
  );
});
