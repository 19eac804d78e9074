import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServerStopping, ServiceBusy } from '../capacity/service-busy';
import { runnable } from '../threads/runnable';
import type { Pixels, PixelShape } from './decoder';
import { runLimited, type ProcessLimits } from './limited-process';

const PROGRAM = runnable(join(__dirname, 'decoding.process'));
/** Node itself reserves gigabytes that it never uses; the picture's memory is estimated before (`inspect`). */
const LIMITS: ProcessLimits = { cpu: 20, wall: 40, memory: 16 * 2 ** 30, file: 32 * 2 ** 20, print: 1024 };

/** Loads pixels from a file, once there is memory for them. */
export type PixelsInFile = () => Promise<Pixels>;

/**
 * Runs `decode` in its own process: the memory of a heavy picture returns to the system, and a crashing decoder ends
 * only that process.
 * @throws Error if it cannot be decoded
 * @param stop aborted when the server stops
 * @throws ServiceBusy if the machine is too busy, or the server stops
 */
export async function decodeApart(path: string, stop?: AbortSignal): Promise<PixelsInFile> {
  const pixels = `${path}.pixels`;
  const { ending, code, stdout, stderr } = await runLimited(
    process.execPath,
    [...PROGRAM.options, PROGRAM.path, path, pixels],
    LIMITS,
    stop,
  );
  if (ending === 'stopped') throw new ServerStopping();
  if (ending === 'out_of_time' || ending === 'not_started') throw new ServiceBusy(LIMITS.wall);
  if (code !== 0) throw new Error(`The picture cannot be decoded (${ending} ${code}): ${stderr}`);
  const shape = JSON.parse(stdout) as PixelShape;
  return async () => ({ ...shape, data: await readFile(pixels) });
}
