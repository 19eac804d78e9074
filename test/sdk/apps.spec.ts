import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openBrowser } from '#testing/browser';
import { browserOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { Cable } from '#testing/cable';
import { OAuthApp, PASSWORD } from '#testing/oauth-app';
import type { Person } from '#testing/people';
import { describeWith } from '#testing/requirements';
import { SdkPackage } from '#testing/sdk-package';
import { TestServer } from '#testing/test-server';
import type { Visitor } from '#testing/visitor';

const EXAMPLES = join(__dirname, '../../examples');
const TYPES = { html: 'text/html', js: 'text/javascript' } as const;

/** Runs apps with the SDK against a running server, from the registration of an app until it is disconnected. */
describe('apps with the SDK', () => {
  let server: TestServer;
  let cable: Cable;
  let sdk: SdkPackage;
  let jana: { readonly person: Person; readonly browser: Visitor };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the installed package, without its types
  let module: any;

  beforeAll(async () => {
    sdk = SdkPackage.install();
    module = await sdk.load();
    // The server sends its address as `iss`, so the test needs the address before the server starts.
    cable = await Cable.disconnected();
    server = await TestServer.start({ baseUrl: cable.origin });
    cable.connectTo(server.origin);
    const person = await server.person('jana');
    jana = { person, browser: await browserOf(server, person) };
    await buildEvent(server, person, { title: 'Tea at five' });
  });
  afterAll(async () => {
    await server.stop();
    await cable.remove();
    sdk.remove();
  });

  const statusOf = async (accessToken: string): Promise<number> =>
    (await fetch(`${cable.origin}/api/v1/user`, { headers: { authorization: `Bearer ${accessToken}` } })).status;
  const registerApp = async (fields: object): Promise<string> => {
    const { body } = await server.nobody.send('POST', '~/oauth/register', {
      json: { client_name: 'My events', ...fields },
    });
    return body.client_id as string;
  };
  /** A token store whose content a test can read. */
  const memoryStore = () => {
    const all: ({ readonly accessToken: string; readonly refreshToken: string } | null)[] = [];
    return { all, get: () => all.at(-1) ?? null, set: (tokens: (typeof all)[number]) => void all.push(tokens) };
  };

  // DOC-20
  it('connect with a code on /device, list events and disconnect (examples/my-events.mjs)', async () => {
    const clientId = await registerApp({ grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] });
    // `npm run mutants` inserts a fault into the text that `readFileSync` returns. `copyFileSync` would copy the file
    // without the fault.
    writeFileSync(join(sdk.folder, 'my-events.mjs'), readFileSync(join(EXAMPLES, 'my-events.mjs'), 'utf8'));
    const run = async (
      args: string[],
      read: (text: string) => Promise<void> | void = () => undefined,
    ): Promise<string> => {
      const tool = spawn(process.execPath, ['my-events.mjs', ...args], {
        cwd: sdk.folder,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { PATH: process.env['PATH'], EVENTS_URL: cable.origin, EVENTS_CLIENT_ID: clientId },
      });
      let text = '';
      let reading: Promise<void> | undefined;
      tool.stdout.on('data', (part) => {
        text += String(part);
        reading ??= Promise.resolve(read(text)).catch((error: unknown) => {
          tool.kill();
          throw error;
        });
      });
      await once(tool, 'close');
      await reading;
      return text;
    };
    const file = join(sdk.folder, 'tokens.json');
    const firstOutput = await run([], async (text) => {
      const [, address = '', code = ''] = /^Open (\S+) and enter the code (\S+)\n$/.exec(text) ?? [];
      expect(address).toBe(`${cable.origin}/device`);
      const page = await jana.browser.submit(
        `/device?user_code=${code}`,
        { user_code: code, decision: 'allow' },
        '/device',
      );
      expect(page.status).toBe(200);
    });
    expect(firstOutput).toMatch(/\nUpcoming events of .+:\n\S+Z Tea at five\n$/);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const { accessToken } = JSON.parse(readFileSync(file, 'utf8')) as { accessToken: string };
    expect(await run([])).toMatch(/^Upcoming events of .+:\n\S+Z Tea at five\n$/);
    expect(await statusOf(accessToken)).toBe(200);
    expect(await run(['disconnect'])).toBe('The tool is disconnected.\n');
    expect(await statusOf(accessToken)).toBe(401);
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  // DOC-18, DOC-19
  it('connect through a redirect to a loopback address, and refresh the token despite a lost response', async () => {
    const { authorizeByLoopback } = await sdk.load('node');
    const redirectUri = 'http://127.0.0.1/callback';
    const app = await OAuthApp.register(server, { redirectUri });
    const store = memoryStore();
    let lost = 0;
    const losingFetch: typeof fetch = async (address, init) => {
      const response = await fetch(address, init);
      const isRefresh =
        (address as string).endsWith('/oauth/token') && (init?.body as URLSearchParams).has('refresh_token');
      if (!isRefresh || lost > 0) return response;
      lost += 1;
      throw new TypeError('lost');
    };
    const connection = new module.Connection({
      baseUrl: cable.origin,
      clientId: app.clientId,
      store,
      fetch: losingFetch,
    });
    const statuses: number[] = [];
    const tokens = await authorizeByLoopback(connection, {
      scope: ['events:read', 'notices:read'],
      open: async (url: string) => {
        const path = url.slice(cable.origin.length);
        const { redirect } = await app.answerConsent(jana.browser, { path, state: '', verifier: '', redirectUri });
        for (const [state, path] of [
          ['another', '/callback'],
          [redirect?.searchParams.get('state') ?? '', '/favicon.ico'],
        ] as const) {
          const foreign = new URL(redirect as URL);
          foreign.searchParams.set('state', state);
          foreign.pathname = path;
          statuses.push((await fetch(foreign)).status);
        }
        // A browser can send the same request twice, for example after a reload. The app must use the code only once.
        const responses = await Promise.all([fetch(redirect as URL), fetch(redirect as URL)]);
        statuses.push(...responses.map(({ status }) => status));
      },
    });
    expect(statuses).toEqual([400, 404, 200, 200]);
    expect(tokens).toMatchObject({ scope: 'events:read notices:read' });
    const client = new module.EventsClient({ baseUrl: cable.origin, token: connection });
    expect((await client.getUser()).token).toMatchObject({
      abilities: ['events:read', 'notices:read'],
      app: { client_id: app.clientId },
    });

    server.clock.forward(2 * 3_600_000);
    const all = await Promise.all([client.getUser(), client.listEvents(), client.listNotices()]);
    expect(all[0].slug).toBe(jana.person.slug);
    expect([lost, store.all.length]).toEqual([1, 2]);
    await connection.revoke();
    expect(await statusOf(store.all[1]?.accessToken ?? '')).toBe(401);
    await expect(client.getUser()).rejects.toMatchObject({ name: 'NotConnected' });
  });

  it('report that the person denied access', async () => {
    const { authorizeByLoopback } = await sdk.load('node');
    const app = await OAuthApp.register(server, { redirectUri: 'http://127.0.0.1/callback' });
    const connection = new module.Connection({ baseUrl: cable.origin, clientId: app.clientId, store: memoryStore() });
    const open = async (url: string) => {
      const path = url.slice(cable.origin.length);
      const { redirect } = await app.answerConsent(
        jana.browser,
        { path, state: '', verifier: '', redirectUri: '' },
        'deny',
      );
      expect((await fetch(redirect as URL)).status).toBe(400);
    };
    await expect(authorizeByLoopback(connection, { open })).rejects.toMatchObject({ error: 'access_denied' });
  });

  it('answer 404 to a request for an invalid path of the loopback address, and then accept the redirect', async () => {
    const { authorizeByLoopback } = await sdk.load('node');
    const tokens = { accessToken: 'evt_a' };
    let redirectUri = '';
    const connection = {
      authorize: async (options: { redirectUri: string }) => {
        ({ redirectUri } = options);
        return { url: 'https://unused.example', pending: options };
      },
      finish: async () => tokens,
    };
    const statuses: number[] = [];
    const open = async () => {
      const { port } = new URL(redirectUri);
      for (const path of ['//', '/callback'])
        await new Promise<void>((done, failed) => {
          get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
            statuses.push(response.statusCode ?? 0);
            response.resume().once('close', done);
          }).once('error', failed);
        });
    };
    expect(await authorizeByLoopback(connection, { open })).toBe(tokens);
    expect(statuses).toEqual([404, 200]);
  });

  it('end an authorization that is aborted before the browser is opened', async () => {
    const { authorizeByLoopback } = await sdk.load('node');
    const reason = new Error('enough');
    const ending = new AbortController();
    const connection = {
      authorize: async ({ redirectUri }: { redirectUri: string }) => {
        ending.abort(reason);
        return { url: 'https://unused.example', pending: { redirectUri } };
      },
    };
    const opened: string[] = [];
    const open = (url: string) => void opened.push(url);
    await expect(authorizeByLoopback(connection, { open, signal: ending.signal })).rejects.toBe(reason);
    expect(opened).toEqual([]);
  });

  // DOC-18
  describeWith('chromium-headless-shell', 'examples/browser-app', () => {
    let pages: Server;
    let folder: string;
    beforeAll(async () => {
      folder = join(sdk.folder, 'browser-app');
      mkdirSync(folder);
      for (const name of ['index.html', 'app.js'])
        writeFileSync(join(folder, name), readFileSync(join(EXAMPLES, 'browser-app', name), 'utf8'));
      cpSync(join(sdk.folder, 'node_modules/@events-service/sdk/dist'), join(folder, 'sdk'), { recursive: true });
      pages = createServer((request, response) => {
        const { pathname } = new URL(request.url ?? '', 'http://unused');
        const file = pathname === '/' ? 'index.html' : pathname.slice(1);
        const type = TYPES[file.split('.').pop() as keyof typeof TYPES] ?? null;
        if (type === null) return void response.writeHead(404).end();
        response.setHeader('content-type', type).end(readFileSync(join(folder, file)));
      });
      await once(pages.listen(0, '127.0.0.1'), 'listening');
    });
    afterAll(() => {
      pages.closeAllConnections();
      pages.close();
    });

    it('lists the events of a person who allowed access, even after the access token has expired, and stops when the person disconnects the app', async () => {
      const clientId = await registerApp({ redirect_uris: ['http://127.0.0.1/'] });
      writeFileSync(
        join(folder, 'settings.js'),
        `export const baseUrl = '${cable.origin}';\nexport const clientId = '${clientId}';\n`,
      );
      const browser = await openBrowser();
      try {
        const page = await browser.newPage({ locale: 'en-GB' });
        const pageErrors: string[] = [];
        page.on('pageerror', (error) => pageErrors.push(error.message));
        const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`;
        await page.goto(origin);
        await page.click('#connect');
        await page.fill('[name=email]', `${jana.person.slug}@example.org`);
        await page.fill('[name=password]', PASSWORD);
        await page.click('main button[type=submit], main form button');
        expect(await page.textContent('main dl')).toContain('this computer');
        await page.click('button[value=deny]');
        await page.waitForSelector('#welcome:not([hidden])');
        expect(await page.textContent('#message')).toBe('You did not allow the app to see your events.');

        await page.click('#connect');
        await page.click('button[value=allow]');
        const listed = async () => (await page.waitForSelector('#events li')).textContent();
        expect(await listed()).toMatch(/: Tea at five$/);
        expect([await page.textContent('#name'), page.url()]).toEqual([jana.person.name, origin]);

        server.clock.forward(2 * 3_600_000);
        await page.reload();
        expect(await listed()).toMatch(/: Tea at five$/);
        const { accessToken } = await page.evaluate<{ accessToken: string }>(
          `JSON.parse(sessionStorage.getItem('tokens'))`,
        );
        expect(await statusOf(accessToken)).toBe(200);
        await page.click('#disconnect');
        await page.waitForSelector('#welcome:not([hidden])');
        expect([await statusOf(accessToken), pageErrors]).toEqual([401, []]);
      } finally {
        await browser.close();
      }
    });
  });
});
