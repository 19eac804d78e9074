import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATUS_CODES } from 'node:http';
import { REFUSAL_HELP } from '#contract/help';
import { CONFLICT_SITUATIONS, VALIDATION_SITUATIONS } from '#contract/help-situations';
import { REFUSALS, type RefusalCode } from '#contract/refusals';
import { LOCALES } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import type { Answer } from '#testing/http-client';
import { TestServer } from '#testing/test-server';

interface Operation {
  readonly operationId: string;
  readonly responses: Record<
    string,
    { readonly $ref?: string; readonly content?: Record<string, { readonly examples?: object }> }
  >;
}
const { paths, components } = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Operation['responses'][string]> };
};
const CODES = Object.keys(REFUSALS) as RefusalCode[];
const [NOT_FOUND_CS, NOT_FOUND_EN] = [REFUSALS.not_found.cs, REFUSALS.not_found.en];

/** The declared error codes of every operation in the OpenAPI document. */
const declared = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, responses }]) => {
    const codes = Object.values(responses).flatMap(({ $ref, content }) => {
      const { examples = {} } =
        (content ?? components.responses[$ref?.split('/').at(-1) ?? '']?.content)?.['application/json'] ?? {};
      return Object.keys(examples);
    });
    return { operation: `\`${method.toUpperCase()} ${path}\``, operationId, codes };
  }),
);

