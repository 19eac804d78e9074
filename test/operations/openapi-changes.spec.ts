import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const EVENT = {
  type: 'object',
  required: ['id', 'ends_at'],
  properties: {
    id: { type: 'string' },
    ends_at: { type: 'string', nullable: true },
    kind: { type: 'string', enum: ['a'] },
  },
};
const QUERY = { name: 'q', in: 'query', required: false, schema: { type: 'string', maxLength: 100 } };
const BODY = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string', minLength: 3 }, kind: { type: 'string', enum: ['a', 'b'], nullable: true } },
};

interface DocumentOptions {
  readonly event?: object;
  readonly query?: object[];
  readonly body?: object;
  readonly status?: string;
  readonly method?: string;
  readonly type?: string;
}

function document({
  event = EVENT,
  query = [QUERY],
  body = BODY,
  status = '200',
  method = 'post',
  type = 'application/json',
}: DocumentOptions): object {
  const operation = {
    parameters: query,
    requestBody: { content: { [type]: { schema: { $ref: '#/components/schemas/Body' } } } },
    responses: {
      [status]: {
        content: {
          'application/json': {
            schema: { type: 'object', properties: { data: { $ref: '#/components/schemas/Event' } } },
          },
        },
      },
    },
  };
  return { paths: { '/events': { [method]: operation } }, components: { schemas: { Event: event, Body: body } } };
}

