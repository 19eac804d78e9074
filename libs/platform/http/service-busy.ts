/**
 * No capacity at the moment: 503 `server_error` with `Retry-After`. Not a `Refusal`: the request was in order, and the
 * same request may pass in a moment.
 */
export class ServiceBusy extends Error {
  /** @param retryAfter whole seconds, at least 1. */
  constructor(readonly retryAfter: number) {
    super('the service is busy');
  }
}
