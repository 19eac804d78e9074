import sharp, { type Metadata, type SharpOptions } from 'sharp';

/**
 * The formats that are decoded, by content. libvips knows many more (SVG, PDF, TIFF, whatever ImageMagick reads); they
 * are switched off for the whole process, so that no other way to them is left.
 */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif', 'VipsForeignLoadHeif'],
});
sharp.cache(false);
sharp.concurrency(1);

const MAX_PIXELS = 40_000_000;
const MAX_SIDE = 20_000;
/** What one picture may need to be decoded, in bytes. */
const MAX_MEMORY = 240_000_000;
/** From here on a picture is decoded alone. */
const HEAVY_MEMORY = 60_000_000;

/** How every picture is opened: broken or oversized ones fail, of several frames the first counts. */
export const OPENING: SharpOptions = { failOn: 'error', limitInputPixels: MAX_PIXELS, pages: 1, sequentialRead: true };

/** `unreadable`: no picture or a broken one. `too_large`: more than can be decoded safely. */
type Verdict = 'unreadable' | 'too_large' | { readonly heavy: boolean; readonly orientation: number };

/** Reads a picture's header and says whether it may be decoded, and with how much care. */
export async function inspect(path: string): Promise<Verdict> {
  // The pixel limit is off here, so that an oversized picture is told from a broken one.
  const header = await sharp(path, { ...OPENING, limitInputPixels: false }).metadata().catch(() => null);
  if (!header) return 'unreadable';
  const pixels = header.width * header.height;
  const memory = pixels * bytesPerPixel(header);
  if (pixels > MAX_PIXELS || Math.max(header.width, header.height) > MAX_SIDE || memory > MAX_MEMORY) return 'too_large';
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
