// Creates the OpenAPI document of the current code. With `--write`, stores the document as docs/openapi.json. Without
// `--write`, fails if docs/openapi.json differs from the document.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { writeOrCompare } from './generated-file.mjs';

const ROOT = join(import.meta.dirname, '..');

await ensureBuilt();
const document = execFileSync(process.execPath, [join(ROOT, 'dist/apps/server/openapi.js')], {
  encoding: 'utf8',
  maxBuffer: 32 * 1024 * 1024,
});
writeOrCompare(join(ROOT, 'docs/openapi.json'), document, 'npm run openapi');
