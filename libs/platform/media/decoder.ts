import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';

/**
 * The formats that are decoded, by content. libvips knows many more (SVG, PDF, TIFF, whatever ImageMagick reads); they
 * are switched off for the whole process, so that no other way to them is left.
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
/** What one picture may need to be decoded, in bytes. */
const MAX_MEMORY = 320_000_000;
/** From here on a picture is decoded in a process of its own, which gives the memory back when it ends. */
const HEAVY_MEMORY = 40_000_000;

/** The longer side of a stored picture, in pixels. */
const SIDE = 2048;
const SECONDS = 20;

/** How every picture is opened: broken or oversized ones fail, of several frames the first counts. */
const OPENING: SharpOptions = { failOn: 'error', limitInputPixels: MAX_PIXELS, pages: 1, sequentialRead: true };

export interface PixelShape {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
}

/** sRGB, one byte for each channel. */
export interface Pixels extends PixelShape {
  readonly data: Buffer;
}

/** `unreadable`: no picture or a broken one. `too_large`: more than can be decoded safely. */
type Verdict = 'unreadable' | 'too_large' | { readonly heavy: boolean; readonly orientation: number };

/** Reads a picture's header and says whether it may be decoded, and with how much care. */
export async function inspect(path: string): Promise<Verdict> {
  // The pixel limit is off here, so that an oversized picture is told from a broken one.
  const header = await sharp(path, { ...OPENING, limitInputPixels: false })
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
 * Resident memory that decoding takes for each pixel, as measured at 40 megapixels. Most pictures stream through in
 * rows and take next to nothing; these are held in memory as a whole by their decoders.
 */
function bytesPerPixel({ format, isProgressive, chromaSubsampling, bitsPerSample, depth }: Metadata): number {
  if (format === 'heif') return (bitsPerSample ?? 8) > 8 ? 26 : 19.5;
  if (format === 'gif' || format === 'webp') return 6;
  if (!isProgressive) return 1;
  if (format === 'png') return depth === 'ushort' ? 7.5 : 4;
  return chromaSubsampling === '4:2:0' ? 4 : 7.8;
}

/**
 * The first frame, already bounded: rows stream from the decoder into the small copy. Turning comes afterwards, since it
 * would need the whole picture in memory; the bounds are a square, so the order makes no difference.
 */
export async function decode(path: string): Promise<Pixels> {
  const { data, info } = await sharp(path, OPENING)
    .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .timeout({ seconds: SECONDS })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** What was decoded, to be worked on. */
export function open({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}
