import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { introduction } from '#apps/server/document/introduction';
import { SCOPE_TEXTS } from '#contract/scope-texts';
import { SCOPES } from '#contract/scopes';
import { browserOf } from '#testing/browsers';
import { OAuthApp, pkce } from '#testing/oauth-app';
import { TestServer } from '#testing/test-server';

interface Call {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

describe('the documentation for developers of apps', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  /** Replaces each name of `values` in `text` by its value, and returns the requests of the curl commands. */
  function requestsOf(text: string, values: Readonly<Record<string, string>>): Call[] {
    const commands = Object.entries(values).reduce((all, [name, value]) => all.replaceAll(name, value), text);
    return [...commands.replaceAll(/\\\n\s*/g, ' ').matchAll(/^\s*curl (\S+)(.*)$/gm)].map(
      ([, url = '', rest = '']) => {
        const options = [...rest.matchAll(/ (-\w) (?:'([^']*)'|(\S+))/g)].map(([, option, quoted, bare]) => [
          option,
          quoted ?? bare ?? '',
        ]);
        const data = options.filter(([option]) => option === '-d').map(([, value]) => value as string);
        const headers = Object.fromEntries(
          options
            .filter(([option]) => option === '-H')
            .map(([, value]) => (value as string).split(': ') as [string, string]),
        );
        const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
        return {
          url,
          method: data.length > 0 ? 'POST' : 'GET',
          headers: data.length > 0 ? { ...form, ...headers } : headers,
          body: data.length > 0 ? data.join('&') : null,
        };
      },
    );
  }

  // REF-14
  it.each(['en', 'cs'] as const)(
    'contains commands that work when the placeholders are replaced by values (%s)',
    async (locale) => {
      const [, text = ''] = introduction(server.origin, locale).split(/^## (?:Your first app|První aplikace).*$/m);
      const section = text.split('\n## ')[0] as string;
      const { verifier, challenge } = pkce();
      const values: Record<string, string> = { STATE: 'a-state', CHALLENGE: challenge };
      const run = async (nth: number): Promise<Record<string, string>> => {
        const { url, ...init } = requestsOf(section, values)[nth] as Call;
        const response = await fetch(url, init);
        expect([url, response.ok]).toEqual([url, true]);
        return (await response.json()) as Record<string, string>;
      };
      const { client_id = '' } = await run(0);
      Object.assign(values, { CLIENT_ID: client_id, VERIFIER: verifier });

      const [address = ''] = /^\s*http\S+authorize\S+$/m.exec(section) ?? [];
      const path = Object.entries(values)
        .reduce((all, [name, value]) => all.replaceAll(name, value), address)
        .trim()
        .slice(server.origin.length);
      const redirectUri = 'http://127.0.0.1:8080/';
      const browser = await browserOf(server, await server.person('jana'));
      const app = new OAuthApp(server, client_id, redirectUri);
      const code = await app.code(browser, { path, state: 'a-state', verifier, redirectUri });
      // Other words also contain CODE, so only the text `code=CODE` is replaced.
      Object.assign(values, { 'code=CODE': `code=${code}` });
      const tokens = await run(1);
      Object.assign(values, { ACCESS_TOKEN: tokens.access_token, REFRESH_TOKEN: tokens.refresh_token });
      expect(await run(2)).toMatchObject({ data: [] });
      expect(await run(3)).toMatchObject({ scope: 'events:read', refresh_token: expect.stringMatching(/./) });
    },
  );

  // REF-15
  it.each(['en', 'cs'] as const)(
    'lists each scope with its description and the operations that require it according to the OpenAPI document (%s)',
    async (locale) => {
      const { paths } = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as {
        paths: Record<string, Record<string, { operationId: string; security?: { oauth?: string[] }[] }>>;
      };
      const all = Object.values(paths).flatMap((methods) => Object.values(methods));
      const { text } = await server.nobody.send('GET', '~/docs/security.md', {
        headers: { 'accept-language': locale },
      });
      const [, scopes = ''] = text.split(/^## /m);
      const rows = [...scopes.matchAll(/^\| `([\w:]+)` \| (.+?) \| (.+) \|$/gm)].map(
        ([, scope = '', words = '', links = '']) => [
          scope,
          words,
          [...links.matchAll(/\[`(\w+)`\]/g)].map(([, id]) => id).sort(),
        ],
      );
      const operationsOf = (scope: string): string[] =>
        all
          .filter(({ security = [] }) => security.some(({ oauth = [] }) => oauth.includes(scope)))
          .map(({ operationId }) => operationId)
          .sort();
      expect(rows).toEqual(SCOPES.map((scope) => [scope, SCOPE_TEXTS[scope][locale], operationsOf(scope)]));
      const withoutScope = all
        .filter(({ security = [] }) => security.some(({ oauth }) => oauth?.length === 0))
        .map(({ operationId }) => operationId);
      for (const id of withoutScope) expect(text).toContain(`\`${id}\``);
      expect(withoutScope.sort()).toEqual(['getUser', 'listLimits']);
    },
  );

  // REF-15
  it('has a page about security with the same content in both languages and without scripts', async () => {
    const [en, cs] = await Promise.all(
      ['en', 'cs'].map(
        async (locale) =>
          (await server.nobody.send('GET', '~/docs/security.md', { headers: { 'accept-language': locale } })).text,
      ),
    );
    const found = (text = '', pattern: RegExp) => [...text.matchAll(pattern)].map(([one]) => one).sort();
    for (const pattern of [/^## /gm, /^\|/gm, /^- /gm, /^\d\. /gm, /`[^`\n]+`/g, /\b\d+\b/g])
      expect(found(cs, pattern)).toEqual(found(en, pattern));
    const page = await server.nobody.send('GET', '~/docs/security', { headers: { accept: 'text/html' } });
    expect([page.status, page.text.includes('<script')]).toEqual([200, false]);
    expect(page.text).toContain('<table>');
  });
});
