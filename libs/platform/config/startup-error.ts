/** The service cannot start, and its operator can fix the cause: the message is shown without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
