import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const { O_RDONLY, O_RDWR, O_WRONLY, O_NONBLOCK } = constants;
const STOP_TIMEOUT_MS = 30_000;

/**
 * A lease is the share of one process in a running PostgreSQL: the writing end of a named pipe, which the process has
 * opened. The keeper (keeper.ts) has opened the reading end. The operating system closes the shares of killed
 * processes. When no share is left, the keeper reads the end of the pipe.
 */
export class Lease {
  private constructor(
    readonly folder: string,
    private readonly writingEnd: number,
  ) {}

  /**
   * Creates the pipe in `folder`, the folder of a new keeper, and takes the first share. The keeper gets the reading
   * end.
   */
  static first(folder: string): { lease: Lease; readingEnd: number } {
    const pipe = join(folder, 'lease');
    execFileSync('mkfifo', ['-m', '600', pipe], { stdio: ['ignore', 'ignore', 'pipe'] });
    // Opening one end of a pipe blocks until the other end is opened, so both ends are opened together.
    const bothEnds = openSync(pipe, O_RDWR | O_NONBLOCK);
    const readingEnd = openSync(pipe, O_RDONLY);
    const writingEnd = openSync(pipe, O_WRONLY | O_NONBLOCK);
    closeSync(bothEnds);
    return { lease: new Lease(folder, writingEnd), readingEnd };
  }

  /**
   * Takes a share in the PostgreSQL of the keeper in `folder`. Returns `gone` if there is no keeper, and `ending` if
   * the keeper is stopping PostgreSQL because the last share was released. A share is valid only after the keeper has
   * confirmed it with a file in the folder. While the keeper is stopping PostgreSQL, it confirms no share.
   */
  static async join(folder: string): Promise<Lease | 'gone' | 'ending'> {
    let writingEnd: number;
    try {
      writingEnd = openSync(join(folder, 'lease'), O_WRONLY | O_NONBLOCK);
    } catch {
      return 'gone';
    }
    const lease = new Lease(folder, writingEnd);
    const name = `lease-${randomBytes(6).toString('hex')}`;
    // The name is sent every 0.5 seconds, because a line can be lost. The empty lines only check whether the keeper
    // still has the pipe open.
    for (let round = 0; lease.send(round % 25 === 0 ? name : ''); round++) {
      if (existsSync(join(folder, name))) {
        rmSync(join(folder, name), { force: true });
        return lease;
      }
      await pause(20);
    }
    closeSync(writingEnd);
    return 'ending';
  }

  /** Whether a keeper is running and has opened the pipe in `folder`. */
  static hasKeeperIn(folder: string): boolean {
    try {
      closeSync(openSync(join(folder, 'lease'), O_WRONLY | O_NONBLOCK));
      return true;
    } catch {
      return false;
    }
  }

  /** Whether the keeper is running. */
  get hasKeeper(): boolean {
    return this.send('');
  }

  /**
   * Releases the share. If this was the last share, waits (at most 30 seconds) until PostgreSQL has stopped and its
   * keeper has removed `path` (by default the keeper's folder).
   */
  async release(path = this.folder): Promise<void> {
    closeSync(this.writingEnd);
    if (this.othersRemain()) return;
    const deadline = performance.now() + STOP_TIMEOUT_MS;
    while (existsSync(path) && performance.now() < deadline) await pause(20);
  }

  /**
   * Writes one line to the keeper. Returns false if no process has the reading end open. If the pipe is full, the line
   * is lost, and the result is still true.
   */
  private send(line: string): boolean {
    try {
      writeSync(this.writingEnd, `${line}\n`);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN';
    }
  }

  /**
   * Whether other processes have shares. This method reads from the pipe: without writers, the read returns the end of
   * the pipe; with writers but without data, the read fails with EAGAIN.
   */
  private othersRemain(): boolean {
    let readingEnd: number;
    try {
      readingEnd = openSync(join(this.folder, 'lease'), O_RDONLY | O_NONBLOCK);
    } catch {
      return false;
    }
    try {
      // The pipe may contain lines that a slow keeper has not read yet, including the line of this process. Such lines
      // do not show that other processes have shares. This read may remove the line of a process that is joining; that
      // process writes its line again.
      const line = Buffer.alloc(256);
      while (readSync(readingEnd, line) > 0);
      return false;
    } catch {
      return true;
    } finally {
      closeSync(readingEnd);
    }
  }
}
