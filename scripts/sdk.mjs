// `npm run sdk`: packs the SDK of libs/sdk for publication. Prints the path of the tarball.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { packPackage, ROOT } from './packing.mjs';
import { generateSdk } from './sdk-generate.mjs';

const SOURCE = join(ROOT, 'libs/sdk');
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc');

await generateSdk();
const fault = seededFault();
console.log(
  await packPackage(
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

/** The seeded fault of `npm run mutants` if the fault is in the SDK; otherwise null. */
function seededFault() {
  const fault = process.env.TEST_MUTANT ? JSON.parse(process.env.TEST_MUTANT) : null;
  return fault?.file.startsWith('libs/sdk/') ? fault : null;
}

/** Inserts the fault into a copy of the SDK's sources. Neither the sources nor the normal tarball contain the fault. */
function faultyCopy({ file, find, replace }, copy) {
  cpSync(SOURCE, copy, { recursive: true });
  const faulty = join(copy, relative('libs/sdk', file));
  writeFileSync(
    faulty,
    readFileSync(faulty, 'utf8').replace(find, () => replace),
  );
  return copy;
}
