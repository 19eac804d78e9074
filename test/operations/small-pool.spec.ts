import { randomUUID } from 'node:crypto';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import type { Answer } from '#testing/http-client';
import { crowd } from '#testing/crowd';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const PARALLEL_REQUESTS = 24;

/** OPS-78: a request that has a connection never waits for another connection, so requests cannot block each other. */
describe('a pool of two database connections', () => {
  let server: TestServer;
  let jana: Person;
  let people: Person[];
  beforeAll(async () => {
    server = await TestServer.start({
      databasePool: 2,
      databaseTimeouts: { connect: 20_000, statement: 20_000, lock: 20_000, idleInTransaction: 20_000 },
      webhooksAllowPrivate: true,
    });
    jana = await server.person('jana');
    people = await crowd(server, PARALLEL_REQUESTS);
  });
  afterAll(() => server.stop());

  const newKeyHeader = () => ({ 'idempotency-key': randomUUID() });
  const statuses = async (request: (who: Person, n: number) => Promise<Answer>): Promise<number[]> => [
    ...new Set((await Promise.all(people.map(request))).map(({ status }) => status)),
  ];
  const buildEventWithPassword = (): Promise<BuiltEvent> =>
    buildEvent(server, jana, { join_mode: 'password', join_password: 'sesame' });

  it('is enough for wrong passwords, which are counted even if the request fails', async () => {
    const event = await buildEventWithPassword();
    const join = (password: string) => (who: Person) =>
      who.api.send('POST', `/events/${event.id}/join`, { json: { password }, headers: newKeyHeader() });
    expect(await statuses(join('wrong'))).toEqual([422]);
    expect(await statuses(join('sesame'))).toEqual([200]);
    const [counted] = await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM wrong_passwords');
    expect(counted?.n).toBe(PARALLEL_REQUESTS);
  });

  it('is enough for uploads, whose files are recorded in a separate transaction', async () => {
    const image = new Blob([new Uint8Array(await picture('png', { width: 40 }))]);
    const post = (who: Person) => {
      const body = new FormData();
      for (const [name, value] of [
        ['latitude', '50'],
        ['longitude', '14'],
        ['image', image],
      ] as const)
        body.append(name, value);
      return who.api.send('POST', '/puls', { body, headers: newKeyHeader() });
    };
    expect(await statuses(post)).toEqual([201]);
  });

  // HOOK-1
  it('is enough for webhooks that are created, paused and activated in parallel', async () => {
    const webhook = { url: 'http://127.0.0.1:9/' };
    const creations = await Promise.all(people.map((who) => who.api.post('/webhooks', webhook)));
    expect([...new Set(creations.map(({ status }) => status))]).toEqual([201]);
    const change = (status: string) =>
      statuses((who, n) =>
        who.api.send('PATCH', `/webhooks/${creations[n]?.body.data.id}`, { json: { status }, headers: newKeyHeader() }),
      );
    expect(await change('paused')).toEqual([200]);
    expect(await change('active')).toEqual([200]);
  });
});
