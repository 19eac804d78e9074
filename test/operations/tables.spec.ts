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

  it('reports statements that access tables of other areas, values that name such a table, and reads in libs/web and apps; it accepts all other code', async () => {
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
    const { passes, findings } = await check({
      ...Object.fromEntries(planted.map(([sql], index) => [file(index), statementWith(sql)])),
      [POSTS]: `const WINDOW = new SlidingWindow({ table: 'comment_rates' });`,
      'libs/web/planted.ts': statementWith('SELECT 1 FROM posts'),
      'apps/server/planted.ts': statementWith('SELECT 1 FROM groups'),
      // Accepted: writes to an area's own tables, reads that table-owners.mjs allows, and words that only look like
      // names of tables.
      'libs/areas/posts/accepted.ts':
        statementWith(`WITH events AS (SELECT 1) UPDATE posts SET title = $1 WHERE status IS DISTINCT FROM 'series';
        SELECT count(*) AS groups, 'FROM tickets' FROM events JOIN users u ON u.id = $1 FOR UPDATE OF posts -- FROM tickets`),
      'libs/areas/posts/words.ts': `const TEXT = 'Comes from events and groups';`,
    });
    expect(passes).toBe(false);
    expect(findings.map((line) => line.replace(/, which.*/, '')).sort()).toEqual(
      [
        ...planted.map(([, access], index) => `${file(index)}:1: posts ${access}`),
        `${POSTS}:1: posts writes comment_rates`,
        'libs/web/planted.ts:1: web reads posts',
        'apps/server/planted.ts:1: server reads groups',
      ].sort(),
    );
  });
});
