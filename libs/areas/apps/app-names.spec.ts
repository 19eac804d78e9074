import { isDeceptive } from '#platform/text/characters';
import { isAppName } from './app-names';

// APP-2
describe('the name of an app', () => {
  it.each(['Ok', 'ž'.repeat(60), '🎉'.repeat(60), 'My app: 2.0', 'يوم'])('may be %j', (name) => {
    expect(isAppName(name)).toBe(true);
  });

  it.each(['', 'x', '🎉', 'ž'.repeat(61), ' Diary', 'Diary ', '\u200b\u200b', 'A\u0000b', 'A\nb', 'A\u0085b'])(
    'may not be %j',
    (name) => {
      expect(isAppName(name)).toBe(false);
    },
  );

  it.each([0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069])(
    'may not contain the character %i, which changes the direction of a text',
    (code) => {
      const name = `Evil${String.fromCodePoint(code)}app`;
      expect([isDeceptive(name), isAppName(name)]).toEqual([true, false]);
    },
  );
});
