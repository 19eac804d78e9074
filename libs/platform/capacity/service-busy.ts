import type { Text } from '../messages/messages';

/**
 * No capacity at the moment: 503 `server_error` with `Retry-After`. Not a `Refusal`: the request was in order, and the
 * same request may pass in a moment.
 */
export class ServiceBusy extends Error {
  /**
   * @param retryAfter whole seconds, at least 1.
   * @param text what is missing, where the general text would mislead.
   * @param cause for the log.
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

/** The server has been told to stop: what it cannot finish in the time that is left is to be sent again to the next one. */
export class ServerStopping extends ServiceBusy {
  constructor() {
    super(RESTART_SECONDS);
  }
}
