// Helpers of the rehearsals (`npm run rehearse`): they start programs and provide free ports and temporary folders.
// When a rehearsal ends in any way, its programs are stopped and its folders are removed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

export { freePort } from '../../scripts/free-port.mjs';

export const ROOT = resolve(import.meta.dirname, '../..');
/** Milliseconds after which `until` throws, unless the caller passes another time. */
const TIMEOUT_MS = 120_000;
/** The Debian package of each program. A program that is not in this list has a package with its own name. */
const PACKAGES = { cmp: 'diffutils', etcd: 'etcd-server', postgres: 'postgresql', setpriv: 'util-linux' };
/** Milliseconds after which `stop` kills (SIGKILL) a program that is still running. */
const STOP_TIMEOUT_MS = 20_000;

/**
 * Functions that stop programs and remove folders. When the rehearsal ends, the list becomes null, so that no program
 * can be started any more. Then the functions are called in reverse order.
 */
let cleanups = [];

/** The description of the fault that `--break` causes; null without `--break`. */
let brokenBy = null;

/**
 * Parses the options of a rehearsal: the options in `defaults`, `--break` and `--help`. An option whose default is a
 * number must have a whole number from 1. With `--break`, the rehearsal causes the fault that `fault` describes; a
 * correct rehearsal then fails. Returns the values; `isBroken` is true if `--break` was given. Ends the process after
 * `--help`, and if an option is wrong.
 */
export function options(name, defaults, fault) {
  const declared = Object.entries(defaults).map(([option, value]) => [
    option,
    typeof value === 'boolean'
      ? { type: 'boolean', default: value }
      : { type: 'string', ...(value && { default: String(value) }) },
  ]);
  const refuse = (reason) => {
    console.error(`npm run rehearse -- ${name}: ${reason}`);
    process.exit(1);
  };
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        ...Object.fromEntries(declared),
        break: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    refuse(error.message);
  }
  for (const option of Object.keys(defaults).filter((one) => typeof defaults[one] === 'number')) {
    if (!/^[1-9]\d{0,8}$/.test(values[option]))
      refuse(`--${option} must be a whole number from 1, with at most 9 digits, not "${values[option]}".`);
    values[option] = Number(values[option]);
  }
  if (values.help) {
    const known = Object.entries(defaults).map(
      ([option, value]) => ` [--${option}${value === false ? '' : ` ${value ?? '…'}`}]`,
    );
    console.log(`npm run rehearse -- ${name}${known.join('')} [--break]\n--break: ${fault}`);
    process.exit(0);
  }
  if (values.break) brokenBy = fault;
  return { ...values, isBroken: values.break };
}

export function atEnd(cleanup) {
  refuseAfterEnd();
  cleanups.push(cleanup);
}

function refuseAfterEnd() {
  if (cleanups === null) throw new Error('the rehearsal has ended');
}

/**
 * Runs `work` and prints its verdict as one line of JSON: `{rehearsal, passed, seconds, …figures}`, with `broken_by`
 * for `--break`. `passed` is true if the rehearsal has succeeded; the exit code is then 0. Everything that was started
 * is stopped, even if the user presses Ctrl-C or `maxMinutes` minutes have passed.
 */
export async function rehearse(name, { maxMinutes }, work) {
  const since = performance.now();
  const end = async (verdict) => {
    if (cleanups === null) return;
    const all = cleanups.reverse();
    cleanups = null;
    for (const cleanup of all) await Promise.resolve(cleanup()).catch((error) => console.error(error));
    console.log(
      JSON.stringify({
        rehearsal: name,
        ...(brokenBy && { broken_by: brokenBy }),
        ...verdict,
        seconds: Math.round((performance.now() - since) / 1000),
      }),
    );
    process.exit(verdict.passed ? 0 : 1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => void end({ passed: false, reason: signal }));
  setTimeout(
    () => void end({ passed: false, reason: `not finished after ${maxMinutes} minutes` }),
    maxMinutes * 60_000,
  ).unref();
  try {
    await end(await work());
  } catch (error) {
    console.error(error);
    await end({ passed: false, reason: String(error?.message ?? error) });
  }
}

/** Throws if programs are missing. The message contains the names of their Debian packages. */
export function need(...programs) {
  const missing = programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);
  if (missing.length === 0) return;
  const packages = missing.map((program) => PACKAGES[basename(program)] ?? program);
  throw new Error(`${missing.join(', ')} missing: apt-get install ${packages.join(' ')}`);
}

export function folder(prefix) {
  const path = mkdtempSync(join(tmpdir(), `rehearse-${prefix}-`));
  atEnd(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/**
 * Starts a program. Returns {child, ended, stop(signal), isOver(), output()}. `ended` resolves to the exit code, to the
 * signal that ended the program, or, if the program could not be started, to the error message.
 */
export function run(program, args, { env = {}, cwd = ROOT, stdin, quiet = false } = {}) {
  refuseAfterEnd();
  const { PATH, HOME } = process.env;
  const child = spawn(program, args, {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', quiet ? 'ignore' : 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (part) => (output += part));
  if (stdin !== undefined) child.stdin.end(stdin);
  const ended = new Promise((done) => {
    child.on('error', (error) => done(error.message));
    child.on('close', (code, signal) => done(code ?? signal));
  });
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const stop = async (signal = 'SIGTERM') => {
    if (hasEnded) return ended;
    child.kill(signal);
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    const how = await ended;
    clearTimeout(kill);
    return how;
  };
  atEnd(() => stop());
  return { child, ended, stop, isOver: () => hasEnded, output: () => output };
}

/** Polls until `isTrue` returns true. Throws after `timeoutMs`. `what` names the condition in the error message. */
export async function until(what, isTrue, timeoutMs = TIMEOUT_MS) {
  const since = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - since > timeoutMs) throw new Error(`${what}: not within ${timeoutMs / 1000} seconds`);
    await pause(50);
  }
}

export async function statusOf(url, headers = {}) {
  return fetch(url, { headers }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => null,
  );
}
