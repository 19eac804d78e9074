import { CursorSealer, type Cursor } from './cursor';
import { Snapshot } from './snapshot';

const snapshot = (text: string): Snapshot => Snapshot.parse(text) as Snapshot;
const PLAIN: Cursor = { at: new Date('2026-11-22T05:00:00.123Z'), base: snapshot('10:20:10,14'), within: null };
const WITHIN: Cursor = { ...PLAIN, within: { until: snapshot('14:30:14'), id: 9_007_199_254_740_993n } };

describe('a sealed cursor', () => {
  const sealer = new CursorSealer('secret');

  it.each([PLAIN, WITHIN])('opens to the sealed content, and always has the same text', (cursor) => {
    const sealed = sealer.seal(cursor);
    expect(sealer.open(sealed)).toEqual(cursor);
    expect(sealer.seal(cursor)).toBe(sealed);
    expect(new CursorSealer('secret').open(sealed)).toEqual(cursor);
    expect(sealed).toMatch(/^[\w-]+$/);
  });

  it('is nothing with any bit changed, a letter less or more, or under another secret', () => {
    const sealed = sealer.seal(WITHIN);
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
    'is no garbage: %j',
    (text) => expect(sealer.open(text)).toBeNull(),
  );
});
