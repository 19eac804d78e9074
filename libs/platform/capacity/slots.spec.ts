import { ServiceBusy } from './service-busy';
import { Slots } from './slots';

/** Creates named work items, each of which runs until the test ends it. */
function workItems() {
  const running = new Set<string>();
  const endFunctions = new Map<string, () => void>();
  const begin = (name: string) => () =>
    new Promise<string>((resolve) => {
      running.add(name);
      endFunctions.set(name, () => {
        running.delete(name);
        resolve(name);
      });
    });
  const end = async (name: string) => {
    endFunctions.get(name)?.();
    await new Promise(setImmediate);
  };
  return { running: () => [...running].join(), begin, end };
}

describe('Slots', () => {
  it('runs at most `capacity` work items in parallel, and starts waiting items in order of arrival', async () => {
    const { running, begin, end } = workItems();
    const slots = new Slots({ capacity: 2, queue: 10, maxWaitSeconds: 10, assumedSeconds: 1 });
    const all = ['a', 'b', 'c', 'd'].map((name) => slots.run(begin(name)));
    await new Promise(setImmediate);
    expect(running()).toBe('a,b');
    await end('b');
    expect(running()).toBe('a,c');
    await end('a');
    await end('c');
    await end('d');
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuses new work at once, without beginning it, if the queue is full', async () => {
    const { running, begin, end } = workItems();
    const slots = new Slots({ capacity: 1, queue: 1, maxWaitSeconds: 30, assumedSeconds: 7 });
    const a = slots.run(begin('a'));
    const b = slots.run(begin('b'));
    await expect(slots.run(begin('c'))).rejects.toEqual(new ServiceBusy(7));
    await expect(slots.run(begin('c'))).rejects.toMatchObject({ retryAfter: 7 });
    await end('a');
    expect(running()).toBe('b');
    await end('b');
    await Promise.all([a, b]);
  });

  it('refuses work that has waited too long, and continues with the other work', async () => {
    const { running, begin, end } = workItems();
    const slots = new Slots({ capacity: 1, queue: 10, maxWaitSeconds: 0.05, assumedSeconds: 1 });
    const a = slots.run(begin('a'));
    await expect(slots.run(begin('b'))).rejects.toBeInstanceOf(ServiceBusy);
    const c = slots.run(begin('c'));
    await end('a');
    expect(running()).toBe('c');
    await end('c');
    await Promise.all([a, c]);
  });

  // LIM-11, PULS-16
  describe('with a limit on the seconds of queued work', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());
    const workLasting = (seconds: number) => () => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));
    const outcomeOf = (run: Promise<unknown>) =>
      run.then(
        () => 'done',
        (error: unknown) => (error as ServiceBusy).retryAfter,
      );

    it('refuses work above the limit, and returns the seconds until the queue has room', async () => {
      const slots = new Slots({ capacity: 1, queue: 50, maxSecondsAhead: 60, maxWaitSeconds: 120, assumedSeconds: 12 });
      const accepted = Array.from({ length: 6 }, () => slots.run(workLasting(12)));
      // The sixth work item has 60 seconds of work before it, and a seventh one would have 72 seconds. After 12
      // seconds, a new item again has 60 seconds of work before it.
      expect(await outcomeOf(slots.run(workLasting(12)))).toBe(12);
      await jest.advanceTimersByTimeAsync(12_000);
      const seventh = slots.run(workLasting(12));
      await jest.advanceTimersByTimeAsync(72_000);
      expect(await Promise.all([...accepted, seventh])).toHaveLength(7);
    });

    it('returns the seconds until the queue has room, also if the work takes longer than was assumed', async () => {
      const slots = new Slots({ capacity: 1, queue: 50, maxSecondsAhead: 60, maxWaitSeconds: 1200, assumedSeconds: 1 });
      const accepted = Array.from({ length: 20 }, () => slots.run(workLasting(20)));
      await jest.advanceTimersByTimeAsync(20_000);
      // The first work item took 20 seconds instead of 1. The estimate is now 6.7 seconds per item, and 18 items wait
      // while one runs.
      expect(await outcomeOf(slots.run(workLasting(20)))).toBe(Math.ceil(19 * 6.7 - 60));
      await jest.advanceTimersByTimeAsync(20 * 20_000);
      await Promise.all(accepted);
    });

    it('increases the estimate when the machine has become slower', async () => {
      const slots = new Slots({ capacity: 1, queue: 50, maxSecondsAhead: 60, maxWaitSeconds: 1200, assumedSeconds: 1 });
      for (let i = 0; i < 8; i++) {
        const slow = slots.run(workLasting(30));
        await jest.advanceTimersByTimeAsync(30_000);
        await slow;
      }
      const outcomes = Array.from({ length: 5 }, () => outcomeOf(slots.run(workLasting(30))));
      await jest.advanceTimersByTimeAsync(100_000);
      expect(await Promise.all(outcomes)).toEqual(['done', 'done', 'done', expect.any(Number), expect.any(Number)]);
      expect(await outcomes[4]).toBeGreaterThan(20);
    });
  });

  it('removes work from the queue when the signal of this work is aborted', async () => {
    const { running, begin, end } = workItems();
    const slots = new Slots({ capacity: 1, queue: 1, maxWaitSeconds: 10, assumedSeconds: 1 });
    const abort = new AbortController();
    const a = slots.run(begin('a'));
    const b = slots.run(begin('b'), abort.signal);
    abort.abort(new Error('gone'));
    await expect(b).rejects.toThrow('gone');
    const c = slots.run(begin('c'));
    await end('a');
    expect(running()).toBe('c');
    await end('c');
    await Promise.all([a, c]);
    expect(slots.idle).toBe(true);
  });

  it('refuses waiting and new work after it was stopped, and lets running work end', async () => {
    const { begin, end } = workItems();
    const slots = new Slots({ capacity: 1, queue: 9, maxWaitSeconds: 10, assumedSeconds: 1 });
    const a = slots.run(begin('a'));
    const b = slots.run(begin('b'));
    slots.stop();
    await expect(b).rejects.toBeInstanceOf(ServiceBusy);
    await expect(slots.run(begin('c'))).rejects.toBeInstanceOf(ServiceBusy);
    await end('a');
    expect(await a).toBe('a');
  });

  it('releases the slot of work that fails', async () => {
    const slots = new Slots({ capacity: 1, queue: 0, maxWaitSeconds: 1, assumedSeconds: 1 });
    await expect(slots.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(slots.run(() => Promise.resolve('next'))).resolves.toBe('next');
  });
});
