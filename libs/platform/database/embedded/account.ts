import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { StartupError } from '../../config/startup-error';

/** A system account under which PostgreSQL's programs run. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * How to start a program of PostgreSQL: `prefix` comes before the program's path in the command, and `account` is the
 * account under which the command is started (null: the current account). The prefix may change the account.
 */
export interface Launch {
  readonly account: Account | null;
  readonly prefix: readonly string[];
}

/**
 * Returns the account under which PostgreSQL runs; null for the current account. PostgreSQL refuses to run as root, so
 * root starts PostgreSQL under another account: the owner of the folder `cluster`. If this folder does not exist or
 * belongs to root, the account is the first of `postgres`, `_postgres` and `nobody` that exists.
 *
 * @throws StartupError if none of these three accounts exists
 */
export function accountFor(cluster: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = ['postgres', '_postgres', 'nobody'].map(lookUp).find((found) => found !== null);
  if (!account)
    throw new StartupError(
      'PostgreSQL must not run as root, and this machine has no account "postgres", "_postgres" or "nobody": start as another user, or set DATABASE_URL.',
    );
  return account;
}

/**
 * Returns how programs are started under this account, so that they can run `program`, enter `folder` and, if
 * `removable` is true, remove `folder`. Sometimes only root may enter the folder (for example in a clone of the
 * repository under /root) or remove the folder (if root owns its parent folder). The programs then get root's two
 * capabilities to access files and folders, and no other capability.
 *
 * @throws StartupError if this is not possible even with these capabilities
 */
export function launchFor(account: Account | null, program: string, folder: string, removable = false): Launch {
  if (account === null) return { account: null, prefix: [] };
  const withoutCapability: Launch = { account, prefix: [] };
  if (canReach(withoutCapability, program, folder, removable)) return withoutCapability;
  const withCapability: Launch = {
    account: null,
    prefix: [
      'setpriv',
      `--reuid=${account.uid}`,
      `--regid=${account.gid}`,
      '--clear-groups',
      '--inh-caps=-all,+dac_override,+dac_read_search',
      '--ambient-caps=-all,+dac_override,+dac_read_search',
      // Without this flag, access(2) would ignore these two capabilities, and initdb would not find `postgres` in its
      // own folder.
      '--securebits=+no_setuid_fixup',
    ],
  };
  if (canReach(withCapability, program, folder, removable)) return withCapability;
  throw new StartupError(
    `PostgreSQL must not run as root, and the account it would use (uid ${account.uid}) cannot enter ${folder} or run ${program}: ` +
      'move both to where other accounts may enter, start as another user, or set DATABASE_URL.',
  );
}

function canReach(launch: Launch, program: string, folder: string, removable: boolean): boolean {
  const script = `"$1" --version && cd "$2"${removable ? ' && [ -w .. ]' : ''}`;
  const [command, ...rest] = [...launch.prefix, '/bin/sh', '-c', script, 'sh', program, folder];
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
