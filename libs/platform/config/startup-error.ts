/** The service cannot start, and the operator can fix the cause. The message is shown without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
