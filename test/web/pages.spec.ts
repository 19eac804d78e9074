import { readFileSync } from 'node:fs';
import { RouteTable } from '#platform/http/routes';
import { TestServer } from '#testing/test-server';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
}

// PAGE-91
describe('docs/pages.md', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  const rows = [...readFileSync('docs/pages.md', 'utf8').matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].map(
    ([, id = '', text = '']) => ({ id, text }),
  );

  it('has one table row for each operation of docs/openapi.json', () => {
    const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('names existing pages and forms in each row, or gives the reason why there are none (`none: …`)', () => {
    const routes = new Set(
      server.app
        .get(RouteTable)
        .list()
        .map(({ method, url }) => `${method} ${url}`),
    );
    const missing = rows.flatMap(({ id, text }) => {
      if (text.startsWith('none: ')) return [];
      const named = [...text.matchAll(/(page|form) `([^`]+)`/g)].map(
        ([, kind, path = '']) => `${kind === 'form' ? 'POST' : 'GET'} ${path}`,
      );
      return named.length === 0
        ? [`${id}: nothing`]
        : named.filter((route) => !routes.has(route)).map((one) => `${id}: ${one}`);
    });
    expect(missing).toEqual([]);
  });
});
