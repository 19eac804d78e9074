// The reference's scripts as they are served: those of @scalar/api-reference that can be reached, compressed, in .cache/reference/DIGEST/.
// Made once for each version; the build takes them along.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const SOURCE = join(ROOT, 'node_modules/@scalar/api-reference/dist/browser');
const ENTRY = 'standalone.esm.js';
const CACHE = join(ROOT, '.cache/reference');
/** Every way in which one script names another: `from"./x.js"`, `import("./x.js")`, `import"./x.js"`. */
const NAMED = /(?:from|import)\s*\(?\s*["'`](\.{1,2}\/[^"'`]+\.js)["'`]/g;

/** The folder that holds DIGEST/ with the scripts, each plain, .br and .gz; older ones are removed. */
export async function ensureReference() {
  const files = reachable();
  const hash = createHash('sha256');
  for (const [name, text] of files) hash.update(`${name}\0`).update(text).update('\0');
  const digest = hash.digest('hex').slice(0, 16);
  const target = join(CACHE, digest);
  if (!existsSync(target)) await compress(files, target);
  for (const other of readdirSync(CACHE)) if (other !== digest && !other.includes('.draft-')) rmSync(join(CACHE, other), { recursive: true, force: true });
  return CACHE;
}

/** Name and text of the entry and of all that it leads to, without the maps of their sources, which are not shipped. */
function reachable() {
  const found = new Map();
  const waiting = [ENTRY];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    const text = readFileSync(join(SOURCE, name), 'utf8').replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n');
    found.set(name, text);
    for (const [, other] of text.matchAll(NAMED)) {
      const path = relative(SOURCE, resolve(SOURCE, dirname(name), other));
      if (!path.startsWith('..') && existsSync(join(SOURCE, path))) waiting.push(path);
    }
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1));
}

async function compress(files, target) {
  const draft = `${target}.draft-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    for (const [name, text] of files) {
      const file = join(draft, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
      writeFileSync(`${file}.gz`, await promisify(gzip)(text, { level: 9 }));
    }
    renameSync(draft, target);
  } catch (error) {
    // Another process was faster: what it made is the same.
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) await ensureReference();
