import type { IncomingMessage } from 'node:http';
import { unreadable } from '../http/json-body';
import { Refusal } from '../http/refusal';

/**
 * Bytes a second that have to come, on average over each window: a quarter of what EDGE, the slowest network phones still meet,
 * sends. Who sends more slowly holds a place for nothing: 2 minutes of it bring 240 KB, less than one photo. The window bears a tunnel.
 */
export const MINIMUM_RATE = { bytesPerSecond: 2 * 1024, windowSeconds: 15 };
const BYTES_PER_WINDOW = MINIMUM_RATE.bytesPerSecond * MINIMUM_RATE.windowSeconds;
/** Milliseconds for the whole body. */
const TOTAL_MS = 120_000;

/** Bodies that were given up since they came too slowly. */
const slow = new WeakSet<IncomingMessage>();

/** Whether the body was given up since it came too slowly: its connection is of no more use. */
export function cameTooSlowly(body: IncomingMessage): boolean {
  return slow.has(body);
}

/** What is read and thrown away of a body nobody wants, so that its sender comes to reading the answer. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 2_000;
const LINGER_MS = 10_000;
/** Of a slow sender's body nothing more is worth waiting for; the answer gets this long to arrive before the connection goes. */
const SLOW_LINGER_MS = 1_000;

/**
 * Reads a body with `read` while watching over it: more than `cap` bytes are a 413, a sender below `MINIMUM_RATE` a 408.
 * Then it rejects at once, and `read` is told by the signal to let go of what it holds.
 */
export async function watched<T>(
  body: IncomingMessage,
  cap: number,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // The sender has left while the request was waiting for its turn.
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
    // Bytes that wait to be read are our own slowness: a disk that is busy.
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
    // Nobody waits for it any more; how it ends must not end the process.
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
 * Before an answer that does not wait for the body: most clients read it only when they have sent everything, and a
 * socket closed on unread bytes takes the answer with it. Reads on for a moment, and lets the rest run out for a while.
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
    // Once it is answered, the request itself is told nothing more.
    socket.on('close', over);
    body.resume();
  });
}
