// The programs of Debian's PostgreSQL, and the account under which they run. These programs refuse to run as root.
import { execFileSync } from 'node:child_process';
import { blockOf } from './pages.mjs';

/** The folder of the programs, read from the block for Patroni in docs/operating/failover.md. */
export const PROGRAMS = /^ {2}bin_dir: (\S+)$/m.exec(blockOf('failover.md', 'bin_dir:'))[1];

/**
 * Returns {account, prefix}: the ids of the account, and the words that are put before a command so that it runs under
 * this account. If this process is not root, the command needs no other account: `account` is null, `prefix` is empty.
 */
export function accountOfPostgres() {
  if (process.getuid() !== 0) return { account: null, prefix: [] };
  const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const account = { uid: idOf('-u'), gid: idOf('-g') };
  return { account, prefix: ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] };
}
