/**
 * `npm run words` (part of `npm run check`): finds unclear expressions in Markdown and in comments. The lists `HABITS`,
 * `MARKDOWN_HABITS` and `DOCSTRING_HABITS` contain these expressions. If the command line names files, only these files
 * are checked. Code blocks, code in backticks and string literals are not checked.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/**
 * Files with code that are not checked: migrations, whose code is never changed, and the test of this check, which
 * contains unclear expressions.
 */
const NOT_CHECKED = ['migrations/', 'test/operations/words.spec.ts'];

/** Expressions that must not be used, each with advice for a better text. */
const HABITS = [
  [/\bwho(?:m)?ever\b/i, 'name the subject: the request, the client, the account'],
  [/\banew\b/i, 'write "again"'],
  [/\b(?:tell|tells|told)\b/i, 'write notify, return, show or report'],
  [/\b(?:of|to|for|by) one(?:'|’)s own\b/i, 'name the owner'],
  [/\bnobody but\b/i, 'write "only"'],
];
/** Expressions that are only checked in Markdown. */
const MARKDOWN_HABITS = [
  [/\bsaid\b/i, 'write specified, returned or described'],
  [/\b(?:for|to|by|of|from|with) who\b/i, 'name the person: "for a reader who …"'],
  [/\bstands? (?:in|under|below|above|beside|behind|here|there|alone|before)\b/i, 'write "is"'],
  [/\bunless told\b/i, 'write "by default"'],
];
/**
 * Beginnings of docstrings that must not be used. Files with descriptions of the API (DESCRIPTIONS) are not checked.
 */
const DOCSTRING_HABITS = [
  [
    /^(?!(?:null|true|false|undefined|hashid|bigint|jsonb)\b)[a-z]+(?=[ ,.:;]|$)/,
    'begin the docstring with a capital letter',
  ],
  [/^(?:What|Who|Whose)\b/, 'begin the docstring with a noun or a verb'],
  [/^Whether .*\bstands?\b/, 'write "Whether … is"'],
];
/** Files whose docstrings are descriptions in docs/openapi.json. */
const DESCRIPTIONS = /\.(?:resource|dto)\.ts$/;

/** Returns the faults in a text: `{ line, found, advice }`. The kind of text follows from the file name extension. */
export function faultsOf(name, text) {
  const isMarkdown = name.endsWith('.md');
  const faults = [];
  const addFaults = (line, prose, habits) => {
    for (const [habit, advice] of habits) {
      const found = habit.exec(prose)?.[0];
      if (found !== undefined) faults.push({ line, found, advice });
    }
  };
  let [isCode, isDocstringStart] = [false, false];
  for (const [i, line] of text.split('\n').entries()) {
    if (isMarkdown) {
      if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
      else if (!isCode) addFaults(i + 1, withoutCode(line), [...HABITS, ...MARKDOWN_HABITS]);
      continue;
    }
    const [, marker, comment] = /(?:^\s*|[;{,)] )(\/\*\*?|\*(?!\/)|\/\/|--)(?:\s+(.*?))?(?:\*\/)?\s*$/.exec(line) ?? [];
    if (marker === undefined) continue;
    const prose = withoutCode(comment ?? '');
    addFaults(i + 1, prose, HABITS);
    if (!DESCRIPTIONS.test(name) && (marker === '/**' || (marker === '*' && isDocstringStart)))
      addFaults(i + 1, prose, DOCSTRING_HABITS);
    isDocstringStart = marker === '/**' && prose.trim() === '';
  }
  return faults;
}

/**
 * Returns the line without addresses and targets of links. Code in backticks becomes the word `X`, so that the sentence
 * stays complete.
 */
function withoutCode(line) {
  return line.replace(/`[^`]*`/g, 'X').replace(/\]\([^)]*\)|https?:\/\/\S+/g, ']');
}

function check(named) {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const files = named.length > 0 ? named : listed.split('\n').filter((file) => isChecked(file));
  const lines = files.flatMap((file) =>
    faultsOf(file, readFileSync(join(ROOT, file), 'utf8')).map(
      ({ line, found, advice }) => `${file}:${line}: "${found}": ${advice}`,
    ),
  );
  for (const line of [...new Set(lines)]) console.error(line);
  if (lines.length > 0) process.exitCode = 1;
  else console.log(`${files.length} files contain none of the listed expressions.`);
}

function isChecked(file) {
  if (file === 'docs/rules/COVERAGE.md') return false;
  return (
    file.endsWith('.md') ||
    (/\.(?:ts|mjs|cjs|js|sql)$/.test(file) && !NOT_CHECKED.some((path) => file.startsWith(path)))
  );
}

if (process.argv[1] === import.meta.filename) check(process.argv.slice(2));
