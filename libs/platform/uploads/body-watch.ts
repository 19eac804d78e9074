import type { IncomingMessage } from 'node:http';
import { unreadable } from '../http/json-body';
import { Refusal } from '../http/refusal';

/** Milliseconds in which nothing comes, and in all. Who sends more slowly would keep others from sending. */
const IDLE_MS = 15_000;
const TOTAL_MS = 120_000;

/** What is read and thrown away of a body nobody wants, so that its sender comes to reading the answer. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 2_000;
const LINGER_MS = 10_000;

/**
 * Reads a body with `read` while watching over it: more than `cap` bytes are a 413, a sender who stalls a 422.
 * Then it rejects at once, and `read` is told by the signal to let go of what it holds.
 */
export async function watched<T>(body: IncomingMessage, cap: number, read: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // The sender has left while the request was waiting for its turn.
  if (body.destroyed) throw unreadable();
  let refuse: (reason: Refusal) => void = () => undefined;
  const refused = new Promise<never>((_resolve, reject) => (refuse = reject));
  const stalled = (): void => refuse(unreadable());
  const idle = setTimeout(stalled, IDLE_MS);
  const total = setTimeout(stalled, TOTAL_MS);
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    idle.refresh();
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
    clearTimeout(idle);
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
