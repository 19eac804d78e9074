import type { IncomingMessage } from 'node:http';
import { unreadable } from '../http/json-body';
import { Refusal } from '../http/refusal';

/**
 * Minimum bytes per second, on average over each window: a quarter of the rate of EDGE, the slowest mobile network
 * still in use. A slower sender would occupy a slot of `BodyGate` without completing an upload: in 2 minutes it
 * sends at most 240 KB, less than one photo. The window tolerates short interruptions, such as a tunnel.
 */
export const MINIMUM_RATE = { bytesPerSecond: 2 * 1024, windowSeconds: 15 };
const BYTES_PER_WINDOW = MINIMUM_RATE.bytesPerSecond * MINIMUM_RATE.windowSeconds;
/** Maximum milliseconds for the whole body. */
const TOTAL_MS = 120_000;

/** Bodies that were not read to the end because they were too slow. */
const slow = new WeakSet<IncomingMessage>();

/** Whether reading the body was stopped because its sender was too slow. The connection can then not be used again. */
export function wasTooSlow(body: IncomingMessage): boolean {
  return slow.has(body);
}

/**
 * Maximum bytes of an unwanted body that are read before the response. They are read because many clients read the
 * response only after they have sent the body.
 */
const DRAIN_BYTES = 64 * 1024 * 1024;
/** Milliseconds for which the response waits for the rest of an unwanted body. */
const DRAIN_MS = 2_000;
/** Milliseconds after `DRAIN_MS` for which further bytes are discarded. The body is then destroyed. */
const LINGER_MS = 10_000;
/** Milliseconds after which the connection of a slow body is closed; in this time the client can read the response. */
const SLOW_LINGER_MS = 1_000;

/**
 * Reads a body with `read` and watches its size and its rate. A body of more than `cap` bytes is refused with 413. A
 * body that arrives more slowly than `MINIMUM_RATE`, or that `read` has not finished after `TOTAL_MS`, is refused with
 * 408. After a refusal, the promise is rejected immediately, and the signal makes `read` release its resources.
 */
export async function readWatched<T>(
  body: IncomingMessage,
  cap: number,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // The sender has disconnected while the request was waiting in a queue of `BodyGate`.
  if (body.destroyed) throw unreadable();
  let refuse: (reason: Refusal) => void = () => undefined;
  const refused = new Promise<never>((_resolve, reject) => (refuse = reject));
  const tooSlow = (): void => {
    slow.add(body);
    refuse(new Refusal('request_timeout'));
  };
  let bytes = 0;
  let bytesBefore = 0;
  const rateTimer = setInterval(() => {
    // If received bytes are not read, then this server is slow (for example its disk), and the sender is not.
    const waitsForMore = !body.complete && body.readableLength === 0;
    if (waitsForMore && bytes - bytesBefore < BYTES_PER_WINDOW) tooSlow();
    bytesBefore = bytes;
  }, MINIMUM_RATE.windowSeconds * 1000);
  const totalTimer = setTimeout(tooSlow, TOTAL_MS);
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
    // The result is no longer needed. A later rejection must not end the process.
    reading.catch(() => undefined);
    abort.abort();
    body.unpipe();
    throw error;
  } finally {
    clearInterval(rateTimer);
    clearTimeout(totalTimer);
    body.off('data', count);
  }
}

/**
 * Call this function before a response if the body was not read to its end. Most clients read the response only
 * after they have sent everything. If a socket is closed while it has unread bytes, the response is lost. Therefore
 * this function waits a moment for the rest of the body (unless the body was too slow), and afterwards discards further
 * bytes for a limited time.
 */
export async function drain(body: IncomingMessage): Promise<void> {
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
    const drainTimer = setTimeout(resolve, DRAIN_MS);
    const lingerTimer = setTimeout(() => body.destroy(), DRAIN_MS + LINGER_MS);
    const cleanUp = (): void => {
      clearTimeout(drainTimer);
      clearTimeout(lingerTimer);
      socket.off('close', cleanUp);
      resolve();
    };
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= DRAIN_BYTES) return;
      clearTimeout(drainTimer);
      resolve();
    });
    body.on('end', cleanUp).on('error', cleanUp);
    // After the response, the request emits no more events.
    socket.on('close', cleanUp);
    body.resume();
  });
}
