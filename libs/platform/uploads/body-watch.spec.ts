import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { Refusal } from '../http/refusal';
import { readWatched } from './body-watch';

// LIM-10
describe('a body that is being received', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  // The numbers of LIM-10, repeated here so that a change in the code is noticed.
  const minBytesPerSecond = 2048;
  const windowSeconds = 15;
  /** Sends `bytesPerSecond` bytes per second for `seconds` seconds. Returns `received` or the code of the refusal. */
  const resultOf = async (bytesPerSecond: number, seconds: number, maxBytes = 1e9): Promise<unknown> => {
    const body = new PassThrough();
    const read = new Promise<string>((resolve) => body.on('end', () => resolve('received')));
    const outcome = readWatched(body as unknown as IncomingMessage, maxBytes, () => read).catch(
      (error: unknown) => (error as Refusal).code,
    );
    for (let second = 0; second < seconds; second++) {
      body.write(Buffer.alloc(bytesPerSecond));
      await new Promise(setImmediate);
      await jest.advanceTimersByTimeAsync(1000);
    }
    body.end();
    return outcome;
  };

  it.each([
    ['twice the minimum rate', 2 * minBytesPerSecond, 60, 'received'],
    ['the minimum rate', minBytesPerSecond, 60, 'received'],
    ['a low rate, but ending within the first window', 10, windowSeconds - 1, 'received'],
    ['just below the minimum rate', minBytesPerSecond - 1, 60, 'request_timeout'],
    ['one byte per second', 1, windowSeconds + 1, 'request_timeout'],
    ['no bytes', 0, windowSeconds + 1, 'request_timeout'],
    ['twice the minimum rate, but for more than two minutes', 2 * minBytesPerSecond, 121, 'request_timeout'],
  ])('with %s (%d bytes per second for %d seconds): the result is %s', async (_name, bytes, seconds, outcome) => {
    expect(await resultOf(bytes, seconds)).toBe(outcome);
  });

  it('is refused if it arrives fast at first and then stops', async () => {
    const body = new PassThrough();
    const outcome = readWatched(body as unknown as IncomingMessage, 1e9, () => new Promise(() => undefined)).catch(
      (error: unknown) => (error as Refusal).code,
    );
    body.write(Buffer.alloc(100 * minBytesPerSecond * windowSeconds));
    await new Promise(setImmediate);
    await jest.advanceTimersByTimeAsync(2 * windowSeconds * 1000);
    expect(await Promise.race([outcome, new Promise((resolve) => setImmediate(resolve, 'still pending'))])).toBe(
      'request_timeout',
    );
  });

  it('is not refused while the server does not read it', async () => {
    const body = new PassThrough();
    const read = new Promise<string>((resolve) => body.on('end', () => resolve('received')));
    const outcome = readWatched(body as unknown as IncomingMessage, 1e9, () => read).catch(
      (error: unknown) => (error as Refusal).code,
    );
    body.pause();
    body.write('x');
    await new Promise(setImmediate);
    await jest.advanceTimersByTimeAsync(3 * windowSeconds * 1000);
    body.end();
    body.resume();
    expect(await outcome).toBe('received');
  });

  it('is refused above the maximum number of bytes', async () => {
    expect(await resultOf(1000, 3, 2000)).toBe('payload_too_large');
  });
});
