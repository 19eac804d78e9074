import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { TokensCommands } from '#areas/identity/tokens.commands';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { Attempt } from '#platform/retries/attempt';
import { browserOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import type { Answer } from '#testing/http-client';
import { picture } from '#testing/media';
import { clientOf, type Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { formOf, sendForm } from '#testing/sent-forms';
import { TestServer } from '#testing/test-server';

const KEY = 'idempotency-key';
const article = (title = 'Výlet') => ({ title, categories: ['mista'], body: '<p>Text</p>', status: 'published' });
const replayed = (answer: Answer) => answer.headers.get('idempotency-replayed') === 'true';

describe('stored responses', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;

  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
  });
  afterAll(() => server.stop());

  const others: TestServer[] = [];
  /** Starts another server, which stops at the end of the test, even if the test fails. */
  const startAnother = async (...settings: Parameters<typeof TestServer.start>): Promise<TestServer> => {
    const started = await TestServer.start(...settings);
    others.push(started);
    return started;
  };
  afterEach(async () => {
    for (const other of others.splice(0)) await other.stop();
  });

  let number = 0;
  const newKey = () => `kept-${++number}`;
  const post = (who: Person, key: string, json = article()) =>
    who.api.send('POST', '/posts', { json, headers: { [KEY]: key } });

  // RETRY-10, RETRY-11
  describe('of multipart forms', () => {
    let path: string;
    let small: Buffer;
    let large: Buffer;
    beforeAll(async () => {
      const { id } = await buildEvent(server, jana);
      path = `/events/${id}/images`;
      small = await picture('png', { width: 40, height: 30 });
      large = await picture('png', { width: 50, height: 30 });
    });

    type Part = readonly [name: string, content: Buffer | string, fileName?: string, type?: string];
    async function send(key: string, ...parts: Part[]): Promise<Answer> {
      const form = new FormData();
      for (const [name, content, fileName = 'a.png', type = 'image/png'] of parts) {
        if (typeof content === 'string') form.append(name, content);
        else form.append(name, new Blob([new Uint8Array(content)], { type }), fileName);
      }
      return jana.api.send('POST', path, { body: form, headers: { [KEY]: key } });
    }

    it('are returned only if the names, order and bytes of the parts are the same', async () => {
      const key = newKey();
      const first = await send(key, ['images[]', small], ['images[]', large]);
      expect([first.status, replayed(first)]).toEqual([201, false]);
      const same = await send(key, ['images[]', small, 'b.jpg', 'image/jpeg'], ['images[]', large]);
      expect([same.status, same.text, replayed(same)]).toEqual([201, first.text, true]);
      for (const other of [
        await send(key, ['images[]', large], ['images[]', small]),
        await send(key, ['images[]', small]),
        await send(key, ['images[]', small], ['images[]', large], ['note', 'x']),
        await send(key, ['images[]', small], ['pictures[]', large]),
        await send(key, ['images[]', small], ['images[]', small]),
      ])
        expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    });

    it('prevent the same upload from taking effect more than once when it is sent several times in parallel', async () => {
      const key = newKey();
      const answers = await Promise.all(Array.from({ length: 5 }, () => send(key, ['images[]', small])));
      expect(answers.filter((answer) => answer.status === 201 && !replayed(answer))).toHaveLength(1);
      for (const { status, body } of answers) expect(status === 201 || body.code === 'request_in_progress').toBe(true);
      const [row] = await server.sql<{ n: number }>(`SELECT count(*)::int AS n FROM media_files WHERE state <> 'kept'`);
      expect(row?.n).toBe(0);
    });

    it('do not exist after a refusal, so the key can be used for another request', async () => {
      const key = newKey();
      const form = new FormData();
      form.append('images[]', new Blob([new Uint8Array(small)]), 'a.png');
      expect((await petr.api.send('POST', path, { body: form, headers: { [KEY]: key } })).status).toBe(403);
      expect((await post(petr, key)).status).toBe(201);
    });
  });

  // RETRY-6
  it('are replayed only if the rate limit, the account and the token allow the request', async () => {
    const strict = await startAnother({ rateLimitTokenPerMinute: 4 });
    const eva = await strict.person('eva');
    const key = newKey();
    const remaining = async () => Number((await post(eva, key)).headers.get('x-ratelimit-remaining'));
    expect([await remaining(), await remaining(), await remaining(), await remaining()]).toEqual([3, 2, 1, 0]);
    expect((await post(eva, key)).body.code).toBe('too_many_requests');

    const ota = await server.person('ota');
    await post(ota, key);
    await server.sql('UPDATE users SET banned = true WHERE id = $1', [ota.userId]);
    expect((await post(ota, key)).body.code).toBe('banned');

    const ema = await server.person('ema');
    const first = await post(ema, key);
    const tokenOf = async (access: 'read' | 'write') =>
      (
        await server.database.transaction((tx) =>
          server.app.get(TokensCommands).create(tx, ema.userId, { name: access, access, expiresAt: null }),
        )
      ).secret;
    const postWith = async (token: string) =>
      clientOf(server, token).send('POST', '/posts', { json: article(), headers: { [KEY]: key } });
    const again = await postWith(await tokenOf('write'));
    expect([again.text, replayed(again)]).toEqual([first.text, true]);
    expect((await postWith(await tokenOf('read'))).status).toBe(403);
    await server.sql('UPDATE users SET premium_until = NULL, verified = false WHERE id = $1', [ema.userId]);
    expect((await post(ema, key)).body.code).toBe('premium_required');
  });

  describe('reservations of keys', () => {
    // RETRY-8
    it('are deleted by the job kept-answers-sweep if they ended more than an hour ago', async () => {
      await server.sql(
        `INSERT INTO request_claims VALUES ($1, 'old', 'dead', now() - interval '61 minutes'),
           ($1, 'recent', 'dead', now() - interval '59 minutes'), ($1, 'held', 'alive', now() + interval '9 seconds')`,
        [jana.userId],
      );
      await server.job('kept-answers-sweep');
      const left = await server.sql<{ key_hash: string }>(
        'DELETE FROM request_claims WHERE account_id = $1 RETURNING key_hash',
        [jana.userId],
      );
      expect(left.map(({ key_hash }) => key_hash).sort()).toEqual(['held', 'recent']);
    });
  });

  const attemptOf = ({ userId }: Person, key: string) =>
    new Attempt(userId, createHash('sha256').update(key).digest('base64url'));
  const postEmpty = (who: Person, path: string, key: string) =>
    who.api.send('POST', path, { json: {}, headers: { [KEY]: key } });
  const reservationCount = async () =>
    (await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM request_claims'))[0]?.n;
  const uploadImage = async (path: string, key: string) => {
    const form = new FormData();
    form.append(
      'images[]',
      new Blob([new Uint8Array(await picture('png', { width: 40, height: 30 }))], { type: 'image/png' }),
      'a.png',
    );
    return jana.api.send('POST', path, { body: form, headers: { [KEY]: key } });
  };

  // RETRY-8, RETRY-11
  it('of multipart forms are awaited for a second if another request has reserved the key; then the waiting request is refused with 409; a request after the end of the reservation succeeds', async () => {
    const path = `/events/${(await buildEvent(server, jana)).id}/images`;
    const key = newKey();
    const { account, keyHash } = attemptOf(jana, key);
    await server.sql(`INSERT INTO request_claims VALUES ($1, $2, 'another', now() + interval '20 seconds')`, [
      account,
      keyHash,
    ]);
    const refused = await uploadImage(path, key);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      409,
      'request_in_progress',
      '1',
    ]);
    await server.sql(`UPDATE request_claims SET until = now() - interval '1 second'`);
    expect((await uploadImage(path, key)).status).toBe(201);
    expect(await reservationCount()).toBe(0);
    expect(LIMITS.retries.lease).toBeLessThan(30);
  });

  /** Calls `meanwhile` while the lock of the key is held, as if another transaction with the key were open. */
  async function duringTransaction<T>(who: Person, key: string, meanwhile: () => Promise<T>): Promise<T> {
    const { lock } = attemptOf(who, key);
    await server.sql('SELECT pg_advisory_lock($1)', [lock]);
    try {
      return await meanwhile();
    } finally {
      await server.sql('SELECT pg_advisory_unlock($1)', [lock]);
    }
  }

  // RETRY-7, RETRY-8
  it('are awaited for a second if another transaction with the key is open; then the waiting request is refused with 409', async () => {
    const key = newKey();
    const { id } = await buildEvent(server, jana);
    const expectInProgress = (answer: Answer) =>
      expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
        409,
        'request_in_progress',
        '1',
      ]);
    await duringTransaction(petr, key, async () => {
      expectInProgress(await post(petr, key));
      expectInProgress(await post(petr, key, article('')));
      expectInProgress(await postEmpty(petr, '/events/nowhere/join', key));
      expect((await post(petr, newKey())).status).toBe(201);
      expect((await post(jana, key)).status).toBe(201);
    });
    expect((await postEmpty(petr, `/events/${id}/join`, key)).status).toBe(200);
    expect(await reservationCount()).toBe(0);
  });

  // PAGE-98, RETRY-7
  it('are awaited by a form of a page, valid or not, while another transaction with its key is open; after a second the form is shown again with 409', async () => {
    const { id } = await buildEvent(server, jana);
    const browser = await browserOf(server, jana);
    for (const [page, typed, statusAfterwards] of [
      [`/events/${id}/people/door-links`, { name: 'Brána' }, 303],
      ['/account/api/webhooks', { url: 'no address' }, 422],
    ] as const) {
      const form = formOf(await browser.get(page), page);
      const key = new Map(form.fields).get('_key') ?? '';
      const refused = await duringTransaction(jana, `form ${key}`, () => sendForm(browser, form, typed));
      expect([refused.status, new Map(formOf(refused, page).fields).get('_key')]).toEqual([409, key]);
      expect((await sendForm(browser, form, typed)).status).toBe(statusAfterwards);
    }
    expect(await reservationCount()).toBe(0);
  });

  // RETRY-3
  it('are also returned to a request that started before the response was stored', async () => {
    const key = newKey();
    const first = await post(petr, key);
    const { account, keyHash } = attemptOf(petr, key);
    // The stored response is missing when the next two requests begin. While they wait, the response is inserted.
    const [deletedRow] = await server.sql<{ answer: string; kept_at: Date }>(
      'DELETE FROM kept_answers WHERE account_id = $1 AND key_hash = $2 RETURNING answer, kept_at',
      [account, keyHash],
    );
    // On a slow machine the request may be refused with "request in progress" after a second. The test then repeats the
    // request once.
    const postPatiently = async (json = article()) => {
      const answer = await post(petr, key, json);
      return answer.status === 409 ? post(petr, key, json) : answer;
    };
    const pendingAnswers = await duringTransaction(petr, key, async () => {
      const requests = [postPatiently(), postPatiently(article(''))];
      await pause(200);
      await server.sql('INSERT INTO kept_answers VALUES ($1, $2, $3, $4)', [
        account,
        keyHash,
        deletedRow?.kept_at,
        deletedRow?.answer,
      ]);
      return requests;
    });
    const [same, other] = (await Promise.all(pendingAnswers)) as [Answer, Answer];
    expect([same.status, same.text, replayed(same)]).toEqual([201, first.text, true]);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  // RETRY-13
  it('are encrypted in the database and are deleted with the account', async () => {
    const ida = await server.person('ida');
    expect((await post(ida, newKey(), article('Tajemství'))).status).toBe(201);
    const [row] = await server.sql<{ answer: string }>('SELECT answer FROM kept_answers WHERE account_id = $1', [
      ida.userId,
    ]);
    expect(row?.answer).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(Buffer.from(row?.answer ?? '', 'base64').toString('latin1')).not.toContain('slug');
    await server.sql('DELETE FROM posts WHERE author_id = $1', [ida.userId]);
    await server.sql('DELETE FROM users WHERE id = $1', [ida.userId]);
    expect(await server.sql('SELECT 1 FROM kept_answers WHERE account_id = $1', [ida.userId])).toEqual([]);
  });

  // RETRY-12
  it('are deleted after a day if the account has the maximum number of newer responses', async () => {
    const max = LIMITS.retries.kept_per_account;
    const eva = await server.person('eva');
    await server.sql(
      `INSERT INTO kept_answers (account_id, key_hash, kept_at, answer)
       SELECT $1, 'old' || n, now() - interval '2 days' - n * interval '1 second', 'x' FROM generate_series(1, $2) n`,
      [eva.userId, max + 3],
    );
    const storedCount = async () =>
      (
        await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM kept_answers WHERE account_id = $1', [
          eva.userId,
        ])
      )[0]?.n;
    expect(await server.job('kept-answers-sweep')).toEqual({ answers_forgotten: 3 });
    expect(await storedCount()).toBe(max);
    await server.sql(`UPDATE kept_answers SET kept_at = now() WHERE account_id = $1 AND key_hash IN ('old1', 'old2')`, [
      eva.userId,
    ]);
    await server.sql(`INSERT INTO kept_answers SELECT $1, 'new' || n, now(), 'x' FROM generate_series(1, 5) n`, [
      eva.userId,
    ]);
    expect(await server.job('kept-answers-sweep')).toEqual({ answers_forgotten: 5 });
    expect(await storedCount()).toBe(max);
  }, 60_000);

  // RETRY-3: if storing a response needed a second connection, requests that hold all connections would wait for each
  // other.
  it('are stored even if a new server gets more requests at once than it has connections', async () => {
    const { databaseUrl, dataDir } = server.app.get(Settings);
    const fresh = await startAnother({ databaseUrl, dataDir, databasePool: 2 });
    const api = clientOf(fresh, petr.token);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        api.send('POST', '/posts', { json: article(`Hned ${n}`), headers: { [KEY]: newKey() } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
  });

  // RETRY-3
  it('are shared by all servers, so that two servers run the same request only once', async () => {
    const { databaseUrl, dataDir } = server.app.get(Settings);
    const other = await startAnother({ databaseUrl, dataDir });
    const [here, there] = [petr.api, clientOf(other, petr.token)];
    const before = (await here.get('/posts?per_page=1')).body.meta.total as number;
    const rounds = repetitions('replica_rounds');
    for (let round = 0; round < rounds; round++) {
      const request = { json: article(`Kolo ${round}`), headers: { [KEY]: newKey() } };
      const answers = await Promise.all([here.send('POST', '/posts', request), there.send('POST', '/posts', request)]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers.filter(replayed)).toHaveLength(1);
      expect(answers[0]?.text).toBe(answers[1]?.text);
    }
    expect((await here.get('/posts?per_page=1')).body.meta.total).toBe(before + rounds);
  }, 120_000);
});
