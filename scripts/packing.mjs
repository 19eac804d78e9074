import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '..');

const PACKAGES = join(ROOT, '.cache/packages');

/**
 * Packs the files that `fill` writes to a new folder, together with the package.json of `source` (a folder of libs/).
 * Stores the tarball in `.cache/packages`, or in the folder `out` if it is given. Returns the tarball's path.
 */
export async function packPackage(source, fill, out) {
  // Several processes may pack at the same time, so each process packs in a folder of its own. Only the complete
  // tarball leaves this folder.
  const work = join(PACKAGES, `work-${process.pid}`);
  const folder = join(work, 'package');
  mkdirSync(folder, { recursive: true });
  try {
    await fill(folder);
    // The service, the OpenAPI document and the packages have the same version.
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    writeFileSync(
      join(folder, 'package.json'),
      `${JSON.stringify({ ...JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')), version }, null, 2)}\n`,
    );
    const [{ filename }] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--pack-destination', work], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
    if (out) cpSync(join(work, filename), join(out, filename));
    else renameSync(join(work, filename), join(PACKAGES, filename));
    return join(out || PACKAGES, filename);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
