import { TokensCommands } from '#areas/identity/tokens.commands';
import { ACCOUNT_LIMIT_NAMES, type AccountLimit } from '#contract/account-limits';
import { LIMITS } from '#contract/limits';
import type { ParticipationState } from '#contract/vocabulary';
import { REFUSALS, type RefusalCode } from '#contract/refusals';
import { buildEvent, eventBody, type BuiltEvent } from '#testing/builders';
import { crowd as createCrowd } from '#testing/crowd';
import { EventStream } from '#testing/event-stream';
import { buildGroup } from '#testing/groups';
import type { Answer } from '#testing/http-client';
import { picture } from '#testing/media';
import { clientOf, type Person } from '#testing/people';
import { buildSeries } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { waitUntil } from '#testing/wait-until';

const PULS = [
  ['latitude', '50'],
  ['longitude', '14'],
  ['body', 'Ahoj'],
] as const;
/** The number of attempts that are made in addition to the allowed number. */
const EXTRA_ATTEMPTS = 5;
/** The number of attempts that succeed at first, for a limit that is too large to be reached by requests. */
const ROOM = 10;
const DAY_MS = 86_400_000;

/** Makes attempt number `n` of a turn. Returns null if the attempt succeeds, otherwise the code of the refusal. */
type Attempt = (n: number) => Promise<string | null>;

/** The attempts that test one limit. */
interface Round {
  readonly attempt: Attempt;
  /** The number of attempts that succeed before `free` is called. */
  readonly room: number;
  /**
   * Frees a part of the limit by deleting resources or moving the clock. Returns the number of further attempts that
   * then succeed.
   */
  readonly free: () => Promise<number>;
}

interface LimitTest {
  /**
   * The names in GET /limits and the error codes that this test covers. All tests together must cover all of them
   * (LIM-12).
   */
  readonly names: readonly (AccountLimit | RefusalCode)[];
  /** The error code of an attempt that exceeds the limit. */
  readonly code: RefusalCode;
  readonly round: () => Promise<Round>;
}

/**
 * LIM-5: exactly the allowed number of parallel attempts succeeds for each limit. After N uses of the limit become free
 * again, exactly N further attempts succeed.
 */
