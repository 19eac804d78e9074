import { closeSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Lease } from './lease';

describe('a share in a PostgreSQL', () => {
  // OPS-8
  it('is recognized as the last one before the keeper has read its pipe', async () => {
    const run = mkdtempSync(join(tmpdir(), 'run-'));
    const { lease, readingEnd } = Lease.first(run);
    for (let i = 0; i < 300; i++) expect(lease.kept).toBe(true);
    let released = false;
    const releasing = lease.release().then(() => (released = true));
    await pause(100);
    expect(released).toBe(false);
    closeSync(readingEnd);
    rmSync(run, { recursive: true });
    await releasing;
  });

  it('is released at once while others hold theirs', async () => {
    const run = mkdtempSync(join(tmpdir(), 'run-'));
    const { lease, readingEnd } = Lease.first(run);
    const joining = Lease.join(run);
    expect(lease.kept).toBe(true);
    await lease.release();
    closeSync(readingEnd);
    expect(await joining).toBe('ending');
    rmSync(run, { recursive: true });
  });
});
