import { LIMITS } from '#contract/limits';
import { fittingJson } from './push-message';

/** Encryption adds 103 bytes to the JSON. */
const MAX_JSON_BYTES = LIMITS.push.body - 103;
const message = (body: string) => ({ title: 'Pozvánka', body, url: 'https://example.org/events/x', tag: 'x' });
const BYTES_WITHOUT_BODY = Buffer.byteLength(JSON.stringify(message('')));

// PUSH-4
describe('the JSON of a push message', () => {
  it('is not changed if it has exactly the maximum size', () => {
    const whole = message('a'.repeat(MAX_JSON_BYTES - BYTES_WITHOUT_BODY));
    expect(fittingJson(whole)).toBe(JSON.stringify(whole));
  });

  it.each([
    ['letters', 'a'],
    ['letters of two bytes', 'ž'],
    ['characters that JSON escapes', '"'],
    ['characters of four bytes', '🎈'],
    ['words', 'slovo '],
  ])('contains only the beginning of the body and `…` if the whole body does not fit: %s', (_what, part) => {
    const json = fittingJson(message(part.repeat(6_000)));
    const { body, ...others } = JSON.parse(json) as ReturnType<typeof message>;
    expect(others).toEqual({ title: 'Pozvánka', url: 'https://example.org/events/x', tag: 'x' });
    const size = Buffer.byteLength(json);
    expect([size <= MAX_JSON_BYTES, size > MAX_JSON_BYTES - 40]).toEqual([true, true]);
    expect(body.endsWith('…')).toBe(true);
    expect(part.repeat(6_000).startsWith(body.slice(0, -1))).toBe(true);
    expect(body.slice(0, -1).endsWith(part.trimEnd())).toBe(true);
  });
});
