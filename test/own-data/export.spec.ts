import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import { RequestLog } from '#areas/requests/request-log';
import { PERSONAL_DATA } from '#areas/own-data/personal-data.map';
import { Sealer } from '#platform/config/sealer';
import { PublicIds, type PublicIdKind } from '#platform/http/public-ids';
import { Storage } from '#platform/storage/storage';
import { buildEvent } from '#testing/builders';
import { filesBehind } from '#testing/files-and-rows';
import { buildGroup } from '#testing/groups';
import { buildFullAccount, type FullAccount } from '#testing/full-account';
import { TestServer } from '#testing/test-server';
import { unzip } from '#testing/zip';

type Row = Readonly<Record<string, unknown>>;

describe('the export of personal data', () => {
  let server: TestServer;
  let folder: string;
  let account: FullAccount;
  let archive: Map<string, Buffer>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'exports-'));
    server = await TestServer.start();
    account = await buildFullAccount(server);
    await server.sql(
      "INSERT INTO account_erasures (user_id, asked_at, due_at) VALUES ($1, now(), now() + interval '14 days')",
      [account.who.userId],
    );
    await server.sql(
      "INSERT INTO data_exports (user_id, status, file, asked_at) VALUES ($1, 'pending', 'export-name', now())",
      [account.who.userId],
    );
    // Requests are logged with a delay of up to a second, so the log is flushed.
    await server.app.get(RequestLog).flush();
    const { bytes } = await server.app.get(OwnDataCommands).export(account.who.slug, join(folder, 'jana.zip'));
    const content = readFileSync(join(folder, 'jana.zip'));
    expect(content.length).toBe(bytes);
    archive = await unzip(content);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const rowsOf = (file: string): Row[] => JSON.parse(String(archive.get(`${file}.json`))) as Row[];

  // DATA-2
  it('contains every row of the person in every table, with all columns except those that the map of personal data withholds', async () => {
    const index = JSON.parse(String(archive.get('index.json')));
    expect(index).toMatchObject({ account: account.who.slug, made_at: expect.stringMatching(/Z$/) });
    const exported = Object.entries(PERSONAL_DATA).filter(([, { file }]) => file);
    expect(index.files.map(({ file }: { file: string }) => file).sort()).toEqual(
      exported.map(([, { file }]) => `${file}.json`).sort(),
    );
    for (const [table, { mine, file, columns, added = {} }] of exported) {
      // A column with SQL of its own is compared with the result of this SQL.
      const computed = Object.entries(columns).flatMap(([name, { sql }]) => (sql ? [`, '${name}', ${sql}`] : []));
      const stored = await server.sql<Row>(
        `SELECT to_jsonb(t) || jsonb_build_object('', ''${computed.join('')}) AS row FROM ${table} t WHERE ${mine}`,
        [account.who.userId],
      );
      const exportedRows = rowsOf(file as string);
      expect([table, stored.length > 0, exportedRows.length]).toEqual([table, true, stored.length]);
      const exportedColumns = Object.entries(columns).filter(([, column]) => column.exportForm !== null);
      const expected = await Promise.all(
        stored.map(async ({ row }) =>
          JSON.stringify(
            await Promise.all(
              exportedColumns.map(async ([name, { exportForm: form }]) => [
                name,
                await comparableStored((row as Row)[name], form),
              ]),
            ),
          ),
        ),
      );
      const found = exportedRows.map((row) =>
        JSON.stringify(
          exportedColumns.map(([name, { exportForm: form, as = name }]) => [name, comparableExported(row[as], form)]),
        ),
      );
      expect([table, found.sort()]).toEqual([table, expected.sort()]);
      expect([table, ...Object.keys(exportedRows[0] as Row).sort()]).toEqual([
        table,
        ...[...exportedColumns.map(([name, column]) => column.as ?? name), ...Object.keys(added)].sort(),
      ]);
    }
  });

  /** Returns a value of the database in the form in which `comparableExported` returns the exported value. */
  async function comparableStored(value: unknown, form: string | null): Promise<unknown> {
    if (value === null) return null;
    if (form === 'person')
      return (await server.sql<{ slug: string }>('SELECT slug FROM users WHERE id = $1', [value]))[0]?.slug;
    if (form === 'post_slug')
      return (await server.sql<{ slug: string }>('SELECT slug FROM all_posts WHERE id = $1', [value]))[0]?.slug;
    if (form === 'template') {
      const { join_password_sealed: sealed, ...fields } = value as Row;
      return sorted({ ...fields, join_password: sealed && (await server.app.get(Sealer).open(sealed as string)) });
    }
    if (form === 'file') return `files/${value as string}`;
    if (form === 'sealed') return server.app.get(Sealer).open(value as string);
    return toSeconds(value);
  }

  /** Returns an exported value in a comparable form: an id as the database id, and a time in Unix seconds. */
  function comparableExported(value: unknown, form: string | null): unknown {
    if (form === 'template') return sorted(value as Row);
    const plain = ['value', 'day', 'count', 'person', 'post_slug', 'file', 'sealed'];
    const isId = value !== null && !plain.includes(form as string);
    return isId ? server.app.get(PublicIds).decode(form as PublicIdKind, value as string) : toSeconds(value);
  }

  const sorted = (row: Row): [string, unknown][] => Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));

  /** Replaces every timestamp, in any notation, with the Unix time in whole seconds. */
  function toSeconds(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(toSeconds);
    return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:/.test(value)
      ? Math.floor(Date.parse(value) / 1000)
      : value;
  }

  // DATA-2, EVT-31
  it('contains join passwords only of events that the person organizes, and no id of a private group that the person has left', async () => {
    const { friends } = account;
    const who = await server.person('skupinář');
    const hidden = await buildGroup(server, friends.petr, { is_public: false, with: [[who, 'member']] });
    const event = await buildEvent(server, who, {
      title: 'Na heslo',
      join_mode: 'password',
      join_password: 'sezam otevři',
      group: hidden.id,
    });
    await buildEvent(server, friends.petr, { join_mode: 'password', join_password: 'cizí heslo' });
    const exported = async (name: string): Promise<string> => {
      await server.app.get(OwnDataCommands).export(who.slug, join(folder, name));
      return String((await unzip(readFileSync(join(folder, name)))).get('events.json'));
    };
    const rowOfEvent = (text: string) => (JSON.parse(text) as Row[]).find(({ id }) => id === event.id);
    const member = await exported('member.zip');
    expect(rowOfEvent(member)).toMatchObject({ join_password: 'sezam otevři', group_id: hidden.id });
    expect(member).not.toContain('cizí heslo');
    expect((await who.api.delete(`/groups/${hidden.id}/join`)).status).toBe(204);
    expect(rowOfEvent(await exported('left.zip'))).toMatchObject({ group_id: null });
    for (const name of ['member.zip', 'left.zip']) rmSync(join(folder, name));
  });

  // DATA-2
  it('contains the text and the password of a series without occurrences', async () => {
    const who = await server.person('pořadatelka');
    const created = await who.api.post('/series', {
      title: 'Čtvrteční deskovky',
      description: '<p>Přineste hru</p>',
      location_name: 'Klub za rohem',
      join_mode: 'password',
      join_password: 'kostky',
      starts_at: `${new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 19)}Z`,
      frequency: 'weekly',
      interval: 1,
      occurrences_limit: 2,
    });
    const occurrences = await server.sql<{ id: string }>('SELECT id FROM events WHERE organizer_id = $1', [who.userId]);
    for (const { id } of occurrences) expect((await who.api.delete(`/events/${id}`)).status).toBe(204);
    await server.app.get(OwnDataCommands).export(who.slug, join(folder, 'series.zip'));
    const [series] = JSON.parse(String((await unzip(readFileSync(join(folder, 'series.zip')))).get('series.json')));
    expect(series).toMatchObject({
      id: created.body.data.id,
      template: {
        title: 'Čtvrteční deskovky',
        description: '<p>Přineste hru</p>',
        location_name: 'Klub za rohem',
        join_password: 'kostky',
      },
    });
    rmSync(join(folder, 'series.zip'));
  });

  // DATA-2
  it('names the event or post of every comment, and the expense of every share', () => {
    const { own, others, posts } = account;
    const comments = rowsOf('comments').map(({ event_id: event, post, body }) => [event, post, body]);
    expect(comments).toHaveLength(5);
    expect(comments).toEqual(
      expect.arrayContaining([
        ...[own.past, others.past].flatMap(({ id }) => [
          [id, null, expect.stringContaining('komentář')],
          [id, null, expect.stringContaining('odpověď')],
        ]),
        [null, posts.petrs, expect.stringContaining('pod zápiskem')],
      ]),
    );
    expect(rowsOf('expense-shares')).toContainEqual({
      expense_id: expect.any(String),
      event_id: others.past.id,
      title: 'Dort Evy',
      amount_cents: expect.any(Number),
      currency: 'EUR',
    });
  });

  // DATA-2
  it('contains the expenses that the person has entered for other people', () => {
    expect(rowsOf('expenses')).toContainEqual(
      expect.objectContaining({ event_id: account.own.past.id, title: 'Dort Evy', paid_by: account.friends.eva.slug }),
    );
    expect(rowsOf('expenses')).not.toContainEqual(
      expect.objectContaining({ event_id: account.others.past.id, title: 'Dort Evy' }),
    );
  });

  // DATA-2
  it('contains an exact copy of every stored file of the person', () => {
    const paths = [...archive.keys()].filter((path) => path.startsWith('files/'));
    expect(paths.sort()).toEqual(account.files.map((key) => `files/${key}`).sort());
    for (const key of account.files)
      expect(archive.get(`files/${key}`)?.equals(filesBehind(server, `/${key}`)[0])).toBe(true);
  });

  // DATA-3
  it('contains no private data of others, no list of people who block the person, and no secret or hash', async () => {
    const { who, friends } = account;
    const everything = [...archive]
      .filter(([path]) => path.endsWith('.json'))
      .map(([, content]) => String(content))
      .join('\n');
    expect(everything).toContain(friends.viktor.slug);
    const ofOthers = [
      friends.zdena.slug,
      ...Object.values(friends)
        .map(({ name, userId }) => [name, `"${userId}"`])
        .flat(),
    ].filter((one) => one !== friends.petr.name);
    const [secrets] = await server.sql<{ all: string[] }>(`SELECT array_agg(secret) AS all FROM (
      SELECT hash AS secret FROM tokens
      UNION ALL SELECT tail FROM tokens WHERE tail IS NOT NULL
      UNION ALL SELECT password_hash FROM users WHERE password_hash IS NOT NULL
      UNION ALL SELECT key_hash FROM web_sessions
      UNION ALL SELECT secret_sealed FROM calendar_addresses
      UNION ALL SELECT secret_hash FROM calendar_addresses
      UNION ALL SELECT check_in_code FROM participations WHERE check_in_code IS NOT NULL
      UNION ALL SELECT invite_code FROM all_groups
      UNION ALL SELECT secret_sealed FROM webhooks) s`);
    const withheld = [...ofOthers, who.token, 'Petr se ptá', ...(secrets?.all ?? [])];
    expect(withheld.length).toBeGreaterThan(15);
    expect(withheld.filter((one) => everything.includes(one))).toEqual([]);
    const [{ own }] = (await server.sql<{ own: number }>(
      'SELECT count(*)::int AS own FROM user_blocks WHERE blocker_id = $1',
      [who.userId],
    )) as [{ own: number }];
    expect([own > 0, rowsOf('blocks').length]).toEqual([true, own]);
    expect(rowsOf('tokens')).toEqual([expect.objectContaining({ name: 'app', access: 'write' })]);
  });

  // DATA-7, MOD-20
  it('has an entry in the audit log if an operator makes the export, and none if the export is refused', async () => {
    const { who } = account;
    const entries = () =>
      server.sql("SELECT actor_id, subject FROM audit_entries WHERE action = 'user export' ORDER BY number");
    const before = await entries();
    const commands = server.app.get(OwnDataCommands);
    const path = join(folder, 'logged.zip');
    await commands.export(who.slug, path);
    await expect(commands.export(who.slug, path)).rejects.toThrow('already exists');
    await expect(commands.export('nobody-such', join(folder, 'nobody.zip'))).rejects.toThrow('nobody-such');
    rmSync(path);
    expect(await entries()).toEqual([...before, { actor_id: null, subject: `user ${who.slug}` }]);
  });

  // DATA-7
  it('is refused for an existing file or an unknown person, and leaves no file when it fails', async () => {
    const { who } = account;
    const commands = server.app.get(OwnDataCommands);
    const path = join(folder, 'other.zip');
    writeFileSync(path, 'mine');
    await expect(commands.export(who.slug, path)).rejects.toThrow('already exists');
    expect(readFileSync(path, 'utf8')).toBe('mine');
    await expect(commands.export('nobody-such', join(folder, 'nobody.zip'))).rejects.toThrow(
      'There is nobody with the slug nobody-such.',
    );
    for (const place of [join(folder, 'no', 'such.zip'), join(path, 'below-a-file.zip')])
      await expect(commands.export(who.slug, place)).rejects.toThrow(`${place} cannot be written`);
    const storage = server.app.get<Storage>(Storage);
    const read = jest.spyOn(storage, 'read').mockRejectedValue(new Error('the disk is gone'));
    await expect(commands.export(who.slug, join(folder, 'failed.zip'))).rejects.toThrow('the disk is gone');
    read.mockRejectedValue(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
    await expect(commands.export(who.slug, join(folder, 'failed.zip'))).rejects.toThrow('failed.zip cannot be written');
    read.mockRestore();
    expect(readdirSync(folder).sort()).toEqual(['jana.zip', 'other.zip']);
    expect(statSync(join(folder, 'jana.zip')).mode & 0o777).toBe(0o600);
  });
});
