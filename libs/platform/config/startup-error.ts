/**
 * The server or a command cannot start, and the operator can fix the cause. The server and the CLI show only the
 * message of this error, without a stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
