// The programs of Debian's PostgreSQL, and the account that they run under: not root.
import { execFileSync } from 'node:child_process';
import { blockOf } from './pages.mjs';

/** The folder of the programs, from Patroni's block of docs/operating/failover.md. */
export const PROGRAMS = /^ {2}bin_dir: (\S+)$/m.exec(blockOf('failover.md', 'bin_dir:'))[1];

/** Returns {account, prefix}: null and nothing unless this is root. */
export function accountOfPostgres() {
  if (process.getuid() !== 0) return { account: null, prefix: [] };
  const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const account = { uid: idOf('-u'), gid: idOf('-g') };
  return { account, prefix: ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] };
}