describe('limits of accounts, events and groups', () => {
  let server: TestServer;
  let host: Person;
  let crowd: Person[];
  const streams: EventStream[] = [];

  beforeAll(async () => {
    server = await TestServer.start({ webhooksAllowPrivate: true });
    host = await server.person('host');
    // The crowd is larger than the maximum number of reports a day and of open invitations to a group.
    crowd = await createCrowd(server, 100);
  }, 60_000);
  afterAll(() => server.stop());

  const refusalOf = ({ status, body }: Answer): string | null => (status < 300 ? null : (body.code as string));
  const freeAfter = (ms: number, room: number) => async (): Promise<number> => {
    server.clock.forward(ms);
    return room;
  };
  /** Copies the row with the highest id of the table. The API would need one request for each row. */
  async function copyLastRow(table: string, copies: number): Promise<void> {
    const columns = (
      await server.sql<{ c: string }>(
        "SELECT attname AS c FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id' AND attgenerated = ''",
        [table],
      )
    )
      .map(({ c }) => c)
      .join(', ');
    await server.sql(
      `INSERT INTO ${table} (${columns})
       SELECT ${columns} FROM (SELECT * FROM ${table} ORDER BY id DESC LIMIT 1) last, generate_series(1, $1)`,
      [copies],
    );
  }
  /** Adds participations of new people to an event. */
  async function addParticipations({ eventId }: BuiltEvent, state: ParticipationState, count: number): Promise<void> {
    await server.sql(
      `WITH created AS (INSERT INTO users (slug, name, created_at, updated_at)
                        SELECT 'other-' || gen_random_uuid(), 'Dav', now(), now() FROM generate_series(1, $2) RETURNING id)
       INSERT INTO participations (event_id, user_id, status, requested_at, invited_at, created_at, updated_at)
       SELECT $1, id, $3::text, CASE $3::text WHEN 'requested' THEN now() END, CASE $3::text WHEN 'pending' THEN now() END, now(), now()
         FROM created`,
      [eventId, count, state],
    );
  }
  const newPost = async (): Promise<string> =>
    (await host.api.post('/posts', { title: 'Výlet', categories: ['mista'], body: 'Text', status: 'published' })).body
      .data.slug as string;

  /** A round whose attempts create resources. `free` deletes at most `atMost` of these resources. */
  async function roundOfResources(
    room: number,
    make: (n: number) => Promise<Answer>,
    remove: (id: string) => Promise<Answer>,
    atMost = room,
  ): Promise<Round> {
    const created: string[] = [];
    return {
      room,
      attempt: async (n) => {
        const answer = await make(n);
        if (answer.status < 300) created.push((answer.body?.data?.id ?? answer.body?.data?.[0]?.id) as string);
        return refusalOf(answer);
      },
      free: async () => {
        const freed = created.splice(0, atMost);
        for (const id of freed) expect((await remove(id)).status).toBe(204);
        return freed.length;
      },
    };
  }

  /**
   * A round whose attempts create relations between a person and a resource. `make(n)` creates relation number `n`:
   * a different person or a different resource for each `n`. `free` deletes at most `atMost` relations.
   */
  async function roundOfRelations(
    room: number,
    make: (n: number) => Promise<Answer>,
    remove: (n: number) => Promise<Answer>,
    atMost: number,
  ): Promise<Round> {
    const [created, missing]: [number[], number[]] = [[], []];
    let isBeforeFree = true;
    return {
      room,
      attempt: async (n) => {
        // After `free`, only missing relations are attempted: the relations that `free` deleted, and the relations
        // whose first attempt was refused.
        const relation = isBeforeFree ? n : (missing[n] as number);
        const answer = await make(relation);
        (answer.status < 300 ? created : missing).push(relation);
        return refusalOf(answer);
      },
      free: async () => {
        const freed = created.splice(0, atMost);
        for (const n of freed) expect((await remove(n)).status).toBeLessThan(300);
        missing.push(...freed);
        isBeforeFree = false;
        return freed.length;
      },
    };
  }

  const LIMIT_TESTS: readonly LimitTest[] = [
    {
      names: ['event_creation', 'daily_event_limit'],
      code: 'daily_event_limit',
      round: async () => {
        const { api } = await server.person('kdosi');
        return {
          room: LIMITS.events.created_per_day,
          attempt: async () => refusalOf(await api.post('/events', eventBody({ starts_at: inDays(30).toISOString() }))),
          free: freeAfter(DAY_MS, LIMITS.events.created_per_day),
        };
      },
    },
    {
      names: ['puls_creation', 'daily_puls_limit'],
      code: 'daily_puls_limit',
      round: async () => {
        const { api } = await server.person('kdosi');
        const attempt: Attempt = async () => {
          // Only one post without payment can be active at a time, so each successful attempt deletes its post. An
          // attempt is repeated while another post is active.
          for (;;) {
            const answer = await api.upload('/puls', PULS);
            if (answer.status === 201) await api.delete(`/puls/${answer.body.data.id as string}`);
            if (answer.body.code !== 'paid_post_unsupported') return refusalOf(answer);
          }
        };
        return { room: LIMITS.puls.created_per_day, attempt, free: freeAfter(DAY_MS, LIMITS.puls.created_per_day) };
      },
    },
    {
      names: ['puls_active'],
      code: 'paid_post_unsupported',
      round: async () => {
        const { api } = await server.person('kdosi');
        return roundOfResources(
          LIMITS.puls.free_active,
          () => api.upload('/puls', PULS),
          (id) => api.delete(`/puls/${id}`),
        );
      },
    },
    {
      names: ['active_limit_reached'],
      code: 'active_limit_reached',
      round: async () => {
        const { api } = await server.person('kdosi');
        // The second post is a copy in the database, because the API accepts only one active post without payment.
        const createTwoActivePosts = async (): Promise<void> => {
          expect((await api.upload('/puls', PULS)).status).toBe(201);
          await copyLastRow('all_puls_posts', 1);
        };
        await createTwoActivePosts();
        return {
          room: 0,
          attempt: async () => refusalOf(await api.upload('/puls', PULS)),
          free: async () => {
            server.clock.forward(DAY_MS + 1000);
            await createTwoActivePosts();
            return 0;
          },
        };
      },
    },
    {
      names: ['comments', 'rate_limited'],
      code: 'rate_limited',
      round: async () => {
        const [{ api }, post] = [await server.person('kdosi'), await newPost()];
        const { max, window } = LIMITS.comments.per_user;
        return {
          room: max,
          attempt: async () => refusalOf(await api.post(`/posts/${post}/comments`, { body: 'Ahoj' })),
          free: freeAfter((window + 1) * 1000, max),
        };
      },
    },
    {
      names: ['user_searches'],
      code: 'too_many_requests',
      round: async () => {
        const { api } = await server.person('kdosi');
        const { max, window } = LIMITS.people.searches;
        return {
          room: max,
          attempt: async () => refusalOf(await api.get('/users?q=nikdo')),
          free: freeAfter((window + 1) * 1000, max),
        };
      },
    },
    {
      names: ['groups_founded', 'group_limit_reached'],
      code: 'group_limit_reached',
      round: async () => {
        const { api } = await server.person('kdosi');
        return roundOfResources(
          LIMITS.groups.founded_per_account,
          () => api.post('/groups', { name: 'Parta' }),
          (id) => api.delete(`/groups/${id}`),
        );
      },
    },
    {
      names: ['series_live'],
      code: 'conflict',
      round: async () => {
        const who = await server.person('kdosi');
        for (let n = 1; n < LIMITS.series.live_per_account; n++) await buildSeries(server, who);
        const created: string[] = [];
        return {
          room: 1,
          attempt: async () => {
            const answer = await who.api.post('/series', {
              title: 'Řada',
              starts_at: inDays(9).toISOString(),
              frequency: 'weekly',
              occurrences_limit: 2,
            });
            if (answer.status === 201) created.push(answer.body.data.id as string);
            return refusalOf(answer);
          },
          free: async () => {
            expect((await who.api.post(`/series/${created.shift() ?? ''}/cancel`)).status).toBe(200);
            return 1;
          },
        };
      },
    },
    {
      names: ['join_requests', 'request_limit_reached'],
      code: 'request_limit_reached',
      round: async () => {
        const { api } = await server.person('kdosi');
        const maximum = LIMITS.participation.pending_requests_per_user;
        const events = await Promise.all(
          Array.from({ length: maximum + EXTRA_ATTEMPTS }, () => buildEvent(server, host, { join_mode: 'request' })),
        );
        const path = (n: number): string => `/events/${(events[n] as BuiltEvent).id}/join`;
        return roundOfRelations(
          maximum,
          (n) => api.post(path(n)),
          (n) => api.delete(path(n)),
          3,
        );
      },
    },
    {
      names: ['request_limit_reached'],
      code: 'request_limit_reached',
      round: async () => {
        const event = await buildEvent(server, host, { join_mode: 'request' });
        const { id } = event;
        await addParticipations(event, 'requested', LIMITS.participation.pending_requests_per_event - ROOM);
        const who = (n: number): Person => crowd[n] as Person;
        return roundOfRelations(
          ROOM,
          (n) => who(n).api.post(`/events/${id}/join`),
          (n) => who(n).api.delete(`/events/${id}/join`),
          3,
        );
      },
    },
    {
      names: ['waitlist_limit_reached'],
      code: 'waitlist_limit_reached',
      round: async () => {
        const event = await buildEvent(server, host, { max_participants: 1 });
        const { id } = event;
        await addParticipations(event, 'waitlisted', LIMITS.participation.waitlisted_per_event - ROOM);
        const who = (n: number): Person => crowd[n] as Person;
        return roundOfRelations(
          ROOM,
          (n) => who(n).api.post(`/events/${id}/waitlist`),
          (n) => who(n).api.delete(`/events/${id}/join`),
          3,
        );
      },
    },
    {
      names: ['daily_message_limit'],
      code: 'daily_message_limit',
      round: async () => {
        const { id } = await buildEvent(server, host, {
          starts_at: inDays(10),
          with: [[crowd[0] as Person, 'confirmed']],
        });
        const room = LIMITS.messages.per_day;
        const send = () => host.api.post(`/events/${id}/messages`, { text: 'Ahoj', to: 'confirmed' });
        return { room, attempt: async () => refusalOf(await send()), free: freeAfter(DAY_MS, room) };
      },
    },
    {
      names: ['invite_limit_reached'],
      code: 'invite_limit_reached',
      round: async () => {
        const event = await buildEvent(server, host);
        const { id } = event;
        await addParticipations(event, 'pending', LIMITS.participation.pending_invitations_per_event - ROOM);
        const slug = (n: number): string => (crowd[n] as Person).slug;
        return roundOfRelations(
          ROOM,
          (n) => host.api.post(`/events/${id}/participants`, { user: slug(n) }),
          (n) => host.api.delete(`/events/${id}/participants/${slug(n)}`),
          3,
        );
      },
    },
    {
      names: ['invite_limit_reached'],
      code: 'invite_limit_reached',
      round: async () => {
        const { id } = await buildGroup(server, host);
        const slug = (n: number): string => (crowd[n] as Person).slug;
        return roundOfRelations(
          LIMITS.groups.pending_invitations,
          (n) => host.api.post(`/groups/${id}/members`, { user: slug(n) }),
          (n) => host.api.delete(`/groups/${id}/members/${slug(n)}`),
          3,
        );
      },
    },
    {
      names: ['tokens'],
      code: 'conflict',
      round: async () => {
        const { userId } = await server.person('kdosi');
        const tokens = server.app.get(TokensCommands);
        const created: number[] = [];
        return {
          room:
            LIMITS.tokens.per_account - (await server.sql('SELECT FROM tokens WHERE user_id = $1', [userId])).length,
          attempt: async () => {
            const token = await server.database
              .transaction((tx) => tokens.create(tx, userId, { name: 't', access: 'read', expiresAt: null }))
              .catch(() => null);
            if (token) created.push(token.token.id);
            return token ? null : 'conflict';
          },
          free: async () => {
            const freed = created.splice(0, 3);
            for (const id of freed) await server.database.transaction((tx) => tokens.revoke(tx, userId, id));
            return freed.length;
          },
        };
      },
    },
    {
      names: ['reports', 'daily_report_limit'],
      code: 'daily_report_limit',
      round: async () => {
        const { api } = await server.person('kdosi');
        let next = 0;
        return {
          room: LIMITS.moderation.reports_per_day,
          attempt: async () =>
            refusalOf(
              await api.post('/reports', {
                subject_type: 'user',
                subject_id: (crowd[next++] as Person).slug,
                reason: 'spam',
              }),
            ),
          free: freeAfter(DAY_MS, LIMITS.moderation.reports_per_day),
        };
      },
    },
    {
      names: ['streams', 'too_many_requests'],
      code: 'too_many_requests',
      round: async () => {
        const who = await server.person('kdosi');
        const room = LIMITS.shares.streams.account;
        return {
          room,
          attempt: async () => {
            const stream = await EventStream.open(who);
            streams.push(stream);
            return stream.status === 200 ? null : (stream.body as { code: string }).code;
          },
          free: async () => {
            for (const stream of streams.splice(0)) stream.close();
            await waitUntil(
              async () =>
                (await server.sql('SELECT FROM change_holds WHERE account_id = $1', [who.userId])).length === 0,
            );
            return room;
          },
        };
      },
    },
    {
      names: ['too_many_requests'],
      code: 'too_many_requests',
      round: async () => {
        const [{ id }, { api }] = [
          await buildEvent(server, host, { join_mode: 'password', join_password: 'sezam', starts_at: inDays(30) }),
          await server.person('kdosi'),
        ];
        const { max, window } = LIMITS.participation.wrong_passwords;
        // The limit counts wrong passwords, so `wrong_password` means that the limit allowed the attempt.
        const attempt: Attempt = async () => {
          const code = refusalOf(await api.post(`/events/${id}/join`, { password: 'otevři se' }));
          return code === 'wrong_password' ? null : code;
        };
        return { room: max, attempt, free: freeAfter((window + 1) * 1000, max) };
      },
    },
    {
      names: ['door_link_limit_reached'],
      code: 'door_link_limit_reached',
      round: async () => {
        const person = await server.person('kdosi');
        const { id: event } = await buildEvent(server, person);
        return roundOfResources(
          LIMITS.door.links.per_event,
          () => person.api.post(`/events/${event}/door/links`, { name: 'Brána' }),
          (id) => person.api.delete(`/events/${event}/door/links/${id}`),
        );
      },
    },
    {
      names: ['webhooks', 'webhook_limit_reached'],
      code: 'webhook_limit_reached',
      round: async () => {
        const { api } = await server.person('kdosi');
        return roundOfResources(
          LIMITS.webhooks.per_account,
          () => api.post('/webhooks', { url: 'http://127.0.0.1:9/' }),
          (id) => api.delete(`/webhooks/${id}`),
        );
      },
    },
    {
      names: ['ticket_limit_reached'],
      code: 'ticket_limit_reached',
      round: async () => {
        const { id } = await buildEvent(server, host, { join_mode: 'tickets' });
        const { per_call, per_event } = LIMITS.participation.tickets;
        const codes: string[] = [];
        return {
          room: per_event / per_call.max,
          attempt: async () => {
            const answer = await host.api.post(`/events/${id}/tickets`, { count: per_call.max });
            if (answer.status === 201) codes.push(...(answer.body.data as { code: string }[]).map(({ code }) => code));
            return refusalOf(answer);
          },
          free: async () => {
            await Promise.all(
              codes.splice(0, per_call.max).map((code) => host.api.delete(`/events/${id}/tickets/${code}`)),
            );
            return 1;
          },
        };
      },
    },
    {
      names: ['expense_limit_reached'],
      code: 'expense_limit_reached',
      round: async () => {
        const { id } = await buildEvent(server, host);
        const spend = () => host.api.post(`/events/${id}/expenses`, { title: 'Dort', amount: 1 });
        expect((await spend()).status).toBe(201);
        await copyLastRow('expenses', LIMITS.expenses.per_event - ROOM - 1);
        return roundOfResources(ROOM, spend, (expense) => host.api.delete(`/events/${id}/expenses/${expense}`), 3);
      },
    },
    {
      names: ['payment_limit_reached'],
      code: 'payment_limit_reached',
      round: async () => {
        const { id } = await buildEvent(server, host, { with: [[crowd[0] as Person, 'confirmed']] });
        const pay = () =>
          host.api.post(`/events/${id}/expenses/payments`, {
            to: (crowd[0] as Person).slug,
            amount: 1,
            currency: 'CZK',
          });
        expect((await pay()).status).toBe(201);
        await copyLastRow('expense_payments', LIMITS.expenses.payments_per_event - ROOM - 1);
        return roundOfResources(
          ROOM,
          pay,
          (payment) => host.api.delete(`/events/${id}/expenses/payments/${payment}`),
          3,
        );
      },
    },
    {
      names: ['photo_limit_reached'],
      code: 'photo_limit_reached',
      round: async () => {
        const [{ id }, image] = [
          await buildEvent(server, host, { photos_enabled: true }),
          new Blob([new Uint8Array(await picture())]),
        ];
        return roundOfResources(
          LIMITS.gallery.per_user,
          () => host.api.upload(`/events/${id}/photos`, [['photos[]', image]]),
          (photo) => host.api.delete(`/events/${id}/photos/${photo}`),
          3,
        );
      },
    },
  ];
  /** The rate limits for requests are not in LIMIT_TESTS. They are tested below on separate servers. */
  const REQUEST_LIMITS: readonly AccountLimit[] = ['requests', 'requests_per_ip'];

  // LIM-12
  it('are all tested: every entry of GET /limits and every error code of a limit', () => {
    const codes = Object.keys(REFUSALS).filter((code) => /limit|rate|too_many/.test(code));
    expect([...new Set([...LIMIT_TESTS.flatMap(({ names }) => names), ...REQUEST_LIMITS])].sort()).toEqual(
      [...ACCOUNT_LIMIT_NAMES, ...codes].sort(),
    );
  });

  it.each(LIMIT_TESTS.map((row) => [row.names.join(', '), row] as const))(
    'are exact, even after a part of the limit becomes free again: %s',
    async (_, { code, round }) => {
      const { attempt, room, free } = await round();
      let remaining = room;
      for (const turn of ['first', 'second']) {
        const answers = await Promise.all(Array.from({ length: remaining + EXTRA_ATTEMPTS }, (__, n) => attempt(n)));
        expect([
          turn,
          answers.filter((one) => one === null).length,
          [...new Set(answers.filter((one) => one !== null))],
        ]).toEqual([turn, remaining, [code]]);
        if (turn === 'first') remaining = await free();
      }
    },
  );

  // LIM-1, LIM-2
  it.each([
    ['requests', { rateLimitTokenPerMinute: 7 }],
    ['requests_per_ip', { rateLimitIpPerMinute: 7 }],
  ] as const)('are exact when they limit the rate of requests: %s', async (name, settings) => {
    const strict = await TestServer.start(settings);
    try {
      const { token } = await strict.person('kdosi');
      const client = name === 'requests' ? clientOf(strict, token) : strict.nobody;
      for (const turn of ['first', 'second']) {
        const statuses = (await Promise.all(Array.from({ length: 7 + EXTRA_ATTEMPTS }, () => client.get('/user')))).map(
          ({ status }) => status,
        );
        expect([turn, statuses.filter((status) => status !== 429).length]).toEqual([turn, 7]);
        strict.clock.forward(LIMITS.requests.window * 1000);
      }
    } finally {
      await strict.stop();
    }
  });
});
