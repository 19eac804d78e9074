import { stat } from 'node:fs/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { currentAccount, isDryRun } from '../context/current-request';
import { Refusal } from '../http/refusal';
import { ServerStopping, ServiceBusy } from '../capacity/service-busy';
import { containerOf, type Container } from './container';
import { Ffmpeg } from './ffmpeg';
import { runLimited, type Finished, type ProcessLimits } from './limited-process';
import { Pictures, type SourceFile } from './pictures';
import { Shares } from '../capacity/shares';
import { Slots } from '../capacity/slots';
import {
  conversionArguments,
  firstFrameArguments,
  MAX_FRAME_RATE,
  MAX_PIXELS,
  packetsOf,
  packetListArguments,
  type VideoShape,
} from './video.arguments';

/** A received file that is a convertible video. */
export interface InspectedVideo extends SourceFile {
  readonly container: Container;
  /** Frames per second of the converted video. */
  readonly rate: number;
  readonly shape: VideoShape;
}

/** A re-encoded video and its poster as files in the folder of the source. They are deleted with the folder. */
export interface Video {
  readonly extension: 'mp4';
  readonly path: string;
  readonly posterPath: string;
}

const MB = 2 ** 20;
const INSPECTION: ProcessLimits = { cpu: 4, wall: 12, memory: 1536 * MB, file: 0, output: 512 * 1024 };
/**
 * `wall` is five times `cpu`, so a process that gets only a fifth of a processor can still use all of its `cpu`
 * seconds.
 */
const CONVERSION: ProcessLimits = { cpu: 12, wall: 60, memory: 1536 * MB, file: 64 * MB, output: 16_384 };

const { shares } = LIMITS;
const INSPECTION_QUEUE = { queue: 30, maxWaitSeconds: 15, assumedSeconds: 0.2 };
const CONVERSION_QUEUE = { queue: 20, maxSecondsAhead: 60, maxWaitSeconds: 120, assumedSeconds: 4 };

/** Originals with more seconds are refused. A conversion uses only the first `VideoShape.seconds` seconds. */
const MAX_SECONDS = 1800;
/** `Retry-After` in seconds if ffmpeg is missing: in this time, an operator may install ffmpeg. */
const RETRY_WITHOUT_FFMPEG_SECONDS = 600;

/** Inspects and re-encodes videos from users (PULS-13, PULS-14). ffmpeg runs under strict limits. */
@Injectable()
export class Videos implements OnModuleDestroy {
  private readonly log = new Logger(Videos.name);
  private readonly inspections = new Slots({ ...INSPECTION_QUEUE, capacity: shares.videos.all });
  private readonly accountInspections = new Shares<number>({ ...INSPECTION_QUEUE, capacity: shares.videos.account });
  /**
   * A new video is refused if the conversions before it are estimated to take more than a minute. Because an estimate
   * can be too low, a video waits for at most two minutes. At most 20 videos may wait in this queue. At most one video
   * of an account is in this queue, so that one account cannot fill the queue (LIM-15). The account's other videos wait
   * in a separate queue with the same maximum length (`accountConversions`). The files of waiting videos cannot fill
   * the disk, because each upload reserves its space (`Scratch`).
   */
  private readonly conversions = new Slots({ ...CONVERSION_QUEUE, capacity: shares.videos.all });
  private readonly accountConversions = new Shares<number>({
    ...CONVERSION_QUEUE,
    capacity: shares.videos.account,
  });
  private readonly stopping = new AbortController();

  constructor(
    private readonly ffmpeg: Ffmpeg,
    private readonly pictures: Pictures,
  ) {}

  /** The estimated seconds before a conversion would start if its video arrived now. */
  get secondsAhead(): number {
    return this.conversions.secondsAhead;
  }

  /**
   * Called when the server stops. ffmpeg is killed at once, because a conversion may take longer than the server waits
   * for its requests. The requests with videos then get a response, and the files of these videos are deleted.
   */
  onModuleDestroy(): void {
    this.inspections.stop();
    this.conversions.stop();
    this.stopping.abort();
  }

  /**
   * Checks without decoding whether a file is a convertible video. The check is fast enough for validation.
   *
   * @throws Refusal 422 on the file's field: unsupported, truncated or without a picture (`video_unreadable`), or too
   * many pixels, frames or minutes (`video_too_large`)
   *
   * @throws ServiceBusy if there is no ffmpeg, too many videos wait, the machine is too busy, or the server stops
   */
  async inspect(source: SourceFile, shape: VideoShape): Promise<InspectedVideo> {
    const container = await containerOf(source.path);
    if (container === null) throw Refusal.invalid(source.field, 'video_unreadable');
    const found = await this.accountInspections.run(currentAccount(), () =>
      this.inspections.run(() => this.run(packetListArguments(source.path, container, shape), INSPECTION)),
    );
    if (found.ending === 'too_much_output') throw Refusal.invalid(source.field, 'video_too_large');
    this.refuseFailure(found, source);
    const packets = packetsOf(found);
    if (packets === null) throw Refusal.invalid(source.field, 'video_unreadable');
    const tooMany =
      packets.pixels > MAX_PIXELS || packets.frames > shape.seconds * MAX_FRAME_RATE || packets.seconds > MAX_SECONDS;
    if (tooMany) throw Refusal.invalid(source.field, 'video_too_large');
    return { ...source, container, shape, rate: packets.rate };
  }

  /**
   * Creates the video to store and its poster. This video contains the first seconds of the original as H.264 and AAC,
   * in an MP4 file that can be played while it loads. The video is scaled down, upright and without metadata. A dry run
   * creates only the poster, so it decodes only the first frame.
   *
   * @throws Refusal 422 on the file's field if the file cannot be decoded, or if ffmpeg is killed at a limit other than
   * `wall`
   *
   * @throws ServiceBusy if there is no ffmpeg, too many videos wait, the machine is too busy, or the server stops
   */
  async make(source: InspectedVideo): Promise<Video> {
    return this.accountConversions.run(currentAccount(), () => this.conversions.run(() => this.convert(source)));
  }

  private async convert(source: InspectedVideo): Promise<Video> {
    const path = `${source.path}.mp4`;
    const still = `${source.path}-still.png`;
    const args = isDryRun() ? firstFrameArguments(source, still) : conversionArguments(source, { path, still });
    this.refuseFailure(await this.run(args, CONVERSION), source);
    if (!(await isWritten(still))) throw Refusal.invalid(source.field, 'video_unreadable');
    const poster = await this.pictures.make({ field: source.field, path: still });
    return { extension: 'mp4', path, posterPath: poster.path };
  }

  private async run(args: readonly string[], limits: ProcessLimits): Promise<Finished> {
    const program = await this.ffmpeg.program();
    if (program === null) throw new ServiceBusy(RETRY_WITHOUT_FFMPEG_SECONDS, { key: 'videos_unavailable' });
    return runLimited(program.path, args, limits, this.stopping.signal);
  }

  private refuseFailure({ ending, code, stderr }: Finished, source: SourceFile): void {
    if (ending === 'exited' && code === 0) return;
    this.log.debug({ ending, code, stderr }, 'video refused');
    if (ending === 'stopped') throw new ServerStopping();
    if (ending === 'out_of_time' || ending === 'not_started') throw new ServiceBusy(CONVERSION.wall);
    throw Refusal.invalid(source.field, ending === 'killed' ? 'video_too_large' : 'video_unreadable');
  }
}

async function isWritten(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );
}
