// `npm run bench -- NAME …` and `npm run rehearse -- NAME …` run bench/NAME.mjs and rehearse/NAME.mjs on an up-to-date
// build (docs/operating/rehearsals.md). `npm run bench` without a name compares the service with its baselines
// (bench/discover.mjs). `npm run rehearse` without a name lists the rehearsals. With an unknown name, the program lists
// the names and ends with status 1.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';

const [kind, ...args] = process.argv.slice(2);
const FOLDER = join(import.meta.dirname, '..', kind);
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -4))
  .sort();
const isNamed = args[0] && !args[0].startsWith('-');
const [name, ...rest] = kind === 'bench' && !isNamed ? ['discover', ...args] : args;

if (!names.includes(name)) {
  for (const one of names) console.error(`npm run ${kind} -- ${one.padEnd(11)} ${descriptionOf(one)}`);
  process.exit(name ? 1 : 0);
}
await ensureBuilt();
process.argv = [process.execPath, join(FOLDER, `${name}.mjs`), ...rest];
await import(pathToFileURL(process.argv[1]).href);

/** The first sentence of the comment at the beginning of the program. */
function descriptionOf(program) {
  const [comment] = /^(?:\/\/.*\n)+/.exec(readFileSync(join(FOLDER, `${program}.mjs`), 'utf8'));
  return /^.*?\.(?=\s|$)/.exec(comment.replace(/^\/\/ /gm, '').replaceAll('\n', ' '))[0];
}
