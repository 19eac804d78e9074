import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';

/**
 * Only the formats in the list below are decoded. The content of a file, not its name, determines its format. All other
 * formats of libvips (SVG, PDF, TIFF, all formats of ImageMagick) are disabled for the whole process.
 */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
  ],
});
sharp.cache(false);
sharp.concurrency(1);

const MAX_PIXELS = 40_000_000;
const MAX_SIDE = 20_000;
/** Maximum bytes of memory for decoding one picture. */
const MAX_MEMORY = 320_000_000;
/**
 * A picture that needs more bytes of memory than this is decoded in a separate process, because a process returns its
 * memory to the system when it ends.
 */
const HEAVY_MEMORY = 40_000_000;

/** The maximum length of the longer side of a stored picture, in pixels. */
const MAX_STORED_SIDE = 2048;
const TIMEOUT_SECONDS = 20;

/**
 * Options for opening a picture: a broken or too large picture causes an error. Only the first frame is used.
 */
const OPEN_OPTIONS: SharpOptions = { failOn: 'error', limitInputPixels: MAX_PIXELS, pages: 1, sequentialRead: true };

export interface PixelShape {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
}

/** Pixels in sRGB, with one byte per channel. */
export interface Pixels extends PixelShape {
  readonly data: Buffer;
}

/** `unreadable`: the file is not a picture, or is broken. `too_large`: the picture exceeds one of the limits above. */
type Verdict = 'unreadable' | 'too_large' | { readonly heavy: boolean; readonly orientation: number };

/** Reads a picture's header. Decides whether the picture may be decoded, and whether it needs a separate process. */
export async function inspect(path: string): Promise<Verdict> {
  // The number of pixels is not limited here, so that too large pictures can be distinguished from broken pictures.
  const header = await sharp(path, { ...OPEN_OPTIONS, limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (!header) return 'unreadable';
  const pixels = header.width * header.height;
  const memory = pixels * bytesPerPixel(header);
  if (pixels > MAX_PIXELS || Math.max(header.width, header.height) > MAX_SIDE || memory > MAX_MEMORY)
    return 'too_large';
  return { heavy: memory > HEAVY_MEMORY, orientation: header.orientation ?? 1 };
}

/**
 * Bytes of resident memory per pixel for decoding, measured with pictures of 40 megapixels. Most pictures are decoded
 * row by row and need about one byte. For the other kinds, the whole picture is in memory.
 */
function bytesPerPixel({ format, isProgressive, chromaSubsampling, bitsPerSample, depth }: Metadata): number {
  if (format === 'heif') return (bitsPerSample ?? 8) > 8 ? 26 : 19.5;
  if (format === 'gif' || format === 'webp') return 6;
  if (!isProgressive) return 1;
  if (format === 'png') return depth === 'ushort' ? 7.5 : 4;
  return chromaSubsampling === '4:2:0' ? 4 : 7.8;
}

/**
 * Decodes the first frame, and scales it down at the same time. The picture is rotated later, because a rotation needs
 * the whole picture in memory. The maximum width and height are equal, so the order of scaling and rotating does not
 * change the result.
 */
export async function decode(path: string): Promise<Pixels> {
  const { data, info } = await sharp(path, OPEN_OPTIONS)
    .resize(MAX_STORED_SIDE, MAX_STORED_SIDE, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** Returns the decoded picture for further processing. */
export function open({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}
