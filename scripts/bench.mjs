// `npm run bench -- NAME …`: runs bench/NAME.mjs on an up-to-date build. Without a name, or with an unknown name, it
// lists the names of the benches and ends with status 1.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';

const FOLDER = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../bench');
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -4))
  .sort();
const [name, ...rest] = process.argv.slice(2);

if (!name || !names.includes(name)) {
  console.error(`Usage: npm run bench -- ${names.join(' | ')}`);
  process.exit(1);
}
await ensureBuilt();
process.argv = [process.execPath, join(FOLDER, `${name}.mjs`), ...rest];
await import(pathToFileURL(process.argv[1]).href);
