import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { CLIP_SECRETS, Clips, readMp4, type Mp4 } from '#testing/clips';
import * as media from '#testing/media';
import { Refusal } from '../http/refusal';
import { ServiceBusy } from '../capacity/service-busy';
import { Ffmpeg } from './ffmpeg';
import { Pictures } from './pictures';
import { Videos, type Video } from './videos';

const AMR = 'libopencore_amrnb';
const SHAPE = { seconds: 6, side: 1280 };

describe('Videos', () => {
  const ffmpeg = new Ffmpeg({ ffmpegPath: process.env.FFMPEG_PATH ?? null, production: false });
  const videos = new Videos(ffmpeg, new Pictures());
  let clipFolder: string;
  let folder: string;
  let clips: Clips;

  beforeAll(async () => {
    clipFolder = await mkdtemp(join(tmpdir(), 'clips-'));
    folder = await mkdtemp(join(tmpdir(), 'videos-'));
    clips = new Clips(clipFolder);
  });
  afterEach(async () => {
    for (const file of await readdir(folder)) await rm(join(folder, file));
  });
  afterAll(async () => {
    await rm(clipFolder, { recursive: true });
    await rm(folder, { recursive: true });
  });

  /** Stores the file under a name without an extension, as the service stores a received file. */
  const store = async (sent: string | Buffer): Promise<{ field: string; path: string }> => {
    const path = join(folder, 'sent');
    await (typeof sent === 'string' ? copyFile(sent, path) : writeFile(path, sent));
    return { field: 'video', path };
  };
  const make = async (sent: string | Buffer, converter = videos): Promise<Video> =>
    converter.make(await converter.inspect(await store(sent), SHAPE));
  const outcomeOf = async (sent: string | Buffer): Promise<unknown> =>
    make(sent).then(
      () => 'accepted',
      (error: unknown) => (error instanceof Refusal ? error.details.errors : error),
    );
  const UNREADABLE = { video: [{ key: 'video_unreadable' }] };
  const TOO_LARGE = { video: [{ key: 'video_too_large' }] };

  const pictureOf = ({ tracks }: Mp4) => tracks.find(({ handler }) => handler === 'vide');
  const soundOf = ({ tracks }: Mp4) => tracks.find(({ handler }) => handler === 'soun');

  // PULS-14
  describe('the converted video', () => {
    it('is H.264 and AAC in an MP4 that plays while it loads', async () => {
      const video = await make(await clips.make('plain.mp4'));
      const mp4 = await readMp4(video.path);
      expect(mp4.boxes.indexOf('moov')).toBeGreaterThan(-1);
      expect(mp4.boxes.indexOf('moov')).toBeLessThan(mp4.boxes.indexOf('mdat'));
      expect(pictureOf(mp4)).toMatchObject({ codec: 'avc1', width: 320, height: 240, isRotated: false });
      expect(soundOf(mp4)).toMatchObject({ codec: 'mp4a' });
      expect(mp4.duration).toBeCloseTo(2, 1);
      expect(await clips.describe(video.path)).toMatch(/yuv420p.*, 320x240.* 25 fps/);
    });

    it.each([25, 29.97, 23.976, 60])(
      'lasts between 5.9 and 6 seconds if the original is longer and has %d frames per second',
      async (rate) => {
        const sent = await clips.make('long.mp4', { seconds: 7, rate, width: 64, height: 48 });
        const mp4 = await readMp4((await make(sent)).path);
        for (const seconds of [mp4.duration, ...mp4.tracks.map((track) => track.seconds)]) {
          expect(seconds).toBeGreaterThan(5.9);
          expect(seconds).toBeLessThanOrEqual(6);
        }
      },
    );

    it.each([
      [1920, 1080, 1280, 720],
      [1080, 1920, 720, 1280],
      [1281, 721, 1280, 720],
      [639, 361, 638, 360],
      [100, 2, 100, 2],
    ])(
      'has sides with an even number of pixels, at most 1280, if the original has %i × %i',
      async (width, height, expectedWidth, expectedHeight) => {
        const sent = await clips.make('size.mp4', {
          width,
          height,
          seconds: 0.2,
          sound: false,
          args: ['-pix_fmt', 'yuv444p'],
        });
        expect(pictureOf(await readMp4((await make(sent)).path))).toMatchObject({
          width: expectedWidth,
          height: expectedHeight,
        });
      },
    );

    /** A clip that is not rotated, and the poster of its converted video. Made once for all rotations. */
    let upright: ReturnType<typeof makeUpright> | undefined;
    const makeUpright = async () => {
      const uprightClip = await clips.make('upright.mp4', { seconds: 0.4 });
      return { uprightClip, uprightPoster: await readFile((await make(uprightClip)).posterPath) };
    };

    it.each([
      [90, 240, 320],
      [180, 320, 240],
      [270, 240, 320],
    ] as const)('is upright if the original is rotated by %i degrees', async (degrees, width, height) => {
      const { uprightClip, uprightPoster } = await (upright ??= makeUpright());
      const turnedPoster = sharp(uprightPoster).rotate(degrees);
      const expected = await turnedPoster.raw().toBuffer();
      const upsideDown = await sharp(await turnedPoster.png().toBuffer())
        .rotate(180)
        .raw()
        .toBuffer();
      const video = await make(await clips.rotated('turned.mp4', uprightClip, degrees));
      expect(pictureOf(await readMp4(video.path))).toMatchObject({ width, height, isRotated: false });
      const poster = await sharp(video.posterPath).raw().toBuffer({ resolveWithObject: true });
      expect(poster.info).toMatchObject({ width, height });
      // The frames themselves are rotated; exchanging the width and the height is not enough.
      expect(averageDifference(expected, poster.data)).toBeLessThan(averageDifference(upsideDown, poster.data) / 4);
    });

    it('has square pixels', async () => {
      const sent = await clips.make('anamorphic.mp4', {
        width: 160,
        height: 120,
        seconds: 0.4,
        args: ['-vf', 'setsar=2/1'],
      });
      expect(pictureOf(await readMp4((await make(sent)).path))).toMatchObject({ width: 320, height: 120 });
    });

    it('does not contain the place, the camera or the title of the original, or the name of an encoder', async () => {
      const sent = await clips.phoneClip('phone.mp4', { seconds: 0.4 });
      const before = await readFile(sent);
      for (const secret of CLIP_SECRETS) expect(before.includes(secret)).toBe(true);
      const video = await make(sent);
      for (const file of [video.path, video.posterPath]) {
        const after = await readFile(file);
        for (const secret of [...CLIP_SECRETS, 'Lavf', 'Lavc', 'x264', 'mdta'])
          expect(after.includes(Buffer.from(secret, 'latin1'))).toBe(false);
      }
      expect(await clips.describe(video.path)).not.toMatch(/^\s*(creation_time|location|title|make)/m);
    });

    it('has a poster: a JPEG that is not blank and has no metadata', async () => {
      const { posterPath } = await make(await clips.make('poster.mp4', { width: 1920, height: 1080, seconds: 0.4 }));
      const poster = await sharp(posterPath).metadata();
      expect(poster).toMatchObject({ format: 'jpeg', width: 1280, height: 720 });
      expect(poster).not.toHaveProperty('exif');
      expect((await sharp(posterPath).stats()).entropy).toBeGreaterThan(1);
    });

    it.each([
      [60, 30],
      [50, 25],
      [24, 24],
      [29.97, 29.97],
      [120, 30],
    ])(
      'has the frame rate of the original; a rate above 31 is divided by a whole number: %d',
      async (rate, expected) => {
        const video = await make(
          await clips.make('rate.mp4', { rate, seconds: 1, width: 64, height: 48, sound: false }),
        );
        expect(await clips.describe(video.path)).toMatch(new RegExp(` ${String(expected).replace('.', '\\.')} fps`));
      },
    );

    it('has no sound if the original has none', async () => {
      expect(
        soundOf(await readMp4((await make(await clips.make('silent.mp4', { seconds: 0.4, sound: false }))).path)),
      ).toBeUndefined();
    });

    it.each([
      ['clip.mov', []],
      ['clip.mkv', []],
      ['clip.webm', ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus']],
      ['vp9.webm', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-c:a', 'libvorbis']],
      ['clip.3gp', ['-c:v', 'h263', '-s', '176x144', '-c:a', AMR, '-ar', '8000', '-ac', '1']],
      ['fragments.mp4', ['-movflags', 'frag_keyframe+empty_moov']],
      ['mpeg4.mp4', ['-c:v', 'mpeg4']],
      ['live.webm', ['-c:v', 'libvpx', '-deadline', 'realtime', '-an', '-f', 'webm', '-live', '1']],
    ])('can be made from %s', async (name, args) => {
      // Debian's ffmpeg cannot encode AMR, so the 3GP file gets AAC there.
      const sound = (await clips.canEncode(AMR)) ? AMR : 'aac';
      const sent = await clips.make(name, { seconds: 1, args: args.map((arg) => (arg === AMR ? sound : arg)) });
      const mp4 = await readMp4((await make(sent)).path);
      expect(pictureOf(mp4)).toMatchObject({ codec: 'avc1' });
      expect(mp4.duration).toBeGreaterThan(0.9);
    });

    it('can be made from a file in which a camera has added data after the last box', async () => {
      const sent = Buffer.concat([
        await readFile(await clips.make('trailer.mp4', { seconds: 0.4 })),
        Buffer.from('SEFT\0\0\0\x10trailer of the maker'),
      ]);
      expect(pictureOf(await readMp4((await make(sent)).path))).toMatchObject({ width: 320 });
    });
  });

  // PULS-13
  describe('a video is refused if it', () => {
    const HLS = '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n';
    it.each([
      ['an HLS playlist', HLS],
      ['a concat script', "ffconcat version 1.0\nfile '/etc/passwd'\n"],
      ['a DASH manifest', '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period/></MPD>'],
      ['an HTML page', '<!doctype html><script>alert(1)</script>'],
      ['an empty file', ''],
      ['a few bytes', '\0\0\0'],
      ['an MP4 with a single box', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom'],
      [
        'an EBML header and nothing else',
        Buffer.from(
          '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878102428581021853806701ffffffffffffff',
          'hex',
        ),
      ],
    ])('is %s', async (_name, sent) => {
      expect(await outcomeOf(Buffer.from(sent as string, 'latin1'))).toEqual(UNREADABLE);
      expect(await readdir(folder)).toEqual(['sent']);
    });

    it.each(['jpeg', 'gif'] as const)('is a %s', async (format) => {
      expect(await outcomeOf(await media.picture(format))).toEqual(UNREADABLE);
    });

    it.each([
      ['song.m4a', []],
      ['song.webm', ['-c:a', 'libopus']],
      ['song.mp3', ['-c:a', 'libmp3lame']],
    ])('has only sound: %s', async (name, args) => {
      const sent = await clips.write(name, ['-f', 'lavfi', '-i', 'sine=duration=2', ...args]).catch(() => null);
      expect(await outcomeOf(sent ?? Buffer.from('ID3'))).toEqual(UNREADABLE);
    });

    it('is a song with cover art', async () => {
      await writeFile(join(clipFolder, 'cover.png'), await media.picture('png'));
      const sent = await clips.write('cover.m4a', [
        '-f',
        'lavfi',
        '-i',
        'sine=duration=2',
        '-i',
        join(clipFolder, 'cover.png'),
        '-map',
        '0',
        '-map',
        '1',
        '-c:v',
        'copy',
        '-disposition:v',
        'attached_pic',
        '-f',
        'mp4',
      ]);
      expect(await clips.describe(sent)).toMatch(/Video: png/);
      expect(await outcomeOf(sent)).toEqual(UNREADABLE);
    });

    it.each<[string, string[]]>([
      ['clip.mp4', []],
      ['faststart.mp4', ['-movflags', '+faststart']],
      ['clip.mkv', []],
      ['clip.webm', ['-c:v', 'libvpx', '-c:a', 'libopus', '-deadline', 'realtime']],
    ])('is a truncated file: %s', async (name, args) => {
      const sent = await clips.make(name, { seconds: 0.4, width: 160, height: 120, args });
      const { size } = await stat(sent);
      for (const length of [size - 1, Math.floor(size * 0.9), Math.floor(size / 2), 100]) {
        await truncate(sent, length);
        expect(await outcomeOf(sent)).toEqual(UNREADABLE);
      }
      expect(await readdir(folder)).toEqual(['sent']);
    });

    it('is noise inside a valid container', async () => {
      const sent = await readFile(await clips.make('noise.mp4', { sound: false, args: ['-movflags', '+faststart'] }));
      const contentStart = sent.indexOf('mdat') + 4;
      for (let i = contentStart; i < sent.length; i++) sent[i] = (i * 7919 + 13) % 251;
      expect(await outcomeOf(sent)).toEqual(UNREADABLE);
    });

    it('is an MP4 whose boxes contain a playlist', async () => {
      const box = (type: string, body: string) => {
        const bytes = Buffer.alloc(8 + body.length);
        bytes.writeUInt32BE(bytes.length);
        bytes.write(type + body, 4, 'latin1');
        return bytes;
      };
      expect(await outcomeOf(Buffer.concat([box('ftyp', 'mp42'), box('moov', HLS), box('mdat', HLS)]))).toEqual(
        UNREADABLE,
      );
    });

    it('has more than 4096 × 2304 pixels', async () => {
      const sent = await clips.make('huge.mp4', {
        width: 5000,
        height: 2500,
        seconds: 0.04,
        sound: false,
        args: ['-preset', 'ultrafast'],
      });
      expect(await outcomeOf(sent)).toEqual(TOO_LARGE);
    });

    it('has 1000 frames per second', async () => {
      const sent = await clips.make('frames.mp4', {
        width: 16,
        height: 16,
        rate: 1000,
        seconds: 3,
        sound: false,
        args: ['-video_track_timescale', '90000'],
      });
      expect(await outcomeOf(sent)).toEqual(TOO_LARGE);
    });

    it('lasts more than half an hour', async () => {
      const sent = await clips.make('long.mp4', { width: 16, height: 16, rate: 1, seconds: 1900, sound: false });
      expect(await outcomeOf(sent)).toEqual(TOO_LARGE);
    });
  });

  // PULS-13
  describe('the inspection of a video', () => {
    /**
     * Inspects a video with a fake ffmpeg, which prints a packet list with these values and does not read the video.
     */
    let inspected: Promise<string> | undefined;
    const inspectionOf = async ({ width = 640, height = 360, frames = 30, duration = '00:00:10.00' }) => {
      const program = join(clipFolder, 'fake-ffmpeg');
      const rows = ['#tb 0: 1/1000', `#dimensions 0: ${width}x${height}`];
      for (let n = 0; n < frames; n++) rows.push(`0, ${n * 4}, ${n * 4}, 4, 100, 0x00000000`);
      await writeFile(join(clipFolder, 'packets.txt'), `${rows.join('\n')}\n`);
      const encoders = `if [ "$1" = -encoders ]; then echo 'libx264 aac png'; exit; fi`;
      const packets = `echo '  Duration: ${duration}, start: 0' >&2; cat ${join(clipFolder, 'packets.txt')}`;
      await writeFile(program, `#!/bin/sh\n${encoders}\n${packets}\n`, { mode: 0o700 });
      const videosWithFake = new Videos(new Ffmpeg({ ffmpegPath: program, production: false }), new Pictures());
      return videosWithFake
        .inspect(await store(await (inspected ??= clips.make('inspected.mp4', { seconds: 0.4 }))), SHAPE)
        .then(
          () => 'accepted',
          (error: unknown) => (error instanceof Refusal ? error.details.errors : error),
        );
    };

    it.each([
      ['4096 × 2304 pixels', { width: 4096, height: 2304 }],
      ['250 frames a second', { frames: SHAPE.seconds * 250 }],
      ['a duration of 30 minutes', { duration: '00:30:00.00' }],
    ])('accepts a video with %s', async (_what, values) => expect(await inspectionOf(values)).toBe('accepted'));

    it.each([
      ['more than 4096 × 2304 pixels', { width: 4096, height: 2305 }],
      ['more than 250 frames a second', { frames: SHAPE.seconds * 250 + 1 }],
      ['a duration of more than 30 minutes', { duration: '00:30:00.01' }],
      ['a duration of an hour', { duration: '01:00:00.00' }],
    ])('refuses a video with %s as too large', async (_what, values) =>
      expect(await inspectionOf(values)).toEqual(TOO_LARGE),
    );

    it.each([
      ['a video without a frame', { frames: 0 }],
      ['a video without a width', { width: 0 }],
    ])('refuses %s as unreadable', async (_what, values) => expect(await inspectionOf(values)).toEqual(UNREADABLE));
  });

  // PULS-13
  it('converts a video with frames that are larger than its header states, or refuses it as unreadable or too large', async () => {
    const small = await clips.make('small.ts', {
      width: 64,
      height: 64,
      seconds: 0.2,
      sound: false,
      args: ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-f', 'mjpeg'],
    });
    const large = await clips.make('large.ts', {
      width: 8000,
      height: 8000,
      seconds: 0.04,
      sound: false,
      args: ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-f', 'mjpeg'],
    });
    await writeFile(join(clipFolder, 'both.mjpeg'), Buffer.concat([await readFile(small), await readFile(large)]));
    const sent = await clips.write('grows.mkv', ['-f', 'mjpeg', '-i', join(clipFolder, 'both.mjpeg'), '-c', 'copy']);
    const outcome = await outcomeOf(sent);
    expect(
      outcome === 'accepted' ||
        [UNREADABLE, TOO_LARGE].some((refused) => JSON.stringify(refused) === JSON.stringify(outcome)),
    ).toBe(true);
  });

  // PULS-16
  it('converts one video at a time; of eight videos at most three are refused, and the others wait', async () => {
    const sent = await clips.make('queue.mp4', { seconds: 0.4, width: 64, height: 48 });
    // A script that runs the real ffmpeg. The script records the beginning and end of each conversion, and adds a
    // delay, so that the last videos wait for seconds.
    const [program, notes] = [join(clipFolder, 'ffmpeg'), join(clipFolder, 'notes')];
    const realPath = (await ffmpeg.program())?.path;
    await writeFile(
      program,
      `#!/bin/sh\ncase "$*" in *libx264*) echo began >> ${notes}; sleep 0.3; ${realPath} "$@"; code=$?; echo ended >> ${notes}; exit $code;; esac\nexec ${realPath} "$@"\n`,
      { mode: 0o700 },
    );
    const recordedVideos = new Videos(new Ffmpeg({ ffmpegPath: program, production: false }), new Pictures());
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, async (_, i) => {
        const path = join(folder, `sent-${i}`);
        await copyFile(sent, path);
        return recordedVideos.make(await recordedVideos.inspect({ field: 'video', path }, SHAPE));
      }),
    );
    const busy = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(5);
    expect(busy.every((reason) => reason instanceof ServiceBusy && reason.retryAfter >= 1)).toBe(true);
    const convertedCount = results.length - busy.length;
    // Two conversions never overlap.
    expect((await readFile(notes, 'utf8')).trim().split('\n')).toEqual(
      Array.from({ length: convertedCount }, () => ['began', 'ended']).flat(),
    );
  });

  // PULS-16
  it('refuses all videos if there is no ffmpeg, and `doctor` reports this', async () => {
    const noFfmpeg = new Ffmpeg({ ffmpegPath: join(folder, 'no-ffmpeg'), production: false });
    const sent = await clips.make('without.mp4', { seconds: 0.4 });
    const error: unknown = await make(sent, new Videos(noFfmpeg, new Pictures())).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServiceBusy);
    expect(error).toMatchObject({ retryAfter: 600, text: { key: 'videos_unavailable' } });
    expect(await noFfmpeg.report()).toEqual({
      program: null,
      problems: [`FFMPEG_PATH (${join(folder, 'no-ffmpeg')}): cannot be run`],
    });
  });

  it('reports the source, the path and the version of its ffmpeg', async () => {
    expect((await ffmpeg.report()).program).toEqual({
      source: expect.any(String),
      path: expect.any(String),
      version: expect.stringMatching(/\S/),
    });
  });
});

function averageDifference(a: Buffer, b: Buffer): number {
  expect(a.length).toBe(b.length);
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] as number)), 0) / a.length;
}
