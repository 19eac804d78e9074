// `npm run sdk`: the SDK of libs/sdk as the package that is published; prints the path of its tarball.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { packed, ROOT } from './packing.mjs';
import { generateSdk } from './sdk-generate.mjs';

const SOURCE = join(ROOT, 'libs/sdk');
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc');

await generateSdk();
const fault = seededFault();
console.log(
  await packed(
    SOURCE,
    (folder) => {
      const sources = fault ? faultyCopy(fault, join(folder, '..', 'sources')) : SOURCE;
      execFileSync(process.execPath, [TSC, '-p', sources, '--outDir', join(folder, 'dist')], {
        stdio: ['ignore', 2, 2],
      });
      cpSync(join(SOURCE, 'README.md'), join(folder, 'README.md'));
    },
    fault && mkdtempSync(join(tmpdir(), 'events-sdk-')),
  ),
);

/** That of `npm run mutants`, if it is one of the SDK's. */
function seededFault() {
  const fault = process.env.TEST_MUTANT ? JSON.parse(process.env.TEST_MUTANT) : null;
  return fault?.file.startsWith('libs/sdk/') ? fault : null;
}

/** The SDK's sources with the fault in them: neither they themselves nor the tarball that others use ever have it. */
function faultyCopy({ file, find, replace }, copy) {
  cpSync(SOURCE, copy, { recursive: true });
  const faulty = join(copy, relative('libs/sdk', file));
  writeFileSync(
    faulty,
    readFileSync(faulty, 'utf8').replace(find, () => replace),
  );
  return copy;
}
