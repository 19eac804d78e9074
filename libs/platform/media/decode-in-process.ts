import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServerStopping, ServiceBusy } from '../capacity/service-busy';
import { runnable } from '../threads/runnable';
import type { Pixels, PixelShape } from './decoder';
import { runLimited, type ProcessLimits } from './limited-process';

const PROGRAM = runnable(join(__dirname, 'decoding.process'));
/**
 * Limits of the separate process. The memory limit is high, because Node reserves gigabytes of address space that it
 * never uses. `inspect` has already refused pictures that need too much memory.
 */
const PROCESS_LIMITS: ProcessLimits = { cpu: 20, wall: 40, memory: 16 * 2 ** 30, file: 32 * 2 ** 20, output: 1024 };

/** Loads the decoded pixels from their file. Call this function when enough memory is free. */
export type PixelsInFile = () => Promise<Pixels>;

/**
 * Runs `decode` in a separate process. When the separate process ends, the system gets back the memory of a large
 * picture. If the decoder crashes, only the separate process ends.
 *
 * @param stop aborted when the server stops
 *
 * @throws Error if the picture cannot be decoded
 *
 * @throws ServiceBusy if the separate process did not start or did not end in time, or if the server stops
 */
export async function decodeInChildProcess(path: string, stop?: AbortSignal): Promise<PixelsInFile> {
  const pixelsPath = `${path}.pixels`;
  const { ending, code, stdout, stderr } = await runLimited(
    process.execPath,
    [...PROGRAM.options, PROGRAM.path, path, pixelsPath],
    PROCESS_LIMITS,
    stop,
  );
  if (ending === 'stopped') throw new ServerStopping();
  if (ending === 'out_of_time' || ending === 'not_started') throw new ServiceBusy(PROCESS_LIMITS.wall);
  if (code !== 0) throw new Error(`The picture cannot be decoded (${ending} ${code}): ${stderr}`);
  const shape = JSON.parse(stdout) as PixelShape;
  return async () => ({ ...shape, data: await readFile(pixelsPath) });
}
