import { deflateSync, crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

// Pictures as users send them, and malicious pictures. They are created when a test needs them; no picture files are
// stored for tests.

type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif';

interface PictureOptions {
  width?: number;
  height?: number;
  /** EXIF orientation, 1-8. */
  orientation?: number;
}

/** A blue picture with an orange upper left quarter, so that rotation and mirroring are visible. */
function testImage({ width = 64, height = 48 }: PictureOptions = {}): Sharp {
  const [blue, orange] = [Buffer.from([20, 60, 200]), Buffer.from([240, 140, 20])];
  const pixels = Buffer.alloc(width * height * 3, blue);
  for (let y = 0; y < height / 2; y++) pixels.fill(orange, y * width * 3, (y * width + Math.ceil(width / 2)) * 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** A well-formed picture in this format. */
export function picture(format: PictureFormat = 'jpeg', options: PictureOptions = {}): Promise<Buffer> {
  const image = testImage(options);
  return (options.orientation ? image.withMetadata({ orientation: options.orientation }) : image)
    .toFormat(format)
    .toBuffer();
}

/** A photo as a phone stores it: the EXIF data contain the camera, the GPS position of a home and the orientation. */
export function phonePhoto(options: PictureOptions = {}): Promise<Buffer> {
  return testImage(options)
    .withExif({
      IFD0: { Make: 'SecretCam', Model: 'X-1', Orientation: String(options.orientation ?? 6) },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '50/1 5/1 12/1', GPSLongitudeRef: 'E', GPSLongitude: '14/1 25/1 3/1' },
    })
    .withMetadata({ orientation: options.orientation ?? 6 })
    .jpeg()
    .toBuffer();
}

/** A PNG in which every pixel is half transparent. */
export function transparentPng({ width = 64, height = 48 }: PictureOptions = {}): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } })
    .png()
    .toBuffer();
}

/**
 * A GIF with several frames. The first frame is red, and every frame with an odd index is green. The later frames with
 * an even index are between red and yellow.
 */
export async function animatedGif(frames: number, side = 8): Promise<Buffer> {
  const pixels = Buffer.alloc(side * side * frames * 3);
  for (let i = 0; i < side * side * frames; i++) {
    const frame = Math.floor(i / (side * side));
    pixels.set(frame % 2 ? [0, 255, 0] : [255, frame % 251, 0], i * 3);
  }
  return sharp(pixels, { raw: { width: side, height: side * frames, channels: 3, pageHeight: side } })
    .gif({ loop: 0 })
    .toBuffer();
}

/** A JPEG for print, in CMYK. */
export function cmykJpeg(): Promise<Buffer> {
  return testImage().toColourspace('cmyk').jpeg().toBuffer();
}

/** A JPEG with at least `bytes` bytes. Its picture is noise, which cannot be compressed well. */
export async function noisyJpeg(bytes: number, { width = 5200, height = 3900 }: PictureOptions = {}): Promise<Buffer> {
  const { data, info } = await sharp({
    create: {
      width: Math.min(width, 1300),
      height: Math.min(height, 975),
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const encoded = await sharp(data, { raw })
    .resize(width, height, { kernel: 'nearest' })
    .jpeg({ quality: 92 })
    .toBuffer();
  // Bytes after the end of the picture fill the file up to the requested size; decoders ignore these bytes.
  return encoded.length >= bytes ? encoded : Buffer.concat([encoded, Buffer.alloc(bytes - encoded.length)]);
}

/** A PNG of less than 100 bytes whose header claims many pixels. Decoding the default size would need gigabytes. */
export function headerBomb(width = 60_000, height = 60_000): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(1000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * A picture followed by the bytes of another file (`tail`). Other programs read the result as a web page or an archive.
 */
export async function polyglot(tail: string | Buffer): Promise<Buffer> {
  return Buffer.concat([await picture('jpeg'), Buffer.from(tail)]);
}

/** A JPEG with an invalid colour profile. */
export async function jpegWithBrokenProfile(): Promise<Buffer> {
  const profile = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), Buffer.alloc(300, 0x41)]);
  const segment = Buffer.alloc(4);
  segment.writeUInt16BE(0xffe2, 0);
  segment.writeUInt16BE(profile.length + 2, 2);
  const jpeg = await picture('jpeg');
  return Buffer.concat([jpeg.subarray(0, 2), segment, profile, jpeg.subarray(2)]);
}

/** Files that the service does not accept as pictures. Tests upload them with file names of pictures. */
export const NOT_PICTURES: Readonly<Record<string, Buffer>> = {
  svg: Buffer.from(
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
  ),
  html: Buffer.from('<!doctype html><html><script>alert(1)</script></html>'),
  pdf: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  empty: Buffer.alloc(0),
  zeros: Buffer.alloc(4096),
  text: Buffer.from('just a text'),
  'jpeg start only': Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
  'png signature only': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  playlist: Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'),
  postscript: Buffer.from('%!PS-Adobe-3.0\n(/etc/passwd) run\n'),
  mvg: Buffer.from('push graphic-context\nimage over 0,0 0,0 "https://127.0.0.1/"\npop graphic-context\n'),
  ppm: Buffer.from('P6 1 1 255 abc'),
};

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body) >>> 0);
  return Buffer.concat([length, body, check]);
}
