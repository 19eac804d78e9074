import fc from 'fast-check';
import { ACCOUNT_LIMIT_NAMES, type AccountLimit } from '#contract/account-limits';
import { LIMITS } from '#contract/limits';
import { TokensCommands } from '#areas/identity/tokens.commands';
import { PulsCommands } from '#areas/puls/puls.commands';
import { buildEvent, eventBody, type BuiltEvent } from '#testing/builders';
import type { Answer, HttpClient } from '#testing/http-client';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

interface LimitEntry {
  readonly name: AccountLimit;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly resets_at: string | null;
  readonly per: string;
}

const PULS = [
  ['latitude', '50'],
  ['longitude', '14'],
  ['body', 'Ahoj'],
] as const;

describe('GET /limits', () => {
  let server: TestServer;
  let host: Person;
  let eventsJoinedByRequest: BuiltEvent[];

  beforeAll(async () => {
    server = await TestServer.start();
    host = await server.person('host');
    eventsJoinedByRequest = await Promise.all(
      Array.from({ length: 45 }, () => buildEvent(server, host, { join_mode: 'request' })),
    );
  });
  afterAll(() => server.stop());

  async function limits(api: HttpClient): Promise<Record<AccountLimit, LimitEntry>> {
    const answer = await api.get('/limits');
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const list = answer.body.data as LimitEntry[];
    expect(list.map(({ name }) => name)).toEqual(ACCOUNT_LIMIT_NAMES);
    for (const { limit, used, remaining } of list) expect(remaining).toBe(Math.max(0, limit - used));
    return Object.fromEntries(list.map((entry) => [entry.name, entry])) as Record<AccountLimit, LimitEntry>;
  }

  // LIM-12
  it('lists every limit, even for a read-only token', async () => {
    const reader = await server.person('reader', { access: 'read' });
    const shownLimits = await limits(reader.api);
    expect([
      shownLimits.event_creation.limit,
      shownLimits.puls_creation.limit,
      shownLimits.comments.limit,
      shownLimits.groups_founded.limit,
      shownLimits.series_live.limit,
      shownLimits.join_requests.limit,
    ]).toEqual([2, 3, 10, 5, 5, 20]);
    expect([shownLimits.tokens.used, shownLimits.tokens.limit, shownLimits.puls_active.limit]).toEqual([1, 10, 1]);
    expect((await server.nobody.get('/limits')).status).toBe(401);
    expect((await reader.api.post('/limits', {})).status).toBe(403);
    expect((await host.api.post('/limits', {})).headers.get('allow')).toContain('GET');
  });

  // LIM-13, LIM-14
  it('shows the rate limit of the token, and itself counts towards this limit', async () => {
    const strict = await TestServer.start({ rateLimitTokenPerMinute: 5 });
    const eva = await strict.person('eva');
    await eva.api.get('/user');
    const { requests: requestLimit } = await limits(eva.api);
    expect([requestLimit.limit, requestLimit.used, requestLimit.remaining, requestLimit.per]).toEqual([
      5,
      2,
      3,
      'minute',
    ]);
    const answers: number[] = [];
    for (let n = 0; n < 4; n++) answers.push((await eva.api.get('/user')).status);
    expect(answers).toEqual([200, 200, 200, 429]);
    strict.clock.moveTo(new Date(Date.parse(requestLimit.resets_at ?? '')));
    expect((await eva.api.get('/user')).status).toBe(200);
    await strict.stop();
  });

  // LIM-14
  it('shows in resets_at the time at which the number of remaining actions increases', async () => {
    const ota = await server.person('ota');
    const post = await host.api.post('/posts', {
      title: 'Výlet',
      categories: ['mista'],
      body: '<p>Text</p>',
      status: 'published',
    });
    const comment = () => ota.api.post(`/posts/${post.body.data.slug}/comments`, { body: 'Ahoj' });
    const puls = (await ota.api.upload('/puls', PULS)).body.data;
    for (let n = 0; n < LIMITS.comments.per_user.max; n++) expect((await comment()).status).toBe(201);
    const shownLimits = await limits(ota.api);
    expect([shownLimits.puls_active.remaining, shownLimits.puls_active.resets_at]).toEqual([0, puls.expires_at]);
    expect([shownLimits.groups_founded.resets_at, shownLimits.tokens.resets_at]).toEqual([null, null]);
    expect(shownLimits.comments.remaining).toBe(0);
    expect((await comment()).status).toBe(429);
    server.clock.moveTo(new Date(Date.parse(shownLimits.comments.resets_at ?? '')));
    expect((await comment()).status).toBe(201);
    server.clock.moveTo(new Date(Date.parse(shownLimits.event_creation.resets_at ?? '')));
    expect((await limits(ota.api)).puls_creation.used).toBe(0);
  });

  // LIM-13, LIM-14
  it('shows in resets_at of puls_active the time at which a new free post will be possible, even while paid posts are active', async () => {
    const ada = await server.person('ada');
    const importPaidPost = (hoursAgo: number) =>
      server.database.transaction((tx) =>
        server.app.get(PulsCommands).import(tx, ada.userId, {
          body: 'Koupený',
          latitude: 50,
          longitude: 14,
          paid: true,
          createdAt: new Date(server.clock.now().getTime() - hoursAgo * 3_600_000),
        }),
      );
    const active = async () => (await limits(ada.api)).puls_active;
    expect(await active()).toMatchObject({ used: 0, remaining: 1, resets_at: null });
    const free = (await ada.api.upload('/puls', PULS)).body.data;
    for (const hours of [20, 10]) await importPaidPost(hours);
    const { used, remaining, resets_at: end } = await active();
    expect([used, remaining, end]).toEqual([3, 0, free.expires_at]);
    server.clock.moveTo(new Date(Date.parse(end ?? '') - 1000));
    expect(await active()).toMatchObject({ used: 1, remaining: 0, resets_at: free.expires_at });
    expect((await ada.api.upload('/puls', PULS)).body.code).toBe('paid_post_unsupported');
    // The free post expires at `end`.
    server.clock.moveTo(new Date(Date.parse(end ?? '') + 1000));
    expect(await active()).toMatchObject({ used: 0, remaining: 1, resets_at: null });
    expect((await ada.api.upload('/puls', PULS)).status).toBe(201);
  });

  // LIM-14, PEO-6
  it.each<[AccountLimit, (who: Person, slug: string) => Promise<Answer>]>([
    ['comments', (who, slug) => who.api.post(`/posts/${slug}/comments`, { body: 'Ahoj' })],
    ['user_searches', (who) => who.api.get('/users?q=nikdo')],
  ])(
    'shows in resets_at the time one minute after the oldest counted action, and Retry-After agrees with it: %s',
    async (name, act) => {
      const ota = await server.person('ota');
      const { body } = await host.api.post('/posts', {
        title: 'Výlet',
        categories: ['mista'],
        body: '<p>Text</p>',
        status: 'published',
      });
      const start = Date.parse('2031-05-01T10:00:00Z');
      const at = (seconds: number) => new Date(start + seconds * 1000);
      /** Performs the action. Returns null if it succeeds, otherwise the header Retry-After. */
      const attempt = async () => {
        const { status, headers } = await act(ota, body.data.slug);
        expect(headers.has('retry-after') ? [429] : [200, 201]).toContain(status);
        return headers.get('retry-after');
      };
      const shown = async () => (await limits(ota.api))[name];
      server.clock.freezeAt(at(0));
      const { limit, resets_at: resetsAtBeforeUse } = await shown();
      expect(resetsAtBeforeUse).toBeNull();
      const isoAt = (seconds: number) => at(seconds).toISOString().replace('.000Z', 'Z');
      for (let n = 0; n < limit; n++) {
        server.clock.freezeAt(at(n));
        expect([n, await attempt(), (await shown()).resets_at]).toEqual([n, null, isoAt(60)]);
      }
      for (const [seconds, retryAfter] of [
        [40, '20'],
        [59, '1'],
        [60, null],
        [60, '1'],
        [61, null],
        [61, '1'],
      ] as const) {
        server.clock.freezeAt(at(seconds));
        expect([seconds, await attempt()]).toEqual([seconds, retryAfter]);
      }
      expect(await shown()).toMatchObject({ used: limit, remaining: 0, resets_at: isoAt(62) });
    },
  );

  /** The actions that the account in the test below can perform. */
  type Action =
    | 'found_group'
    | 'delete_group'
    | 'event'
    | 'delete_event'
    | 'series'
    | 'cancel_series'
    | 'puls'
    | 'delete_puls'
    | 'comment'
    | 'join_request'
    | 'withdraw_request'
    | 'token'
    | 'revoke_token'
    | 'invalid_event';
  const ACTIONS: readonly Action[] = [
    'found_group',
    'delete_group',
    'event',
    'delete_event',
    'series',
    'cancel_series',
    'puls',
    'delete_puls',
    'comment',
    'join_request',
    'withdraw_request',
    'token',
    'revoke_token',
    'invalid_event',
  ];

  /** An account with the objects that it has created. */
  class Account {
    readonly groups: string[] = [];
    readonly events: string[] = [];
    readonly series: string[] = [];
    readonly puls: string[] = [];
    readonly tokens: number[] = [];
    private joinRequestCount = 0;

    constructor(
      readonly who: Person,
      readonly post: string,
    ) {}

    private async recordCreated(list: string[], answer: Promise<Answer>): Promise<boolean> {
      const { status, body } = await answer;
      if (status === 201) list.push(body.data.id);
      return status === 201;
    }

    /** For some limits, an action that counts towards the limit. Returns whether the action succeeded. */
    attempts: Record<string, () => Promise<boolean>> = {
      groups_founded: () => this.recordCreated(this.groups, this.who.api.post('/groups', { name: 'Parta' })),
      event_creation: () => this.recordCreated(this.events, this.who.api.post('/events', eventBody())),
      puls_active: () => this.recordCreated(this.puls, this.who.api.upload('/puls', PULS)),
      comments: () => this.recordCreated([], this.who.api.post(`/posts/${this.post}/comments`, { body: 'Ahoj' })),
      join_requests: async () =>
        (await this.who.api.post(`/events/${eventsJoinedByRequest[this.joinRequestCount++]?.id}/join`, {})).status ===
        200,
      tokens: async () => {
        const created = await server.database
          .transaction((tx) =>
            server.app.get(TokensCommands).create(tx, this.who.userId, { name: 't', access: 'read', expiresAt: null }),
          )
          .catch(() => null);
        if (created) this.tokens.push(created.token.id);
        return created !== null;
      },
    };

    async perform(action: Action): Promise<void> {
      const { api } = this.who;
      const [group, event, series, puls, token] = [this.groups, this.events, this.series, this.puls, this.tokens].map(
        (list) => list[0],
      );
      if (action === 'found_group') await this.attempts['groups_founded']?.();
      if (action === 'event') await this.attempts['event_creation']?.();
      if (action === 'puls') await this.attempts['puls_active']?.();
      if (action === 'comment') await this.attempts['comments']?.();
      if (action === 'join_request') await this.attempts['join_requests']?.();
      if (action === 'token') await this.attempts['tokens']?.();
      if (action === 'series')
        await this.recordCreated(
          this.series,
          api.post('/series', { title: 'Řada', starts_at: inDays(3), frequency: 'weekly', occurrences_limit: 2 }),
        );
      if (action === 'delete_group' && group) await api.delete(`/groups/${group}`).then(() => this.groups.shift());
      if (action === 'delete_event' && event) await api.delete(`/events/${event}`).then(() => this.events.shift());
      if (action === 'cancel_series' && series)
        await api.post(`/series/${series}/cancel`).then(() => this.series.shift());
      if (action === 'delete_puls' && puls) await api.delete(`/puls/${puls}`).then(() => this.puls.shift());
      if (action === 'withdraw_request' && this.joinRequestCount > 0)
        await api.delete(`/events/${eventsJoinedByRequest[this.joinRequestCount - 1]?.id}/join`);
      if (action === 'revoke_token' && token)
        await server.database.transaction((tx) =>
          server.app.get(TokensCommands).revoke(tx, this.who.userId, Number(this.tokens.shift())),
        );
      if (action === 'invalid_event') await api.post('/events', eventBody({ title: 'ab' }));
    }
  }

  // LIM-13
  it('shows how many further attempts will succeed, after any sequence of actions', async () => {
    const { body } = await host.api.post('/posts', {
      title: 'Výlet',
      categories: ['mista'],
      body: '<p>Text</p>',
      status: 'published',
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...ACTIONS), { maxLength: 30 }), async (actions) => {
        const account = new Account(await server.person('kdosi'), body.data.slug);
        for (const action of actions) await account.perform(action);
        const shownLimits = await limits(account.who.api);
        for (const [name, succeeds] of Object.entries(account.attempts)) {
          // Two limits apply to a Puls post, and each limit has its own entry in GET /limits.
          const expected =
            name === 'puls_active'
              ? Math.min(shownLimits.puls_active.remaining, shownLimits.puls_creation.remaining)
              : shownLimits[name as AccountLimit].remaining;
          let succeeded = 0;
          while (succeeded <= expected && (await succeeds())) succeeded++;
          expect([name, succeeded]).toEqual([name, expected]);
        }
      }),
      { numRuns: repetitions('limit_sequences') },
    );
  }, 120_000);
});
