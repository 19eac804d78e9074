// `npm run sdk`: the SDK of libs/sdk as the package that is published, in `.cache/sdk`; prints the path of its tarball.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { generateSdk } from './sdk-generate.mjs';

const ROOT = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const SOURCE = join(ROOT, 'libs/sdk');
const OUT = join(ROOT, '.cache/sdk');
const require = createRequire(import.meta.url);

await generateSdk();
mkdirSync(OUT, { recursive: true });
// Of this process alone until it is whole: several may pack at once.
const work = join(OUT, `work-${process.pid}`);
try {
  const folder = join(work, 'package');
  execFileSync(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', SOURCE, '--outDir', join(folder, 'dist')], { stdio: ['ignore', 2, 2] });
  cpSync(join(SOURCE, 'README.md'), join(folder, 'README.md'));
  // One version for the service, its document and its SDK.
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8')), version }, null, 2)}\n`);
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', work], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  renameSync(join(work, filename), join(OUT, filename));
  console.log(join(OUT, filename));
} finally {
  rmSync(work, { recursive: true, force: true });
}
