import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { StartupError } from '../../config/startup-error';

/** A system account; its programs are started with these ids. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** How a program of PostgreSQL is started: `command` before its path, under `account` (null: as ourselves). */
export interface Launch {
  readonly account: Account | null;
  readonly prefix: readonly string[];
}

/**
 * PostgreSQL refuses to run as root. So root lets another account run it: the one that owns the cluster already,
 * else `postgres` if this machine has it, else `nobody`. Anybody else runs it as themselves.
 */
export function accountFor(cluster: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = ['postgres', '_postgres', 'nobody'].map(lookUp).find((found) => found !== null);
  if (!account)
    throw new StartupError(
      'PostgreSQL must not run as root, and this machine has no account "postgres" or "nobody": start as another user, or set DATABASE_URL.',
    );
  return account;
}

/**
 * How to start programs under that account so that they reach `program` and `folder`, and may remove the folder where that is
 * asked. Where only root may enter (a clone under /root, say) or remove (the folder around it is root's), the account keeps
 * root's right to pass folders, and nothing else of root's rights.
 * @throws StartupError when neither way works
 */
export function launchFor(account: Account | null, program: string, folder: string, removable = false): Launch {
  if (account === null) return { account: null, prefix: [] };
  const plain: Launch = { account, prefix: [] };
  if (reaches(plain, program, folder, removable)) return plain;
  const passing: Launch = {
    account: null,
    prefix: [
      'setpriv',
      `--reuid=${account.uid}`,
      `--regid=${account.gid}`,
      '--clear-groups',
      '--inh-caps=-all,+dac_override,+dac_read_search',
      '--ambient-caps=-all,+dac_override,+dac_read_search',
      // Without it access(2) would ignore those two rights, and initdb would not find its neighbour.
      '--securebits=+no_setuid_fixup',
    ],
  };
  if (reaches(passing, program, folder, removable)) return passing;
  throw new StartupError(
    `PostgreSQL must not run as root, and the account it would use (uid ${account.uid}) cannot enter ${folder} or run ${program}: ` +
      'move both to where other accounts may enter, start as another user, or set DATABASE_URL.',
  );
}

function reaches(launch: Launch, program: string, folder: string, removable: boolean): boolean {
  const asked = `"$1" --version && cd "$2"${removable ? ' && [ -w .. ]' : ''}`;
  const [command, ...rest] = [...launch.prefix, '/bin/sh', '-c', asked, 'sh', program, folder];
  return spawnSync(command, rest, { cwd: '/', stdio: 'ignore', ...launch.account }).status === 0;
}

function lookUp(name: string): Account | null {
  const id = (flag: string): number =>
    Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }).toString());
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}
