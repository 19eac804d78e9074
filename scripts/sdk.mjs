// `npm run sdk`: the SDK of libs/sdk as the package that is published; prints the path of its tarball.
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packed, ROOT } from './packing.mjs';
import { generateSdk } from './sdk-generate.mjs';

const SOURCE = join(ROOT, 'libs/sdk');
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc');

await generateSdk();
console.log(await packed(SOURCE, (folder) => {
  execFileSync(process.execPath, [TSC, '-p', SOURCE, '--outDir', join(folder, 'dist')], { stdio: ['ignore', 2, 2] });
  cpSync(join(SOURCE, 'README.md'), join(folder, 'README.md'));
}));
