import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import { runLimited, type Finished, type ProcessLimits } from './limited-process';

/** The settings for finding ffmpeg (README, "Settings"). */
export interface FfmpegOptions {
  readonly ffmpegPath: string | null;
  readonly production: boolean;
}

/** A suitable ffmpeg program. */
export interface FfmpegProgram {
  /** `FFMPEG_PATH`, `ffmpeg-static`, … */
  readonly source: string;
  readonly path: string;
  readonly version: string;
}

/** Result for `doctor`. */
export interface FfmpegReport {
  readonly program: FfmpegProgram | null;
  /** Why candidates were rejected: `FFMPEG_PATH (/opt/ffmpeg): cannot be run`. */
  readonly problems: readonly string[];
}

interface Candidate {
  readonly source: string;
  /** null: there is none. */
  readonly path: string | null;
}

/** Required for converting videos. */
const ENCODERS = ['libx264', 'aac', 'png'];
const LOOKING: ProcessLimits = { cpu: 5, wall: 15, memory: 1.5 * 2 ** 30, file: 0, print: 262_144 };

/** The machine's ffmpeg: searched until it is found, then remembered. */
@Injectable()
export class Ffmpeg {
  private found: Promise<FfmpegReport> | null = null;

  constructor(private readonly options: FfmpegOptions) {}

  /** The program to use, null without one. */
  async program(): Promise<FfmpegProgram | null> {
    this.found ??= this.report();
    const { program } = await this.found;
    if (program === null) this.found = null;
    return program;
  }

  /** Searches again, and reports the program and the problems. */
  async report(): Promise<FfmpegReport> {
    const problems: string[] = [];
    for (const { source, path } of this.candidates()) {
      if (path === null) {
        problems.push(`${source}: not installed`);
        continue;
      }
      const answer = await runLimited(path, ['-encoders'], LOOKING);
      const problem = problemOf(answer);
      if (problem === null) return { program: { source, path, version: versionOf(answer) }, problems };
      problems.push(`${source} (${path}): ${problem}`);
    }
    return { program: null, problems };
  }

  /** A configured program is never silently replaced by another. */
  private candidates(): Candidate[] {
    const { ffmpegPath, production } = this.options;
    if (ffmpegPath !== null) return [{ source: 'FFMPEG_PATH', path: ffmpegPath }];
    return [
      { source: 'ffmpeg-static', path: packaged('ffmpeg-static') },
      { source: 'PATH', path: 'ffmpeg' },
      ...(production ? [] : [{ source: '@ffmpeg-installer/ffmpeg', path: packaged('@ffmpeg-installer/ffmpeg') }]),
    ];
  }
}

function problemOf({ ending, code, stdout }: Finished): string | null {
  if (ending !== 'exited' || code !== 0) return 'cannot be run';
  const missing = ENCODERS.filter((encoder) => !stdout.split(/\s+/).includes(encoder));
  return missing.length === 0 ? null : `cannot encode ${missing.join(', ')}`;
}

function versionOf({ stderr }: Finished): string {
  return /ffmpeg version (\S+)/.exec(stderr)?.[1] ?? 'unknown';
}

/** The program in an npm package. The packages are optional, and throw on unsupported systems. */
function packaged(name: string): string | null {
  try {
    const found = createRequire(__filename)(name) as string | null | { path: string };
    return typeof found === 'object' ? (found?.path ?? null) : found;
  } catch {
    return null;
  }
}
