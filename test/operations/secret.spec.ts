import {
  mkdirSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Logger } from '@nestjs/common';
import { secretLine } from '#apps/cli/commands/secret.commands';
import { SealingKeys } from '#platform/config/sealer';
import { migrate } from '#platform/database/migrations';
import { rotateSecret } from '#platform/installation/rotation';
import { CommandLine } from '#testing/command-line';
import { clientOf } from '#testing/people';
import { withClient } from '#testing/test-cluster';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#testing/test-database';
import { TestServer } from '#testing/test-server';
import { soon } from '#testing/times';

const FIRST = 'the first secret of an installation, long enough';
const SECOND = 'the second secret of an installation, long enough';
const WRONG_SECRET = /^APP_SECRET is not the secret of this database[^\n]*$/;

/** docs/commands.md, "The secret": the database stores a fingerprint of the secret. A rotation keeps ids and tokens. */
describe('APP_SECRET', () => {
  let database: TestDatabase;
  beforeEach(async () => (database = await createTestDatabase()));
  afterEach(() => database.drop());

  const sql = async <Row extends object>(text: string) =>
    withClient(database.url, async (client) => (await client.query<Row>(text)).rows);
  const start = (appSecret: string) => TestServer.start({ databaseUrl: database.url, appSecret });
  /** Creates an event and a series, both with a join password. */
  const createWithPassword = async (server: TestServer) => {
    const { jana } = await server.people('jana');
    const fields = { title: 'Sklep', starts_at: soon(300), join_mode: 'password', join_password: 'sezame' };
    const event = (await jana.api.post('/events', fields)).body.data;
    const series = (
      await jana.api.post('/series', { ...fields, title: 'Sklepy', frequency: 'weekly', duration_minutes: 60 })
    ).body.data;
    return { token: jana.token, event, series };
  };
  // OPS-24
  it('is refused at the start if it is not the secret with which the database was first used; without a fingerprint, the server decrypts a stored text to check this', async () => {
    const running = await start(FIRST);
    const { token, event } = await createWithPassword(running);
    await running.stop();
    await expect(start(SECOND)).rejects.toThrow(WRONG_SECRET);
    await sql('DELETE FROM installation');
    await sql('DELETE FROM public_id_salts');
    await expect(start(SECOND)).rejects.toThrow(WRONG_SECRET);
    const [one, two] = await Promise.all([start(FIRST), start(FIRST)]);
    for (const server of [one, two]) {
      expect((await clientOf(server, token).get(`/events/${event.id}`)).body.data).toEqual(event);
      await server.stop();
    }
  });

  // OPS-25. A rotation finds the encrypted texts by the names `…_sealed` of columns and JSON fields.
  it('is rotated without a change of ids, tokens or join passwords, and the old secret is refused afterwards', async () => {
    const running = await start(FIRST);
    const { token, event, series } = await createWithPassword(running);
    await expect(rotateSecret(database.url, SECOND, 'x'.repeat(40))).rejects.toThrow(
      'The current secret is not the secret of this database',
    );
    const [{ sealed }] = (await sql(
      `SELECT (SELECT count(*) FROM events WHERE join_password_sealed IS NOT NULL)::int + (SELECT count(*) FROM series)::int AS sealed`,
    )) as [{ sealed: number }];
    expect(sealed).toBeGreaterThan(2);
    expect(await rotateSecret(database.url, FIRST, SECOND)).toEqual({ resealed: sealed, unreadable: 0 });
    expect(await rotateSecret(database.url, FIRST, SECOND)).toEqual({ resealed: 0, unreadable: 0 });
    // A server that has not been restarted yet still encrypts with the old secret.
    const { eva } = await running.people('eva');
    const lateEvent = (
      await eva.api.post('/events', {
        title: 'Pozdě',
        starts_at: soon(300),
        join_mode: 'password',
        join_password: 'pozdě',
      })
    ).body.data;
    await running.stop();

    await expect(start(FIRST)).rejects.toThrow(WRONG_SECRET);
    const server = await start(SECOND);
    const jana = clientOf(server, token);
    expect((await jana.get(`/events/${event.id}`)).body.data).toEqual(event);
    expect((await jana.get(`/series/${series.id}`)).body.data).toEqual(series);
    expect((await clientOf(server, eva.token).get(`/events/${lateEvent.id}`)).body.data).toEqual(lateEvent);
    const { petr } = await server.people('petr');
    expect((await petr.api.post(`/events/${event.id}/join`, { password: 'sezame' })).status).toBe(200);
    await server.stop();

    expect(await rotateSecret(database.url, SECOND, FIRST)).toMatchObject({ unreadable: 0 });
  });

  // OPS-90
  it('can be rotated: a server that still has the old secret answers 503 if it needs the secret, and changes no data', async () => {
    const running = await start(FIRST);
    const { token, event, series } = await createWithPassword(running);
    const jana = clientOf(running, token);
    const { petr } = await running.people('petr');
    const calendar = (await jana.get('/user/calendar')).body.data;
    await rotateSecret(database.url, FIRST, SECOND);
    const logged: string[] = [];
    const log = jest
      .spyOn(Logger.prototype, 'warn')
      .mockImplementation((line: unknown) => void logged.push(String((line as { err?: unknown }).err)));
    const requests = {
      event: await jana.get(`/events/${event.id}`),
      events: await jana.get('/events'),
      series: await jana.get(`/series/${series.id}`),
      join: await petr.api.post(`/events/${event.id}/join`, { password: 'sezame' }),
      calendar: await jana.get('/user/calendar'),
      keyed: await jana.send('PATCH', '/events/' + event.id, {
        json: { title: 'Sklep 2' },
        headers: { 'idempotency-key': 'once' },
      }),
    };
    log.mockRestore();
    for (const [what, { status, headers, body }] of Object.entries(requests))
      expect([what, status, headers.get('retry-after'), body.code]).toEqual([what, 503, '10', 'server_error']);
    expect(logged).toEqual(
      Object.keys(requests).map(() => expect.stringContaining('restart this process with the new secret')),
    );
    // Requests that need no encrypted text still work.
    expect((await jana.get('/user')).status).toBe(200);
    expect(await sql('SELECT 1 FROM wrong_passwords')).toEqual([]);
    await running.stop();

    const restarted = await start(SECOND);
    expect((await clientOf(restarted, token).get(`/events/${event.id}`)).body.data).toEqual(event);
    expect((await clientOf(restarted, token).get('/user/calendar')).body.data).toEqual(calendar);
    expect(
      (await clientOf(restarted, petr.token).post(`/events/${event.id}/join`, { password: 'sezame' })).status,
    ).toBe(200);
    await restarted.stop();
  });

  // OPS-26
  it('may fail to decrypt a stored join password: the organizer then gets null instead of the password, every entered password is refused, and the organizer can set a new password', async () => {
    const server = await start(FIRST);
    const { token, event, series } = await createWithPassword(server);
    await sql(`UPDATE events SET join_password_sealed = 'bm90aGluZyBvZiBvdXJz' WHERE join_password_sealed IS NOT NULL`);
    await sql(`UPDATE series SET template = jsonb_set(template, '{join_password_sealed}', '"AAAA"')`);
    const jana = clientOf(server, token);
    expect((await jana.get('/events')).status).toBe(200);
    expect((await jana.get(`/events/${event.id}`)).body.data).toEqual({ ...event, join_password: null });
    expect((await jana.get(`/series/${series.id}`)).body.data).toMatchObject({ join_password: null });
    const { petr } = await server.people('petr');
    expect((await petr.api.post(`/events/${event.id}/join`, { password: 'sezame' })).body.code).toBe('wrong_password');
    expect((await jana.patch(`/events/${event.id}`, { title: 'Půda' })).status).toBe(200);
    expect((await jana.patch(`/events/${event.id}`, { join_password: 'nové' })).body.data.join_password).toBe('nové');
    expect((await petr.api.post(`/events/${event.id}/join`, { password: 'nové' })).status).toBe(200);
    await server.stop();
  });

  // OPS-25
  it('can be rotated: every sealed text of a JSON object is then sealed with the new secret', async () => {
    const keys = new SealingKeys(FIRST);
    await sql('CREATE TABLE two_texts (content jsonb)');
    await sql(
      `INSERT INTO two_texts VALUES ('{"one_sealed": "${keys.seal('one')}", "two_sealed": "${keys.seal('two')}"}')`,
    );
    expect(await rotateSecret(database.url, FIRST, SECOND)).toEqual({ resealed: 2, unreadable: 0 });
    const [row] = await sql<{ content: Record<string, string> }>('SELECT content FROM two_texts');
    expect(Object.values(row!.content).map((sealed) => new SealingKeys(SECOND).open(sealed))).toEqual(['one', 'two']);
  });

  // OPS-25
  it('can be rotated by the owner of the database, without a superuser', async () => {
    const owned = await createEmptyDatabase();
    const url = new URL(owned.url);
    const role = `owner_of_${url.pathname.slice(1)}`;
    await sql(`CREATE ROLE ${role} LOGIN PASSWORD 'owner'`);
    await sql(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${role}`);
    const { href } = Object.assign(url, { username: role, password: 'owner' });
    await migrate(href);
    expect(await rotateSecret(href, FIRST, SECOND)).toEqual({ resealed: 0, unreadable: 0 });
    await owned.drop();
    await sql(`DROP ROLE ${role}`);
  });
});

describe('the operator’s command line for the secret', () => {
  let commandLine: CommandLine;
  beforeAll(async () => (commandLine = await CommandLine.open()));
  afterAll(() => commandLine.close());

  const cli = async (args: string[], env: Record<string, string> = {}, input: string | Buffer = '') =>
    commandLine.run(args, input, env);

  it('refuses a secret that is not the secret of the database, even in the command doctor, and completes an interrupted rotation', async () => {
    expect(JSON.parse((await cli(['doctor'])).stdout)).toMatchObject({ secret: { ok: true } });
    const path = join(commandLine.dataDir, 'secret');
    const first = readFileSync(path, 'utf8');
    for (const command of [['doctor'], ['user', 'show', 'jana'], ['jobs', 'run', 'media-sweep']]) {
      const { code, stdout, stderr } = await cli(command, { APP_SECRET: FIRST });
      expect([code, stdout, stderr.trim()]).toEqual([1, '', expect.stringMatching(WRONG_SECRET)]);
    }
    const place = join(commandLine.dataDir, 'backups');
    for (const command of [
      ['backup', place],
      ['backup', place, '--without-secret'],
      ['backup', '-'],
    ]) {
      const { code, stdout, stderr } = await cli(command, { APP_SECRET: FIRST });
      expect([code, stdout, stderr.trim()]).toEqual([1, '', expect.stringMatching(WRONG_SECRET)]);
    }
    expect(readdirSync(place)).toEqual([]);
    // The state after a rotation that was interrupted after it had written the new secret to secret.next.
    writeFileSync(`${path}.next`, `${SECOND}\n`, { mode: 0o600 });
    expect(JSON.parse((await cli(['secret', 'rotate'])).stdout)).toEqual({ resealed: 0, unreadable: 0 });
    expect(readFileSync(path, 'utf8')).toBe(`${SECOND}\n`);
    // The state after a rotation that was interrupted after it had changed the database to the new secret.
    writeFileSync(path, first);
    writeFileSync(`${path}.next`, `${SECOND}\n`);
    expect((await cli(['doctor'])).stderr.trim()).toMatch(WRONG_SECRET);
    expect((await cli(['secret', 'rotate'])).code).toBe(0);
    expect((await cli(['doctor'])).code).toBe(0);
    expect((await cli(['secret', 'rotate'])).code).toBe(0);
    expect(readFileSync(path, 'utf8')).not.toBe(`${SECOND}\n`);
    expect(existsSync(`${path}.next`)).toBe(false);

    const current = readFileSync(path, 'utf8').trim();
    expect((await cli(['secret', 'rotate'], { APP_SECRET: current })).stderr).toMatch(
      /^APP_SECRET is set: give the new secret on stdin/,
    );
    expect((await cli(['secret', 'rotate', '--to', '-'], { APP_SECRET: current }, 'short')).stderr).toMatch(
      /32 characters or more/,
    );
    // An environment variable cannot contain NUL, and bytes that are not UTF-8 would be read as U+FFFD. After a
    // rotation to such a secret, no text could be decrypted.
    for (const [input, reason] of [
      [`${'x'.repeat(31)}\0y`, /32 characters or more/],
      [Buffer.alloc(40, 0xe1), /^The new secret is not encoded in UTF-8\.$/],
    ] as const)
      expect((await cli(['secret', 'rotate', '--to', '-'], { APP_SECRET: current }, input)).stderr.trim()).toMatch(
        reason,
      );
    expect(
      (await cli(['secret', 'rotate', '--to', '-'], { APP_SECRET: current }, `${FIRST.replaceAll(' ', '-')}\n`)).code,
    ).toBe(0);
    expect((await cli(['doctor'], { APP_SECRET: FIRST.replaceAll(' ', '-') })).code).toBe(0);
  });

  // OPS-27
  it.each(['abc-DEF_123+/=', 'with # and a space', '"in quotes"', '#first', '$HOME and ${HOME}', 'žluťoučký=kůň'])(
    'writes a secret to .env so that Node.js reads the same secret from this file: %s',
    (secret) => expect(parseEnv(secretLine(secret))).toEqual({ APP_SECRET: secret }),
  );

  // OPS-27
  it.each(["it's", 'a\\b', 'a\nb'])(
    'refuses a secret that some programs would read wrongly from the file .env: %j',
    (secret) =>
      expect(() => secretLine(secret)).toThrow(
        /^APP_SECRET contains an apostrophe, a backslash or a control character/,
      ),
  );

  // OPS-27
  it('writes the stored secret to a new file .env, and never changes an existing .env', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'events-init-'));
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    const secret = 's'.repeat(43);
    writeFileSync(join(dataDir, 'secret'), `${secret}\n`, { mode: 0o600 });
    const init = (env: Record<string, string> = {}) => cli(['init'], { DATA_DIR: dataDir, ...env });
    const workingFolder = process.cwd();
    // The command writes the file into the working folder.
    process.chdir(folder);
    try {
      expect(await init({ APP_SECRET: 'short' })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('APP_SECRET must have 32 characters or more'),
      });
      expect(existsSync(join(folder, '.env'))).toBe(false);
      const first = await init();
      expect(JSON.parse(first.stdout)).toEqual({ file: join(folder, '.env'), made: true });
      const text = readFileSync(join(folder, '.env'), 'utf8');
      // The installation already has a secret, so this secret is written to .env.
      expect(text).toBe(`APP_SECRET=${secret}\n`);
      expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
      expect(JSON.parse((await init()).stdout)).toEqual({ file: join(folder, '.env'), made: false });
      expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(text);
      // Quotation marks are not part of the secret, so the secret in the second line is one character too short.
      for (const line of ['PORT=1', `APP_SECRET="${'s'.repeat(31)}"`]) {
        writeFileSync(join(folder, '.env'), `${line}\n`);
        expect(await init()).toMatchObject({
          code: 1,
          stdout: '',
          stderr: expect.stringContaining('has no APP_SECRET'),
        });
      }
      writeFileSync(join(folder, '.env'), `APP_SECRET="${'s'.repeat(32)}"\n`);
      expect(JSON.parse((await init()).stdout)).toMatchObject({ made: false });
    } finally {
      process.chdir(workingFolder);
      rmSync(folder, { recursive: true });
    }
  });
});
