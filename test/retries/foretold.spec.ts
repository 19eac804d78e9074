import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Participations } from '#areas/participation/record/participations';
import { Settings } from '#platform/config/settings';
import { onStatement } from '#platform/database/statement-channel';
import { Attempt } from '#platform/retries/attempt';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import type { Answer } from '#testing/http-client';
import { clientOf, type Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { TestServer } from '#testing/test-server';

const KEY = 'idempotency-key';
/** What a join may ask the database for when it has a key, after who sends it and the event. */
const STEPS = ['participation_take_foretold_seat', 'participation_take_seat', 'retries_keep'];
const IN_ONE = [STEPS[0]];
const IN_TURN = STEPS.slice(1);
/** For so long an event is not foretold again. */
const IN_VAIN_MS = 1_000;

/** Fails after the work is done. */
@Injectable()
class LateFault implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    return next.handle().pipe(map((answer: unknown) => {
      if (headers['x-fault'] === 'late') throw new Error('late');
      return answer;
    }));
  }
}

// RETRY-3: a join whose answer can be told before it is made is made, and its answer kept, by one statement (docs/adr/0312)
describe('a join with a key', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  let crowd: Person[];
  let participations: Participations;

  beforeAll(async () => {
    server = await TestServer.start({}, (app) => app.useGlobalInterceptors(new LateFault()));
    ({ jana, petr } = await server.people('jana', 'petr'));
    crowd = await Promise.all(Array.from({ length: 20 }, (_, n) => server.person(`host${n}`)));
    participations = server.app.get(Participations, { strict: false });
  });
  afterAll(() => server.stop());

  let number = 0;
  const newKey = () => `foretold-${++number}`;
  const join = (who: Person, { id }: BuiltEvent, key: string) => who.api.send('POST', `/events/${id}/join`, { headers: { [KEY]: key } });
  const seen = ({ status, text, headers }: Answer) => [status, text, headers.get('idempotency-replayed')];
  const again = ({ status, text }: Answer) => [status, text, 'true'];
  const countOf = async ({ eventId }: BuiltEvent) => (await server.sql<{ n: number }>('SELECT confirmed_count AS n FROM events WHERE id = $1', [eventId]))[0]?.n;
  const rowsOf = async ({ eventId }: BuiltEvent, who: Person) =>
    (await server.sql<{ check_in_code: string }>('SELECT check_in_code FROM participations WHERE event_id = $1 AND user_id = $2', [eventId, who.userId]));
  const keptOf = async (who: Person, key: string) =>
    (await server.sql('SELECT 1 FROM kept_answers WHERE account_id = $1 AND key_hash = $2', [who.userId, attemptOf(who, key).keyHash])).length;
  const attemptOf = ({ userId }: Person, key: string) => new Attempt(userId, createHash('sha256').update(key).digest('base64url'));

  /** What it asked for, of STEPS. */
  async function stepsOf<T>(work: () => Promise<T>): Promise<[T, string[]]> {
    const steps: string[] = [];
    const stop = onStatement(({ name }) => void (STEPS.includes(name) && steps.push(name)));
    try {
      return [await work(), steps];
    } finally {
      stop();
    }
  }

  /** Does something between what a join has been judged by and its seat, once. */
  async function justBefore<T>(meanwhile: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
    const take = participations.takeForetoldSeat.bind(participations);
    participations.takeForetoldSeat = async (eventId, userId, judged, shown) => {
      participations.takeForetoldSeat = take;
      await meanwhile();
      return take(eventId, userId, judged, shown);
    };
    try {
      return await work();
    } finally {
      participations.takeForetoldSeat = take;
    }
  }

  it('is one statement with its answer, which is given again', async () => {
    const event = await buildEvent(server, jana);
    const key = newKey();
    const [first, steps] = await stepsOf(() => join(petr, event, key));
    expect([seen(first)[0], seen(first)[2], steps]).toEqual([200, null, IN_ONE]);
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const [row] = await rowsOf(event, petr);
    expect(first.body.data).toMatchObject({ current_participants: 2, viewer: { participation: 'confirmed', can_join: false, check_in_code: row?.check_in_code } });
    const [second, none] = await stepsOf(() => join(petr, event, key));
    expect([seen(second), none]).toEqual([again(first), []]);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await countOf(event)).toBe(1);
  });

  it('says what one without a key says, of an invitation too', async () => {
    const [one, other] = [await buildEvent(server, jana, { with: [[petr, 'pending']] }), await buildEvent(server, jana, { with: [[petr, 'pending']] })];
    const plain = await petr.api.post(`/events/${one.id}/join`);
    const [keyed, steps] = await stepsOf(() => join(petr, other, newKey()));
    expect(steps).toEqual(IN_ONE);
    const own = (event: BuiltEvent, { body: { data } }: Answer) => JSON.stringify({ ...data, viewer: { ...data.viewer, check_in_code: 'x' } }).replaceAll(event.id, 'ID').replaceAll(/"[^"]*T[0-9:.]+Z"/g, '"AT"');
    expect(own(other, keyed)).toBe(own(one, plain));
  });

  it('is made in turn when somebody else was faster, and is not foretold at that event for a second', async () => {
    const event = await buildEvent(server, jana);
    const key = newKey();
    const [answer, steps] = await stepsOf(() => justBefore(() => crowd[0]!.api.post(`/events/${event.id}/join`), () => join(petr, event, key)));
    expect([answer.status, answer.body.data.current_participants]).toEqual([200, 3]);
    expect(steps).toEqual(['participation_take_seat', ...STEPS]);
    expect(seen(await join(petr, event, key))).toEqual(again(answer));
    expect((await stepsOf(() => join(crowd[1]!, event, newKey())))[1]).toEqual(IN_TURN);
    expect((await stepsOf(async () => join(crowd[1]!, await buildEvent(server, jana), newKey())))[1]).toEqual(IN_ONE);
    await pause(IN_VAIN_MS + 100);
    expect((await stepsOf(() => join(crowd[2]!, event, newKey())))[1]).toEqual(IN_ONE);
    expect(await countOf(event)).toBe(4);
  });

  it('is refused, and keeps nothing, when the last seat has gone or the terms have changed', async () => {
    const full = await buildEvent(server, jana, { max_participants: 2 });
    const key = newKey();
    expect((await justBefore(() => crowd[0]!.api.post(`/events/${full.id}/join`), () => join(petr, full, key))).body.code).toBe('event_full');
    const closed = await buildEvent(server, jana);
    expect((await justBefore(() => jana.api.delete(`/events/${closed.id}`), () => join(petr, closed, key))).body.code).toBe('not_found');
    expect([await rowsOf(full, petr), await rowsOf(closed, petr), await keptOf(petr, key)]).toEqual([[], [], 0]);
    expect((await join(petr, await buildEvent(server, jana), key)).status).toBe(200);
  });

  it('is one of two with the key, whoever keeps an answer first', async () => {
    const event = await buildEvent(server, jana);
    const key = newKey();
    const elsewhere = await buildEvent(server, jana);
    const { account, keyHash } = attemptOf(petr, key);
    const other = await join(petr, elsewhere, newKey());
    const [kept] = await server.sql<{ answer: string }>('SELECT answer FROM kept_answers WHERE account_id = $1 ORDER BY kept_at DESC LIMIT 1', [account]);
    const first = await justBefore(() => server.sql('INSERT INTO kept_answers VALUES ($1, $2, now(), $3)', [account, keyHash, kept?.answer]), () => join(petr, event, key));
    // That was the answer to something else.
    expect([other.status, first.body.code, await rowsOf(event, petr), await countOf(event)]).toEqual([200, 'idempotency_key_reused', [], 0]);
  });

  // RETRY-7
  it('waits while another with the key is being made, and is made when that was not', async () => {
    const event = await buildEvent(server, jana);
    const key = newKey();
    const { lock } = attemptOf(petr, key);
    await server.sql('SELECT pg_advisory_lock($1)', [lock]);
    const refused = await join(petr, event, key);
    const later = join(petr, event, key);
    await pause(300);
    await server.sql('SELECT pg_advisory_unlock($1)', [lock]);
    expect([refused.status, refused.body.code, (await later).status]).toEqual([409, 'request_in_progress', 200]);
    expect([await countOf(event), await keptOf(petr, key)]).toEqual([1, 1]);
  });

  it('happens once, however often it is sent at once, to two servers', async () => {
    const { databaseUrl, dataDir } = server.app.get(Settings);
    const there = await TestServer.start({ databaseUrl, dataDir });
    try {
      const servers = [petr.api, clientOf(there, petr.token)];
      for (let round = 0; round < repetitions('replica_rounds'); round++) {
        const event = await buildEvent(server, jana);
        const headers = { [KEY]: newKey() };
        const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => servers[n % 2]!.send('POST', `/events/${event.id}/join`, { headers })));
        const good = answers.filter(({ status }) => status === 200);
        expect(good.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
        expect(new Set(good.map(({ text }) => text)).size).toBe(1);
        for (const { status, body } of answers) expect(status === 200 || body.code === 'request_in_progress').toBe(true);
        expect(await countOf(event)).toBe(1);
      }
    } finally {
      await there.stop();
    }
  }, 300_000);

  it('of twenty people at once takes twenty seats, and each answer is true and given again', async () => {
    const event = await buildEvent(server, jana, { max_participants: 16 });
    const sent = crowd.map((who) => ({ who, key: newKey() }));
    const first = await Promise.all(sent.map(({ who, key }) => join(who, event, key)));
    const good = first.filter(({ status }) => status === 200);
    expect(good.map(({ body }) => body.data.current_participants).sort((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, n) => n + 2));
    expect(first.filter(({ body }) => body.code === 'event_full')).toHaveLength(5);
    for (const [n, { who, key }] of sent.entries()) {
      const answer = first[n] as Answer;
      if (answer.status === 200) expect(seen(await join(who, event, key))).toEqual(again(answer));
      expect(await keptOf(who, key)).toBe(answer.status === 200 ? 1 : 0);
    }
    expect(await countOf(event)).toBe(15);
  });

  // RETRY-3, RETRY-5
  it('is not taken back, nor refused, by what fails after it', async () => {
    const event = await buildEvent(server, jana);
    const key = newKey();
    const answer = await petr.api.send('POST', `/events/${event.id}/join`, { headers: { [KEY]: key, 'x-fault': 'late' } });
    expect([answer.status, answer.body.data.viewer.participation, answer.headers.get('idempotency-replayed')]).toEqual([200, 'confirmed', 'true']);
    expect(seen(await join(petr, event, key))).toEqual(again(answer));
    expect([await countOf(event), await keptOf(petr, key)]).toEqual([1, 1]);
  });

  it('without a key keeps nothing', async () => {
    const event = await buildEvent(server, jana);
    const [answer, steps] = await stepsOf(() => petr.api.post(`/events/${event.id}/join`));
    expect([answer.status, steps]).toEqual([200, ['participation_take_seat']]);
  });
});