// DOC-7
describe('the script for a release', () => {
  let datedChangelog: (changelog: string, version: string, day: string) => string;
  let refuseUnlessLater: (version: string | undefined, last: string) => void;
  beforeAll(async () => {
    ({ datedChangelog, refuseUnlessLater } = (await import(join(ROOT, 'scripts/release.mjs'))) as {
      datedChangelog: typeof datedChangelog;
      refuseUnlessLater: typeof refuseUnlessLater;
    });
  });

  it('turns the section "Unreleased" of the changelog into a section with version and date, and adds an empty section "Unreleased"; a changelog whose section "Unreleased" is empty, missing or repeated is refused', () => {
    const log = '# Changelog\n\n## Unreleased\n\n### Added\n\n- Tea.\n\n## 0.1.0\n\n- Water.\n';
    const dated = (changelog: string): string => datedChangelog(changelog, '0.2.0', '2026-11-23');
    expect(dated(log)).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 – 2026-11-23\n\n### Added\n\n- Tea.\n\n## 0.1.0\n\n- Water.\n',
    );
    for (const [changelog, refusal] of [
      [log.replace('- Tea.', ''), 'CHANGELOG.md has nothing under "## Unreleased"'],
      ['# Changelog', 'CHANGELOG.md has no "## Unreleased"'],
      [`${log}\n## Unreleased\n\n- Milk.\n`, 'CHANGELOG.md has "## Unreleased" more than once'],
    ] as const)
      expect(() => dated(changelog)).toThrow(new Error(refusal));
  });

  it.each([
    ['0.2.0', '0.1.0', null],
    ['0.1.1', '0.1.0', null],
    ['1.0.0', '0.9.9', null],
    ['0.10.0', '0.9.0', null],
    ['0.1.0', '0.1.0', '0.1.0 does not come after 0.1.0'],
    ['0.0.9', '0.1.0', '0.0.9 does not come after 0.1.0'],
    ['v0.2.0', '0.1.0', 'a version is three numbers, such as 0.2.0; not v0.2.0'],
    ['0.03.0', '0.1.0', 'a version is three numbers, such as 0.2.0; not 0.03.0'],
    [undefined, '0.1.0', 'a version is three numbers, such as 0.2.0; not undefined'],
  ])('accepts only a higher version of three numbers: %s after %s (error: %s)', (version, last, refusal) => {
    const check = expect(() => refuseUnlessLater(version, last));
    if (refusal === null) check.not.toThrow();
    else check.toThrow(new Error(refusal));
  });

  describe('when it runs in a folder', () => {
    const OLD = { info: { version: '0.1.0' }, ...document({}) };
    const BREAKING = { info: { version: '0.1.0' }, ...document({ query: [] }) };
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'release-'));
      for (const name of ['scripts', 'docs/releases']) mkdirSync(join(folder, name), { recursive: true });
      for (const name of ['release', 'packing', 'openapi-changes'])
        copyFileSync(join(ROOT, `scripts/${name}.mjs`), join(folder, `scripts/${name}.mjs`));
      const manifest = { version: '0.1.0', dependencies: { tea: '0.1.0' } };
      write('package.json', manifest);
      write('package-lock.json', { version: '0.1.0', packages: { '': manifest, tea: { version: '0.1.0' } } });
      write('docs/openapi.json', OLD);
      write('docs/releases/0.1.0.json', OLD);
      writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n- Tea.\n');
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const write = (name: string, content: object) =>
      writeFileSync(join(folder, name), JSON.stringify(content, null, 2));
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    /** The names of the stored documents, and the files that contain the new version. */
    const outcome = () => [
      readdirSync(join(folder, 'docs/releases')),
      ['package.json', 'package-lock.json', 'docs/openapi.json', 'CHANGELOG.md'].filter((name) =>
        read(name).includes('0.2.0'),
      ),
    ];

    /**
     * Runs the script, and returns its exit code. `scripts/openapi.mjs`, which the script runs, is replaced here: it
     * writes the document `generated`, or fails if `generated` is null.
     */
    function release(generated: object | null): number | null {
      const code = generated
        ? `import { writeFileSync } from 'node:fs'; writeFileSync(import.meta.dirname + '/../docs/openapi.json', ${JSON.stringify(JSON.stringify(generated, null, 2))});`
        : 'process.exitCode = 1;';
      writeFileSync(join(folder, 'scripts/openapi.mjs'), code);
      return spawnSync(process.execPath, [join(folder, 'scripts/release.mjs'), '0.2.0']).status;
    }

    it('writes the version into all files, and keeps the versions of dependencies', () => {
      expect(release(OLD)).toBe(0);
      const files = ['package.json', 'package-lock.json', 'docs/openapi.json', 'CHANGELOG.md'];
      expect(outcome()).toEqual([['0.2.0.json'], files]);
      expect(JSON.parse(read('package-lock.json'))).toEqual({
        version: '0.2.0',
        packages: { '': { version: '0.2.0', dependencies: { tea: '0.1.0' } }, tea: { version: '0.1.0' } },
      });
      expect(JSON.parse(read('docs/openapi.json'))).toEqual({ ...OLD, info: { version: '0.2.0' } });
      expect(read('docs/releases/0.2.0.json')).toBe(read('docs/openapi.json'));
    });

    it('stops before it changes a version if the OpenAPI document of the current code breaks clients or cannot be created', () => {
      for (const generated of [BREAKING, null]) {
        expect(release(generated)).toBe(1);
        expect(outcome()).toEqual([['0.1.0.json'], []]);
      }
      expect(release(OLD)).toBe(0);
    });
  });
});

