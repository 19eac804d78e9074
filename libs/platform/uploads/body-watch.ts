import type { IncomingMessage } from 'node:http';
import { unreadable } from '../http/json-body';
import { Refusal } from '../http/refusal';

/**
 * Minimum bytes per second, on average over each window: a quarter of the rate of EDGE, the slowest mobile network
 * still in use. A slower sender holds its slot without a useful result: 2 minutes bring 240 KB, less than one photo.
 * The window tolerates a short interruption, such as a tunnel.
 */
export const MINIMUM_RATE = { bytesPerSecond: 2 * 1024, windowSeconds: 15 };
const BYTES_PER_WINDOW = MINIMUM_RATE.bytesPerSecond * MINIMUM_RATE.windowSeconds;
/** Milliseconds for the whole body. */
const TOTAL_MS = 120_000;

/** Bodies that were given up because they were too slow. */
const slow = new WeakSet<IncomingMessage>();

/** Whether the body was given up because it was too slow: its connection is unusable. */
export function wasTooSlow(body: IncomingMessage): boolean {
  return slow.has(body);
}

/** Bytes of an unwanted body that are read and discarded, so that the sender starts to read the response. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 2_000;
const LINGER_MS = 10_000;
/** The rest of a slow body is not awaited; the response gets this time before the connection is closed. */
const SLOW_LINGER_MS = 1_000;

/**
 * Reads a body with `read` while watching it: more than `cap` bytes are a 413, a sender below `MINIMUM_RATE` a 408. It
 * then rejects at once, and the signal makes `read` release its resources.
 */
export async function watched<T>(
  body: IncomingMessage,
  cap: number,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // The sender has disconnected while the request was waiting for its turn.
  if (body.destroyed) throw unreadable();
  let refuse: (reason: Refusal) => void = () => undefined;
  const refused = new Promise<never>((_resolve, reject) => (refuse = reject));
  const tooSlow = (): void => {
    slow.add(body);
    refuse(new Refusal('request_timeout'));
  };
  let bytes = 0;
  let bytesBefore = 0;
  const rate = setInterval(() => {
    // Unread received bytes mean that this server is slow, for example its disk.
    const waitsForMore = !body.complete && body.readableLength === 0;
    if (waitsForMore && bytes - bytesBefore < BYTES_PER_WINDOW) tooSlow();
    bytesBefore = bytes;
  }, MINIMUM_RATE.windowSeconds * 1000);
  const total = setTimeout(tooSlow, TOTAL_MS);
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > cap) refuse(new Refusal('payload_too_large'));
  };
  const abort = new AbortController();
  const reading = read(abort.signal);
  body.on('data', count);
  try {
    return await Promise.race([reading, refused]);
  } catch (error) {
    // The result is no longer needed; a late rejection must not end the process.
    reading.catch(() => undefined);
    abort.abort();
    body.unpipe();
    throw error;
  } finally {
    clearInterval(rate);
    clearTimeout(total);
    body.off('data', count);
  }
}

/**
 * Before a response that does not wait for the body: most clients read it only after they have sent everything, and
 * closing a socket with unread bytes discards the response. Reads for a moment, and discards the rest for a while.
 */
export async function drained(body: IncomingMessage): Promise<void> {
  if (body.complete || body.destroyed) return;
  body.unpipe();
  const { socket } = body;
  if (slow.has(body)) {
    setTimeout(() => socket.destroy(), SLOW_LINGER_MS);
    body.resume();
    return;
  }
  let bytes = 0;
  await new Promise<void>((resolve) => {
    const enough = setTimeout(resolve, DRAIN_MS);
    const lingering = setTimeout(() => body.destroy(), DRAIN_MS + LINGER_MS);
    const over = (): void => {
      clearTimeout(enough);
      clearTimeout(lingering);
      socket.off('close', over);
      resolve();
    };
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= DRAIN_BYTES) return;
      clearTimeout(enough);
      resolve();
    });
    body.on('end', over).on('error', over);
    // After the response, the request emits no more events.
    socket.on('close', over);
    body.resume();
  });
}
