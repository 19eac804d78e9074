// Finds the tables that an SQL text reads or writes. tables.mjs (owners of tables) and distribution.mjs (distribution
// keys) import this module.

/** The text that replaces `${…}` before SQL is parsed. No table has this name. */
export const PLACEHOLDER = '$_';
/** Matches a text that contains SQL. */
export const SQL =
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|TRUNCATE|MERGE INTO|FROM|JOIN)\b|^\s*(select|insert into|update|delete from|truncate|merge into|with)\s/;
/** Keywords after which a comma no longer separates tables. */
const ENDS_FROM = new Set([
  'where',
  'group',
  'order',
  'limit',
  'offset',
  'select',
  'set',
  'returning',
  'union',
  'except',
  'intersect',
  'having',
  'for',
  'window',
  'values',
]);

/** Keywords that can follow a table and are not its alias. */
const NO_ALIAS = new Set([
  ...ENDS_FROM,
  'on',
  'join',
  'left',
  'right',
  'inner',
  'cross',
  'full',
  'using',
  'natural',
  'as',
  'tablesample',
  'default',
]);

/**
 * Returns `{table, access, alias}` for each use of a table in an SQL text. `known`: the set of table names to look for.
 * `access`: `reads` or `writes`. `alias`: the name of the table if the SQL gives it no alias.
 */
export function tablesIn(sql, known) {
  const bare = sql
    .replace(/--[^\n]*/g, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''");
  const tokens = bare.match(/[A-Za-z_$][\w$]*|"[^"]+"|''|[(),;.]|[^\s\w]/g) ?? [];
  const word = (at) => (tokens[at] ?? '').replaceAll('"', '').toLowerCase();
  const cteNames = new Set(
    [
      ...bare.matchAll(
        /(?:\bWITH\s+(?:RECURSIVE\s+)?|[,\s])(\w+)(?:\s*\([\w\s,]*\))?\s+AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(/gi,
      ),
    ].map(([, name]) => name.toLowerCase()),
  );
  const found = [];
  const addTable = (at, access) => {
    let position = at;
    while (['only', 'lateral', 'table', '('].includes(word(position))) position += 1;
    if (word(position + 1) === '.') position += 2;
    const table = word(position);
    if (!known.has(table) || cteNames.has(table)) return;
    if (word(position + 1) === 'as') position += 1;
    const next = word(position + 1);
    found.push({ table, access, alias: /^[a-z_]\w*$/.test(next) && !NO_ALIAS.has(next) ? next : table });
  };
  const inFrom = [];
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = word(at);
    if (token === '(') inFrom[++depth] = false;
    else if (token === ')') depth = Math.max(0, depth - 1);
    else if (token === ',' && inFrom[depth]) addTable(at + 1, 'reads');
    else if (ENDS_FROM.has(token)) inFrom[depth] = false;
    else if (token === 'into') addTable(at + 1, 'writes');
    else if (token === 'truncate') addTable(at + 1, 'writes');
    else if (token === 'update' && !['for', 'key', 'do', 'on', 'then'].includes(word(at - 1)))
      addTable(at + 1, 'writes');
    else if (token === 'from' && word(at - 1) === 'delete') addTable(at + 1, 'writes');
    else if ((token === 'from' && word(at - 1) !== 'distinct') || token === 'using') {
      inFrom[depth] = true;
      addTable(at + 1, 'reads');
    } else if (token === 'join') addTable(at + 1, 'reads');
  }
  return found;
}
