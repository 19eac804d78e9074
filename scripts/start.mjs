// `start.mjs server`, `start.mjs cli …` or `start.mjs sandbox`: builds the project if necessary, then runs the app in
// this process, so that signals reach the app.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';

const [app, ...rest] = process.argv.slice(2);

if (!['server', 'cli', 'sandbox'].includes(app)) {
  console.error('Usage: start.mjs server | start.mjs cli COMMAND | start.mjs sandbox [--limits]');
  process.exit(1);
}
try {
  await ensureBuilt();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const main = join(import.meta.dirname, '../dist/apps', app === 'sandbox' ? 'server/sandbox' : app, 'main.js');
process.argv = [process.execPath, main, ...rest];
await import(pathToFileURL(main).href);
