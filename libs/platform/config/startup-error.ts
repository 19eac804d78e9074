/** The service cannot start, and its operator can do something about it: the message is all they need, without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
