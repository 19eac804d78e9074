// `npm run rehearse -- NAME …` runs rehearse/NAME.mjs on an up-to-date build. Without a name, or with an unknown name,
// this program lists the rehearsals (docs/operating/rehearsals.md).
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';

const FOLDER = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../rehearse');
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -4))
  .sort();
const [name, ...rest] = process.argv.slice(2);

if (!name || !names.includes(name)) {
  // The first line of each file describes the rehearsal.
  for (const one of names)
    console.error(
      `npm run rehearse -- ${one.padEnd(8)} ${readFileSync(join(FOLDER, `${one}.mjs`), 'utf8')
        .split('\n', 1)[0]
        .replace(/^\/\/ /, '')}`,
    );
  process.exit(name ? 1 : 0);
}
await ensureBuilt();
process.argv = [process.execPath, join(FOLDER, `${name}.mjs`), ...rest];
await import(pathToFileURL(process.argv[1]).href);
