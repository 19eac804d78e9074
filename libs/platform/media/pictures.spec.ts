import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import * as media from '#testing/media';
import { Refusal } from '../http/refusal';
import { decode } from './decoder';
import { Pictures, type Picture } from './pictures';

describe('Pictures', () => {
  const pictures = new Pictures();
  let folder: string;
  let path: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pictures-'));
    path = join(folder, 'sent.png');
  });
  afterEach(async () => {
    for (const file of await readdir(folder)) await rm(join(folder, file));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** A picture whose decoding needs much memory. It is created once. */
  let created: Promise<Buffer> | undefined;
  const largeWebp = () => (created ??= media.picture('webp', { width: 3600, height: 2400 }));

  const upload = async (sent: Buffer): Promise<string> => {
    await writeFile(path, sent);
    return path;
  };
  const make = async (sent: Buffer): Promise<Picture> => pictures.make({ field: 'images.2', path: await upload(sent) });
  const refusalOf = async (sent: Buffer): Promise<unknown> =>
    make(sent).then(
      () => 'accepted',
      (error: unknown) => (error instanceof Refusal ? error.details.errors : error),
    );
  const colourAt = async (file: string, x: number, y: number) => {
    const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    return [...data.subarray((y * info.width + x) * info.channels, (y * info.width + x) * info.channels + 3)];
  };
  const isOrange = ([r = 0, , b = 0]: number[]) => r > 180 && b < 90;

  describe('users’ pictures', () => {
    // WIRE-46
    it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
      'may be %s; the format is detected from the content, not from the name',
      async (format) => {
        const picture = await make(await media.picture(format));
        expect(picture).toMatchObject({ extension: 'jpg', width: 64, height: 48 });
        expect(await sharp(picture.path).metadata()).toMatchObject({ format: 'jpeg', width: 64, height: 48 });
        expect(await sharp(picture.thumbPath).metadata()).toMatchObject({ format: 'jpeg', width: 64, height: 48 });
        expect(isOrange(await colourAt(picture.path, 5, 5))).toBe(true);
        expect(isOrange(await colourAt(picture.path, 60, 5))).toBe(false);
      },
    );

    // WIRE-47
    it('lose the place, the camera and all other metadata', async () => {
      const sent = await media.phonePhoto();
      expect(sent.includes('SecretCam')).toBe(true);
      const picture = await make(sent);
      for (const file of [picture.path, picture.thumbPath]) {
        const metadata = await sharp(file).metadata();
        expect(metadata).not.toHaveProperty('exif');
        expect(metadata).not.toHaveProperty('icc');
        expect(metadata).not.toHaveProperty('xmp');
        expect(metadata).not.toHaveProperty('orientation');
        const bytes = await readFile(file);
        for (const trace of ['Exif', 'SecretCam', 'GPS', 'ICC_PROFILE']) expect(bytes.includes(trace)).toBe(false);
      }
    });

    // WIRE-47
    it.each([1, 2, 3, 4, 5, 6, 7, 8])('are turned upright from orientation %i', async (orientation) => {
      const sent = await media.picture('jpeg', { orientation, width: 60, height: 40 });
      const expected = await sharp(sent).autoOrient().raw().toBuffer({ resolveWithObject: true });
      const picture = await make(sent);
      expect([picture.width, picture.height]).toEqual([expected.info.width, expected.info.height]);
      expect([picture.width, picture.height]).toEqual(orientation > 4 ? [40, 60] : [60, 40]);
      for (const [x, y] of [
        [3, 3],
        [picture.width - 4, 3],
        [3, picture.height - 4],
        [picture.width - 4, picture.height - 4],
      ] as const) {
        const offset = (y * picture.width + x) * 3;
        expect(isOrange(await colourAt(picture.path, x, y))).toBe(
          isOrange([...expected.data.subarray(offset, offset + 3)]),
        );
      }
    });

    // WIRE-47
    it('are scaled down to 2048 pixels, and their thumbnails to 480 pixels, with the same proportions', async () => {
      const picture = await make(await media.picture('jpeg', { width: 3000, height: 1500 }));
      expect(picture).toMatchObject({ width: 2048, height: 1024 });
      expect(await sharp(picture.thumbPath).metadata()).toMatchObject({ width: 480, height: 240 });
    });

    it('remain transparent, as WebP', async () => {
      const picture = await make(await media.transparentPng());
      expect(picture.extension).toBe('webp');
      expect(await sharp(picture.path).metadata()).toMatchObject({ format: 'webp', hasAlpha: true });
      expect((await sharp(picture.thumbPath).stats()).isOpaque).toBe(false);
    });

    it('become a JPEG if they are a PNG without transparent parts', async () => {
      const picture = await make(
        await sharp(await media.picture('png'))
          .ensureAlpha()
          .png()
          .toBuffer(),
      );
      expect(picture.extension).toBe('jpg');
    });

    // WIRE-46
    it.each([2, 3000])('with %i frames are reduced to their first frame', async (frames) => {
      const picture = await make(await media.animatedGif(frames));
      expect(picture).toMatchObject({ width: 8, height: 8 });
      const [red = 0, green = 255] = await colourAt(picture.path, 4, 4);
      expect(red).toBeGreaterThan(200);
      expect(green).toBeLessThan(60);
    });

    it('are converted from CMYK to sRGB', async () => {
      const picture = await make(await media.cmykJpeg());
      expect(await sharp(picture.path).metadata()).toMatchObject({ space: 'srgb', channels: 3 });
    });

    it('may be grey or have sixteen bits per channel', async () => {
      const grey = await sharp(await media.picture('png'))
        .greyscale()
        .png()
        .toBuffer();
      expect(await make(grey)).toMatchObject({ width: 64 });
      const deep = await sharp(await media.picture('png'))
        .toColourspace('rgb16')
        .png()
        .toBuffer();
      const picture = await make(deep);
      expect(isOrange(await colourAt(picture.path, 5, 5))).toBe(true);
    });

    it('that need much memory are decoded in a separate process, with the same result', async () => {
      const sent = await largeWebp();
      const picture = await make(sent);
      expect(picture).toMatchObject({ extension: 'jpg', width: 2048, height: 1365 });
      expect(isOrange(await colourAt(picture.path, 5, 5))).toBe(true);
      // The separate process has stored the decoded pixels in this file.
      expect((await readFile(`${path}.pixels`)).equals((await decode(path)).data)).toBe(true);
    });

    it('may have a single pixel', async () => {
      expect(await make(await media.picture('png', { width: 1, height: 1 }))).toMatchObject({ width: 1, height: 1 });
    });
  });

  // WIRE-46
  describe('hostile pictures', () => {
    it.each(Object.keys(media.NOT_PICTURES))('are refused if the file is no picture: %s', async (name) => {
      expect(await refusalOf(media.NOT_PICTURES[name] as Buffer)).toEqual({
        'images.2': [{ key: 'image_unreadable' }],
      });
      expect(await readdir(folder)).toEqual(['sent.png']);
    });

    it('are refused if they are TIFF, although libvips could decode TIFF', async () => {
      const tiff = await sharp(await media.picture('png'))
        .tiff()
        .toBuffer();
      expect(await refusalOf(tiff)).toEqual({ 'images.2': [{ key: 'image_unreadable' }] });
    });

    it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
      'are refused if they are a truncated %s',
      async (format) => {
        const wholePicture = await sharp(await media.noisyJpeg(0, { width: 120, height: 90 }))
          .toFormat(format)
          .toBuffer();
        expect(await refusalOf(wholePicture.subarray(0, Math.floor(wholePicture.length / 2)))).toEqual({
          'images.2': [{ key: 'image_unreadable' }],
        });
        expect(await readdir(folder)).toEqual(['sent.png']);
      },
    );

    it.each([
      ['a header that asks for gigabytes', () => media.headerBomb()],
      ['a header just above the limit', () => media.headerBomb(8000, 5001)],
      ['a picture of 1 × 40,000 pixels', () => media.picture('png', { width: 1, height: 40_000 })],
    ])('are refused as too large: %s', async (_name, sent) => {
      expect(await refusalOf(await sent())).toEqual({ 'images.2': [{ key: 'image_too_large' }] });
    });

    // WIRE-46
    it.each([
      [8000, 5000, 'image_unreadable'],
      [8001, 5000, 'image_too_large'],
      [20_000, 1, 'image_unreadable'],
      [20_001, 1, 'image_too_large'],
      [1, 20_000, 'image_unreadable'],
      [1, 20_001, 'image_too_large'],
    ])(
      'with a header of %i × %i and no pixels are refused with %s (limits: 40 megapixels, 20,000 pixels a side)',
      async (width, height, key) =>
        expect(await refusalOf(media.headerBomb(width, height))).toEqual({ 'images.2': [{ key }] }),
    );

    it('are refused if they are truncated and need much memory', async () => {
      const wholePicture = await largeWebp();
      expect(await refusalOf(wholePicture.subarray(0, wholePicture.length - 50))).toEqual({
        'images.2': [{ key: 'image_unreadable' }],
      });
      expect(await readdir(folder)).toEqual(['sent.png']);
    });

    it('are refused as unreadable if the header is within the limits, but no pixels follow', async () => {
      expect(await refusalOf(media.headerBomb(5000, 5000))).toEqual({ 'images.2': [{ key: 'image_unreadable' }] });
    });

    it.each([
      ['a page', '<html><script>alert(1)</script></html>'],
      ['an archive', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.from('evil.php<?php system($_GET[0]);')])],
    ])('lose %s that was appended to the picture', async (_name, tail) => {
      const sent = await media.polyglot(tail);
      expect(sent.includes(tail)).toBe(true);
      const picture = await make(sent);
      for (const file of [picture.path, picture.thumbPath])
        expect((await readFile(file)).includes(Buffer.from(tail).subarray(0, 12))).toBe(false);
    });

    it('are decoded despite an invalid colour profile', async () => {
      const picture = await make(await media.jpegWithBrokenProfile());
      expect(await sharp(picture.path).metadata()).not.toHaveProperty('icc');
      expect(isOrange(await colourAt(picture.path, 5, 5))).toBe(true);
    });
  });

  it('are decoded without a refusal if many arrive in parallel', async () => {
    const sent = await media.picture('jpeg', { width: 600, height: 450 });
    const results = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const sourcePath = join(folder, `sent-${i}`);
        await writeFile(sourcePath, sent);
        return pictures.make({ field: 'image', path: sourcePath });
      }),
    );
    expect(results.map(({ width }) => width)).toEqual(Array(12).fill(600));
  });
});
