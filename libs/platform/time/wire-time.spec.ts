import { textToWire, toWire } from './wire-time';

// WIRE-6
describe('a datetime in a response', () => {
  it.each([
    ['2026-11-20T18:00:00.000Z', '2026-11-20 18:00:00+00'],
    ['2026-11-20T18:00:59.999Z', '2026-11-20 18:00:59.999999+00'],
    ['0099-01-01T00:00:00.100Z', '0099-01-01 00:00:00.1+00'],
  ])('has whole seconds, both for a Date (%s) and for a text from PostgreSQL (%s)', (iso, text) => {
    expect(toWire(new Date(iso))).toBe(`${iso.slice(0, 19)}Z`);
    expect(textToWire(text)).toBe(toWire(new Date(iso)));
  });

  it('is null for null', () => {
    expect(toWire(null)).toBeNull();
  });
});
