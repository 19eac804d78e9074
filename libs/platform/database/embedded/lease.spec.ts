import { closeSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Lease } from './lease';

describe('a lease (the share of one process in a running PostgreSQL)', () => {
  // OPS-8
  it('of the last process is released only after PostgreSQL has stopped, even if the keeper (the shell that runs PostgreSQL) has not read all lines of the pipe', async () => {
    const run = mkdtempSync(join(tmpdir(), 'run-'));
    const { lease, readingEnd } = Lease.first(run);
    // Each check writes a line. No keeper reads these lines.
    for (let i = 0; i < 300; i++) expect(lease.hasKeeper).toBe(true);
    let released = false;
    const releasing = lease.release().then(() => (released = true));
    await pause(100);
    expect(released).toBe(false);
    closeSync(readingEnd);
    rmSync(run, { recursive: true });
    await releasing;
  });

  it('is released without waiting if another process has a lease', async () => {
    const run = mkdtempSync(join(tmpdir(), 'run-'));
    const { lease, readingEnd } = Lease.first(run);
    const joining = Lease.join(run);
    expect(lease.hasKeeper).toBe(true);
    await lease.release();
    closeSync(readingEnd);
    expect(await joining).toBe('ending');
    rmSync(run, { recursive: true });
  });
});
