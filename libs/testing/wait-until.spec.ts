import timers from 'node:timers/promises';
import { waitUntil } from './wait-until';

describe('waitUntil', () => {
  it('resolves as soon as the condition is true', async () => {
    let checks = 0;
    await waitUntil(async () => ++checks === 3);
    expect(checks).toBe(3);
  });

  it('throws after its time limit, and then no longer checks the condition', async () => {
    let checks = 0;
    await expect(waitUntil(() => ++checks < 0, 0.05)).rejects.toThrow('was not true within 0.05 seconds');
    const checksUntilError = checks;
    await timers.setTimeout(50);
    expect(checks).toBe(checksUntilError);
  });

  it('throws the error of the condition', async () => {
    await expect(waitUntil(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('leaves time for other work of the process, even if a test replaces the timer', async () => {
    const replaced = jest.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
    let isTrue = false;
    setTimeout(() => (isTrue = true), 20);
    await waitUntil(() => isTrue).finally(() => replaced.mockRestore());
    expect(isTrue).toBe(true);
  });
});
