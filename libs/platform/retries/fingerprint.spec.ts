import { contentOf, fingerprintOf } from './fingerprint';

// RETRY-9
describe('the content of a request with an Idempotency-Key', () => {
  it.each<[unknown, unknown]>([
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ list: [{ a: 1, b: { c: 3, d: 4 } }] }, { list: [{ b: { d: 4, c: 3 }, a: 1 }] }],
    [undefined, null],
  ])('is the same for %j and %j', (one, other) => expect(contentOf(one)).toBe(contentOf(other)));

  it.each<[unknown, unknown]>([
    [{ a: 1 }, { a: '1' }],
    [{ a: null }, {}],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: [1, [2]] }, { a: [[1], 2] }],
    [{}, []],
    [{}, null],
    [{ a: { b: 1 } }, { a: 1, b: 1 }],
    [{ a: 'x","b":"y' }, { a: 'x', b: 'y' }],
  ])('differs between %j and %j', (one, other) => expect(contentOf(one)).not.toBe(contentOf(other)));

  it('is a part of the fingerprint, together with the method and the address', () => {
    const requests = [
      ['POST', '/posts', '{}'],
      ['PUT', '/posts', '{}'],
      ['POST', '/posts?x=1', '{}'],
      ['POST', '/posts', ''],
    ] as const;
    expect(new Set(requests.map(([method, url, content]) => fingerprintOf(method, url, content))).size).toBe(
      requests.length,
    );
    expect(fingerprintOf('POST', '/posts', '{}')).toMatch(/^[\w-]{43}$/);
  });
});
