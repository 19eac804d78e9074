import { derivedSalt, PUBLIC_ID_KINDS as KINDS, PublicIds } from './public-ids';

const idsOf = (secret: string) => new PublicIds(new Map(KINDS.map((kind) => [kind, derivedSalt(secret, kind)])));
const NUMBERS = [0, 1, 17, 2 ** 31, Number.MAX_SAFE_INTEGER];

describe('the ids in the API', () => {
  const ids = idsOf('secret');

  // WIRE-1
  it.each(KINDS)('consist of letters only, and do not decode to the same number as ids of another kind: %s', (kind) => {
    for (const number of NUMBERS) {
      const id = ids.encode(kind, number);
      expect(id).toMatch(/^[A-Za-z]{8,}$/);
      expect(ids.decode(kind, id)).toBe(number);
      for (const other of KINDS.filter((one) => one !== kind)) expect(ids.decode(other, id)).not.toBe(number);
    }
  });

  // WIRE-1
  it('depend on the secret', () => expect(idsOf('another').encode('event', 17)).not.toBe(ids.encode('event', 17)));

  // WIRE-2
  it('may be numbers for events, and never for other resources', () => {
    expect(ids.decodeEvent('17')).toBe(17);
    expect(ids.decodeEvent(ids.encode('event', 17))).toBe(17);
    for (const kind of KINDS) expect(ids.decode(kind, '17')).toBeNull();
  });
});
