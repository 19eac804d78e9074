import type { Container } from './container';

/** Limits of a converted video: seconds, and pixels of the longer side. */
export interface VideoShape {
  readonly seconds: number;
  readonly side: number;
}

/** Data about the first seconds of a video, from the packets that the first run of ffmpeg lists but does not decode. */
interface Packets {
  readonly frames: number;
  /** Frames per second of the converted video. */
  readonly rate: number;
  /** Width times height of a frame. */
  readonly pixels: number;
  /** The duration that the container states; 0 if it states none. */
  readonly seconds: number;
}

/** Maximum number of frames per second. Slow-motion videos of phones usually have up to 240. */
export const MAX_FRAME_RATE = 250;
/** Maximum number of pixels of a frame: 4K as cameras record it (4096 × 2304). */
export const MAX_PIXELS = 9_437_184;
const MAX_STREAMS = 32;
const SAMPLE_RATE = 48_000;
/**
 * The duration of an audio packet in seconds. The last packet is filled with silence, and must not end after the
 * video's last frame. So the audio is cut one packet earlier.
 */
const AUDIO_PACKET_SECONDS = 1024 / SAMPLE_RATE;
/** Maximum number of frames that wait for audio, which may begin late or never. */
const FRAMES_BEFORE_SOUND = 1000;
const TARGET_FRAME_RATE = 30;
const MIN_FRAME_RATE = 12;

/** The decoders that recordings of phones, cameras and browsers need. Hundreds of other decoders are never used. */
const DECODERS = [
  'h264',
  'hevc',
  'vp8',
  'vp9',
  'libvpx',
  'libvpx-vp9',
  'av1',
  'libdav1d',
  'libaom-av1',
  'mpeg4',
  'h263',
  'mjpeg',
  'theora',
  'prores',
  'mpeg2video',
  'aac',
  'mp3',
  'mp3float',
  'opus',
  'libopus',
  'vorbis',
  'libvorbis',
  'amrnb',
  'amrwb',
  'libopencore_amrnb',
  'libopencore_amrwb',
  'ac3',
  'eac3',
  'flac',
  'alac',
  'pcm_s16le',
  'pcm_s16be',
  'pcm_s24le',
  'pcm_s24be',
  'pcm_s32le',
  'pcm_f32le',
  'pcm_mulaw',
  'pcm_alaw',
  'pcm_u8',
].join(',');

/** Options for opening a video: only this file, this container and these decoders are used, in one thread. */
function inputOptions(path: string, container: Container): string[] {
  return [
    '-nostdin',
    '-hide_banner',
    '-y',
    '-filter_threads',
    '1',
    '-protocol_whitelist',
    'file',
    '-format_whitelist',
    'mov,matroska',
    '-codec_whitelist',
    DECODERS,
    '-max_streams',
    String(MAX_STREAMS),
    '-max_pixels',
    String(MAX_PIXELS),
    '-threads',
    '1',
    '-f',
    container,
    '-i',
    `file:${path}`,
  ];
}

/**
 * The arguments that print a list of the packets in the first seconds, without decoding them. `V` excludes cover art,
 * so that a song with a cover does not count as a video. The list contains no text of the file, so it can be parsed
 * safely.
 */
export function packetListArguments(path: string, container: Container, { seconds }: VideoShape): string[] {
  const maxFrames = seconds * MAX_FRAME_RATE + 1;
  return [
    '-loglevel',
    'info',
    ...inputOptions(path, container),
    '-map',
    '0:V:0',
    '-c',
    'copy',
    '-t',
    String(seconds),
    '-frames:v',
    String(maxFrames),
    '-f',
    'framecrc',
    'pipe:1',
  ];
}

