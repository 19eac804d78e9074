import { Injectable } from '@nestjs/common';
import sharp, { type Sharp } from 'sharp';
import { Refusal } from '../http/refusal';
import { inspect, OPENING } from './decoder';
import { Slots } from './slots';

/** A file that was sent, with the field it was sent in (`images.2`). */
export interface SourceFile {
  readonly field: string;
  readonly path: string;
}

/** A picture made anew from what was sent, as two files beside the source. It is gone when the source's folder is. */
export interface Picture {
  readonly extension: 'jpg' | 'webp';
  readonly width: number;
  readonly height: number;
  readonly path: string;
  readonly thumbPath: string;
}

interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
}

const SIDE = 2048;
const THUMB_SIDE = 480;
const SECONDS = 20;

/** Pictures from strangers (decisions, section 8): decoded, turned upright, bounded, stripped of everything but pixels. */
@Injectable()
export class Pictures {
  private readonly decoding = new Slots({ capacity: 2, queue: 60, wait: 30 });

  /**
   * Makes the stored picture and its thumb: JPEG, or WebP where something shines through. At most 2048 and 480 pixels
   * on the longer side, sRGB, upright; nothing of the sent file's bytes or metadata remains.
   * @throws Refusal 422 on the file's field: not a picture we read (`image_unreadable`), too many pixels (`image_too_large`)
   * @throws ServiceBusy when too many pictures wait
   */
  async make(source: SourceFile): Promise<Picture> {
    const verdict = await inspect(source.path);
    if (verdict === 'unreadable') throw Refusal.invalid(source.field, 'image_unreadable');
    if (verdict === 'too_large') throw Refusal.invalid(source.field, 'image_too_large');
    const { heavy, orientation } = verdict;
    return this.decoding.run(() => this.remake(source, orientation), heavy ? 2 : 1);
  }

  /** `make` for each, one after the other. */
  async makeAll(sources: readonly SourceFile[]): Promise<Picture[]> {
    const pictures: Picture[] = [];
    for (const source of sources) pictures.push(await this.make(source));
    return pictures;
  }

  private async remake(source: SourceFile, orientation: number): Promise<Picture> {
    const pixels = await decode(source.path).catch(() => {
      throw Refusal.invalid(source.field, 'image_unreadable');
    });
    const extension = (await isOpaque(pixels)) ? 'jpg' : 'webp';
    const path = `${source.path}.${extension}`;
    const thumbPath = `${source.path}-thumb.${extension}`;
    const { width, height } = await encode(upright(open(pixels), orientation), extension).toFile(path);
    await encode(upright(open(pixels), orientation).resize(THUMB_SIDE, THUMB_SIDE, WITHIN), extension).toFile(thumbPath);
    return { extension, width, height, path, thumbPath };
  }
}

const WITHIN = { fit: 'inside', withoutEnlargement: true } as const;

/**
 * The first frame, already bounded: rows stream from the decoder into the small copy. Turning comes afterwards, since it
 * would need the whole picture in memory; the bounds are a square, so the order makes no difference.
 */
async function decode(path: string): Promise<Pixels> {
  const { data, info } = await sharp(path, OPENING)
    .resize(SIDE, SIDE, WITHIN)
    .toColourspace('srgb')
    .raw()
    .timeout({ seconds: SECONDS })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

function open({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

async function isOpaque(pixels: Pixels): Promise<boolean> {
  return pixels.channels === 1 || pixels.channels === 3 || (await open(pixels).stats()).isOpaque;
}

/** EXIF's eight orientations, made upright. sharp mirrors before it turns, in whatever order it is told. */
function upright(picture: Sharp, orientation: number): Sharp {
  switch (orientation) {
    case 2:
      return picture.flop();
    case 3:
      return picture.rotate(180);
    case 4:
      return picture.flip();
    case 5:
      return picture.rotate(270).flop();
    case 6:
      return picture.rotate(90);
    case 7:
      return picture.rotate(90).flop();
    case 8:
      return picture.rotate(270);
    default:
      return picture;
  }
}

function encode(picture: Sharp, extension: Picture['extension']): Sharp {
  return extension === 'jpg' ? picture.removeAlpha().jpeg({ quality: 82 }) : picture.webp({ quality: 85, alphaQuality: 90 });
}
