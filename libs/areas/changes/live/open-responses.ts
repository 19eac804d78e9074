import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

/** Responses that stay open on purpose. When the server stops, it ends these responses instead of waiting for them. */
@Injectable()
export class OpenResponses implements BeforeApplicationShutdown {
  private readonly open = new Set<AbortController>();

  /**
   * Registers a response. The returned signal is aborted when the client disconnects (`gone`) or the server stops. Call
   * `done` when the response has ended.
   */
  begin(gone: AbortSignal): { signal: AbortSignal; done: () => void } {
    const ending = new AbortController();
    const end = (): void => ending.abort();
    gone.addEventListener('abort', end, { once: true });
    if (gone.aborted) end();
    this.open.add(ending);
    return {
      signal: ending.signal,
      done: () => {
        this.open.delete(ending);
        gone.removeEventListener('abort', end);
      },
    };
  }

  beforeApplicationShutdown(): void {
    for (const ending of this.open) ending.abort();
  }
}
