/**
 * `npm run sql:check` (part of `npm run check`) checks that SQL statements contain no text from a request, a document
 * or an archive: such text must be a parameter (OPS-79). In a function, the substitutions in a template literal with
 * SQL may be numbers and constants (UPPER_CASE). Every other substitution must be listed in scripts/sql-texts.json with
 * its reason. Template literals outside functions are not checked, because they are evaluated when a module is loaded,
 * before any request.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..');
/** The beginning of a statement, or of a part of a statement after a substitution: `${SELECT} WHERE id = ${id}`. */
const SQL =
  /^\s*(\(?\s*SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|TRUNCATE|COPY|LOCK TABLE|SET|WITH|GRANT|NOTIFY|LISTEN|DO|VALUES|FROM|(LEFT )?JOIN|WHERE|AND|OR|ORDER BY|LIMIT|RETURNING|UNION)\b/;
const CONSTANT = /^[A-Z][A-Z0-9_]*(\.[a-zA-Z_]+)*$/;

function isSql({ head, templateSpans }) {
  return [head, ...templateSpans.map(({ literal }) => literal)].some(({ text }) => SQL.test(text));
}

/** Returns the substitutions in SQL that are neither constants nor numbers: `{ line, expression }`. */
export function substitutions(name, text) {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node, isInFunction) => {
    if (isInFunction && ts.isTemplateExpression(node) && isSql(node)) {
      for (const { expression } of node.templateSpans) {
        const written = expression.getText(source).replace(/\s+/g, ' ');
        if (!CONSTANT.test(written) && !ts.isNumericLiteral(expression))
          found.push({
            line: source.getLineAndCharacterOfPosition(expression.getStart(source)).line + 1,
            expression: written,
          });
      }
    }
    ts.forEachChild(node, (child) => visit(child, isInFunction || ts.isFunctionLike(node)));
  };
  visit(source, false);
  return found;
}

function check() {
  const allowed = JSON.parse(readFileSync(join(ROOT, 'scripts', 'sql-texts.json'), 'utf8'));
  const used = new Set();
  const lines = [];
  for (const folder of ['apps', 'libs/areas', 'libs/platform', 'libs/web']) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.ts$/.test(entry.name) || /\.(spec|d)\.ts$/.test(entry.name)) continue;
      const file = relative(ROOT, join(entry.parentPath, entry.name));
      for (const { line, expression } of substitutions(file, readFileSync(join(ROOT, file), 'utf8'))) {
        const key = allowed[file]?.expressions.includes(expression) ? `${file} ${expression}` : null;
        if (key) used.add(key);
        else
          lines.push(
            `${file}:${line}: \${${expression}} in SQL is not a constant: make it a parameter, or list it in scripts/sql-texts.json with its reason`,
          );
      }
    }
  }
  for (const [file, { expressions, reason }] of Object.entries(allowed)) {
    if (!reason) lines.push(`scripts/sql-texts.json: ${file} has no reason`);
    for (const expression of expressions)
      if (!used.has(`${file} ${expression}`))
        lines.push(`scripts/sql-texts.json: ${file} has no \${${expression}} any more`);
  }
  for (const line of lines) console.error(line);
  if (lines.length > 0) process.exit(1);
  console.log(`${used.size} substitutions in SQL are listed, and there are no others.`);
}

if (process.argv[1] === import.meta.filename) check();
