import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const CHECK = join(__dirname, '../../scripts/tables.mjs');

/** Runs the check on a project that consists of `files`, or on this repository if `files` is not given. */
async function check(files?: Record<string, string>): Promise<{ passes: boolean; findings: string[] }> {
  const root = mkdtempSync(join(tmpdir(), 'tables-'));
  try {
    for (const folder of ['libs', 'apps']) mkdirSync(join(root, folder));
    for (const [path, text] of Object.entries(files ?? {})) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return await new Promise((done) => {
      execFile(process.execPath, [CHECK, ...(files ? [root] : [])], (error, _out, errors) =>
        done({ passes: error === null, findings: errors.split('\n').filter((line) => line.includes('.ts:')) }),
      );
    });
  } finally {
    rmSync(root, { recursive: true });
  }
}

const POSTS = 'libs/areas/posts/planted.ts';
const statementWith = (sql: string): string => `const PLANTED = statement('planted', \`${sql}\`);`;

describe('the check of table owners', () => {
  it('passes for this repository', async () => {
    expect(await check()).toEqual({ passes: true, findings: [] });
  });

  it('reports access to tables of other areas', async () => {
    const planted = [
      ['UPDATE events SET title = $1', 'writes events'],
      ['WITH changed AS (UPDATE events SET title = $1 RETURNING id) SELECT id FROM changed', 'writes events'],
      ['INSERT INTO group_members (group_id) VALUES ($1)', 'writes group_members'],
      ['DELETE FROM comments WHERE id = $1', 'writes comments'],
      ['TRUNCATE tickets', 'writes tickets'],
      ['insert into expenses (title) select title from posts', 'writes expenses'],
      ['SELECT id FROM expenses', 'reads expenses'],
      ['SELECT p.id FROM posts p JOIN "expenses" ON true', 'reads expenses'],
      ['SELECT p.id FROM posts p, expenses q', 'reads expenses'],
      ['DELETE FROM posts p USING users u, expenses q WHERE q.user_id = u.id', 'reads expenses'],
      ['SELECT p.id FROM posts p WHERE EXISTS (SELECT 1 FROM public.tickets)', 'reads tickets'],
      ['JOIN LATERAL (SELECT 1 FROM tickets) t ON ${condition}', 'reads tickets'],
      ['SELECT 1 FROM (tickets t JOIN posts p ON true)', 'reads tickets'],
    ] as const;
    const file = (index: number) => `libs/areas/posts/planted-${String(index).padStart(2, '0')}.ts`;
    const found = await check(Object.fromEntries(planted.map(([sql], index) => [file(index), statementWith(sql)])));
    expect(found.passes).toBe(false);
    expect(found.findings.map((line) => line.replace(/, which is .*/, '')).sort()).toEqual(
      planted.map(([, access], index) => `${file(index)}:1: posts ${access}`),
    );
  });

  it('reports code that passes the name of another area’s table as a value, and code in libs/web and apps that reads a table', async () => {
    const found = await check({
      [POSTS]: `const WINDOW = new SlidingWindow({ table: 'comment_rates' });`,
      'libs/web/planted.ts': statementWith('SELECT 1 FROM posts'),
      'apps/server/planted.ts': statementWith('SELECT 1 FROM groups'),
    });
    expect(found.findings.map((line) => line.replace(/, which.*/, '')).sort()).toEqual([
      'apps/server/planted.ts:1: server reads groups',
      'libs/areas/posts/planted.ts:1: posts writes comment_rates',
      'libs/web/planted.ts:1: web reads posts',
    ]);
  });

  it('accepts writes to an area’s own tables, reads that table-owners.mjs allows, and words that only look like names of tables', async () => {
    const found = await check({
      [POSTS]:
        statementWith(`WITH events AS (SELECT 1) UPDATE posts SET title = $1 WHERE status IS DISTINCT FROM 'series';
        SELECT count(*) AS groups, 'FROM tickets' FROM events JOIN users u ON u.id = $1 FOR UPDATE OF posts -- FROM tickets`),
      'libs/areas/posts/words.ts': `const SAID = 'Comes from events and groups';`,
    });
    expect(found).toEqual({ passes: true, findings: [] });
  });
});