/** Parses the list of packets that the first run of ffmpeg prints; null if the list has no frame or no frame size. */
export function packetsOf({ stdout, stderr }: { stdout: string; stderr: string }): Packets | null {
  const [, ticks = 0, scale = 0] = numbers(/^#tb 0: (\d+)\/(\d+)$/m.exec(stdout));
  const [, width = 0, height = 0] = numbers(/^#dimensions 0: (\d+)x(\d+)$/m.exec(stdout));
  const times = [...stdout.matchAll(/^0,\s*-?\d+,\s*(-?\d+),/gm)].map(([, time]) => (Number(time) * ticks) / scale);
  if (times.length === 0 || width * height === 0 || scale === 0) return null;
  const [, hours = 0, minutes = 0, rest = 0] = numbers(/^ {2}Duration: (\d+):(\d+):([\d.]+)/m.exec(stderr));
  return {
    frames: times.length,
    pixels: width * height,
    rate: rateOf(times),
    seconds: hours * 3600 + minutes * 60 + rest,
  };
}

function numbers(found: RegExpExecArray | null): number[] {
  return (found ?? []).map(Number);
}

/**
 * Returns the frame rate of the converted video. Usually this is the original rate, which avoids uneven motion. A rate
 * above `TARGET_FRAME_RATE` + 1 is divided by a whole number. If the rate is below `MIN_FRAME_RATE`, or cannot be
 * computed (for example for a single frame), frames are repeated to reach `TARGET_FRAME_RATE`.
 */
function rateOf(times: readonly number[]): number {
  const span = Math.max(...times) - Math.min(...times);
  if (times.length < 2 || span <= 0) return TARGET_FRAME_RATE;
  const rate = (times.length - 1) / span;
  if (rate < MIN_FRAME_RATE) return TARGET_FRAME_RATE;
  return Number((rate / Math.ceil(rate / (TARGET_FRAME_RATE + 1))).toFixed(3));
}

/** The arguments that write the MP4, and in the same run its first frame as PNG. */
export function conversionArguments(
  video: { path: string; container: Container; rate: number; shape: VideoShape },
  into: { path: string; still: string },
): string[] {
  const {
    rate,
    shape: { seconds, side },
  } = video;
  const picture = ['-map', '0:V:0', '-threads', '1'];
  return [
    '-loglevel',
    'error',
    ...inputOptions(video.path, video.container),

    ...picture,
    '-vf',
    `fps=fps=${rate},${scaleFilter(side)},format=yuv420p`,
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-profile:v',
    'high',
    '-crf',
    '24',
    '-maxrate',
    '4M',
    '-bufsize',
    '8M',
    '-map',
    '0:a:0?',
    '-af',
    `atrim=end=${seconds - AUDIO_PACKET_SECONDS}`,
    '-c:a',
    'aac',
    '-b:a',
    '128k',
    '-ac',
    '2',
    '-ar',
    String(SAMPLE_RATE),
    '-t',
    String(seconds),
    '-frames:v',
    String(Math.floor(seconds * rate)),
    '-max_muxing_queue_size',
    String(FRAMES_BEFORE_SOUND),
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
    '-fflags',
    '+bitexact',
    '-flags:v',
    '+bitexact',
    '-flags:a',
    '+bitexact',
    // Before version 6, ffmpeg writes the name of the encoder into the track. An empty text would be ignored, so a
    // blank replaces the name.
    '-metadata:s',
    'encoder= ',
    // x264 writes its version and settings into the stream as supplemental information (unit type 6). Players do not
    // need this, so it is removed.
    '-bsf:v',
    'filter_units=remove_types=6',
    '-movflags',
    '+faststart',
    '-f',
    'mp4',
    `file:${into.path}`,

    ...picture,
    ...stillFrame(side, into.still),
  ];
}

/** The arguments that write only the first frame, as PNG. */
export function firstFrameArguments(
  { path, container, shape: { side } }: { path: string; container: Container; shape: VideoShape },
  still: string,
): string[] {
  return [
    '-loglevel',
    'error',
    ...inputOptions(path, container),
    '-map',
    '0:V:0',
    '-threads',
    '1',
    ...stillFrame(side, still),
  ];
}

function stillFrame(side: number, still: string): string[] {
  return [
    '-vf',
    `${scaleFilter(side)},format=rgb24`,
    '-frames:v',
    '1',
    '-c:v',
    'png',
    '-f',
    'image2pipe',
    `file:${still}`,
  ];
}

/**
 * Returns the filter that makes pixels square and both sides even, and limits the longer side. ffmpeg has already
 * rotated the frames.
 */
function scaleFilter(side: number): string {
  const factor = `min(1,${side}/max(iw*sar,ih))`;
  const even = (length: string) => `'max(2,trunc(${length}*${factor}/2)*2)'`;
  return `scale=w=${even('iw*sar')}:h=${even('ih')},setsar=1`;
}
