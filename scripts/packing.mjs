import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

/** Packs a package of libs/ into `.cache/packages`, with what `fill` puts into its folder. → the tarball's path */
export async function packed(source, fill) {
  const out = join(ROOT, '.cache/packages');
  // Of this process alone until it is whole: several may pack at once.
  const work = join(out, `work-${process.pid}`);
  const folder = join(work, 'package');
  mkdirSync(folder, { recursive: true });
  try {
    await fill(folder);
    // One version for the service, its document, and the packages that are made from it.
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')), version }, null, 2)}\n`);
    const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', work], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    renameSync(join(work, filename), join(out, filename));
    return join(out, filename);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
