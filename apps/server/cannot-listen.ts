import { StartupError } from '#platform/config/startup-error';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is taken',
  EACCES: 'it is not allowed',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
};

/** A message of one line for a port that is unavailable; other errors unchanged. */
export function cannotListen(
  setting: 'PORT' | 'METRICS_PORT',
  port: number,
  host: string,
  error: NodeJS.ErrnoException,
): Error {
  const reason = REASONS[error.code ?? ''];
  return reason === undefined
    ? error
    : new StartupError(`${setting} ${port} on HOST ${host} cannot be listened on: ${reason}.`);
}
