import { createHash } from 'node:crypto';
import { Settings } from '#platform/config/settings';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import type { Answer } from '#testing/http-client';
import { clientOf, type Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { TestServer } from '#testing/test-server';

const KEY = 'idempotency-key';

// RETRY-3
describe('joining an event with an idempotency key', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  let crowd: Person[];

  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
    crowd = await Promise.all(Array.from({ length: 20 }, (_, n) => server.person(`guest${n}`)));
  });
  afterAll(() => server.stop());

  let number = 0;
  const newKey = () => `join-${++number}`;
  const join = (person: Person, { id }: BuiltEvent, key: string) =>
    person.api.send('POST', `/events/${id}/join`, { headers: { [KEY]: key } });
  const summary = ({ status, text, headers }: Answer) => [status, text, headers.get('idempotency-replayed')];
  const confirmedCountOf = async ({ eventId }: BuiltEvent) =>
    (await server.sql<{ n: number }>('SELECT confirmed_count AS n FROM events WHERE id = $1', [eventId]))[0]?.n;
  const storedResponseCountOf = async ({ userId }: Person, key: string) => {
    const keyHash = createHash('sha256').update(key).digest('base64url');
    return (await server.sql('SELECT 1 FROM kept_answers WHERE account_id = $1 AND key_hash = $2', [userId, keyHash]))
      .length;
  };

  it('returns the same response as joining without a key', async () => {
    const [one, other] = [
      await buildEvent(server, jana, { with: [[petr, 'pending']] }),
      await buildEvent(server, jana, { with: [[petr, 'pending']] }),
    ];
    const plain = await petr.api.post(`/events/${one.id}/join`);
    const keyed = await join(petr, other, newKey());
    const comparable = (event: BuiltEvent, { body: { data } }: Answer) =>
      JSON.stringify({ ...data, viewer: { ...data.viewer, check_in_code: 'x' } })
        .replaceAll(event.id, 'ID')
        .replaceAll(/"[^"]*T[0-9:.]+Z"/g, '"AT"');
    expect(comparable(other, keyed)).toBe(comparable(one, plain));
  });

  it('takes one seat when two servers receive the same request several times in parallel', async () => {
    const { databaseUrl, dataDir } = server.app.get(Settings);
    const otherServer = await TestServer.start({ databaseUrl, dataDir });
    try {
      const servers = [petr.api, clientOf(otherServer, petr.token)];
      for (let round = 0; round < repetitions('replica_rounds'); round++) {
        const event = await buildEvent(server, jana);
        const headers = { [KEY]: newKey() };
        const answers = await Promise.all(
          Array.from({ length: 6 }, (_, n) => servers[n % 2]!.send('POST', `/events/${event.id}/join`, { headers })),
        );
        const good = answers.filter(({ status }) => status === 200);
        expect(good.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
        expect(new Set(good.map(({ text }) => text)).size).toBe(1);
        for (const { status, body } of answers)
          expect(status === 200 || body.code === 'request_in_progress').toBe(true);
        expect(await confirmedCountOf(event)).toBe(1);
      }
    } finally {
      await otherServer.stop();
    }
  }, 300_000);

  it('gives the 15 free seats to 15 of 20 people who join at the same time, and replays only the successful responses', async () => {
    const event = await buildEvent(server, jana, { max_participants: 16 });
    const sent = crowd.map((person) => ({ person, key: newKey() }));
    const first = await Promise.all(sent.map(({ person, key }) => join(person, event, key)));
    const good = first.filter(({ status }) => status === 200);
    expect(good.map(({ body }) => body.data.current_participants).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 15 }, (_, n) => n + 2),
    );
    expect(first.filter(({ body }) => body.code === 'event_full')).toHaveLength(5);
    for (const [n, { person, key }] of sent.entries()) {
      const answer = first[n] as Answer;
      if (answer.status === 200) expect(summary(await join(person, event, key))).toEqual([200, answer.text, 'true']);
      expect(await storedResponseCountOf(person, key)).toBe(answer.status === 200 ? 1 : 0);
    }
    expect(await confirmedCountOf(event)).toBe(15);
  });
});
