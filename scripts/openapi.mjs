// Creates the OpenAPI document of the current code. With `--write`, stores it as docs/openapi.json. Otherwise, fails if
// this file is out of date.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ensureBuilt } from './build.mjs';

const ROOT = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const FILE = resolve(ROOT, 'docs/openapi.json');

await ensureBuilt();
const document = execFileSync(process.execPath, [resolve(ROOT, 'dist/apps/server/openapi.js')], {
  encoding: 'utf8',
  maxBuffer: 32 * 1024 * 1024,
});
if (process.argv.includes('--write')) writeFileSync(FILE, document);
else if (readFileSync(FILE, 'utf8') !== document) {
  console.error('docs/openapi.json is out of date: run npm run openapi, and read the difference.');
  process.exitCode = 1;
}
