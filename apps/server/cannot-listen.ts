import { StartupError } from '#platform/config/startup-error';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'the user of the process is not allowed to open this port',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
};

/** Replaces an error of the operating system by a `StartupError` of one line; returns other errors unchanged. */
export function cannotListen(
  setting: 'PORT' | 'METRICS_PORT',
  port: number,
  host: string,
  error: NodeJS.ErrnoException,
): Error {
  const reason = REASONS[error.code ?? ''] ?? error.message;
  return error.syscall === undefined
    ? error
    : new StartupError(`${setting} ${port} on HOST ${host} cannot be used: ${reason}.`);
}
