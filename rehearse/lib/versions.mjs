// Builds a version of this repository in a separate folder.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { folder, ROOT, run } from './programs.mjs';

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`);
  return stdout.trim();
}

/** The version from which an upgrade usually starts: the last release. */
export function formerVersion() {
  const commit = lastRelease(git('log', '--format=%H %s'));
  if (!commit) throw new Error('there is no commit of a release: select a version with --from');
  return commit;
}

/**
 * Returns the newest commit whose subject begins with `release: `. `log` has one line per commit: hash and subject. The
 * option `--grep` of git is not used, because it also finds lines in the body of a message.
 */
export function lastRelease(log) {
  return /^(\w+) release: /m.exec(log)?.[1];
}

/**
 * Builds the commit `version`. Returns {root, commit, migrations, knowsFloor, knowsDelay, knowsKeys}. `root` is the
 * folder of the build, and `migrations` are the names of the version's migrations. `knowsFloor`, `knowsDelay` and
 * `knowsKeys` are true if the version supports the schema floor (the oldest version that can use the database),
 * SHUTDOWN_DELAY and `Idempotency-Key`, respectively. If the version and the working tree have the same lock file, the
 * build uses the node_modules of the working tree.
 */
export async function buildVersion(version) {
  const commit = git('rev-parse', '--short', version);
  const root = folder(`version-${commit}`);
  const unpack = run('sh', ['-c', `git archive ${commit} | tar -x -C ${root}`]);
  if ((await unpack.ended) !== 0) throw new Error(`${version} cannot be unpacked`);
  const hasSameLockFile =
    readFileSync(join(root, 'package-lock.json'), 'utf8') === readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  if (hasSameLockFile) symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  else if ((await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root }).ended) !== 0)
    throw new Error(`npm ci of ${version} failed`);
  if ((await run(process.execPath, ['scripts/build.mjs'], { cwd: root }).ended) !== 0)
    throw new Error(`the build of ${version} failed`);
  const migrations = readdirSync(join(root, 'migrations'));
  return {
    root,
    commit,
    knowsFloor: migrations.some((file) => file.includes('schema-floor')),
    knowsDelay: readFileSync(join(root, 'libs/platform/config/settings.ts'), 'utf8').includes('shutdownDelay'),
    knowsKeys: existsSync(join(root, 'libs/platform/retries')),
    migrations: migrations.filter((file) => /^\d{4}-.*\.ts$/.test(file)).map((file) => file.slice(0, -3)),
  };
}
