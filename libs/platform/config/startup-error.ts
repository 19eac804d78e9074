/**
 * The server or a command cannot start, and the operator can fix the cause. Both programs show only the message,
 * without a stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
