import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import type { Settings } from '../config/settings';
import { runLimited, type Finished, type ProcessLimits } from './limited-process';

/** A usable ffmpeg program. */
export interface FfmpegProgram {
  /** Where it was found: `FFMPEG_PATH`, `ffmpeg-static`, … */
  readonly source: string;
  readonly path: string;
  readonly version: string;
}

/** The result of a search, for `doctor`. */
export interface FfmpegReport {
  readonly program: FfmpegProgram | null;
  /** The reasons why candidates cannot be used, for example `FFMPEG_PATH (/opt/ffmpeg): cannot be run`. */
  readonly problems: readonly string[];
}

interface Candidate {
  readonly source: string;
  /** Null if the npm package is not installed or has no program for this system. */
  readonly path: string | null;
}

/** The encoders that the conversion of videos needs. */
const ENCODERS = ['libx264', 'aac', 'png'];
const SEARCH_LIMITS: ProcessLimits = { cpu: 5, wall: 15, memory: 1.5 * 2 ** 30, file: 0, output: 262_144 };

/** The ffmpeg of this machine. If a search finds no program, the next call searches again. */
@Injectable()
export class Ffmpeg {
  private found: Promise<FfmpegReport> | null = null;

  constructor(private readonly options: Pick<Settings, 'ffmpegPath' | 'production'>) {}

  /** The program to use; null if there is none. */
  async program(): Promise<FfmpegProgram | null> {
    this.found ??= this.report();
    const { program } = await this.found;
    if (program === null) this.found = null;
    return program;
  }

  /** Searches, even if a program is already known. Returns the program and the problems. */
  async report(): Promise<FfmpegReport> {
    const problems: string[] = [];
    for (const { source, path } of this.candidates()) {
      if (path === null) {
        problems.push(`${source}: not installed`);
        continue;
      }
      const answer = await runLimited(path, ['-encoders'], SEARCH_LIMITS);
      const problem = problemOf(answer);
      if (problem === null) return { program: { source, path, version: versionOf(answer) }, problems };
      problems.push(`${source} (${path}): ${problem}`);
    }
    return { program: null, problems };
  }

  /** If FFMPEG_PATH is set, no other program is used. */
  private candidates(): Candidate[] {
    const { ffmpegPath, production } = this.options;
    if (ffmpegPath !== null) return [{ source: 'FFMPEG_PATH', path: ffmpegPath }];
    return [
      { source: 'ffmpeg-static', path: pathInPackage('ffmpeg-static') },
      { source: 'PATH', path: 'ffmpeg' },
      ...(production ? [] : [{ source: '@ffmpeg-installer/ffmpeg', path: pathInPackage('@ffmpeg-installer/ffmpeg') }]),
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

/**
 * Returns the path of the program in an npm package. Returns null if the optional package is not installed, or has no
 * program for this system. Without a program for this system, `ffmpeg-static` exports null and
 * `@ffmpeg-installer/ffmpeg` throws.
 */
function pathInPackage(name: string): string | null {
  try {
    const found = createRequire(__filename)(name) as string | null | { path: string };
    return typeof found === 'object' ? (found?.path ?? null) : found;
  } catch {
    return null;
  }
}
