// Compares the rules of docs/rules with the tests that cite them, and prints the faults: a file cites an unknown rule,
// two rules have the same id, two pages have the same prefix, a title or a rule does not have the required form, or a
// rule is not cited by any test. With `--check` the exit code is 1 if there is a fault. `--write` writes
// docs/rules/COVERAGE.md, which is not committed. `--root DIR` reads another checkout.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';

const args = process.argv.slice(2);
const ROOT = resolve(args.includes('--root') ? args[args.indexOf('--root') + 1] : join(import.meta.dirname, '..'));
const PAGES = join(ROOT, 'docs/rules');
const COVERAGE = join(PAGES, 'COVERAGE.md');
const SEARCHED_PATHS = [
  'apps',
  'bench',
  'docs',
  'libs',
  'migrations',
  'rehearse',
  'scripts',
  'test',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
];
/** Matches the names of the searched files. */
const TEXTS = /\.(ts|mjs|js|sql|html|md)$/;

const TITLE = /^# (.+) \(([A-Z]{2,6})\)$/m;
const RULE = /^- \*\*([A-Z]{2,6}-\d+)\*\* /;
const ID = /\b([A-Z]{2,6})-(\d+)\b/g;
const COMMENT = /(?:^\s*(?:\/\/|\/\*|\*)|[;{,)] \/\/ ).*/;
/** Prefixes of standards. A name such as `SHA-256` looks like the id of a rule. */
const STANDARDS = new Set(['AES', 'CVE', 'ISO', 'PDF', 'RFC', 'SHA', 'UTF']);

const faults = [];
const pages = readPages();
const rules = new Map(pages.flatMap((page) => page.rules.map((rule) => [rule.id, rule])));
const prefixes = new Set(pages.map((page) => page.prefix));
const citations = readCitations();

for (const id of rules.keys()) {
  if (!citations.has(id)) faults.push(`${rules.get(id).where}: no test cites ${id}.`);
}
if (args.includes('--write')) writeFileSync(COVERAGE, coverage());

for (const fault of faults) console.error(fault);
if (faults.length === 0) console.log(`${rules.size} rules, each cited by a test.`);
else if (args.includes('--check')) process.exitCode = 1;

/** Returns the pages with their rules. The pages in the README's table come first, in the order of the table. */
function readPages() {
  const readme = readFileSync(join(PAGES, 'README.md'), 'utf8');
  const positionOf = (name) => (readme.includes(`(${name})`) ? readme.indexOf(`(${name})`) : Infinity);
  const names = readdirSync(PAGES).filter(
    (name) => name.endsWith('.md') && !['README.md', 'COVERAGE.md'].includes(name),
  );
  const found = names.sort((a, b) => positionOf(a) - positionOf(b) || a.localeCompare(b)).map(readPage);
  const seen = new Map();
  for (const { id, where } of found.flatMap((each) => each.rules)) {
    if (seen.has(id)) faults.push(`${where}: ${id} is used already, in ${seen.get(id)}.`);
    seen.set(id, where);
  }
  const owners = new Map();
  for (const { prefix, name } of found) {
    if (owners.has(prefix)) faults.push(`docs/rules/${name}: the prefix ${prefix} belongs to ${owners.get(prefix)}.`);
    owners.set(prefix, name);
  }
  return found;
}

function readPage(name) {
  const text = readFileSync(join(PAGES, name), 'utf8');
  const [, title, prefix] = TITLE.exec(text) ?? [null, name, ''];
  if (prefix === '')
    faults.push(`docs/rules/${name}: the title must end with the prefix of its rules, like "# Events (EVT)".`);
  const rules = [];
  for (const [line, content] of text.split('\n').entries()) {
    const where = `docs/rules/${name}:${line + 1}`;
    const id = RULE.exec(content)?.[1];
    if (id === undefined) {
      if (/^- /.test(content)) faults.push(`${where}: a rule begins with its id, like "- **${prefix || 'EVT'}-1** …".`);
      continue;
    }
    if (!id.startsWith(`${prefix}-`)) faults.push(`${where}: ${id} does not have the page's prefix ${prefix}.`);
    rules.push({ id, where });
  }
  return { name, title, prefix, rules };
}

/**
 * Maps each cited rule to the spec files that cite it. A citation of a rule that no page contains is a fault. Outside
 * comments, an id with an unknown prefix is not a citation.
 */
function readCitations() {
  const found = new Map();
  for (const file of SEARCHED_PATHS.flatMap((name) => filesOf(join(ROOT, name)))) {
    const path = relative(ROOT, file);
    const isTest = path.endsWith('.spec.ts');
    for (const [line, content] of readFileSync(file, 'utf8').split('\n').entries()) {
      if (!content.includes('-')) continue;
      const comment = path.endsWith('.md') ? content : (COMMENT.exec(content)?.[0] ?? '');
      for (const [id, prefix] of content.matchAll(ID)) {
        if (prefixes.has(prefix) ? !rules.has(id) : comment.includes(id) && !STANDARDS.has(prefix)) {
          faults.push(`${path}:${line + 1}: there is no rule ${id}.`);
        } else if (isTest && rules.has(id)) found.set(id, (found.get(id) ?? new Set()).add(path));
      }
    }
  }
  return found;
}

function filesOf(path) {
  if (!existsSync(path)) return [];
  if (TEXTS.test(path)) return path === COVERAGE || path === join(PAGES, 'README.md') ? [] : [path];
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter(
        (entry) =>
          entry.name !== 'node_modules' &&
          !entry.name.startsWith('.') &&
          (entry.isDirectory() || TEXTS.test(entry.name)),
      )
      .flatMap((entry) => filesOf(join(path, entry.name)));
  } catch (error) {
    if (error.code === 'ENOTDIR') return [];
    throw error;
  }
}

function coverage() {
  const link = (path) => `[${basename(path, '.spec.ts')}](${relative(PAGES, join(ROOT, path))})`;
  const lines = ['# Which test proves which rule', '', 'Written by `npm run rules`; not by hand.'];
  for (const { name, title, rules } of pages) {
    lines.push('', `## [${title}](${name})`, '');
    for (const { id } of rules)
      lines.push(`- ${id}: ${[...(citations.get(id) ?? [])].sort().map(link).join(', ') || 'none'}`);
  }
  return `${lines.join('\n')}\n`;
}
