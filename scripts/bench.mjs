// `npm run bench -- NAME …`: runs bench/NAME.mjs on an up-to-date build. Without a name, it runs bench/discover.mjs,
// which compares the service with its baselines. With an unknown name, it lists the benchmarks and ends with status 1.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';

const FOLDER = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../bench');
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -4))
  .sort();
const args = process.argv.slice(2);
const [name, ...rest] = !args[0] || args[0].startsWith('-') ? ['discover', ...args] : args;

if (!names.includes(name)) {
  console.error(`Usage: npm run bench -- ${names.join(' | ')}`);
  process.exit(1);
}
await ensureBuilt();
process.argv = [process.execPath, join(FOLDER, `${name}.mjs`), ...rest];
await import(pathToFileURL(process.argv[1]).href);