describe('the pages about error codes', () => {
  let server: TestServer;
  let baseUrl: string;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ baseUrl } = server.app.get(Settings));
  });
  afterAll(() => server.stop());

  const read = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    server.nobody.send('GET', `~${path}`, { headers });
  const textOf = (html: string): string =>
    html
      .replace(/<[^>]+>/g, '')
      .replace(/&quot;/g, '"')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&#39;/g, "'")
      .replace(/&amp;/g, '&');

  // REF-1, REF-3
  it.each(CODES)('are available for %s in both languages, as HTML and as Markdown', async (code) => {
    const { status } = REFUSALS[code];
    for (const locale of LOCALES) {
      const { meaning, advice } = REFUSAL_HELP[code][locale];
      for (const [suffix, type] of [
        ['', 'text/html'],
        ['.md', 'text/markdown'],
      ] as const) {
        const page = await read(`/docs/errors/${code}${suffix}`, { 'accept-language': locale });
        expect([page.status, page.headers.get('content-type'), page.headers.get('content-language')]).toEqual([
          200,
          `${type}; charset=utf-8`,
          locale,
        ]);
        expect(page.headers.get('vary')).toMatch(/\bAccept-Language\b/);
        const text = suffix === '' ? textOf(page.text) : page.text;
        for (const expected of [`${status} ${STATUS_CODES[status]}`, REFUSALS[code][locale], `"code": "${code}"`])
          expect(text).toContain(expected);
        if (suffix === '.md') for (const expected of [meaning, advice]) expect(text).toContain(expected);
        else expect(page.text).toContain(`<html lang="${locale}">`);
      }
    }
  });

  // REF-1
  it('name the same codes, fields and paths in both languages', () => {
    const names = (text: string) => [...new Set(text.match(/`[^`]+`/g) ?? [])].sort();
    for (const [code, { en, cs }] of Object.entries(REFUSAL_HELP)) {
      for (const part of ['meaning', 'advice'] as const) {
        expect(en[part]).toMatch(/^[A-Z`][^]*[.:]$/);
        expect(cs[part]).toMatch(/^[\p{Lu}`][^]*[.:]$/u);
        expect([code, part, names(cs[part])]).toEqual([code, part, names(en[part])]);
      }
    }
    for (const { en, cs } of [...CONFLICT_SITUATIONS, ...VALIDATION_SITUATIONS]) expect(names(cs)).toEqual(names(en));
  });

  // GAL-4, REF-1
  it('mention blocked participants among the people who may not add photos', () => {
    const { en, cs } = REFUSAL_HELP.upload_forbidden;
    expect(en.meaning).toMatch(/\bblock/);
    expect(cs.meaning).toMatch(/blokuje/);
  });

  // REF-1
  it('mention only paths of existing operations', () => {
    const mentioned =
      JSON.stringify([REFUSAL_HELP, CONFLICT_SITUATIONS, VALIDATION_SITUATIONS]).match(
        /`(?:GET|POST|PUT|PATCH|DELETE) [^`]+`/g,
      ) ?? [];
    expect(mentioned.length).toBeGreaterThan(10);
    const known = declared.map(({ operation }) => operation);
    expect(mentioned.map((line) => line.replace(/\?[^`]*/, '')).filter((line) => !known.includes(line))).toEqual([]);
  });

  // REF-1
  it('list the operations that return the code, and show their number if there are more than 20', async () => {
    for (const code of CODES) {
      const { text } = await read(`/docs/errors/${code}.md`);
      const withCode = declared.filter(({ codes }) => codes.includes(code));
      const lines = text.split('\n').filter((line) => /^- \[`\w+`\]/.test(line));
      if (withCode.length > 20) expect([code, text.includes(`${withCode.length}`)]).toEqual([code, true]);
      else
        expect([code, lines.map((line) => /`(\w+)`/.exec(line)?.[1]).sort()]).toEqual([
          code,
          withCode.map(({ operationId }) => operationId).sort(),
        ]);
      for (const { operation } of withCode.length > 20 ? [] : withCode) expect(text).toContain(operation);
    }
  });

  // REF-1
  it('show each HTTP status of the code, and the headers of the response', async () => {
    const page = async (code: string): Promise<string> => (await read(`/docs/errors/${code}.md`)).text;
    expect(await page('server_error')).toContain('**HTTP 500 Internal Server Error · HTTP 503 Service Unavailable**');
    const headers = ['WWW-Authenticate: Bearer', 'Allow: GET, HEAD', 'Retry-After: 30', 'Link: '];
    const shown = async (code: string): Promise<string[]> => {
      const text = await page(code);
      return headers.filter((header) => text.includes(`\n${header}`));
    };
    expect(await shown('unauthenticated')).toEqual(['WWW-Authenticate: Bearer', 'Link: ']);
    expect(await shown('method_not_allowed')).toEqual(['Allow: GET, HEAD', 'Link: ']);
    for (const code of ['too_many_requests', 'request_in_progress', 'daily_event_limit'])
      expect([code, await shown(code)]).toEqual([code, ['Retry-After: 30', 'Link: ']]);
    expect(await shown('event_full')).toEqual(['Link: ']);
  });

  // DOC-2, REF-1
  it.each(['bad_request', 'request_timeout', 'headers_too_large', 'method_not_allowed'] as const)(
    'explain that no operation returns the code %s',
    async (code) => {
      const { text } = await read(`/docs/errors/${code}.md`);
      expect(text).toContain('No operation returns this code');
      expect(text.includes('Link: <')).toBe(code === 'method_not_allowed');
    },
  );

  // REF-2
  it('list each situation that causes `conflict`, and each message of `validation_failed`', async () => {
    const withCode = declared.filter(({ codes }) => codes.includes('conflict')).map(({ operationId }) => operationId);
    expect([...new Set(CONFLICT_SITUATIONS.flatMap(({ operations }) => operations))].sort()).toEqual(withCode.sort());
    const conflict = await read('/docs/errors/conflict.md');
    for (const { en } of CONFLICT_SITUATIONS) expect(conflict.text).toContain(en);
    const validation = await read('/docs/errors/validation_failed.md', { 'accept-language': 'cs' });
    for (const { cs } of VALIDATION_SITUATIONS) expect(validation.text).toContain(cs);
    expect(validation.text).toContain('- Text musí mít alespoň {min} znaků.');
    expect(validation.text).not.toContain('|znak');
    for (const serverError of ['Probíhá údržba', 'Soubory teď nelze uložit'])
      expect(validation.text).not.toContain(serverError);
  });

  // DOC-6, REF-1
  it('are linked in the Link header of a refusal', async () => {
    const jana = await server.person('jana');
    const refusals = [
      await server.nobody.get('/user'),
      await jana.api.get('/nowhere'),
      await jana.api.post('/user'),
      await jana.api.post('/events', {}),
      await jana.api.delete('/events/nothere/join'),
      await server.nobody.get('/nowhere'),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([401, 404, 405, 422, 404, 401]);
    for (const { headers, body } of refusals) {
      const [, address = ''] = /^<([^>]+)>; rel="help"$/.exec(headers.get('link') ?? '') ?? [];
      expect(address).toBe(`${baseUrl}/docs/errors/${body.code}`);
      expect((await read(address.slice(baseUrl.length))).status).toBe(200);
    }
  });

  // REF-1
  it('are listed on one page', async () => {
    const { status, text } = await read('/docs/errors');
    expect(status).toBe(200);
    for (const code of CODES) expect(text).toContain(`href="/docs/errors/${code}"`);
    const markdown = await read('/docs/errors.md');
    for (const code of CODES) expect(markdown.text).toContain(`(${baseUrl}/docs/errors/${code}.md)`);
  });

  // REF-1
  it('do not exist for unknown codes', async () => {
    for (const path of [
      '/docs/errors/nothing',
      '/docs/errors/toString',
      '/docs/errors/event_full.txt',
      '/docs/errors/EVENT_FULL',
    ]) {
      const page = await read(path, { accept: 'text/html,*/*;q=0.8', 'accept-language': 'cs' });
      expect([page.status, page.headers.get('content-type'), page.headers.get('content-language')]).toEqual([
        404,
        'text/html; charset=utf-8',
        'cs',
      ]);
      expect(page.text).toContain('Tady nic není');
      expect((await read(path)).body).toEqual({ message: NOT_FOUND_EN, code: 'not_found' });
    }
    const markdown = await read('/docs/errors/nothing.md', { 'accept-language': 'cs' });
    expect([markdown.status, markdown.body]).toEqual([404, { message: NOT_FOUND_CS, code: 'not_found' }]);
  });

  // REF-3
  it('are in Czech if the reader prefers Czech, otherwise in English, and are Markdown if the client asks for it', async () => {
    const languages = {
      cs: 'cs',
      'cs-CZ, en;q=0.5': 'cs',
      'en;q=0.3, cs;q=0.9': 'cs',
      de: 'en',
      'sk, en': 'en',
      '': 'en',
    };
    for (const [header, locale] of Object.entries(languages)) {
      expect([
        header,
        (await read('/docs/errors/event_full', { 'accept-language': header })).headers.get('content-language'),
      ]).toEqual([header, locale]);
    }
    const markdown = await read('/docs/errors/event_full', { accept: 'text/markdown' });
    expect(markdown.text).toBe((await read('/docs/errors/event_full.md')).text);
    expect(markdown.headers.get('vary')).toMatch(/\bAccept\b/);
  });

  // REF-4
  it('are compressed and cached with an ETag', async () => {
    const tags = new Set<string>();
    for (const [accepted, coding] of [
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
      ['br;q=0, gzip', 'gzip'],
    ] as const) {
      const page = await read('/docs/errors/validation_failed', { 'accept-encoding': accepted });
      expect(page.headers.get('content-encoding')).toBe(coding);
      expect(page.text).toContain('</html>');
      const etag = page.headers.get('etag') ?? '';
      tags.add(etag);
      const revalidated = await read('/docs/errors/validation_failed', {
        'accept-encoding': accepted,
        'if-none-match': etag,
      });
      expect([revalidated.status, revalidated.text, revalidated.headers.get('vary')]).toEqual([
        304,
        '',
        'Accept, Accept-Language, Accept-Encoding',
      ]);
    }
    expect(tags.size).toBe(3);
  });

  // REF-5
  it('load nothing from other hosts, contain no scripts, and cannot be shown in a frame; every site may read the Markdown', async () => {
    const { headers, text } = await read('/docs/errors/event_full');
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      expect(policy.split('; ')).toContain(rule);
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/i);
    for (const [, address = ''] of text.matchAll(/<(?:link|img|script)[^>]*(?:href|src)="([^"]+)"/g))
      expect(address).toMatch(/^\//);
    expect((await read('/docs/errors/event_full.md')).headers.get('access-control-allow-origin')).toBe('*');
  });
});
