import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Ffmpeg } from '#platform/media/ffmpeg';

const run = promisify(execFile);

/** The camera maker, position and title that a phone writes into a clip. Converted videos must not contain them. */
export const CLIP_SECRETS = ['SecretCam', '+50.0867', 'Home, sweet home'];
const SECRET_TAGS = [
  '-metadata',
  'make=SecretCam',
  '-metadata',
  'location=+50.0867+014.4241/',
  '-metadata',
  'title=Home, sweet home',
];

/**
 * The first five numbers of a track's rotation matrix, by clockwise angle. `rotated` does not change the other numbers.
 */
const ROTATIONS = { 90: [0, 1, 0, -1, 0], 180: [-1, 0, 0, 0, -1], 270: [0, -1, 0, 1, 0] } as const;

interface ClipOptions {
  seconds?: number;
  width?: number;
  height?: number;
  rate?: number;
  sound?: boolean;
  /** Further arguments for the output. */
  args?: readonly string[];
}

/** Creates video clips with the real ffmpeg when a test needs them. The repository contains no clips. */
export class Clips {
  constructor(private readonly folder: string) {}

  /**
   * A clip with a test picture, a frame counter and (with `sound`) a tone. The extension of `name` selects the
   * container.
   */
  async make(
    name: string,
    { seconds = 2, width = 320, height = 240, rate = 25, sound = true, args = [] }: ClipOptions = {},
  ): Promise<string> {
    const pictures = ['-f', 'lavfi', '-i', `testsrc=size=${width}x${height}:rate=${rate}:duration=${seconds}`];
    const tone = sound ? ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`] : [];
    const preset = /\.(mp4|mov|mkv)$/.test(name) && !args.includes('-c:v') ? ['-preset', 'ultrafast'] : [];
    return this.write(name, [...pictures, ...tone, '-pix_fmt', 'yuv420p', ...preset, ...args]);
  }

  /** A clip with `CLIP_SECRETS` in every place to which ffmpeg writes them. */
  async phoneClip(name: string, options: ClipOptions = {}): Promise<string> {
    return this.make(name, {
      ...options,
      args: ['-movflags', 'use_metadata_tags', ...SECRET_TAGS, ...(options.args ?? [])],
    });
  }

  /** The MP4 at `path` as a rotated phone would record it: the same frames, with rotation metadata. */
  async rotated(name: string, path: string, degrees: 90 | 180 | 270): Promise<string> {
    const file = await readFile(path);
    const matrix = file.indexOf('tkhd') + 4 + 40;
    for (const [i, value] of ROTATIONS[degrees].entries()) file.writeInt32BE(value * 65_536, matrix + i * 4);
    await writeFile(`${this.folder}/${name}`, file);
    return `${this.folder}/${name}`;
  }

  /** Runs ffmpeg with these arguments and writes its output to `folder/name`. */
  async write(name: string, args: readonly string[]): Promise<string> {
    const path = `${this.folder}/${name}`;
    await this.ffmpeg(['-y', '-loglevel', 'error', ...args, `file:${path}`]);
    return path;
  }

  /** Returns the text with which ffmpeg describes a file. */
  async describe(path: string): Promise<string> {
    return this.ffmpeg(['-i', `file:${path}`, '-f', 'null', '-']);
  }

  /** Whether this ffmpeg was built with the encoder. */
  async canEncode(encoder: string): Promise<boolean> {
    const { stdout } = await run(await ffmpegPath(), ['-hide_banner', '-encoders'], { maxBuffer: 2 ** 24 });
    return stdout.split(/\s+/).includes(encoder);
  }

  private async ffmpeg(args: readonly string[]): Promise<string> {
    const { stderr } = await run(await ffmpegPath(), ['-hide_banner', '-nostdin', ...args], { maxBuffer: 2 ** 24 });
    return stderr;
  }
}

let cachedPath: Promise<string> | undefined;

/** The ffmpeg program that creates the clips, found in the same way as the service finds it. */
export function ffmpegPath(): Promise<string> {
  cachedPath ??= new Ffmpeg({ ffmpegPath: process.env.FFMPEG_PATH ?? null, production: false })
    .program()
    .then((program) => {
      if (program === null) throw new Error('the tests need ffmpeg');
      return program.path;
    });
  return cachedPath;
}

/** Metadata of an MP4, read from its boxes (its data blocks) without ffmpeg. */
export interface Mp4 {
  /** The types of the boxes at the top level, in the order of the file. */
  readonly boxes: readonly string[];
  /** The duration in seconds. */
  readonly duration: number;
  readonly tracks: readonly {
    handler: string;
    codec: string;
    width: number;
    height: number;
    isRotated: boolean;
    seconds: number;
    encoder: string;
  }[];
}

export async function readMp4(path: string): Promise<Mp4> {
  const file = await readFile(path);
  const top = boxesIn(file);
  const moov = boxesIn(bodyOf(top, 'moov'));
  const mvhd = bodyOf(moov, 'mvhd');
  const tracks = moov
    .filter(({ type }) => type === 'trak')
    .map(({ body }) => trackOf(boxesIn(body), mvhd.readUInt32BE(12)));
  return { boxes: top.map(({ type }) => type), duration: mvhd.readUInt32BE(16) / mvhd.readUInt32BE(12), tracks };
}

function trackOf(trak: Box[], timescale: number): Mp4['tracks'][number] {
  const tkhd = bodyOf(trak, 'tkhd');
  const mdia = boxesIn(bodyOf(trak, 'mdia'));
  const stsd = bodyOf(boxesIn(bodyOf(boxesIn(bodyOf(mdia, 'minf')), 'stbl')), 'stsd');
  const handler = bodyOf(mdia, 'hdlr').toString('latin1', 8, 12);
  return {
    handler,
    codec: stsd.toString('latin1', 12, 16),
    width: tkhd.readUInt32BE(76) / 65_536,
    height: tkhd.readUInt32BE(80) / 65_536,
    isRotated: tkhd.readInt32BE(40) !== 65_536,
    seconds: tkhd.readUInt32BE(20) / timescale,
    // A video's sample entry contains a field of 32 bytes: the length of the encoder's name, and then the name.
    encoder: handler === 'vide' ? stsd.toString('latin1', 59, 59 + stsd.readUInt8(58)).trim() : '',
  };
}

interface Box {
  readonly type: string;
  readonly body: Buffer;
}

function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let offset = 0; offset + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(offset);
    boxes.push({
      type: bytes.toString('latin1', offset + 4, offset + 8),
      body: bytes.subarray(offset + 8, offset + size),
    });
    offset += Math.max(size, 8);
  }
  return boxes;
}

function bodyOf(boxes: readonly Box[], type: string): Buffer {
  const found = boxes.find((box) => box.type === type);
  if (!found) throw new Error(`no ${type} in this MP4`);
  return found.body;
}
