import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { Client } from 'pg';
import { commandsWithAction } from '#apps/cli/help';
import { commandLine } from '#apps/cli/run-command';
import { CommandLine } from '#testing/command-line';
import { NpmService } from '#testing/npm-service';
import { createTestDatabase } from '#testing/test-database';
import { YEAR_AFTER_NEXT } from '#testing/times';

/** The commands of docs/rules/operator.md. They run in the process of the test, and no server is running. */
describe('the operator’s command line', () => {
  let cli: CommandLine;
  beforeAll(async () => (cli = await CommandLine.open()));
  afterAll(() => cli.close());

  const ok: CommandLine['answer'] = (...args) => cli.answer(...args);
  const refused: CommandLine['refusal'] = (...args) => cli.refusal(...args);

  // OPS-16, OPS-17
  it('creates, changes, bans and shows accounts, and creates, lists and revokes their tokens', async () => {
    expect(await ok('migrate')).toEqual({ applied: [] });
    const jana = await ok(
      'user',
      'create',
      'jana',
      '--name',
      'Jana Nováková',
      '--premium-until',
      `${YEAR_AFTER_NEXT}-01-01T00:00:00Z`,
      '--iban',
      'CZ65 0800 0000 1920 0014 5399',
    );
    expect(jana).toMatchObject({
      slug: 'jana',
      iban: 'CZ6508000000192000145399',
      premium_until: `${YEAR_AFTER_NEXT}-01-01T00:00:00Z`,
      tokens: [],
    });
    // OPS-16: omitted fields have their defaults.
    expect(jana).toMatchObject({
      nickname: null,
      email: null,
      locale: 'cs',
      timezone: 'Europe/Prague',
      birth_date: null,
      gender: null,
      avatar_url: null,
      searchable: true,
      show_participation: false,
      reminder_hours: 24,
      verified: false,
      admin: false,
      moderator: false,
      banned: false,
      banned_until: null,
    });
    expect(await ok('user', 'update', 'jana', '--verified', '--nickname', 'Janička')).toMatchObject({
      verified: true,
      nickname: 'Janička',
    });
    expect(await ok('user', 'update', 'jana', '--no-verified', '--nickname', '')).toMatchObject({
      verified: false,
      nickname: null,
    });
    expect(await ok('user', 'update', 'jana', '--credits', '30', '--blocks', '')).toMatchObject({
      credits: { balance: 30, held: 0 },
      blocks: [],
    });
    // NOTE-14
    expect(await ok('user', 'update', 'jana', '--reminder-hours', '48')).toMatchObject({ reminder_hours: 48 });
    for (const hours of ['3', '', 'soon', '-2'])
      expect(await refused('user', 'update', 'jana', '--reminder-hours', hours)).toMatch(/reminder_hours/);
    // PAGE-102
    for (const [flag, show_participation] of [
      ['--show-participation', true],
      ['--no-show-participation', false],
    ] as const)
      expect(await ok('user', 'update', 'jana', flag)).toMatchObject({ show_participation, reminder_hours: 48 });
    expect(await ok('user', 'ban', 'jana')).toMatchObject({ banned: true });
    const token = await ok(
      'token',
      'create',
      'jana',
      '--name',
      'app',
      '--access',
      'read',
      '--expires-at',
      `${YEAR_AFTER_NEXT}-01-01T00:00:00Z`,
    );
    expect(token).toEqual({
      id: expect.any(String),
      name: 'app',
      access: 'read',
      scopes: null,
      expires_at: `${YEAR_AFTER_NEXT}-01-01T00:00:00Z`,
      created_at: expect.any(String),
      token: expect.stringMatching(/^evt_/),
    });
    expect(await ok('token', 'list', 'jana')).toEqual([expect.objectContaining({ id: token.id, last_used_at: null })]);
    expect(JSON.stringify(await ok('user', 'show', 'jana'))).not.toContain(token.token);
    await ok('token', 'revoke', 'jana', token.id);
    expect(await ok('token', 'list', 'jana')).toEqual([]);
  });

  // SCOPE-7
  it('creates tokens with narrow scopes, from options and from a document', async () => {
    await ok('user', 'create', 'zora', '--name', 'Zora');
    const create = ['token', 'create', 'zora', '--name', 'app'] as const;
    expect(await ok(...create, '--scopes', 'join,events:read')).toMatchObject({
      access: null,
      scopes: ['events:read', 'join'],
    });
    expect(await ok(...create, '--scopes', 'read,write')).toMatchObject({ access: 'write', scopes: null });
    expect(await refused(...create, '--scopes', 'everything')).toMatch(/scopes/);
    expect(await refused(...create)).toMatch(/access/);
    expect(await refused(...create, '--scopes', 'join', '--access', 'read')).toMatch(/access/);
    const tokens = [{ name: 'narrow', scopes: ['puls:write'] }];
    const applied = await cli.run(['apply', '-'], JSON.stringify({ users: [{ slug: 'zora', name: 'Zora', tokens }] }));
    expect(JSON.parse(applied.stdout).users[0].tokens[0].token).toMatch(/^evt_/);
    expect((await ok('token', 'list', 'zora')).map(({ access }: { access: unknown }) => access)).toEqual([
      null,
      'write',
      null,
    ]);
    const withoutRights = await cli.run(
      ['apply', '-'],
      JSON.stringify({ users: [{ slug: 'zora', name: 'Zora', tokens: [{ name: 'a' }] }] }),
    );
    expect([withoutRights.code, withoutRights.stderr]).toEqual([1, expect.stringContaining('users.0.tokens.0.access')]);
  });

  // STEP-9, MOD-20
  it('records `user second-step-off` in the audit log, even for an account without a second step', async () => {
    await ok('user', 'create', 'alena', '--name', 'Alena');
    expect(await ok('user', 'second-step-off', 'alena')).toEqual({ slug: 'alena', was_on: false });
    expect((await ok('audit'))[0]).toMatchObject({ action: 'user second-step-off', subject: 'user alena' });
  });

  // OPS-96
  it('records who ran a command: the name in --as, or the user of the operating system if --as is omitted', async () => {
    await ok('user', 'create', 'bozena', '--name', 'Božena');
    await ok('user', 'ban', 'bozena', '--as', 'Eva z podpory');
    expect(
      (await ok('audit', '--limit', '2')).map(({ action, operator, by }: Record<string, unknown>) => [
        action,
        operator,
        by,
      ]),
    ).toEqual([
      ['user ban', 'Eva z podpory', null],
      ['user create', userInfo().username, null],
    ]);
    await ok('user', 'unban', 'bozena', '--as', '🦊'.repeat(100));
    expect(await ok('audit', 'verify')).toMatchObject({ intact: true });
  });

  // OPS-96
  it('accepts names with zero-width joiners and non-joiners in --as, and refuses names that are blank or too long or have control or bidi characters', async () => {
    await ok('user', 'create', 'cyril', '--name', 'Cyril');
    for (const name of ['مهدی\u200cزاده', '👩\u200d🔧 Eva']) {
      await ok('user', 'ban', 'cyril', '--as', name);
      expect((await ok('audit', '--limit', '1'))[0]).toMatchObject({ action: 'user ban', operator: name });
      await ok('user', 'unban', 'cyril');
    }
    for (const name of [' ', '\u200d', 'Eva\tNová', 'Eva \u202eanaJ', 'x'.repeat(101)])
      expect([name, await refused('user', 'ban', 'cyril', '--as', name)]).toEqual([
        name,
        '--as must be a name of 1 to 100 characters, without control and bidi characters.',
      ]);
  });

  // OPS-15
  it('refuses invalid input with one line that shows the reason', async () => {
    expect(await refused('user', 'create', 'Jana!', '--name', 'x')).toMatch(/slug/i);
    expect(await refused('user', 'create', 'nikdo')).toMatch(/--name/);
    expect(await refused('user', 'create', 'nikdo', '--name', 'Petr', '--iban', 'CZ00')).toMatch(/iban/);
    expect(await refused('user', 'create', 'nikdo', '--name', 'Petr', '--birth-date', `${YEAR_AFTER_NEXT}-01-01`)).toBe(
      'nikdo.birth_date: This must not be in the future.',
    );
    expect(await refused('user', 'show', 'nikdo')).toBe('There is no user nikdo.');
    expect(await refused('jobs', 'run', 'nothing')).toMatch(/There is no job nothing/);
    expect(await refused('nonsense')).toMatch(/unknown command/);
    for (const command of [['apply'], ['event', 'import']])
      expect(await refused(...command, '/nowhere.json')).toMatch(/^The document cannot be read: [^\n]*$/);
    const secretLine = '{"users": [{"password":\n"correct horse\n';
    const inTheMiddle = `{"names": ["Jana", "correct horse",x, "another name"]}`;
    for (const document of [secretLine, `${secretLine}"`, `{"password": "correct horse",\n\n}`, inTheMiddle, '']) {
      const { code, stderr } = await cli.run(['apply', '-'], document);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^The document is not JSON: [^\n]*\n$/)]);
      expect(stderr).not.toMatch(/horse|correct/);
    }
    const created = await cli.run(
      ['user', 'create', 'heslo', '--name', 'Heslo', '--password', '-'],
      'a long enough password\n',
    );
    expect(created).toMatchObject({ code: 0, stderr: '' });
    for (const password of ['', '\n', 'two lines of\na password\n']) {
      const { code, stderr } = await cli.run(['user', 'update', 'heslo', '--password', '-'], password);
      expect([code, stderr]).toEqual([1, 'stdin must have one line: the password.\n']);
    }
    expect(await refused('backup', '/proc/nowhere')).toBe(
      "The backup cannot be written: ENOENT: no such file or directory, mkdir '/proc/nowhere'.",
    );
    expect(await refused('user', 'create', '', '--name', 'Petr')).toMatch(/^slug: a slug has at most 60 characters/);
    expect(await refused('user', 'create', 'deleted-0', '--name', 'Petr')).toMatch(/reserved for deleted accounts/);
    expect(await refused('user', 'export', 'heslo', '')).toBe('The name of the file must not be empty.');
    expect(await refused('user', 'export', 'heslo', '-')).toMatch(/^The export is written to a file, not to stdout/);
    const expired = ['--expires-at', '2026-01-01T00:00:00Z'];
    expect(await refused('token', 'create', 'heslo', '--name', 'x', '--access', 'read', ...expired)).toBe(
      '--expires-at must be in the future.',
    );
    expect(await refused('user', 'show', '--nothing')).toBe("error: unknown option '--nothing'");
    expect(await refused('user', 'list', '--queri', 'x')).toBe(
      "error: unknown option '--queri' (Did you mean --query?)",
    );
  });

  // OPS-15
  it('reports a mistake in one line even if the value contains a line break', async () => {
    for (const [args, line] of [
      [['user', 'show', 'a\r\nb'], 'There is no user a b.'],
      [['user', 'no\nthing'], "error: unknown command 'no thing'"],
      [['user', 'show', '--no\nthing'], "error: unknown option '--no thing'"],
      [['apply', '/no\nwhere'], "The document cannot be read: ENOENT: no such file or directory, open '/no where'"],
      [['content', 'restore', 'post', '\u001b[2J'], 'There is no post  [2J.'],
    ] as const)
      expect(await cli.run(args)).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
    const document = JSON.stringify({ users: [{ slug: 'a\nb', name: 'A' }], 'k\ney': [] });
    expect((await cli.run(['apply', '-'], document)).stderr.match(/\n/g)).toHaveLength(2);
  });

  // OPS-15
  it('refuses documents and passwords that are not UTF-8, and accepts a byte order mark', async () => {
    await ok('user', 'create', 'lubos', '--name', 'Luboš');
    const latin1 = Buffer.from('{"users": [{"slug": "lubos", "name": "Luboš Málek"}]}', 'latin1');
    writeFileSync(join(cli.dataDir, 'latin1.json'), latin1);
    for (const [args, input, text] of [
      [['apply', '-'], latin1, 'The document'],
      [['apply', join(cli.dataDir, 'latin1.json')], '', 'The document'],
      [['event', 'import', '-'], latin1, 'The document'],
      [['user', 'update', 'lubos', '--password', '-'], Buffer.from('žluté heslo', 'latin1'), 'The password'],
    ] as const)
      expect(await cli.run(args, input)).toEqual({
        code: 1,
        stdout: '',
        stderr: `${text} is not encoded in UTF-8.\n`,
      });
    expect((await cli.run(['apply', '-'], '\ufeff{"users": []}')).code).toBe(0);
    expect(await ok('user', 'show', 'lubos')).toMatchObject({ name: 'Luboš' });
  });

  // OPS-15
  it('reports in one line that stdout cannot be written, for example because the disk is full', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
    expect(await cli.run(['maintenance', 'show'], '', {}, full)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The result cannot be written: ENOSPC: no space left on device, write\n',
    });
  });

  // OPS-15
  it('has examples with valid options for every command, and every command accepts --json', async () => {
    const commands = commandsWithAction(commandLine());
    expect(commands.length).toBeGreaterThan(30);
    for (const { name, command } of commands) {
      const { code, stdout, stderr } = await cli.run([...name.split(' '), '--help']);
      const [usage = '', examples = ''] = stderr.split(/^Examples?:$/m);
      // Examples may omit the subcommand `list`: `audit` without a subcommand lists the entries.
      expect([name, code, stdout, examples]).toEqual([
        name,
        0,
        '',
        expect.stringMatching(new RegExp(`cli -- ${name.replace(' list', '( list)?')}`)),
      ]);
      expect(command.description()).not.toBe('');
      for (const option of ['--json', ...(examples.match(/(?<= )--[a-z][a-z-]*/g) ?? [])])
        // `--silent` is an option of npm.
        if (option !== '--silent') expect(usage).toContain(option);
    }
    await ok('user', 'create', 'lenka', '--name', 'Lenka');
    for (const command of [['report', 'list'], ['audit'], ['queue'], ['migrate', '--plan']])
      await ok(...command, '--json');
    expect(await ok('user', 'show', 'lenka', '--json')).toEqual(await ok('user', 'show', 'lenka'));
  });

  // OPS-55, OPS-56
  it('lists and finds accounts, and shows the statistics of the installation and its waiting work', async () => {
    const found = await ok('user', 'create', 'zdenka', '--name', 'Zdeňka 100%', '--email', 'zdenka@example.org');
    expect(await ok('user', 'list', '--query', 'ZDEŇKA')).toEqual([
      {
        id: found.id,
        slug: 'zdenka',
        name: 'Zdeňka 100%',
        email: 'zdenka@example.org',
        banned: false,
        created_at: expect.any(String),
      },
    ]);
    const slugsFor = async (query: string) =>
      (await ok('user', 'list', '--query', query)).map(({ slug }: { slug: string }) => slug);
    await ok('user', 'update', 'zdenka', '--nickname', 'Zdeninka');
    for (const query of ['zdenka@EXAMPLE', 'deNIN', '100%'])
      expect([query, await slugsFor(query)]).toEqual([query, ['zdenka']]);
    // A percent sign and an underscore in a query are not wildcards.
    for (const query of ['zd%ka', '_denka']) expect([query, await slugsFor(query)]).toEqual([query, []]);
    expect(await ok('user', 'find', 'Zdenka@example.org')).toMatchObject({ slug: 'zdenka', id: found.id });
    expect(await refused('user', 'find', 'nobody')).toBe('There is nobody with the address, slug or id nobody.');
    for (const limit of ['all', '1e3', '10001'])
      expect(await refused('user', 'list', '--limit', limit)).toBe('--limit must be a whole number from 1 to 10000.');
    const stats = await ok('stats');
    expect(stats.users).toBeGreaterThan(0);
    expect(stats).toMatchObject({ events: expect.any(Number), file_bytes: 0, database_bytes: expect.any(Number) });
    expect(await ok('queue')).toEqual([]);
  });

  // OPS-18
  it('grants credits, sets prices of events, boosts events and imports events', async () => {
    await ok('user', 'create', 'karel', '--name', 'Karel');
    await ok('credits', 'grant', 'karel', '30');
    expect(await ok('credits', 'grant', 'karel', '12')).toEqual({ slug: 'karel', credits: { balance: 42, held: 0 } });
    const events = [
      {
        key: 'fair',
        organizer: 'karel',
        title: 'Jarmark',
        starts_at: `${YEAR_AFTER_NEXT}-06-01T10:00:00Z`,
        source: { name: 'Kudy z nudy', url: 'https://example.org/1' },
      },
    ];
    const importEvent = async () =>
      (
        JSON.parse((await cli.run(['event', 'import', '-'], JSON.stringify(events))).stdout) as {
          key: string;
          id: string;
        }[]
      )[0];
    const [first, second] = [await importEvent(), await importEvent()];
    expect([first?.key, first?.id === second?.id]).toEqual(['fair', true]);
    expect(await ok('event', 'price', first?.id ?? '', '7')).toMatchObject({ id: first?.id, ticket_price_credits: 7 });
    expect(await ok('event', 'boost', first?.id ?? '', '--until', `${YEAR_AFTER_NEXT}-01-01T00:00:00Z`)).toMatchObject({
      boosted_until: `${YEAR_AFTER_NEXT}-01-01T00:00:00Z`,
      is_boosted: true,
    });
    expect(await ok('event', 'boost', first?.id ?? '', '--until', '')).toMatchObject({
      boosted_until: null,
      is_boosted: false,
    });
    const { code, stderr } = await cli.run(
      ['event', 'import', '-'],
      JSON.stringify([{ ...events[0], source: undefined }]),
    );
    expect([code, stderr.trim()]).toEqual([1, 'events.0.source.name: This is required.']);
  });

  // OPS-18, OPS-94
  it('reports all mistakes of a document with events to import, each with the position of the event', async () => {
    await ok('user', 'create', 'importer', '--name', 'Importer');
    const event = { organizer: 'importer', title: 'Jarmark', starts_at: `${YEAR_AFTER_NEXT}-06-01T10:00:00Z` };
    const source = { name: 'Kudy z nudy' };
    const { code, stdout, stderr } = await cli.run(
      ['event', 'import', '-'],
      JSON.stringify([{ ...event, source }, event, { ...event, source: null, title: null }, null]),
    );
    expect([code, stdout, stderr.trim().split('\n')]).toEqual([
      1,
      '',
      [
        'events.1.source.name: This is required.',
        'events.2.title: This is required.',
        'events.2.source.name: This is required.',
        'events.3 must be an object.',
      ],
    ]);
  });

  // OPS-20
  it('applies a document in one transaction; applying its users again changes no ids and replaces the tokens', async () => {
    const document = {
      users: [
        {
          slug: 'petr',
          name: 'Petr',
          premium_until: `${YEAR_AFTER_NEXT}-01-01T00:00:00Z`,
          blocks: ['eva'],
          tokens: [{ name: 'app', access: 'legacy' }],
        },
        { slug: 'eva', name: 'Eva' },
      ],
      events: [
        {
          key: 'picnic',
          organizer: 'petr',
          title: 'Piknik',
          starts_at: '2020-01-01T10:00:00Z',
          participants: [{ user: 'eva' }],
        },
      ],
    };
    const apply = async (content: object) => cli.run(['apply', '-'], JSON.stringify(content));
    const first = JSON.parse((await apply(document)).stdout);
    expect(first.users).toEqual([
      { slug: 'petr', id: expect.any(String), tokens: [{ name: 'app', token: expect.stringMatching(/^evt_/) }] },
      { slug: 'eva', id: expect.any(String), tokens: [] },
    ]);
    expect(first.events).toEqual([{ key: 'picnic', id: expect.any(String), numeric_id: expect.any(Number) }]);
    const second = JSON.parse((await apply({ users: document.users })).stdout);
    expect(second.users[0].id).toBe(first.users[0].id);
    expect(second.users[0].tokens[0].token).not.toBe(first.users[0].tokens[0].token);
    expect(await ok('token', 'list', 'petr')).toHaveLength(1);

    const unknownKey = await apply({ users: [{ slug: 'novy', name: 'Nový', shoe_size: 43 }] });
    expect([unknownKey.code, unknownKey.stderr.trim()]).toEqual([1, 'users.0 has unknown keys: shoe_size.']);
    const unknownOrganizer = await apply({
      users: [{ slug: 'novy', name: 'Nový' }],
      events: [{ organizer: 'nobody', title: 'Piknik', starts_at: `${YEAR_AFTER_NEXT}-01-01T10:00:00Z` }],
    });
    expect(unknownOrganizer.code).toBe(1);
    expect(await refused('user', 'show', 'novy')).toBe('There is no user novy.');
  });

  // OPS-19
  it('reports the state of the installation with `doctor`, and exits with 1 if a check fails', async () => {
    expect(await ok('doctor')).toMatchObject({
      database: { ok: true },
      replicas: { ok: true, detail: 'none' },
      migrations: { ok: true },
      storage: { ok: true },
      redis: { ok: true, detail: 'memory' },
      // OPS-97
      base_url: { ok: true, detail: expect.stringContaining('does not answer') },
      mail: { ok: true, detail: expect.stringContaining('none') },
      disk: { ok: true, detail: expect.stringMatching(/^\d+ MiB free in /) },
      clock: { ok: true },
      backup: { ok: true, detail: 'no backup was made from this DATA_DIR' },
    });
    await cli.run(['backup', join(cli.dataDir, 'backups')]);
    expect((await ok('doctor')).backup).toEqual({
      ok: true,
      detail: expect.stringMatching(/^the last backup was made at 2/),
    });
    writeFileSync(join(cli.dataDir, 'last-backup'), '2020-01-01T00:00:00.000Z\n');
    // A mail server that accepts connections and sends no greeting.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const failed = await cli.run(['doctor'], '', {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      NODE_ENV: 'production',
      APP_SECRET: readFileSync(join(cli.dataDir, 'secret'), 'utf8').trim(),
      BASE_URL: `http://127.0.0.1:${port}`,
    });
    silent.close();
    expect([failed.code, JSON.parse(failed.stdout)]).toEqual([
      1,
      expect.objectContaining({
        mail: { ok: false, detail: 'no answer within 5 seconds' },
        backup: { ok: false, detail: expect.stringMatching(/^the last backup is \d+ days old/) },
        base_url: { ok: false, detail: expect.stringContaining('is not https') },
      }),
    ]);
    expect(await ok('jobs', 'run', 'media-sweep')).toMatchObject({ abandoned: 0 });
  });

  // OPS-97
  it('checks BASE_URL in `doctor` with its path, because a proxy may forward only requests below this path', async () => {
    const proxy = createHttpServer((request, response) =>
      response.writeHead(request.url === '/akce/health/live' ? 200 : 404).end(),
    ).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/akce`;
    const { stdout } = await cli.run(['doctor'], '', { BASE_URL: baseUrl });
    proxy.close();
    expect(JSON.parse(stdout)).toMatchObject({ base_url: { ok: true, detail: `${baseUrl} answers` } });
  });

  // OPS-15
  it('reports in one line that it cannot change rows that another process has locked', async () => {
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    try {
      await client.connect();
      const env = { DATABASE_URL: database.url };
      expect(await cli.run(['user', 'create', 'petr', '--name', 'Petr'], '', env)).toMatchObject({ code: 0 });
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM users FOR UPDATE');
      expect(await cli.run(['user', 'update', 'petr', '--verified'], '', env)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^The database was not available, or another process had locked [^\n]*\n$/),
      });
    } finally {
      await client.end();
      await database.drop();
    }
  });

  // OPS-53
  it('reports in `doctor` the migrations that a database lacks, and does not apply them', async () => {
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    try {
      await client.connect();
      const deleteLast = 'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING name';
      const [{ name } = { name: '' }] = (await client.query<{ name: string }>(deleteLast)).rows;
      const { code, stdout } = await cli.run(['doctor'], '', { DATABASE_URL: database.url });
      const { migrations, ...others } = JSON.parse(stdout) as { migrations: { ok: boolean; detail: string } };
      expect([code, migrations.ok, others]).toEqual([1, false, {}]);
      expect(migrations.detail).toMatch(new RegExp(`^not applied: ${name.slice(-4)}-[a-z-]+$`));
      expect((await client.query('SELECT 1 FROM migrations WHERE name = $1', [name])).rows).toEqual([]);
    } finally {
      await client.end();
      await database.drop();
    }
  });
});

// OPS-15. start.spec.ts tests a refused command as a separate process, and commands on an embedded database.
describe('the operator’s command line as a separate process', () => {
  let service: NpmService;
  beforeAll(async () => (service = await NpmService.prepare()), 300_000);
  afterAll(() => service.remove());

  it('reads stdin, writes one document to stdout, and writes to stderr that it waits for the database', async () => {
    const database = await createTestDatabase();
    const { hostname, port } = new URL(database.url);
    let connections = 0;
    const proxy = createServer((client) => {
      if (++connections === 1) return void client.destroy();
      const upstream = connect(Number(port), hostname);
      client.pipe(upstream).pipe(client);
      for (const socket of [client, upstream]) socket.on('error', () => (client.destroy(), upstream.destroy()));
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = Object.assign(new URL(database.url), { port: String((proxy.address() as AddressInfo).port) });
    const document = JSON.stringify({ users: [{ slug: 'jana', name: 'Jana' }] });
    const { code, stdout, stderr } = await service.cli(['apply', '-'], document, { DATABASE_URL: address.href });
    proxy.close();
    await database.drop();
    expect({ code, answer: JSON.parse(stdout) as unknown }).toEqual({
      code: 0,
      answer: expect.objectContaining({ users: [{ slug: 'jana', id: expect.any(String), tokens: [] }] }),
    });
    expect(stderr).toContain('Waiting for the database');
  }, 120_000);
});
