import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conformance } from '#conformance/conformance';
import type { ApiDocument } from '#conformance/document';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const ROOT = join(__dirname, '../..');
const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as ApiDocument;

interface ProxiedAnswer {
  readonly method: string;
  readonly path: string;
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}
type Alteration = (answer: ProxiedAnswer) => void;

// DOC-11
describe('the conformance kit', () => {
  let server: TestServer;
  let jana: Person;

  beforeAll(async () => {
    server = await TestServer.start();
    const { host, eva } = await server.people('host', 'eva');
    jana = await server.person('jana');
    // The kit reads the check-in code for jana’s own event, and must accept 409: an organizer has no check-in code.
    await buildEvent(server, jana);
    const event = await buildEvent(server, host, { with: [[eva, 'confirmed']] });
    await buildEvent(server, host, {});
    await buildEvent(server, eva, {});
    for (const body of ['one', 'two', 'three']) await eva.api.post(`/events/${event.id}/comments`, { body });
    for (let i = 0; i < 3; i++) await buildGroup(server, jana);
  });
  afterAll(() => server.stop());

  const output: string[] = [];
  const run = (base: string, write: boolean) =>
    conformance({ document, base, token: jana.token, write, say: (line) => output.push(line) });
  /**
   * Each run with write requests creates an event (limit: 2 a day) and a comment (10 a minute), and each run searches
   * for people (30 a minute). So the counters are deleted before each test.
   */
  beforeEach(async () => {
    await server.sql('DELETE FROM daily_counters');
    await server.sql('DELETE FROM comment_rates');
    await server.sql('DELETE FROM people_searches');
  });

  it('finds no failure of this server with write requests, and accepts that pages of the request log overlap', async () => {
    const overlap = alterJson('GET', /v1\/requests\?.*per_page=2/, ({ data }) => {
      if (data[0]) data[0].id = 'same';
    });
    const created: string[] = [];
    const proxy = await startProxy(server.origin, (answer) => {
      overlap(answer);
      if (answer.method === 'POST' && answer.status === 201) created.push(answer.path.split('/').at(-1)!);
    });
    const { failures, requests } = await run(proxy.origin, true).finally(() => proxy.close());
    expect(failures).toEqual([]);
    expect(requests).toBeGreaterThan(250);
    expect(created).toEqual(expect.arrayContaining(['events', 'comments']));
    // The run with write requests has deleted the event that it created.
    expect((await jana.api.get('/events')).body.meta.total).toBe(1);
  });

  /**
   * Errors of a server. A run takes seconds, so each run checks a server with several errors. Two errors of which one
   * hides the other are in different runs.
   */
  it.each<[string, boolean, readonly [string, Alteration, RegExp][]]>([
    [
      'in fields, headers, totals and pages of responses',
      false,
      [
        [
          'a field is missing',
          alterJson('GET', /discover\/events\?/, ({ data }) =>
            data?.forEach((one: Record<string, unknown>) => delete one.starts_at),
          ),
          /^discoverEvents: 200: \/data\/n must have required property 'starts_at'/,
        ],
        [
          'a field has another type',
          alterJson('GET', /\/user$/, (body) => {
            body.data.id = 1;
          }),
          /^getUser: 200: \/data\/\w+ must be/,
        ],
        [
          'a code is not declared',
          alterJson('GET', /zzzz/, (body) => {
            body.code = 'gone_fishing';
          }),
          /^getEvent: 404: \/code must be equal to one of the allowed values "gone_fishing"/,
        ],
        [
          'a header is missing',
          (answer) => {
            delete answer.headers['x-request-id'];
          },
          /^getUser: 200: lacks the header X-Request-Id/,
        ],
        [
          'a header has an invalid value',
          (answer) => {
            answer.headers['x-ratelimit-remaining'] = 'many';
          },
          /^getUser: 200: the header X-RateLimit-Remaining is many/,
        ],
        [
          'pages overlap',
          alterJson('GET', /v1\/groups\?.*per_page=2/, ({ data }) => {
            if (data[0]) data[0].id = 'same';
          }),
          /^listGroups: its pages overlap/,
        ],
        [
          'a total is wrong',
          alterJson('GET', /\/groups\?/, (body) => {
            body.meta.total += 1;
          }),
          /^listGroups: the number of elements on page 2 with per_page=2 is 1, not 2 \(meta\.total is 4\)/,
        ],
        [
          'a matching ETag does not give 304',
          (answer) => {
            if (answer.status === 304) Object.assign(answer, { status: 200, text: '{"data":[]}' });
          },
          /^listGroups: with its ETag in If-None-Match is 200, not 304/,
        ],
      ],
    ],
    [
      'in statuses, ETags, the links of pages and responses to write requests',
      true,
      [
        [
          'a status is not declared',
          (answer) => {
            if (answer.status === 404) answer.status = 410;
          },
          /^getEvent: 410 is not declared/,
        ],
        [
          'there are no ETags',
          (answer) => {
            delete answer.headers.etag;
          },
          /^listGroups: a 200 has no ETag/,
        ],
        [
          'pages have no end',
          alterJson('GET', /\/groups\?.*per_page=2/, (body) => {
            body.links.next ??= body.links.first;
          }),
          /^listGroups: links.next on page/,
        ],
        [
          'a request without a token gets 403',
          (answer) => {
            if (answer.status === 401) Object.assign(answer, { status: 403 });
          },
          /^getUser: without a token is 403 unauthenticated, not 401/,
        ],
        [
          'a repeated response lacks Idempotency-Replayed',
          (answer) => {
            delete answer.headers['idempotency-replayed'];
          },
          /^Idempotency-Key: a repeated answer has no Idempotency-Replayed/,
        ],
        [
          'texts are not sanitized',
          alterJson('POST', /\/comments$/, (body) => {
            if (body.data) body.data.body = '<b>Hello</b>';
          }),
          /^commentOnEvent: returns the text with its HTML/,
        ],
      ],
    ],
  ])('reports each error of a server %s', async (_where, write, errors) => {
    const proxy = await startProxy(server.origin, (answer) => errors.forEach(([, alter]) => alter(answer)));
    try {
      const { failures } = await run(proxy.origin, write);
      const notReported = errors.filter(([, , line]) => !failures.some((failure) => line.test(failure)));
      expect(notReported.map(([error]) => error)).toEqual([]);
    } finally {
      proxy.close();
    }
  });

  it('includes a program that finds no failure of this server without write requests, that can be installed without a network, and whose exit code shows the result', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'events-conformance-'));
    const failing = createServer((_request, response) => response.writeHead(401).end());
    await once(failing.listen(0, '127.0.0.1'), 'listening');
    try {
      const tarball = execFileSync('npm', ['run', '--silent', 'conformance'], { cwd: ROOT, encoding: 'utf8' }).trim();
      writeFileSync(join(folder, 'package.json'), '{"private":true}');
      execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder, stdio: 'pipe' });
      const program = async (...args: string[]) => {
        const child = spawn(join(folder, 'node_modules/.bin/events-conformance'), args);
        let text = '';
        child.stdout.on('data', (part) => (text += String(part)));
        const [code] = (await once(child, 'close')) as [number];
        return { code, text };
      };
      const passed = await program('--base', server.origin, '--token', jana.token);
      expect(passed).toEqual({
        code: 0,
        text: expect.stringMatching(/^All promises are met: version .*, \d+ requests\.\n$/),
      });
      expect(Number(/(\d+) requests/.exec(passed.text)?.[1])).toBeGreaterThan(200);
      const failingOrigin = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`;
      expect(await program('--base', failingOrigin, '--token', jana.token)).toEqual({
        code: 1,
        text: expect.stringMatching(/^not met: .*X-Request-Id/m),
      });
      expect((await program('--base', server.origin)).code).toBe(2);
      expect((await program('--base', 'http://127.0.0.1:9', '--token', 'x')).code).toBe(2);
    } finally {
      failing.closeAllConnections();
      failing.close();
      rmSync(folder, { recursive: true });
    }
  });
});

/**
 * Returns an alteration of the JSON in responses to requests with this method and with a path that matches `path`. A
 * refusal is altered only if the path contains `zzzz`, the unknown id that the checks use.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- an alteration may change any field
function alterJson(method: string, path: RegExp, change: (body: any) => void): Alteration {
  return (answer) => {
    if (answer.method !== method || !path.test(answer.path) || answer.text === '') return;
    const body: unknown = JSON.parse(answer.text);
    if (answer.status >= 400 && !/zzzz/.test(answer.path)) return;
    change(body);
    answer.text = JSON.stringify(body);
  };
}

/** Starts a proxy that alters the responses of the server. */
async function startProxy(origin: string, alter: Alteration): Promise<{ origin: string; close: () => void }> {
  const proxy = createServer((incoming, outgoing) => {
    const {
      method = '',
      url: path = '',
      headers: { host: _host, 'accept-encoding': _encodings, ...forwardedHeaders },
    } = incoming;
    const forwarded = request(new URL(path, origin), { method, headers: forwardedHeaders }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const answer: ProxiedAnswer = {
          method,
          path,
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
        };
        alter(answer);
        const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = answer.headers;
        outgoing.writeHead(answer.status, headers).end(answer.text);
      });
    });
    incoming.pipe(forwarded);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
