import type { Peer } from '../workers/peer';
import type { MemoryWindows } from './memory-windows';
import { throttlerRecord, type Count, type Windows } from './request-windows';

const HIT = 'window-hit';
const FORGET = 'window-forget';

interface Key {
  readonly key: string;
  readonly windowMs: number;
}

/** Request windows of a worker: the primary process counts for all of its workers, so a limit is as exact as in one process (OPS-61). */
export class PrimaryWindows implements Windows {
  readonly place = 'primary';

  constructor(private readonly primary: Peer) {}

  hit(key: string, windowMs: number): Promise<Count> {
    return this.primary.ask<Count>(HIT, { key, windowMs } satisfies Key);
  }

  async forget(key: string, windowMs: number): Promise<void> {
    await this.primary.ask(FORGET, { key, windowMs } satisfies Key);
  }

  async increment(...[key, ttl, limit, , name]: Parameters<Windows['increment']>): ReturnType<Windows['increment']> {
    return throttlerRecord(await this.hit(`${name}:${key}`, ttl), limit);
  }

  async close(): Promise<void> {}
}

/** In the primary process: counts what that worker is asked. */
export function countFor(worker: Peer, windows: MemoryWindows): void {
  worker.answer(HIT, ({ key, windowMs }: Key) => windows.hit(key, windowMs));
  worker.answer(FORGET, ({ key, windowMs }: Key) => windows.forget(key, windowMs));
}
