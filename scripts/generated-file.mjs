import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/**
 * Writes a generated file if the program runs with `--write`. Otherwise, if the stored file has another content or is
 * missing, prints that `command` (such as `npm run schema`) must run, and sets the exit code to 1. Returns whether the
 * file is current.
 */
export function writeOrCompare(path, content, command) {
  if (process.argv.includes('--write')) writeFileSync(path, content);
  else if (storedText(path) !== content) {
    console.error(`${relative(ROOT, path)} is out of date: run ${command}, and review the change with \`git diff\`.`);
    process.exitCode = 1;
    return false;
  }
  return true;
}

function storedText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
