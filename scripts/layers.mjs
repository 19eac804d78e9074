// `layers.mjs [ROOT]`: libs/layers.json lists the folders of the platform and the areas, from low to high. The boundary
// rules are derived from this list (.dependency-cruiser.cjs). This check fails if the list lacks a folder, if it
// contains a folder that does not exist, or if areas.module.ts or docs/ARCHITECTURE.md has another order.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

const layers = JSON.parse(read('libs/layers.json'));
const problems = [];

for (const [group, listed] of Object.entries(layers)) {
  const folders = readdirSync(join(ROOT, 'libs', group), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  for (const name of folders)
    if (!listed.includes(name))
      problems.push(`libs/${group}/${name} is not in libs/layers.json: add it after all folders that it imports`);
  for (const name of listed)
    if (!folders.includes(name))
      problems.push(`libs/layers.json lists ${name}, but there is no folder libs/${group}/${name}`);
}

/** The areas in the order of their modules in areas.module.ts: `second-step` for `SecondStepModule`. */
const modules = [
  ...(/const AREAS = \[([^\]]*)\]/.exec(read('libs/areas/areas.module.ts'))?.[1] ?? '').matchAll(/(\w+)Module\b/g),
].map(([, name]) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase());
compare('libs/areas/areas.module.ts', modules, layers.areas);

const page = read('docs/ARCHITECTURE.md');
compare('docs/ARCHITECTURE.md (platform)', listAfter('Inside `platform/`, low to high'), layers.platform);
compare('docs/ARCHITECTURE.md (areas)', listAfter('Areas, low to high'), layers.areas);

for (const line of problems) console.error(line);
if (problems.length > 0) process.exitCode = 1;
else
  console.log(
    `Layers: ${layers.platform.length} folders of platform, ${layers.areas.length} areas; the order is the same everywhere.`,
  );

/** Returns the names in the paragraph that begins with this text. The names are separated by `·`. */
function listAfter(beginning) {
  const paragraph = page.slice(page.indexOf(beginning) + beginning.length).split('\n\n')[0];
  return paragraph
    .slice(paragraph.indexOf(':') + 1)
    .split('·')
    .map((item) => /`([^`]+)`/.exec(item)?.[1] ?? item.trim());
}

function compare(where, found, listed) {
  if (found.join() === listed.join()) return;
  const at = listed.findIndex((name, i) => found[i] !== name);
  problems.push(
    `${where} has another order than libs/layers.json: ${found[at < 0 ? listed.length : at] ?? 'nothing'} where ${listed[at] ?? 'nothing'} is expected`,
  );
}
