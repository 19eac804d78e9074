import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { openEmbeddedPostgres } from '#platform/database/embedded/embedded-postgres';
import { HttpClient } from '#testing/http-client';
import { RawConnection } from '#testing/raw-http';
import { isThorough } from '#testing/repetitions';
import { freePort } from '#platform/net/free-port';
import { Receiver } from '#testing/webhook-receiver';
import { waitUntil } from '#testing/wait-until';

const ROOT = join(__dirname, '../..');
const DAY_SECONDS = 86_400;

/** The JSON line that the command prints. */
interface SandboxAccess {
  readonly base_url: string;
  readonly tokens: Readonly<Record<'organizer' | 'participant' | 'moderator' | 'free', string>>;
}

/** Tests the rules of docs/rules/sandbox.md with the command that client developers use. */
describe('npm run sandbox', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  const environment = (more: Record<string, string> = {}) => {
    const { PATH = '', HOME = '' } = process.env;
    return { PATH, HOME, TMPDIR: folder, ...more };
  };
  const run = (more: Record<string, string> = {}, detached = false) =>
    spawn('npm', ['run', '--silent', 'sandbox'], {
      cwd: ROOT,
      env: environment(more),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached,
    });
  const sandboxFolders = () => readdirSync(folder).filter((name) => name.startsWith('events-'));
  let child: ChildProcess;
  let output = '';
  let access: SandboxAccess;
  /** The statuses of `GET /user` without a token, until the process prints the tokens. */
  const statusesDuringStart = new Set<number>();
  const clientOf = (who: keyof SandboxAccess['tokens']) =>
    new HttpClient(access.base_url, { authorization: `Bearer ${access.tokens[who]}` });
  const sandbox = (method: string, path: string, json?: Record<string, unknown>) =>
    new HttpClient(access.base_url, {}).send(method, `~/sandbox/${path}`, json ? { json } : {});

  beforeAll(async () => {
    const port = await freePort();
    child = run({
      PORT: String(port),
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere',
      SMTP_URL: 'smtp://127.0.0.1:1',
    });
    child.stdout?.on('data', (part) => (output += String(part)));
    let errors = '';
    child.stderr?.on('data', (part) => (errors += String(part)));
    await waitUntil(async () => {
      if (child.exitCode !== null) throw new Error(errors);
      const isStarted = output.includes('\n');
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/user`, { signal: AbortSignal.timeout(10_000) }).catch(
        // Nothing listens on the port yet.
        (error: Error) => (error.name === 'TimeoutError' ? Promise.reject(error) : null),
      );
      if (answer) statusesDuringStart.add(answer.status);
      await pause(50);
      return isStarted;
    }, 110);
    access = JSON.parse(output) as SandboxAccess;
  }, 120_000);
  afterAll(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    // A second signal must not interrupt the shutdown.
    await new Promise((resolve) => setTimeout(resolve, 60));
    child.kill('SIGTERM');
    await ended;
    const foldersAfterwards = sandboxFolders();
    rmSync(folder, { recursive: true, force: true });
    // SBX-1
    expect(foldersAfterwards).toEqual([]);
  }, 30_000);

  // SBX-1, SBX-2
  it('prints one line with tokens, has no daily limits, and refuses to start in production', async () => {
    expect(output.trim().split('\n')).toHaveLength(1);
    expect((await clientOf('free').get('/user')).body.code).toBe('premium_required');
    const starts_at = new Date(Date.now() + 100 * DAY_SECONDS * 1000).toISOString();
    for (let n = 0; n < 3; n++)
      expect((await clientOf('organizer').post('/events', { title: `Event ${n}`, starts_at })).status).toBe(201);
    const refusing = run({ NODE_ENV: 'production' });
    const [code] = (await once(refusing, 'exit')) as [number];
    expect(code).toBe(1);
  }, 30_000);

  // SBX-4
  it('answers a request during its start with 503', () => {
    expect(statusesDuringStart).toEqual(new Set([503, 401]));
  });

  // SBX-1
  it('removes its folder if it gets a signal during its start', async () => {
    const before = sandboxFolders();
    const starting = run({}, true);
    const ended = once(starting, 'exit');
    let printed = '';
    for (const stream of [starting.stdout, starting.stderr]) stream.on('data', (part) => (printed += String(part)));
    await waitUntil(() => sandboxFolders().length > before.length || starting.exitCode !== null);
    // Ctrl-C sends the signal to all processes of the group, and so also to the process that copies the folder.
    process.kill(-(starting.pid as number), 'SIGINT');
    expect(await ended).toEqual([0, null]);
    expect([printed, sandboxFolders()]).toEqual(['', before]);
  }, 60_000);

  // SBX-3, SBX-5, SBX-4, SBX-7
  it('moves the time and runs all jobs that are due, and can reset all data to the initial state', async () => {
    const [organizer, participant] = [clientOf('organizer'), clientOf('participant')];
    expect((await sandbox('POST', 'reset', {})).status).toBe(200);
    const before = (await organizer.get('/events?scope=upcoming')).text;
    /** The time of the sandbox, which is read from a new post. */
    const now = async () =>
      Date.parse(((await organizer.post('/posts', postBody())).body as { data: CreatedPost }).data.created_at);
    const start = await now();
    const series = await organizer.post('/series', {
      title: 'Weekly walk',
      starts_at: new Date(start + 2 * DAY_SECONDS * 1000).toISOString(),
      frequency: 'weekly',
    });
    const { id } = (
      await organizer.post('/events', {
        title: 'Tea at five',
        starts_at: new Date(start + 3 * DAY_SECONDS * 1000).toISOString(),
      })
    ).body.data as { id: string };
    expect((await participant.post(`/events/${id}/join`)).status).toBe(200);
    // After seven days, the job `series-extend` has added at least one event to the series.
    const days = isThorough() ? 365 : 7;
    const moved = await sandbox('POST', 'clock', { advance: days * DAY_SECONDS });
    const { ran } = moved.body.data as { ran: Record<string, number> };
    expect(moved.status).toBe(200);
    expect(ran['series-extend']).toBeGreaterThanOrEqual(days);
    expect(Math.round(((await now()) - start) / 1000 / DAY_SECONDS)).toBe(days);
    const date = (await organizer.get('/user')).headers.get('date');
    expect(Math.round((Date.parse(date ?? '') - start) / 1000 / DAY_SECONDS)).toBe(days);
    const { occurrences_count } = (await organizer.get(`/series/${series.body.data.id}`)).body.data;
    expect(occurrences_count).toBeGreaterThanOrEqual(Math.floor(days / 7) + 8);
    const reminders = (await participant.get('/notices?per_page=100')).body.data.filter(
      (notice: { kind: string; subject: { id: string } }) => notice.kind === 'reminder' && notice.subject.id === id,
    );
    expect(reminders).toHaveLength(1);
    const mails = (await sandbox('GET', 'mail')).body.data as { subject: string; to: string }[];
    const received = mails.filter(({ subject, to }) => subject.includes('Tea at five') && to.startsWith('petr-'));
    expect(received).toHaveLength(1);

    expect((await sandbox('POST', 'reset', {})).status).toBe(200);
    expect((await organizer.get('/events?scope=upcoming')).text).toBe(before);
    // SBX-5: mails that are due are created at once. No mail about the demo data may be among them.
    expect((await sandbox('POST', 'clock', { advance: 0 })).status).toBe(200);
    expect((await sandbox('GET', 'mail')).body.data).toEqual([]);
    expect(Math.abs((await now()) - Date.now())).toBeLessThan(60_000);
  }, 240_000);

  // SBX-3
  it('stops the clock after the offer of a seat has expired, and runs the due jobs before the clock moves on', async () => {
    const [organizer, participant, moderator] = (['organizer', 'participant', 'moderator'] as const).map(clientOf) as [
      HttpClient,
      HttpClient,
      HttpClient,
    ];
    const { id } = (
      await organizer.post('/events', {
        title: 'Small table',
        starts_at: new Date(Date.now() + 9 * DAY_SECONDS * 1000).toISOString(),
        max_participants: 2,
        waitlist_mode: 'offer',
        offer_hours: 1,
      })
    ).body.data as { id: string };
    await participant.post(`/events/${id}/join`);
    await moderator.post(`/events/${id}/waitlist`);
    await participant.delete(`/events/${id}/join`);
    const { viewer } = (await moderator.get(`/discover/events/${id}`)).body.data as {
      viewer: { offer: { expires_at: string } };
    };
    // The job `offers-sweep` runs at the start of the minute in which the offer expires. Then the clock stops just
    // after the expiry, in the same minute. The job must run again at the end of this minute.
    const expiry = Date.parse(viewer.offer.expires_at);
    const [startOfMinute, afterExpiry] = [expiry - (expiry % 60_000), expiry + 1_000].map((at) =>
      new Date(at).toISOString(),
    );
    for (const move of [{ now: startOfMinute }, { now: afterExpiry }, { advance: 3 * 3_600 }])
      expect((await sandbox('POST', 'clock', move)).status).toBe(200);
    const notices = (await moderator.get('/notices')).body.data as { kind: string; created_at: string }[];
    const lapsed = notices.find(({ kind }) => kind === 'offer_lapsed');
    const delay = Date.parse(lapsed?.created_at ?? '') - Date.parse(viewer.offer.expires_at);
    expect(Math.abs(delay)).toBeLessThanOrEqual(60_000);
  }, 60_000);

  // SBX-3, NOTE-16
  it('stops the clock when a digest is due, also if an earlier digest of the event was written long ago', async () => {
    const [organizer, participant, moderator] = (['organizer', 'participant', 'moderator'] as const).map(clientOf) as [
      HttpClient,
      HttpClient,
      HttpClient,
    ];
    const starts_at = new Date(Date.now() + 9 * DAY_SECONDS * 1000).toISOString();
    const { id } = (await organizer.post('/events', { title: 'Long table', starts_at })).body.data as { id: string };
    const digestsAfterJoin = async (person: HttpClient): Promise<number[]> => {
      const joined = await person.post(`/events/${id}/join`);
      expect(joined.status).toBe(200);
      expect((await sandbox('POST', 'clock', { advance: 3 * 3_600 })).status).toBe(200);
      const notices = (await organizer.get('/notices')).body.data as {
        kind: string;
        created_at: string;
        subject: { id: string };
      }[];
      return notices
        .filter(({ kind, subject }) => kind === 'joined' && subject.id === id)
        .map(({ created_at }) => (Date.parse(created_at) - Date.parse(joined.headers.get('date') ?? '')) / 60_000);
    };
    expect(await digestsAfterJoin(participant)).toHaveLength(1);
    const [minutesUntilDigest = Infinity] = await digestsAfterJoin(moderator);
    expect(minutesUntilDigest).toBeLessThanOrEqual(6);
    expect(minutesUntilDigest).toBeGreaterThan(0);
  }, 60_000);

  // SBX-3, HOOK-9
  it('stops the clock at each moment at which a message to a webhook is due', async () => {
    const organizer = clientOf('organizer');
    const receiver = await Receiver.open();
    receiver.answer = (response) => void response.writeHead(500).end();
    const webhook = await organizer.post('/webhooks', { url: receiver.url, types: ['event.created'] });
    const starts_at = new Date(Date.now() + 9 * DAY_SECONDS * 1000).toISOString();
    expect((await organizer.post('/events', { title: 'Small table', starts_at })).status).toBe(201);
    await receiver.atLeast(1);
    expect((await sandbox('POST', 'clock', { advance: 2 * 3_600 })).status).toBe(200);
    const attempts = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    receiver.close();
    // If the webhook were not deleted, the clock would stop for it in other tests.
    expect((await organizer.delete(`/webhooks/${webhook.body.data.id}`)).status).toBe(204);
    const delays = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
    expect(delays).toHaveLength(4);
    for (const [index, seconds] of [5, 60, 300, 1800].entries()) {
      expect(delays[index]).toBeGreaterThanOrEqual(seconds);
      expect(delays[index]).toBeLessThan(seconds + 20);
    }
  }, 60_000);

  // SBX-4
  it('can be reset after failed resets when the cause of the failures is gone', async () => {
    const reset = async () => (await sandbox('POST', 'reset', {})).status;
    const statusOfService = async () => (await clientOf('organizer').get('/user')).status;
    const [home = ''] = readdirSync(folder).filter((name) => name.startsWith('events-sandbox-'));
    const files = join(folder, home, 'first');
    renameSync(files, `${files}-moved`);
    expect([await reset(), await reset(), await statusOfService()]).toEqual([500, 500, 503]);
    renameSync(`${files}-moved`, files);
    expect([await reset(), await statusOfService()]).toEqual([200, 200]);

    const postgres = await openEmbeddedPostgres({ folder: join(folder, home, 'postgres'), durable: false });
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    try {
      await client.query('ALTER DATABASE first RENAME TO moved');
      renameSync(files, `${files}-moved`);
      // This reset uses a copy that was made before the database was renamed. It fails because the files are missing.
      expect(await reset()).toBe(500);
      renameSync(`${files}-moved`, files);
      expect([await reset(), await reset()]).toEqual([500, 500]);
      await client.query('ALTER DATABASE moved RENAME TO first');
      expect([await reset(), await statusOfService()]).toEqual([200, 200]);
      const { rows } = await client.query(`SELECT datname FROM pg_database WHERE datname LIKE 'copy%'`);
      expect(rows.length).toBeLessThanOrEqual(2);
    } finally {
      await client.end();
      await postgres.release();
    }
  }, 60_000);

  // WIRE-43, WIRE-50
  it('answers unreadable and unusual requests as the service does', async () => {
    const answerTo = async (text: string) => {
      const connection = await RawConnection.to(access.base_url);
      await connection.send(text);
      return connection.answer();
    };
    expect(await answerTo('GARBAGE\r\n\r\n')).toMatchObject({ status: 400, body: { code: 'bad_request' } });
    expect(await answerTo('CONNECT x:80 HTTP/1.1\r\n\r\n')).toMatchObject({
      status: 405,
      body: { code: 'method_not_allowed' },
    });
    for (const headers of ['', 'host: x\r\nexpect: foo\r\n'])
      expect(await answerTo(`GET /api/v1/user HTTP/1.1\r\n${headers}\r\n`)).toMatchObject({ status: 401 });
  });

  // SBX-3, SBX-6
  it('refuses to move the time back or too far ahead, and refuses requests from pages of other sites', async () => {
    const { port } = new URL(access.base_url);
    const statusOfReset = (headers: Record<string, string>, body = '{}'): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request({ port, path: '/sandbox/reset', method: 'POST', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject).end(body);
      });
    // Other tests have moved the clock. This reset sets it to the real time.
    expect(await statusOfReset({}, '')).toBe(200);
    const yearMs = new Date().setUTCFullYear(new Date().getUTCFullYear() + 1) - Date.now();
    for (const body of [
      { advance: -1 },
      { advance: yearMs / 1000 + 60 },
      { now: new Date(Date.now() + yearMs + 60_000).toISOString() },
      { now: '2020-01-01T00:00:00Z' },
      { now: 'soon' },
      { now: `${new Date(Date.now() + 300 * DAY_SECONDS * 1000).getUTCFullYear()}-02-30T10:00:00Z` },
      {},
    ])
      expect([body, (await sandbox('POST', 'clock', body)).status]).toEqual([body, 422]);
    expect(
      await Promise.all([
        statusOfReset({ host: 'evil.example', 'content-type': 'application/json' }),
        statusOfReset({ origin: 'https://evil.example', 'content-type': 'application/json' }),
        statusOfReset({ 'content-type': 'text/plain' }),
        statusOfReset({ 'content-type': 'text/plain' }, ''),
        statusOfReset({}),
      ]),
    ).toEqual([403, 403, 403, 403, 403]);
  });
});

interface CreatedPost {
  readonly created_at: string;
}

function postBody(): Record<string, unknown> {
  return { title: 'A note', categories: ['mista'], body: '<p>x</p>', status: 'draft' };
}
