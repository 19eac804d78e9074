import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Sharp } from 'sharp';
import { LIMITS } from '#contract/limits';
import { currentAccount } from '../context/current-request';
import { Refusal } from '../http/refusal';
import { ServiceBusy } from '../capacity/service-busy';
import { lazily } from '../loading/lazily';
import { decodeInChildProcess } from './decode-in-process';
import type { Pixels } from './decoder';
import { Shares } from '../capacity/shares';
import { Slots } from '../capacity/slots';

/** Loads sharp and libvips at the first use, with this service's options. */
const decoder = lazily<typeof import('./decoder')>(__filename, './decoder');

/** A received file with the name of its field (for example `images.2`). */
export interface SourceFile {
  readonly field: string;
  readonly path: string;
}

/** A re-encoded picture and its thumbnail, as files in the folder of the source. They are deleted with the folder. */
export interface Picture {
  readonly extension: 'jpg' | 'webp';
  readonly width: number;
  readonly height: number;
  readonly path: string;
  readonly thumbPath: string;
}

const THUMB_SIDE = 480;

const { shares } = LIMITS;
/** Options of `Slots` and `Shares` for the queues in which every picture waits. */
const QUEUE_LIMITS = { queue: 60, maxWaitSeconds: 30, assumedSeconds: 0.3 };
/** The same options for the additional queues of heavy pictures (pictures that need much memory). */
const HEAVY_QUEUE_LIMITS = { queue: 30, maxWaitSeconds: 60, assumedSeconds: 2 };

/**
 * Pictures from users (WIRE-46, WIRE-47). They are decoded, rotated upright and scaled down, and everything except the
 * pixels is removed.
 */
@Injectable()
export class Pictures implements OnModuleDestroy {
  private readonly slots = new Slots({ ...QUEUE_LIMITS, capacity: shares.pictures.all });
  private readonly heavySlots = new Slots({ ...HEAVY_QUEUE_LIMITS, capacity: shares.heavy_pictures.all });
  private readonly accountShares = new Shares<number>({ ...QUEUE_LIMITS, capacity: shares.pictures.account });
  private readonly heavyAccountShares = new Shares<number>({
    ...HEAVY_QUEUE_LIMITS,
    capacity: shares.heavy_pictures.account,
  });
  private readonly stopping = new AbortController();

  /**
   * Stops the decoding of heavy pictures at a shutdown. This decoding may take longer than a shutdown waits for
   * requests in progress. Other pictures are finished in time.
   */
  onModuleDestroy(): void {
    this.heavySlots.stop();
    this.stopping.abort();
  }

  /**
   * Creates the stored picture and its thumbnail, as JPEG files, or as WebP files if parts of the picture are
   * transparent. The longer side of the picture has at most 2048 pixels, that of the thumbnail at most 480. The files
   * are sRGB and upright, and contain no bytes or metadata of the original file.
   *
   * @throws Refusal 422 on the file's field: unsupported or broken (`image_unreadable`), or too many pixels
   * (`image_too_large`)
   *
   * @throws ServiceBusy if too many pictures wait or this picture has waited too long; for a heavy picture also if the
   * decoding process does not start or takes too long, or if the server stops
   */
  async make(source: SourceFile): Promise<Picture> {
    const verdict = await decoder().inspect(source.path);
    if (verdict === 'unreadable') throw Refusal.invalid(source.field, 'image_unreadable');
    if (verdict === 'too_large') throw Refusal.invalid(source.field, 'image_too_large');
    const { heavy, orientation } = verdict;
    const account = currentAccount();
    const decodeHeavy = () =>
      this.heavySlots.run(() => decodeOrRefuse(source, (path) => decodeInChildProcess(path, this.stopping.signal)));
    const loadPixels = heavy
      ? await this.heavyAccountShares.run(account, decodeHeavy)
      : () => decodeOrRefuse(source, decoder().decode);
    return this.accountShares.run(account, () =>
      this.slots.run(async () => encodePicture(source, await loadPixels(), orientation)),
    );
  }

  /** Calls `make` for one file after another. */
  async makeAll(sources: readonly SourceFile[]): Promise<Picture[]> {
    const pictures: Picture[] = [];
    for (const source of sources) pictures.push(await this.make(source));
    return pictures;
  }
}

/** Returns the result of `decode`. Throws 422 if the file cannot be decoded, and passes on ServiceBusy. */
async function decodeOrRefuse<T>({ field, path }: SourceFile, decode: (path: string) => Promise<T>): Promise<T> {
  return decode(path).catch((error: unknown) => {
    throw error instanceof ServiceBusy ? error : Refusal.invalid(field, 'image_unreadable');
  });
}

async function encodePicture({ path: source }: SourceFile, pixels: Pixels, orientation: number): Promise<Picture> {
  const { open } = decoder();
  const extension = (await isOpaque(pixels)) ? 'jpg' : 'webp';
  const path = `${source}.${extension}`;
  const thumbPath = `${source}-thumb.${extension}`;
  const { width, height } = await encode(upright(open(pixels), orientation), extension).toFile(path);
  const thumb = upright(open(pixels), orientation).resize(THUMB_SIDE, THUMB_SIDE, {
    fit: 'inside',
    withoutEnlargement: true,
  });
  await encode(thumb, extension).toFile(thumbPath);
  return { extension, width, height, path, thumbPath };
}

async function isOpaque(pixels: Pixels): Promise<boolean> {
  return pixels.channels === 1 || pixels.channels === 3 || (await decoder().open(pixels).stats()).isOpaque;
}

/** Applies EXIF's eight orientations. sharp mirrors before it rotates, regardless of the order of calls. */
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
  return extension === 'jpg'
    ? picture.removeAlpha().jpeg({ quality: 82 })
    : picture.webp({ quality: 85, alphaQuality: 90 });
}
