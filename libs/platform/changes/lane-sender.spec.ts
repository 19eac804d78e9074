import { MovableClock } from '#testing/movable-clock';
import { waitUntil } from '#testing/wait-until';
import type { CommitNotifier } from './commit-notifier';
import { LaneSender, type Lanes, type NextAttempt, type ReservedReceiver, type Turn } from './lane-sender';

const COMMITS = {
  subscribe: () => () => undefined,
  listenRemote: () => () => undefined,
} as unknown as CommitNotifier;

/** A sender without a database: the test defines the receivers that each poll reserves, and the steps of a turn. */
class Sender extends LaneSender {
  readonly steps: string[] = [];
  readonly released: [string, boolean][] = [];
  readonly reservations: { free: Lanes; seconds: number }[] = [];
  /** One step of a turn. Returns false if there is nothing more to send. */
  work: (turn: Turn) => boolean | Promise<boolean> = () => false;

  /** The seconds until the next attempt; null if no message waits. */
  secondsUntilAttempt: number | null = null;

  constructor(private readonly polls: ReservedReceiver[][]) {
    const clock = new MovableClock();
    clock.freezeAt('2030-01-01T12:00:00Z');
    super({ quick: 3, slow: 2 }, COMMITS, clock);
  }

  override get stop(): AbortSignal {
    return super.stop;
  }

  protected reserve(now: Date, until: Date, free: Lanes): Promise<readonly ReservedReceiver[]> {
    this.reservations.push({ free, seconds: (until.getTime() - now.getTime()) / 1000 });
    return Promise.resolve(this.polls.shift() ?? []);
  }

  protected step(id: string, turn: Turn): Promise<boolean> {
    this.steps.push(id);
    turn.sent++;
    return Promise.resolve(this.work(turn));
  }

  protected release(id: string, { isSlow }: Turn): Promise<unknown> {
    return Promise.resolve(this.released.push([id, isSlow]));
  }

  protected nextAttempt(): Promise<NextAttempt> {
    const seconds = this.secondsUntilAttempt;
    const next_attempt_at = seconds === null ? null : new Date(this.clock.now().getTime() + seconds * 1000);
    return Promise.resolve({ is_used: false, next_attempt_at });
  }
}

describe('the first poll of a sender', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is never scheduled with a negative delay, because Node 24 prints a warning for such a delay', async () => {
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 0.1));
    const timers = jest.spyOn(global, 'setTimeout');
    const sender = new Sender([]);
    sender.start();
    await sender.beforeApplicationShutdown();
    const delays = timers.mock.calls.map(([, milliseconds]) => milliseconds ?? 0);
    expect(Math.min(...delays)).toBe(0);
  });
});

// HOOK-16
describe('the turn of a receiver', () => {
  const quick = { id: 'quick', is_slow: false };
  const slow = { id: 'slow', is_slow: true };
  afterEach(() => jest.restoreAllMocks());

  it('ends after 200 messages', async () => {
    const sender = new Sender([[quick], [quick]]);
    let remaining = 201;
    sender.work = () => --remaining > 0;
    await sender.drain();
    expect(sender.steps).toHaveLength(201);
    // Two turns: 200 messages and 1 message.
    expect(sender.released).toEqual([
      ['quick', false],
      ['quick', false],
    ]);
  });

  it('ends after 2 seconds', async () => {
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const sender = new Sender([[quick]]);
    sender.work = () => (now += 400) > 0;
    await sender.drain();
    expect(sender.steps).toHaveLength(5);
  });

  it('may add many listeners for the stop of the process without a warning of Node', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    const sender = new Sender([[quick]]);
    sender.work = () => {
      for (let n = 0; n < 50; n++) sender.stop.addEventListener('abort', () => undefined);
      return false;
    };
    await sender.drain();
    await new Promise(setImmediate);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('ends after its first slow attempt in the quick lane, but not in the slow lane', async () => {
    const sender = new Sender([[quick, slow]]);
    const attemptsByLane = new Map<boolean, number>();
    sender.work = (turn) => {
      const attempts = (attemptsByLane.get(turn.isInSlowLane) ?? 0) + 1;
      attemptsByLane.set(turn.isInSlowLane, attempts);
      // The third attempt in the slow lane is quick.
      turn.isSlow = attempts < 3;
      return attempts < 3;
    };
    await sender.drain();
    expect(sender.steps.sort()).toEqual(['quick', 'slow', 'slow', 'slow']);
    expect(sender.released.sort()).toEqual([
      ['quick', true],
      ['slow', false],
    ]);
  });

  it('ends after an error, and does not prevent the turns of other receivers', async () => {
    const sender = new Sender([[slow, quick]]);
    sender.work = (turn) => {
      if (turn.isInSlowLane) throw new Error('the database does not answer');
      return turn.sent < 3;
    };
    await sender.drain();
    expect(sender.steps.sort()).toEqual(['quick', 'quick', 'quick', 'slow']);
    expect(sender.released.sort()).toEqual([
      ['quick', false],
      ['slow', true],
    ]);
    // All places of both lanes are free again, also after the failed turn. A receiver is reserved for 30 seconds.
    await sender.drain();
    expect(sender.reservations.map(({ free }) => free)).toEqual(sender.reservations.map(() => ({ quick: 3, slow: 2 })));
    expect(sender.reservations[0]?.seconds).toBe(30);
  });

  it('ends after the current message when the process stops', async () => {
    const sender = new Sender([[quick]]);
    let finish: () => void = () => undefined;
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    sender.work = () =>
      new Promise((resolve) => {
        finish = () => resolve(true);
        begin();
      });
    const draining = sender.drain();
    await begun;
    const stopping = sender.beforeApplicationShutdown();
    finish();
    await Promise.all([stopping, draining]);
    expect([sender.steps, sender.released]).toEqual([['quick'], [['quick', false]]]);
  });

  it('occupies a place in its lane until it ends', async () => {
    const sender = new Sender([[quick, slow], [], []]);
    let finish: () => void = () => undefined;
    const finished = new Promise<boolean>((resolve) => (finish = () => resolve(false)));
    sender.work = () => finished;
    sender.start();
    await waitUntil(() => sender.steps.length >= 2);
    const draining = sender.drain();
    await waitUntil(() => sender.reservations.length >= 2);
    expect(sender.reservations[1]?.free).toEqual({ quick: 2, slow: 1 });
    finish();
    await draining;
    await sender.beforeApplicationShutdown();
  });
});

// HOOK-16
describe('the poll after a poll that found no receiver', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    [null, 5000],
    [3600, 5000],
    [3, 3000],
    [0.2, 1000],
    [-60, 1000],
  ])(
    'starts when the next attempt is due, but after 1 second at the earliest and after 5 at the latest (due in %s seconds, null: never; delay: %s ms)',
    async (seconds, delay) => {
      jest.spyOn(performance, 'now').mockReturnValue(1_000_000);
      const timers = jest.spyOn(global, 'setTimeout');
      const sender = new Sender([]);
      sender.secondsUntilAttempt = seconds;
      sender.start();
      await waitUntil(() => timers.mock.calls.length > 1);
      await sender.beforeApplicationShutdown();
      expect(timers.mock.calls[1]?.[1]).toBe(delay);
    },
  );
});
