import { setTimeout as pause } from 'node:timers/promises';
import { RequestLog } from '#areas/requests/request-log';
import { Settings } from '#platform/config/settings';
import { buildEvent } from '#testing/builders';
import { HttpClient, type Answer } from '#testing/http-client';
import { transparentPng } from '#testing/media';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { ServerProcess } from '#testing/server-process';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

const REQUESTS = repetitions('logged_requests');
const PEOPLE = 10;
/** Passwords, texts and names that the requests contain and that the log must not contain. */
const SECRETS = {
  password: 'heslo-akce-7',
  query: 'tajny-dotaz',
  text: 'tajny-text',
  file: 'tajny-soubor',
  key: 'klic-91',
};

/** Status and error code of the logged requests, by request id. A request without an error has the code null. */
type Rows = Map<string, readonly [number, string | null]>;

describe('the request log after many requests', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  async function loggedRows(): Promise<Rows> {
    const found = await server.sql<{ request_id: string; status: number; code: string | null }>(
      'SELECT request_id, status, code FROM request_log',
    );
    return new Map(found.map(({ request_id, status, code }) => [request_id, [status, code]]));
  }
  const expectedRow = ({ status, body }: Answer) => [status, (body as { code?: string } | null)?.code ?? null];

  // LOG-1, LOG-2, LOG-3
  it(`contains each of ${REQUESTS} mixed requests with its status and code, and no secret`, async () => {
    const png = new Blob([await transparentPng()]);
    const owner = await server.person('vlastnice');
    const openEvent = await buildEvent(server, owner, { is_public: true, starts_at: inDays(3) });
    const passwordEvent = await buildEvent(server, owner, { join_mode: 'password', join_password: SECRETS.password });
    const ticketEvent = await buildEvent(server, owner, { join_mode: 'tickets' });
    const [{ code: ticket }] = (await owner.api.post(`/events/${ticketEvent.id}/tickets`, { count: 1 })).body.data as [
      { code: string },
    ];
    const kinds: ((api: Person['api'], n: number) => Promise<Answer>)[] = [
      (api) => api.get('/user'),
      (api) => api.get(`/discover/events?q=${SECRETS.query}`),
      (api, n) => api.get(`/posts/neznamy-${n}`),
      (api) => api.post('/posts', { title: '', body: SECRETS.text }),
      (api) => api.patch(`/events/${openEvent.id}`, { title: SECRETS.text }),
      (api) => api.post(`/events/${openEvent.id}/join`),
      (api) => api.post(`/events/${openEvent.id}/leave`),
      (api) => api.post(`/events/${passwordEvent.id}/join`, { password: SECRETS.password }),
      (api) => api.post(`/events/${passwordEvent.id}/join`, { password: `${SECRETS.password}-jine` }),
      (api) => api.delete(`/events/${ticketEvent.id}/tickets/${ticket}`),
      (api) =>
        api.send('POST', `/events/${openEvent.id}/comments`, {
          json: { body: SECRETS.text },
          headers: { prefer: 'dry-run' },
        }),
      (api, n) => api.send('POST', '/groups', { json: {}, headers: { 'idempotency-key': `${SECRETS.key}-${n}` } }),
      (api) => api.upload(`/events/${openEvent.id}/photos`, [['photos[]', png, `${SECRETS.file}.png`]]),
      (api) => api.put(`/events/${openEvent.id}`),
      (api) => api.send('GET', '/%zz'),
    ];
    const people = await Promise.all(Array.from({ length: PEOPLE }, (_, n) => server.person(`clovek${n}`)));
    const answers: Answer[] = [];
    await Promise.all(
      people.map(async ({ api }, personIndex) => {
        for (let n = personIndex; n < REQUESTS; n += PEOPLE)
          answers.push(await kinds[(n * 7 + personIndex) % kinds.length]!(api, n));
      }),
    );
    // The server adds a request to the log after it has sent the response.
    await pause(50);
    await server.app.get(RequestLog).flush();
    const logged = await loggedRows();
    expect(answers).toHaveLength(REQUESTS);
    expect(new Set(answers.map(({ status }) => status)).size).toBeGreaterThan(5);
    for (const answer of answers)
      expect([answer.headers.get('x-request-id'), logged.get(answer.headers.get('x-request-id')!)]).toEqual([
        answer.headers.get('x-request-id'),
        expectedRow(answer),
      ]);
    const text = JSON.stringify(await server.sql('SELECT * FROM request_log'));
    for (const secret of [...Object.values(SECRETS), ticket, ...people.map(({ token }) => token)])
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
  }, 600_000);

  // LOG-6
  it('contains every request that was answered more than a second before the server was killed', async () => {
    const { databaseUrl, appSecret, dataDir } = server.app.get(Settings);
    const serverProcess = await ServerProcess.start({
      DATABASE_URL: databaseUrl ?? '',
      DATA_DIR: dataDir,
      APP_SECRET: appSecret,
    });
    const { token } = await server.person('zabita');
    const api = new HttpClient(serverProcess.origin, { authorization: `Bearer ${token}` });
    const sendBatch = async () => {
      const answers = [];
      for (let n = 0; n < 20; n++) answers.push(await api.get('/limits'));
      return answers.map(({ headers }) => headers.get('x-request-id')!);
    };
    const early = await sendBatch();
    // The service writes the log every second; the rest of the pause is a margin for a busy machine.
    await pause(3_000);
    await sendBatch();
    await serverProcess.kill();
    const logged = await loggedRows();
    expect(early.filter((id) => !logged.has(id))).toEqual([]);
  });
});
