// `npm run conformance`: packs the conformance kit of libs/conformance for publication. The package contains one
// program file, docs/openapi.json, the README and package.json. The script prints the path of the tarball.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packPackage, ROOT } from './packing.mjs';

const SOURCE = join(ROOT, 'libs/conformance');

console.log(
  await packPackage(SOURCE, async (folder) => {
    await build({
      entryPoints: [join(SOURCE, 'main.ts')],
      outfile: join(folder, 'events-conformance.js'),
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      banner: { js: '#!/usr/bin/env node' },
      logLevel: 'warning',
    });
    cpSync(join(ROOT, 'docs/openapi.json'), join(folder, 'openapi.json'));
    cpSync(join(SOURCE, 'README.md'), join(folder, 'README.md'));
  }),
);
