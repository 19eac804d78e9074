import { toWire } from './wire-time';

// WIRE-6
describe('a datetime in a response', () => {
  it.each(['2026-11-20T18:00:00.000Z', '2026-11-20T18:00:59.999Z', '0099-01-01T00:00:00.100Z'])(
    'has whole seconds (%s)',
    (iso) => expect(toWire(new Date(iso))).toBe(`${iso.slice(0, 19)}Z`),
  );

  it('is null for null', () => {
    expect(toWire(null)).toBeNull();
  });
});
