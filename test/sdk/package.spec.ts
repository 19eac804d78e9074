import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { buildSync } from 'esbuild';
import { openBrowser } from '#testing/browser';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { describeWith } from '#testing/requirements';
import { SdkPackage } from '#testing/sdk-package';
import { TestServer } from '#testing/test-server';

const ROOT = join(__dirname, '../..');

/**
 * The runtimes that run stories/main.ts, as commands without the file name. SDK_RUNTIMES adds runtimes, for example
 * 'npx -y node@24, npx -y bun'.
 */
const RUNTIMES = [
  process.execPath,
  ...(process.env['SDK_RUNTIMES'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean),
];

// DOC-8
describe('the packed SDK in an empty folder', () => {
  let server: TestServer;
  let sdk: SdkPackage;
  let photo: string;
  let reader: Person;
  let numberOfSamples: number;
  /** The errors of the compiler for Node.js. */
  let errors: string[];
  let browserErrors: string;

  beforeAll(async () => {
    sdk = SdkPackage.install();
    photo = (await picture('jpeg')).toString('base64');
    server = await TestServer.start();
    const host = await server.person('host');
    for (const title of ['Tea at five in the park', 'Tea at five at home'])
      await host.api.post('/events', { title, starts_at: '2035-05-01T16:00:00Z' });
    reader = await server.person('reader');
    numberOfSamples = writeSamples();
    writeReadme();
    // DOC-8: the files compile for browsers without other packages. Only the module for webhooks needs a package, which
    // is linked afterwards.
    browserErrors = sdk.compile(['story.ts', 'mistakes.ts'], 'browser');
    symlinkSync(join(ROOT, 'node_modules/standardwebhooks'), join(sdk.folder, 'node_modules/standardwebhooks'));
    // A run of the compiler takes seconds, so one run compiles the files of all tests for Node.js.
    errors = sdk
      .compile(['story.ts', 'main.ts', 'mistakes.ts', 'newest.ts'], 'node', ['samples.ts', 'readme.ts'])
      .split(/\n(?=\S)/)
      .filter(Boolean);
    expect(errorsIn('story.ts', 'main.ts')).toEqual([]);
  }, 300_000);
  afterAll(async () => {
    await server.stop();
    sdk.remove();
  });

  /** The errors in these files, and the errors outside the files of the tests. */
  const errorsIn = (...files: string[]): string[] =>
    errors.filter((error) => {
      const [, file] = /^(\w+\.ts)\(/.exec(error) ?? [];
      return file === undefined || files.includes(file);
    });

  /** Writes the samples of the API reference, and returns their number. */
  function writeSamples(): number {
    const script = readFileSync(join(ROOT, 'libs/web/assets/docs.js'), 'utf8');
    const [source = ''] = /^const FILE = [^]*?^}$/m.exec(script) ?? [];
    const sample = runInNewContext(`${source}; sample`, {
      location: { origin: server.origin },
      app: { dataset: { base: '' } },
    }) as (operation: object) => string;
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      paths: Record<string, Record<string, object>>;
    };
    const samples = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => sample(operation).replace(/^import .*$/m, ''));
    const text = [
      "import { EventsClient } from '@events-service/sdk';",
      'declare const file: Blob;',
      ...samples.map((one) => `export async function _() {${one}\nreturn answer; }`),
    ];
    writeFileSync(
      join(sdk.folder, 'samples.ts'),
      text.map((one, i) => one.replace('function _', `function sample${i}`)).join('\n'),
    );
    return samples.length;
  }

  /** Writes the examples of the README; the first one runs with the token of `reader`. */
  function writeReadme(): void {
    const [firstExample = '', ...otherExamples] = [
      ...readFileSync(join(ROOT, 'libs/sdk/README.md'), 'utf8').matchAll(/^( *)```ts\n([^]*?)^ *```/gm),
    ].map(([, , code = '']) => code);
    const imports = new Set(firstExample.match(/^import .*$/gm));
    for (const other of otherExamples) for (const one of other.match(/^ *import .*$/gm) ?? []) imports.add(one.trim());
    const withoutImports = (code: string): string => code.replace(/^ *import .*$/gm, '');
    const runnableExample = withoutImports(firstExample)
      .replace('evt_…', reader.token)
      .replace('https://events.example', server.origin);
    const declarations = [
      "import { createReadStream } from 'node:fs';",
      "declare const connection: import('@events-service/sdk').Connection;",
      'declare const location: { href: string; assign(url: string): void };',
      'declare const sessionStorage: { getItem(name: string): string | null; setItem(name: string, value: string): void };',
      'declare const file: File, request: Request, id: string, lineOfTheSandbox: string;',
      'declare function load(): string | undefined; declare function save(cursor: string): void; declare function notify(id: string): Promise<void>;',
    ];
    writeFileSync(
      join(sdk.folder, 'readme.ts'),
      [
        ...imports,
        ...declarations,
        runnableExample,
        'console.log(JSON.stringify([me.slug, event.title]));',
        ...otherExamples.map((code, i) => `export async function part${i}() {${withoutImports(code)}}`),
      ].join('\n'),
    );
  }

  async function createCast(): Promise<string> {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    return JSON.stringify({ baseUrl: server.origin, jana: jana.token, petr: petr.token, eva: eva.token });
  }

  const EXPECTED_RESULT = {
    id: expect.any(String),
    images: 3,
    fullRefusal: 'event_full',
    found: expect.arrayContaining(['Tea at five', 'Tea at five in the park', 'Tea at five at home']),
    comments: 2,
    settlement: ['petr 120.25'],
    afterPaying: [],
    csv: expect.stringContaining('Cakes'),
    missingRefusal: expect.stringMatching(/^404 not_found http.*\/docs\/errors\/not_found$/),
    leaveStatus: 204,
  };

  it('compiles in strict mode for browsers and for Node.js, and its types reject typical mistakes', () => {
    expect(browserErrors).toBe('');
    expect(errorsIn('story.ts', 'mistakes.ts')).toEqual([]);
  });

  // DOC-16
  it('can be imported by a CommonJS project with the older module resolution (node10), including the module for webhooks', async () => {
    const folder = join(sdk.folder, 'commonjs');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
    const source = [
      "import { EventsClient } from '@events-service/sdk';",
      "import { verifiedWebhook } from '@events-service/sdk/webhooks';",
      "const client: EventsClient = new EventsClient({ baseUrl: 'http://127.0.0.1', token: 'evt_' });",
      'console.log(typeof client.getUser, typeof verifiedWebhook);',
    ];
    writeFileSync(join(folder, 'app.ts'), source.join('\n'));
    const options = {
      strict: true,
      module: 'commonjs',
      moduleResolution: 'node10',
      ignoreDeprecations: '6.0',
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
      outDir: '../out/commonjs',
      skipLibCheck: true,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['app.ts'] }));
    expect(
      spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' })
        .stdout,
    ).toBe('');
    cpSync(join(folder, 'package.json'), join(sdk.folder, 'out/commonjs/package.json'));
    expect(await sdk.run(process.execPath, 'commonjs/app.js', {})).toBe('function function\n');
  });

  it('compiles in strict mode with the samples of the API reference, one for each operation', () => {
    expect(numberOfSamples).toBeGreaterThan(90);
    expect(errorsIn('samples.ts')).toEqual([]);
  });

  it('compiles in strict mode with the examples of its README, and the first example runs', async () => {
    expect(errorsIn('readme.ts')).toEqual([]);
    const output = await sdk.run(process.execPath, 'readme.js', {});
    expect(output.split('\n')).toContain(JSON.stringify([reader.slug, 'Tea at five']));
    expect(output.split('\n').length).toBeGreaterThan(1);
  });

  it.each(RUNTIMES)(
    'runs the program of stories/story.ts, from the creation of an event to the settlement of its expenses: %s',
    async (runtime) => {
      expect(JSON.parse(await sdk.run(runtime, 'main.js', { CAST: await createCast(), PICTURE: photo }))).toEqual(
        EXPECTED_RESULT,
      );
    },
  );

  // DOC-21
  it('calls endpoints that stories/story.ts does not call: the search for people, messages, statistics, door links, changes with subjects and the request log', async () => {
    expect(errorsIn('newest.ts')).toEqual([]);
    expect(JSON.parse(await sdk.run(process.execPath, 'newest.js', { CAST: await createCast() }))).toEqual({
      waitlist: ['offer', 0],
      seat: [null, null],
      found: true,
      profile: false,
      messages: ['See you there', 1, 1],
      confirmed: 1,
      csv: expect.stringContaining('name'),
      door: 1,
      links: ['North gate'],
      subjects: true,
      logged: true,
    });
  });

  // DOC-10
  describeWith('chromium-headless-shell', 'in a bundle for browsers', () => {
    it('runs the program of stories/story.ts on a page of another origin', async () => {
      const entry = join(sdk.folder, 'page.js');
      writeFileSync(entry, "import { story } from './out/story.js';\nglobalThis.story = story;");
      buildSync({
        entryPoints: [entry],
        bundle: true,
        outfile: join(sdk.folder, 'bundle.js'),
        platform: 'browser',
        format: 'iife',
      });
      const pages = createServer((request, response) =>
        response
          .setHeader('content-type', request.url === '/' ? 'text/html' : 'text/javascript')
          .end(request.url === '/' ? '<script src="bundle.js"></script>' : readFileSync(join(sdk.folder, 'bundle.js'))),
      );
      await once(pages.listen(0, '127.0.0.1'), 'listening');
      const browser = await openBrowser();
      try {
        const page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
        const output = await page.evaluate(
          `story(${await createCast()}, Uint8Array.from(atob('${photo}'), (one) => one.charCodeAt(0)))`,
        );
        expect(output).toEqual(EXPECTED_RESULT);
      } finally {
        await browser.close();
        pages.closeAllConnections();
        pages.close();
      }
    });
  });
});
