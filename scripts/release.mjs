// `npm run release -- 0.2.0` prepares the release 0.2.0: it writes the OpenAPI document of the current code, sets the
// version, and moves the unreleased changes in the changelog under this version and today's date. A copy of the OpenAPI
// document is stored for later comparisons. The script only changes files. Read the diff, commit it, and tag the commit
// (CONTRIBUTING.md).
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './packing.mjs';

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/**
 * Returns the changelog with the unreleased changes under the given version and day, and with a new, empty section
 * "Unreleased". Throws unless the given changelog has exactly one section "Unreleased" and this section is not empty.
 */
export function datedChangelog(changelog, version, day) {
  const [head, rest, more] = changelog.split(/^## Unreleased\n/m);
  if (rest === undefined) throw new Error('CHANGELOG.md has no "## Unreleased"');
  if (more !== undefined) throw new Error('CHANGELOG.md has "## Unreleased" more than once');
  if (!/^- /m.test(rest.split(/^## /m)[0])) throw new Error('CHANGELOG.md has nothing under "## Unreleased"');
  return `${head}## Unreleased\n\n## ${version} – ${day}\n${rest}`;
}

/** Throws if `version` is not three numbers, or does not come after `last`. */
export function refuseUnlessLater(version, last) {
  const [newParts, lastParts] = [version, last].map((one) =>
    VERSION.exec(one ?? '')
      ?.slice(1)
      .map(Number),
  );
  if (!newParts) throw new Error(`a version is three numbers, such as 0.2.0; not ${version}`);
  const at = newParts.findIndex((part, i) => part !== lastParts[i]);
  if (at < 0 || newParts[at] < lastParts[at]) throw new Error(`${version} does not come after ${last}`);
}

if (process.argv[1] === import.meta.filename) {
  const [version] = process.argv.slice(2);
  const [manifest, lock, changelog, openapi] = [
    'package.json',
    'package-lock.json',
    'CHANGELOG.md',
    'docs/openapi.json',
  ].map((name) => join(ROOT, name));
  refuseUnlessLater(version, JSON.parse(readFileSync(manifest, 'utf8')).version);
  const log = datedChangelog(readFileSync(changelog, 'utf8'), version, new Date().toISOString().slice(0, 10));
  execFileSync(process.execPath, [join(ROOT, 'scripts/openapi.mjs'), '--write'], { stdio: 'inherit' });
  // If a change would break clients of the last release, this command prints the change, and the release stops here.
  execFileSync(process.execPath, [join(ROOT, 'scripts/openapi-changes.mjs')], { stdio: 'inherit' });
  // The version is replaced in the text of the files. `npm version` would also change the order of other fields.
  for (const file of [manifest, lock]) {
    const text = readFileSync(file, 'utf8');
    const ownFieldsEnd = text.indexOf('"dependencies"');
    const ownFields = text.slice(0, ownFieldsEnd).replace(/"version": "[^"]+"/g, `"version": "${version}"`);
    writeFileSync(file, ownFields + text.slice(ownFieldsEnd));
  }
  // The first version in the document is that of the service.
  writeFileSync(openapi, readFileSync(openapi, 'utf8').replace(/"version": "[^"]+"/, `"version": "${version}"`));
  // Only the document of this release is kept, because the next versions are compared with it.
  for (const name of readdirSync(join(ROOT, 'docs/releases'))) rmSync(join(ROOT, 'docs/releases', name));
  copyFileSync(openapi, join(ROOT, `docs/releases/${version}.json`));
  writeFileSync(changelog, log);
  console.log(
    `${version}: read \`git diff\`, then \`npm run check && npm test\`, commit, and \`git tag v${version}\`.`,
  );
}
