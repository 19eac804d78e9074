import type { Text } from '../messages/messages';

/**
 * The service has no capacity at the moment: 503 `server_error` with `Retry-After`. This is not a `Refusal`, because
 * the request is valid and may succeed a moment later.
 */
export class ServiceBusy extends Error {
  /**
   * @param retryAfter whole seconds, at least 1
   * @param text a specific text for the response, if the general text would be misleading
   * @param cause the error for the log
   */
  constructor(
    readonly retryAfter: number,
    readonly text: Text | null = null,
    cause?: unknown,
  ) {
    super(text?.key ?? 'the service is busy', { cause });
  }
}

/** Estimated seconds until the server has restarted. With several servers, another server can respond earlier. */
const RESTART_SECONDS = 10;

/** Thrown for requests that are refused because the server stops. The client should send the request again. */
export class ServerStopping extends ServiceBusy {
  constructor() {
    super(RESTART_SECONDS);
  }
}
