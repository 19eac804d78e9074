// `npm run bench -- NAME …` and `npm run rehearse -- NAME …` run bench/NAME.mjs and rehearse/NAME.mjs on an up-to-date
// build (docs/operating/rehearsals.md). `npm run bench` without a name compares the service with its baselines
// (bench/discover.mjs). `npm run rehearse` without a name lists the rehearsals. With an unknown name, the program lists
// the names and ends with status 1. With `--help` or a wrong option, the program does not run the benchmark or the
// rehearsal, but prints the comment at the beginning of its file.
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
if (kind === 'bench') {
  const comment = commentOf(name);
  if (rest.includes('--help')) {
    console.log(comment);
    process.exit(0);
  }
  // The comment lists all options of a benchmark. Some benchmarks have none.
  const options = comment.match(/--[a-z-]*[a-z]/g) ?? [];
  const wrong = rest.find((one) =>
    one.startsWith('-') ? !options.includes(one.split('=', 1)[0]) : options.length === 0,
  );
  if (wrong) refuse(`Unknown option '${wrong}'`);
}
await ensureBuilt();
process.argv = [process.execPath, join(FOLDER, `${name}.mjs`), ...rest];
try {
  await import(pathToFileURL(process.argv[1]).href);
} catch (error) {
  if (!String(error?.code).startsWith('ERR_PARSE_ARGS_')) throw error;
  refuse(error.message);
}

function refuse(reason) {
  console.error(`npm run ${kind} -- ${name}: ${reason}\n\n${commentOf(name)}`);
  process.exit(1);
}

/** The first sentence of the comment at the beginning of the program. */
function descriptionOf(program) {
  return /^.*?\.(?=\s|$)/.exec(commentOf(program).replaceAll('\n', ' '))[0];
}

/** The comment at the beginning of the program, without the slashes. */
function commentOf(program) {
  const [comment] = /^(?:\/\/.*\n)+/.exec(readFileSync(join(FOLDER, `${program}.mjs`), 'utf8'));
  return comment.replace(/^\/\/ /gm, '').trimEnd();
}