// DOC-7
describe('the comparison with the document of the last release', () => {
  const SCRIPT = join(ROOT, 'scripts/openapi-changes.mjs');
  let changesBetween: (old: object, now: object) => string[];
  beforeAll(async () => {
    ({ breaks: changesBetween } = (await import(SCRIPT)) as { breaks: typeof changesBetween });
  });

  /** Compares two documents. Returns the reported changes that break clients. */
  function breaks(now: object, old: object = document({})): string[] {
    // As in a JSON file, fields without a value are absent.
    return changesBetween(...([old, now].map((one) => JSON.parse(JSON.stringify(one))) as [object, object]));
  }

  it('prints each change that breaks clients, and exits with 1', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
    const files = [document({}), document({ method: 'put' })].map((one, i) => {
      const file = join(folder, `${i}.json`);
      writeFileSync(file, JSON.stringify(one));
      return file;
    });
    const { stderr, status } = spawnSync(process.execPath, [SCRIPT, ...files], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect([status, stderr]).toEqual([1, 'breaks clients of 0.json: POST /events: is gone\n']);
  });

  it('accepts an equivalent document in OpenAPI 3.1, and compatible additions', () => {
    const event = {
      type: 'object',
      required: ['id', 'ends_at', 'series'],
      properties: {
        id: { type: 'string' },
        ends_at: { type: ['string', 'null'] },
        kind: { $ref: '#/components/schemas/Kind' },
        series: { type: 'string' },
      },
    };
    const body = {
      ...BODY,
      properties: {
        ...BODY.properties,
        title: { type: ['string', 'null'], minLength: 1 },
        kind: { anyOf: [{ $ref: '#/components/schemas/Kind' }, { type: 'null' }] },
        more: {},
      },
    };
    const now = document({ event, body, query: [QUERY, { ...QUERY, name: 'new' }] }) as {
      components: { schemas: Record<string, object> };
    };
    now.components.schemas.Kind = { type: 'string', enum: ['a', 'b', 'c'] };
    expect(breaks(now)).toEqual([]);
  });

  it('treats `oneOf` with a single schema like this schema alone, and `oneOf` with a schema and null like a nullable schema', () => {
    const withId = (id: object) =>
      document({ event: { ...EVENT, properties: { ...EVENT.properties, id } }, body: { ...BODY, properties: { id } } });
    const [plain, listed] = [withId({ type: 'string' }), withId({ oneOf: [{ type: 'string' }] })];
    expect([breaks(plain, listed), breaks(listed, plain)]).toEqual([[], []]);
    const nullable = withId({ oneOf: [{ type: 'string' }, { type: 'null' }] });
    expect(breaks(nullable, listed)).toEqual(['POST /events 200.data.id: may be null now']);
    expect(breaks(listed, nullable)).toEqual(['POST /events body.id: null is no longer accepted']);
  });

  it('accepts that a field becomes null with a certain query parameter (`x-null-with`) only if this parameter is new', () => {
    const id = { type: 'string', nullable: true, 'x-null-with': 'cursor' };
    const event = { ...EVENT, properties: { ...EVENT.properties, id } };
    const cursor = { ...QUERY, name: 'cursor' };
    expect(breaks(document({ event, query: [QUERY, cursor] }))).toEqual([]);
    const line = ['POST /events 200.data.id: may be null now'];
    expect(breaks(document({ event }))).toEqual(line);
    expect(breaks(document({ event, query: [QUERY, cursor] }), document({ query: [QUERY, cursor] }))).toEqual(line);
  });

  it('accepts that a field becomes null for tokens without a certain scope (`x-null-without-scope`) only if the last release had no scopes', () => {
    const id = { type: 'string', nullable: true, 'x-null-without-scope': 'join' };
    const event = { ...EVENT, properties: { ...EVENT.properties, id } };
    expect(breaks(document({ event }))).toEqual([]);
    const old = document({}) as { components: { schemas: Record<string, object> } };
    old.components.schemas.Scope = { type: 'string', enum: ['read', 'join'] };
    expect(breaks(document({ event }), old)).toEqual(['POST /events 200.data.id: may be null now']);
  });

  it('reports a changed pattern of the input, but not a removed pattern', () => {
    const withPattern = (pattern?: string) =>
      document({ body: { ...BODY, properties: { title: { type: 'string', pattern } } } });
    expect(breaks(withPattern('^b'), withPattern('^a'))).toEqual([
      'POST /events body.title: the pattern is ^b, was ^a',
    ]);
    expect(breaks(withPattern(), withPattern('^a'))).toEqual([]);
  });

  it('reports variants of the input that are removed or narrower, but not variants that are added, wider, or moved to another place', () => {
    const withId = (id: object) => document({ body: { type: 'object', properties: { id } } });
    const text = { type: 'string', maxLength: 10 };
    const number = { type: 'integer' };
    const prefix = 'POST /events body.id: the variant';
    const both = withId({ oneOf: [text, number, { type: 'null' }] });
    expect(breaks(withId({ anyOf: [number, { type: 'null' }] }), both)).toEqual([
      `${prefix} string is no longer accepted as before`,
    ]);
    expect(breaks(withId({ oneOf: [text, number] }), both)).toEqual([`${prefix} null is no longer accepted as before`]);
    expect(breaks(withId({ oneOf: [{ ...text, maxLength: 9 }, number], nullable: true }), both)).toEqual([
      `${prefix} string is no longer accepted as before`,
    ]);
    expect(breaks(withId(text), withId({ oneOf: [text, number] }))).toEqual([
      `${prefix} integer is no longer accepted as before`,
    ]);
    expect(
      breaks(withId({ oneOf: [{ type: 'null' }, number, { type: 'boolean' }, { type: 'string' }] }), both),
    ).toEqual([]);
    expect(breaks(both, withId({ type: ['string', 'null'], maxLength: 10 }))).toEqual([]);
    expect(breaks(withId({ allOf: [{ oneOf: [number, { type: 'null' }, text] }] }), both)).toEqual([]);
  });

  const { id: _id, ...withoutId } = EVENT.properties;
  it.each<[string, DocumentOptions, string[]]>([
    ['a removed operation', { method: 'put' }, ['POST /events: is gone']],
    ['a removed response', { status: '201' }, ['POST /events 200: is no longer returned']],
    ['a removed field', { event: { ...EVENT, properties: withoutId } }, ['POST /events 200.data.id: is gone']],
    [
      'a field that may be missing',
      { event: { ...EVENT, required: ['id'] } },
      ['POST /events 200.data.ends_at: can be missing now'],
    ],
    [
      'a field that may have another type',
      { event: { ...EVENT, properties: { ...EVENT.properties, id: { type: ['string', 'integer'] } } } },
      ['POST /events 200.data.id: may be integer now'],
    ],
    [
      'a field that may be null',
      { event: { ...EVENT, properties: { ...EVENT.properties, id: { type: 'string', nullable: true } } } },
      ['POST /events 200.data.id: may be null now'],
    ],
    ['a removed parameter', { query: [] }, ['POST /events query q: is no longer accepted']],
    [
      'a parameter that is required now',
      { query: [{ ...QUERY, required: true }] },
      ['POST /events query q: is required now'],
    ],
    [
      'a new parameter that is required',
      { query: [QUERY, { ...QUERY, name: 'lat', required: true }] },
      ['POST /events query lat: is new and required'],
    ],
    [
      'a narrower bound',
      { query: [{ ...QUERY, schema: { type: 'string', maxLength: 50 } }] },
      ['POST /events query q: maxLength is 50, was 100'],
    ],
    [
      'a new pattern',
      { query: [{ ...QUERY, schema: { ...QUERY.schema, pattern: '^a' } }] },
      ['POST /events query q: the pattern is ^a, was none'],
    ],
    [
      'a value that is no longer accepted',
      { body: { ...BODY, properties: { ...BODY.properties, kind: { type: ['string', 'null'], enum: ['a', null] } } } },
      ['POST /events body.kind: "b" is no longer accepted'],
    ],
    [
      'null that is no longer accepted',
      { body: { ...BODY, properties: { ...BODY.properties, kind: { type: 'string', enum: ['a', 'b'] } } } },
      ['POST /events body.kind: null is no longer accepted'],
    ],
    [
      'a field of the body that is required now',
      { body: { ...BODY, required: ['title', 'kind'] } },
      ['POST /events body.kind: is required now'],
    ],
    [
      'a body of another media type',
      { type: 'multipart/form-data' },
      ['POST /events body: is no longer accepted as application/json'],
    ],
  ])('reports %s', (_what, options, lines) => {
    expect(breaks(document(options))).toEqual(lines);
  });

  it('finds no incompatible change between the document of the last release and the current document', () => {
    const { stderr, status } = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(readFileSync(join(ROOT, 'docs/releases/0.2.0.json'), 'utf8'))).toHaveProperty('openapi', '3.1.0');
  });
});
