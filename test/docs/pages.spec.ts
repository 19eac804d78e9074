import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { parse } from 'yaml';
import { introduction } from '#apps/server/document/introduction';
import { REFUSALS } from '#contract/refusals';
import { Settings } from '#platform/config/settings';
import { buildEvent } from '#testing/builders';
import type { Answer } from '#testing/http-client';
import { TestServer } from '#testing/test-server';

interface Item {
  readonly uid: string;
  readonly name: string;
  readonly items?: readonly Item[];
  readonly request?: {
    readonly url: string;
    readonly method: string;
    readonly params: readonly {
      readonly name: string;
      readonly type: string;
      readonly value: string;
      readonly enabled: boolean;
    }[];
    readonly body: { readonly mode: string; readonly json?: string };
  };
}
const { paths } = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string; summary: string }>>;
};
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, summary }]) => ({
    path,
    method: method.toUpperCase(),
    operationId,
    summary,
  })),
);

/**
 * Tests the API reference: introduction, operations, and files for tools. test/docs/errors.spec.ts tests the pages
 * about errors.
 */
describe('the pages below /docs', () => {
  let server: TestServer;
  let baseUrl: string;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ baseUrl } = server.app.get(Settings));
  });
  afterAll(() => server.stop());

  const read = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    server.nobody.send('GET', `~${path}`, { headers });

  // REF-6
  it('begin with an introduction that needs no script', async () => {
    const { status, headers, text } = await read('/docs');
    expect([status, headers.get('content-type'), headers.get('content-language')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'en',
    ]);
    for (const heading of ['The first call', 'Tokens', 'Errors', 'Limits and retries'])
      expect(text).toContain(`>${heading}</h2>`);
    expect(text).toContain('href="/account/api"');
    expect(text.indexOf('The first call')).toBeLessThan(text.indexOf('id="reference-app"'));
    for (const [, name, value] of text.matchAll(/(src|href)="([^"]*)"/g))
      expect([name, value]).toEqual([name, expect.stringMatching(/^(\/|#|http:\/\/127\.0\.0\.1)/)]);
    const czech = await read('/docs', { 'accept-language': 'cs' });
    expect(czech.text).toContain('>První volání</h2>');
    expect(czech.text).toContain('<html lang="cs">');
  });

  // REF-6
  it('have an introduction with the same inline code, the same three-digit numbers and equally many headings in both languages', () => {
    const [en, cs] = [introduction('https://events.example'), introduction('https://events.example', 'cs')];
    const found = (text: string, pattern: RegExp) =>
      [...text.replace(/```[^]*?```/g, '').matchAll(pattern)].map(([one]) => one);
    expect(found(cs, /^## /gm)).toHaveLength(found(en, /^## /gm).length);
    expect(found(cs, /`[^`]+`/g).sort()).toEqual(found(en, /`[^`]+`/g).sort());
    expect(found(cs, /\b\d{3}\b/g).sort()).toEqual(found(en, /\b\d{3}\b/g).sort());
  });

  // REF-5, REF-7
  it('allow only style sheets and scripts of this server, and requests only to this server', async () => {
    const page = await read('/docs');
    const policy = (page.headers.get('content-security-policy') ?? '').split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|https?:|\*/);
    expect(page.text).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
    for (const [, attributes = '', inline] of page.text.matchAll(/<script([^>]*)>([^<]*)</g))
      expect([attributes.includes('src="/web/'), inline]).toEqual([true, '']);
  });

  // REF-4, REF-7
  it.each([
    ['/docs/swagger-ui.js', 'text/javascript', 'SwaggerUIBundle'],
    ['/docs/swagger-ui.css', 'text/css', '.opblock'],
  ])('include the file %s with an ETag, compressed if the client accepts compression', async (path, type, text) => {
    for (const coding of ['br', 'gzip', null]) {
      const file = await read(path, { 'accept-encoding': coding ?? 'identity' });
      expect([file.status, file.headers.get('content-encoding'), file.headers.get('cache-control')]).toEqual([
        200,
        coding,
        'no-cache',
      ]);
      expect(file.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
      expect(file.text).toContain(text);
      expect(file.text).not.toContain('sourceMappingURL');
      const revalidated = await read(path, {
        'accept-encoding': coding ?? 'identity',
        'if-none-match': file.headers.get('etag') ?? '',
      });
      expect(revalidated.status).toBe(304);
    }
  });

  // REF-3, REF-6, REF-11, REF-16
  it('are also served as Markdown at an address that ends in .md; their links are absolute and lead to existing pages', async () => {
    const opened = new Set<string>();
    for (const [path, content] of [
      ['/docs.md', '## The first call'],
      ['/docs/index.md', '## The first call'],
      ['/docs/operations.md', '`joinEvent`'],
      ['/docs/changes.md', '## event\n\nScope: `events:read` or `discover:read`'],
      ['/docs/webhooks.md', '`webhook-timestamp`'],
      ['/docs/security.md', '`events:write`'],
      ['/docs/embedding.md', '`/people/SLUG/calendar.ics`'],
      ['/docs/errors.md', '`event_full`'],
    ] as const) {
      const page = await read(path);
      expect([
        path,
        page.status,
        page.headers.get('content-type'),
        page.headers.get('access-control-allow-origin'),
      ]).toEqual([path, 200, 'text/markdown; charset=utf-8', '*']);
      expect(page.text).toContain(content);
      expect(page.text).not.toMatch(/\]\(\//);
      const links = [
        ...new Set([...page.text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, address = '']) => address)),
      ].filter((address) => !address.includes('/docs/errors/') && address.startsWith(baseUrl) && !opened.has(address));
      for (const address of links) {
        expect([address, (await read(address.slice(baseUrl.length))).status]).toEqual([address, 200]);
        opened.add(address);
      }
    }
    expect((await read('/docs', { accept: 'text/markdown' })).text).toBe((await read('/docs.md')).text);
    for (const [accept, type] of [
      ['text/markdown, */*', 'text/markdown'],
      ['text/markdown, text/html;q=0.9', 'text/markdown'],
      ['text/markdown, text/html', 'text/html'],
      ['text/markdown;q=0', 'text/html'],
    ] as const)
      expect([accept, (await read('/docs', { accept })).headers.get('content-type')]).toEqual([
        accept,
        `${type}; charset=utf-8`,
      ]);
    expect((await read('/docs.md', { 'accept-language': 'cs' })).text).toContain('## První volání');
    for (const path of ['/docs/', '/docs/errors/', '/docs/operations/'])
      expect([(await read(path)).status, (await read(path)).headers.get('location')]).toEqual([308, path.slice(0, -1)]);
  });

  // REF-11
  it('show a working client of the stream of changes', async () => {
    const [, sample = ''] = /```js\n([^]*?)```/.exec((await read('/docs/changes.md')).text) ?? [];
    const { jana, petr } = await server.people('jana', 'petr');
    const { id } = await buildEvent(server, jana);
    const { meta } = (await jana.api.get('/changes')).body as { meta: { cursor: string } };
    await petr.api.post(`/events/${id}/join`);
    const stop = new AbortController();
    const entries: string[] = [];
    const onEntry = ({ type }: { type: string }): void => {
      entries.push(type);
      stop.abort();
    };
    const code = `${sample.replace(baseUrl, server.origin)}\nfollow(token, lastId, onEntry, signal);`;
    const { signal } = stop;
    const context = { fetch, TextDecoderStream, token: jana.token, lastId: meta.cursor, onEntry, signal };
    await expect(runInNewContext(code, context)).rejects.toMatchObject({ name: 'AbortError' });
    expect(entries).toEqual(['participant.joined']);
  });

  // REF-6
  it('list every operation', async () => {
    const { text } = await read('/docs/operations.md');
    for (const { method, path, operationId } of operations)
      expect(text).toMatch(
        new RegExp(
          `\\[\`${operationId}\`\\]\\([^)]*/docs#/[A-Za-z%0-9-]+/${operationId}\\) \\| \`${method} ${path.replace(/[.{}]/g, '\\$&')}\``,
        ),
      );
  });

  // REF-8
  it('include the OpenAPI document as JSON and as YAML', async () => {
    const json = await read('/openapi.json');
    const yaml = await read('/openapi.yaml');
    expect([yaml.status, yaml.headers.get('content-type'), yaml.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'application/yaml; charset=utf-8',
      '*',
    ]);
    expect(parse(yaml.text)).toEqual(json.body);
    expect(yaml.text).not.toMatch(/^\s*\S+: &/m);
    expect(json.body.servers).toEqual([{ url: baseUrl }]);
    expect((await read('/openapi.json', { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBe('br');
  });

  // REF-8
  it('contain examples with future times, even if the server has been running for a long time', async () => {
    const exampleStart = async (): Promise<number> =>
      Date.parse(
        (await read('/openapi.json')).body.paths['/api/v1/events'].post.requestBody.content['application/json'].example
          .starts_at as string,
      );
    const first = await exampleStart();
    expect(first).toBeGreaterThan(server.clock.now().getTime());
    server.clock.forward(400 * 24 * 3_600_000);
    expect(await exampleStart()).toBeGreaterThan(server.clock.now().getTime());
  });

  // REF-8
  it('also include the document in OpenAPI 3.0, without features of OpenAPI 3.1', async () => {
    const [{ body: older }, { body }] = [await read('/openapi-3.0.json'), await read('/openapi.json')];
    expect([older.openapi, Object.keys(older.paths)]).toEqual(['3.0.3', Object.keys(body.paths)]);
    const config = await createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } });
    const source = JSON.stringify(older);
    expect(await lintFromString({ source, absoluteRef: '/openapi-3.0.json', config })).toEqual([]);

    const { CreateEvent, Change, CreatePost } = older.components.schemas;
    expect(CreateEvent.properties.ends_at).toMatchObject({ type: 'string', nullable: true });
    expect(Change.properties.by).toMatchObject({
      type: 'object',
      nullable: true,
      allOf: [{ $ref: '#/components/schemas/User' }],
    });
    expect(CreatePost.properties.event_id.oneOf).toEqual([
      expect.objectContaining({ type: 'string', nullable: true }),
      expect.objectContaining({ type: 'integer' }),
    ]);
    const { parameters } = older.paths['/api/v1/events'].get;
    expect(parameters.find(({ name }: { name: string }) => name === 'scope').schema).toMatchObject({
      type: 'string',
      enum: expect.arrayContaining(['upcoming']),
    });
  });

  // REF-8
  it('include a collection for the API client Bruno, which contains every operation and its example', async () => {
    const { body, status } = await read('/docs/bruno.json');
    const folders = body.items as Item[];
    const requests = folders.flatMap(({ items = [] }) => items);
    expect([status, requests.map(({ name }) => name).sort()]).toEqual([
      200,
      operations.map(({ operationId }) => operationId).sort(),
    ]);
    for (const { name, request } of requests) {
      const { method, path } = operations.find(({ operationId }) => operationId === name)!;
      expect([name, request?.method, request?.url.split('?')[0]]).toEqual([
        name,
        method,
        `{{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      ]);
      expect(request?.params.filter(({ type }) => type === 'path').map((one) => `{${one.name}}`)).toEqual(
        path.match(/\{\w+\}/g) ?? [],
      );
      // Only required query parameters are enabled. The server refuses a required parameter without a value.
      expect(request?.params.filter(({ type, enabled, value }) => type === 'query' && enabled && !value)).toEqual([]);
    }
    const uids = [body.environments[0].uid, ...folders, ...requests].map((one) =>
      typeof one === 'string' ? one : (one as Item).uid,
    );
    expect(uids.filter((uid) => !/^[a-zA-Z0-9]{21}$/.test(uid))).toEqual([]);
    expect(
      body.environments[0].variables.map(({ name, value }: { name: string; value: string }) => [name, value]),
    ).toEqual([
      ['baseUrl', baseUrl],
      ['token', ''],
    ]);

    const created = requests.find(({ name }) => name === 'createEvent')?.request?.body ?? { mode: '' };
    const jana = await server.person('jana');
    expect([
      created.mode,
      (await jana.api.post('/events', JSON.parse(created.json ?? '{}') as Record<string, unknown>)).status,
    ]).toEqual(['json', 201]);
  });

  // REF-8
  it('are listed in llms.txt for language models, and every address in this file leads to a page', async () => {
    const { status, headers, text } = await read('/llms.txt');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toMatch(/^# Events API\n\n> .+\n/);
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): .+$/gm)].map(([, address = '']) => address);
    expect(links.length).toBe(11 + Object.keys(REFUSALS).length);
    // test/docs/errors.spec.ts opens the page of every error code.
    const errorPages = Object.keys(REFUSALS).map((code) => `${baseUrl}/docs/errors/${code}.md`);
    expect(links).toEqual(expect.arrayContaining(errorPages));
    for (const address of links.filter((one) => !errorPages.includes(one)))
      expect([address, (await read(address.slice(baseUrl.length))).status]).toEqual([address, 200]);
  });
});
