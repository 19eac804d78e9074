import type { Text } from '../messages/messages';

/**
 * No capacity at the moment: 503 `server_error` with `Retry-After`. Not a `Refusal`: the request is valid, and may
 * succeed in a moment.
 */
export class ServiceBusy extends Error {
  /**
   * @param retryAfter whole seconds, at least 1
   * @param text the specific problem, where the general text would mislead
   * @param cause for the log
   */
  constructor(
    readonly retryAfter: number,
    readonly text: Text | null = null,
    cause?: unknown,
  ) {
    super(text?.key ?? 'the service is busy', { cause });
  }
}

/** Seconds a restart takes; with several replicas another one answers at once. */
const RESTART_SECONDS = 10;

/** The server is stopping: the client should send unfinished requests again. */
export class ServerStopping extends ServiceBusy {
  constructor() {
    super(RESTART_SECONDS);
  }
}
