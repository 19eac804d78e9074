import timers from 'node:timers/promises';

/** The real timer. It is stored when this file is loaded, because some tests replace the timers later. */
const pause = timers.setTimeout;
const INTERVAL_MS = 10;
/** Shorter than the time limit of a test (jest.config.js), so that the error names the line that waits. */
const LIMIT_SECONDS = 60;

/**
 * Waits until the condition is true. Throws after `seconds`: without a limit, the loop would continue in the process
 * after its test has failed, and would disturb the next test files.
 */
export async function waitUntil(condition: () => boolean | Promise<boolean>, seconds = LIMIT_SECONDS): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`the condition was not true within ${seconds} seconds`);
    await pause(INTERVAL_MS);
  }
}
