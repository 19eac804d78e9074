import { contentTypeOf, filesOf, keyOf, newMediaKey, posterOf, thumbOf } from './media-key';

describe('media keys', () => {
  it('consist of 40 random hexadecimal digits and an extension, and differ from each other', () => {
    const keys = Array.from({ length: 100 }, () => newMediaKey('jpg'));
    expect(new Set(keys).size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{40}\.jpg$/);
  });

  it.each(['jpg', 'webp', 'mp4'] as const)(
    'with the extension %s determine the names of two files, and `keyOf` returns the key for both names',
    (extension) => {
      const key = newMediaKey(extension);
      const [own, companion] = filesOf(key);
      expect(own).toBe(key);
      expect(companion).toBe(extension === 'mp4' ? posterOf(key) : thumbOf(key));
      expect(companion).not.toBe(key);
      expect(filesOf(key).map(keyOf)).toEqual([key, key]);
    },
  );

  it('determine the content types of both files', () => {
    expect(filesOf(newMediaKey('mp4')).map(contentTypeOf)).toEqual(['video/mp4', 'image/jpeg']);
    expect(filesOf(newMediaKey('webp')).map(contentTypeOf)).toEqual(['image/webp', 'image/webp']);
  });

  it.each([
    '',
    'a.jpg',
    `${'a'.repeat(40)}.svg`,
    `${'a'.repeat(40)}.jpg.x.part`,
    `../${'a'.repeat(40)}.jpg`,
    `${'A'.repeat(40)}.jpg`,
  ])('cannot be parsed from the name %j, for which `contentTypeOf` also returns null', (name) => {
    expect(contentTypeOf(name)).toBeNull();
    expect(keyOf(name)).toBeNull();
  });
});
