/**
 * `npm run mutants` applies the seeded faults of test/mutants/*.json one by one, in memory only, and runs the tests
 * that should detect each fault. It prints the result for each fault, and at the end the faults that no test detected.
 * `npm run mutants -- credits time` selects areas; `-- credits#3` selects one fault. `--check` only verifies that each
 * fault can be applied, and is part of `npm run check`; when code is moved or changed, the faults must be changed too.
 * `--names FILE` only verifies that the tests of each fault exist; FILE contains the results of a test run
 * (`jest --json`).
 *
 * An entry is { id, rule, file, find, replace, tests }: `find` occurs exactly once in `file`, and `tests` are jest's
 * arguments.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

const require = createRequire(import.meta.url);
const ROOT = join(import.meta.dirname, '..');
const LIST = join(ROOT, 'test', 'mutants');
const CONCURRENCY = 2;
/** A fault counts as detected if its tests hang for this many milliseconds. */
const TIMEOUT_MS = 240_000;
const RESULTS = { green: 'SURVIVES', red: 'caught', silent: 'caught (no answer)', killed: 'UNKNOWN (killed)' };

const { values: options, positionals: selected } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' }, names: { type: 'string' } },
});
const mutants = readdirSync(LIST)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => {
    const area = basename(name, '.json');
    return JSON.parse(readFileSync(join(LIST, name), 'utf8')).map((mutant) => ({
      ...mutant,
      area,
      id: `${area}#${mutant.id}`,
    }));
  })
  .filter(({ id, area }) => selected.length === 0 || selected.includes(area) || selected.includes(id));

const wrong = mutants.filter(({ file, find, replace }) => find === replace || read(file).split(find).length !== 2);
for (const { id, file } of wrong)
  console.error(`${id}: "find" must occur exactly once in ${file} and differ from "replace"`);
const duplicateIds = mutants.map(({ id }) => id).filter((id, i, all) => all.indexOf(id) !== i);
for (const id of duplicateIds) console.error(`${id}: two faults have this id`);
if (wrong.length + duplicateIds.length > 0 || mutants.length === 0) {
  if (mutants.length === 0) console.error('No seeded fault has one of these names.');
  process.exit(1);
}
if (options.check) {
  console.log(`${mutants.length} seeded faults can be applied.`);
  process.exit(0);
}
if (options.names !== undefined) {
  const { testResults } = JSON.parse(readFileSync(options.names, 'utf8'));
  const withoutTest = mutants.filter(({ tests }) => !selectsTest(tests, testResults));
  for (const { id, tests } of withoutTest) console.error(`${id}: there is no such test: ${tests.join(' ')}`);
  process.exit(withoutTest.length === 0 ? 0 : 1);
}

require('../libs/testing/register-typescript.cjs');
const { openTestCluster, ADMIN_URL, TEMPLATE } = require('../libs/testing/test-cluster.ts');
const cluster = await openTestCluster();
const environment = {
  ...process.env,
  [ADMIN_URL]: '',
  TEST_DATABASE_URL: cluster.adminUrl,
  [TEMPLATE]: cluster.template,
  FORCE_COLOR: '0',
};
const notCaught = [];
const timings = [];
try {
  // The tests must pass without a fault. A test that always fails would seem to detect every fault.
  const selections = [...new Set(mutants.map(({ tests }) => JSON.stringify(tests)))].map((text) => JSON.parse(text));
  const red = [];
  await inParallel(selections, async (tests) => {
    const { outcome, ran } = await jest(tests, {});
    if (outcome !== 'green') red.push(`${tests.join(' ')}: ${outcome} without any fault`);
    else if (!ran) red.push(`${tests.join(' ')}: there is no such test`);
  });
  if (red.length > 0) throw new Error(red.join('\n'));

  await inParallel(mutants, async (mutant) => {
    const began = performance.now();
    const { file, find, replace } = mutant;
    const template = file.startsWith('migrations/') || file.endsWith('.sql') ? { [TEMPLATE]: '' } : {};
    const { outcome } = await jest(mutant.tests, { ...template, TEST_MUTANT: JSON.stringify({ file, find, replace }) });
    timings.push(performance.now() - began);
    if (outcome === 'green' || outcome === 'killed') notCaught.push({ ...mutant, outcome });
    console.log(`${RESULTS[outcome]}  ${mutant.id}  ${mutant.rule}`);
  });
  const caught = mutants.length - notCaught.length;
  const minutes = timings.reduce((sum, ms) => sum + ms, 0) / 60_000 / CONCURRENCY;
  console.log(
    `\n${caught} of ${mutants.length} caught (${((100 * caught) / mutants.length).toFixed(1)} %), about ${minutes.toFixed(1)} minutes.`,
  );
  for (const { id, rule, file, find, replace, outcome } of notCaught)
    console.log(`${RESULTS[outcome]}: ${id} ${rule}\n  ${file}\n  - ${find}\n  + ${replace}`);
} finally {
  await cluster.close();
}
process.exitCode = notCaught.length === 0 ? 0 : 1;

function read(file) {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Whether jest's arguments `tests` select at least one of the tests in `testResults`, by path and name. */
function selectsTest(tests, testResults) {
  const { values, positionals } = parseArgs({
    args: tests,
    allowPositionals: true,
    options: { testNamePattern: { type: 'string', short: 't' } },
  });
  const name = new RegExp(values.testNamePattern ?? '', 'i');
  return testResults
    .filter((file) => positionals.some((path) => relative(ROOT, file.name).includes(path)))
    .some((file) => file.assertionResults.some(({ fullName }) => name.test(fullName)));
}

async function inParallel(items, work) {
  const remaining = [...items];
  const worker = async () => {
    for (let item = remaining.shift(); item !== undefined; item = remaining.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/**
 * Runs jest once. Returns {outcome, ran}. `outcome`: `green` if jest reported no failure, `red` if it reported one,
 * `silent` if this script killed the run because the run hung, and `killed` if the run was killed for another reason,
 * such as lack of memory; whether the tests detect the fault is then unknown. `ran`: whether at least one test passed.
 */
function jest(tests, variables) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [require.resolve('jest/bin/jest'), '--runInBand', '--bail', ...tests], {
      cwd: ROOT,
      env: { ...environment, ...variables },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    let output = '';
    child.stderr.on('data', (chunk) => (output += chunk));
    let hung = false;
    const timer = setTimeout(() => {
      hung = true;
      process.kill(-child.pid, 'SIGKILL');
    }, TIMEOUT_MS);
    child.on('error', reject);
    child.on('exit', (code) => {
      clearTimeout(timer);
      const unanswered = hung ? 'silent' : 'killed';
      resolve({ outcome: code === 0 ? 'green' : code === null ? unanswered : 'red', ran: / passed/.test(output) });
    });
  });
}
