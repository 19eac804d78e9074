import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';

const ROOT = resolve(__dirname, '../..');
const FOLDER = join(ROOT, 'docs/operating');

/** Returns `[page, text]` for each match on the pages of docs/operating. `text` is the first group of the pattern. */
function matchesOnPages(pattern: RegExp): [string, string][] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...readFileSync(join(FOLDER, file), 'utf8').matchAll(pattern)].map(([, to = '']): [string, string] => [
        file,
        to,
      ]),
    );
}

describe('the pages for operators', () => {
  it('link only to pages, tests and rehearsals that exist', () => {
    const links = matchesOnPages(/\]\(([^):#]+)(?:#[^)]*)?\)/g).map(([from, to]) => [from, resolve(FOLDER, to)]);
    const tests = matchesOnPages(/`((?:test|libs)\/[\w./-]+\.spec\.ts)`/g).map(([from, to]) => [from, join(ROOT, to)]);
    const rehearsals = matchesOnPages(/rehearse -- ([a-z]+)/g).map(([from, to]) => [
      from,
      join(ROOT, 'rehearse', `${to}.mjs`),
    ]);
    for (const found of [links, tests, rehearsals]) expect(found.length).toBeGreaterThan(5);
    expect([...links, ...tests, ...rehearsals].filter(([, path = '']) => !existsSync(path))).toEqual([]);
  });

  // OPS-4
  it('describe every setting', () => {
    const page = readFileSync(join(FOLDER, 'settings.md'), 'utf8');
    const source = readFileSync(join(ROOT, 'libs/platform/config/load-settings.ts'), 'utf8');
    const all = [...source.matchAll(/read\.\w+\('([A-Z0-9_]+)'/g)].map(([, name = '']) => name);
    expect(all.length).toBeGreaterThan(25);
    expect(all.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('show the same Node.js flags for the server as package.json and the Dockerfile', async () => {
    const { NODE_FLAGS } = (await import(join(ROOT, 'scripts/node-flags.mjs'))) as { NODE_FLAGS: string[] };
    const start = `node ${NODE_FLAGS.join(' ')} `;
    expect(readFileSync(join(ROOT, 'package.json'), 'utf8')).toContain(
      `"start": "MALLOC_ARENA_MAX=2 exec ${start}scripts/start.mjs server || ${start}scripts/start.mjs server"`,
    );
    expect(readFileSync(join(FOLDER, 'install.md'), 'utf8')).toContain(
      `/${start}/srv/events/current/dist/apps/server/main.js`,
    );
    expect(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).toContain(
      `CMD ["${start.trim().split(' ').join('", "')}", "dist/apps/server/main.js"]`,
    );
  });

  // OPS-92
  it('contain configuration examples with the lines that Compose, HAProxy, PgBouncer and Prometheus require', () => {
    const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
    const compose = parse(read('compose.yaml')) as { services: { server: { env_file: unknown } } };
    expect(compose.services.server.env_file).toEqual([{ path: '.env', required: false }]);
    const blocks = read('docs/operating/scaling.md')
      .split('```')
      .filter((_, i) => i % 2 === 1);
    expect(blocks.find((block) => block.includes('balance leastconn'))).toMatch(
      /^frontend \w+\n {2}bind .*\n {2}default_backend events$/m,
    );
    const pooler = blocks.find((block) => block.includes('[pgbouncer]'));
    for (const name of ['listen_addr', 'listen_port', 'auth_type', 'auth_file'])
      expect(pooler).toMatch(new RegExp(`^${name} = .`, 'm'));
    const rulesFile = /rule_files: \[(\S+)\]/.exec(read('docs/operating/monitoring.md'))?.[1] ?? '';
    expect(rulesFile).toMatch(/^\/etc\/prometheus\//);
  });

  it('describe every rehearsal', () => {
    const page = readFileSync(join(FOLDER, 'rehearsals.md'), 'utf8');
    const all = readdirSync(join(ROOT, 'rehearse'))
      .filter((file) => file.endsWith('.mjs'))
      .map((file) => file.slice(0, -4));
    expect(all.filter((name) => !page.includes(`- **\`${name}\`** (`))).toEqual([]);
  });
});

describe('the Dockerfile', () => {
  it('has a health check that uses the port of the server, and port 3000 if PORT is empty', () => {
    const [, json = ''] = /^HEALTHCHECK[^[]*(\[.*\])$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
    const [program, , code = ''] = JSON.parse(json) as string[];
    expect(program).toBe('node');
    const requests = ['', '8080'].map((port) => {
      const sent: string[] = [];
      const fetch = (url: string) => {
        sent.push(url);
        return new Promise(() => undefined);
      };
      runInNewContext(code, { fetch, process: { env: { PORT: port } } });
      return sent;
    });
    expect(requests).toEqual([['http://127.0.0.1:3000/health/live'], ['http://127.0.0.1:8080/health/live']]);
  });
});
