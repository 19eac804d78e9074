// Measures the time from the start of the process to the first response, and the memory of the idle server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median, residentMiB, startService } from './lib/service.mjs';

const RUNS = 5;
const IDLE_MS = 3_000;
const dataDir = mkdtempSync(join(tmpdir(), 'events-bench-'));

try {
  // The first start creates the database and is not counted.
  await (await startService({ DATA_DIR: dataDir })).stop();
  const starts = [];
  const memory = [];
  for (let run = 0; run < RUNS; run++) {
    const service = await startService({ DATA_DIR: dataDir });
    starts.push(service.startedMs);
    await pause(IDLE_MS);
    memory.push(residentMiB(service.pid));
    await service.stop();
  }
  const result = {
    runs: RUNS,
    cold_start_ms: { median: Math.round(median(starts)), max: Math.round(Math.max(...starts)), goal_below: 3000 },
    idle_resident_mib: { median: Math.round(median(memory)), max: Math.round(Math.max(...memory)), goal_below: 200 },
  };
  console.table({ 'cold start, ms': result.cold_start_ms, 'idle memory, MiB': result.idle_resident_mib });
  console.log(JSON.stringify(result));
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
