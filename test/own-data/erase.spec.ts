import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import { PERSONAL_DATA } from '#areas/own-data/personal-data.map';
import { tableOf } from '#testing/partitions';
import { MembershipsCommands } from '#areas/groups/memberships.commands';
import { NotificationsCommands } from '#areas/notifications/notifications.commands';
import { UsersCommands } from '#areas/identity/users.commands';
import { PublicIds } from '#platform/http/public-ids';
import { Settings } from '#platform/config/settings';
import { buildEvent } from '#testing/builders';
import { CommandLine } from '#testing/command-line';
import { Feed } from '#testing/feed';
import { disagreements } from '#testing/files-and-rows';
import { seededRandom } from '#testing/balances';
import { addMember, buildGroup } from '#testing/groups';
import { ledgerFaults } from '#testing/ledger';
import { buildFullAccount, type FullAccount } from '#testing/full-account';
import { phonePhoto } from '#testing/media';
import { clientOf, type Person } from '#testing/people';
import { TokensCommands } from '#areas/identity/tokens.commands';
import { repetitions } from '#testing/repetitions';
import { buildSeries, confirm, occurrencesOf } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { waitUntil } from '#testing/wait-until';

const PSEUDONYM = {
  name: 'deleted',
  nickname: null,
  slug: expect.stringMatching(/^deleted-[0-9a-f]{20}$/),
  avatar_url: null,
};

interface Balance {
  readonly user: { readonly slug: string; readonly name: string };
  readonly balance: number;
}

describe('erasing a person', () => {
  let server: TestServer;
  let account: FullAccount;
  let before: Awaited<ReturnType<typeof seenByOthers>>;
  beforeAll(async () => {
    server = await TestServer.start();
    account = await buildFullAccount(server);
    before = await seenByOthers();
    await server.app.get(OwnDataCommands).erase(account.who.slug);
    await deleteDiscoverChanges();
  });
  afterAll(() => server.stop());

  const balancesOf = (book: { summary: Record<string, { balances: Balance[]; total: number }> }): unknown =>
    Object.entries(book.summary)
      .sort()
      .map(([currency, { balances, total }]) => [
        currency,
        total,
        balances
          .map(({ user, balance }) => [
            user.slug.startsWith('deleted-') || user.slug === account.who.slug ? 'who' : user.slug,
            balance,
          ])
          .sort(),
      ]);

  /**
   * The data of other people that the erasure must not change, and `members`, which the erasure must decrease by one.
   */
  async function seenByOthers() {
    const {
      friends: { petr, eva },
      own,
      others,
      posts,
      groups,
    } = account;
    const books = await Promise.all(
      [own.past, others.past].map(async ({ id }) =>
        balancesOf((await petr.api.get(`/events/${id}/expenses`)).body.data),
      ),
    );
    const totals = await Promise.all(
      [
        `/events/${own.past.id}/comments`,
        `/events/${others.past.id}/comments`,
        `/posts/${posts.petrs}/comments`,
        `/events/${others.past.id}/participants`,
        `/events/${others.banned.id}/participants?status=banned`,
      ].map(async (path) => {
        const { status, body } = await petr.api.get(path);
        return [path, status, body.meta?.total ?? body.meta?.pagination?.total ?? body];
      }),
    );
    const participantCount = (await eva.api.get(`/discover/events/${own.past.id}`)).body.data.current_participants;
    const credits = await server.sql(
      'SELECT sum(amount)::int AS all, sum(amount) FILTER (WHERE account = $1)::int AS issued FROM credit_entries',
      ['issued'],
    );
    const members = (await petr.api.get(`/groups/${groups.petrs}`)).body.data.members_count;
    return {
      books,
      totals: totals.map((one) =>
        JSON.stringify(one)
          .replaceAll(account.who.slug, '')
          .replace(/"(data|author|user)".*/s, ''),
      ),
      participantCount,
      credits,
      members,
    };
  }

  /** Moves the times of the recorded changes of Discover 11 minutes back, and runs the job that deletes old changes. */
  async function deleteDiscoverChanges(): Promise<void> {
    for (const table of ['live_event_changes', 'hidden_from_changes'])
      await server.sql(`UPDATE ${table} SET noted_at = noted_at - interval '11 minutes'`);
    await server.job('discover-sweep');
  }

  /**
   * Returns the columns that still contain data of the person. A column that contains the text `mark` is `allowed` if
   * its erasure effect in the map of personal data is `stays`, otherwise `forbidden`. A column of the map whose name
   * refers to a person (such as `author_id`) is always `forbidden` if it contains the id of the person.
   */
  async function remainingColumns(who: Person, mark: string): Promise<{ forbidden: string[]; allowed: string[] }> {
    const columns = await server.sql<{ table: string; column: string; kind: string }>(
      `SELECT c.table_name AS table, c.column_name AS column, c.udt_name AS kind FROM information_schema.columns c
         JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'`,
    );
    const forbidden: string[] = [];
    const allowed: string[] = [];
    for (const { table, column, kind } of columns) {
      const erasureEffect = PERSONAL_DATA[tableOf(table)]?.columns[column]?.erasureEffect;
      if (/text|json|varchar|name/.test(kind)) {
        const found = await server.sql(
          `SELECT 1 FROM "${table}" t WHERE strpos(lower(t."${column}"::text), $1) > 0 LIMIT 1`,
          [mark],
        );
        if (found.length > 0) (erasureEffect === 'stays' ? allowed : forbidden).push(`${table}.${column}`);
      }
      if (
        kind === 'int8' &&
        erasureEffect !== undefined &&
        /(^|_)(user|author|organizer|owner|person|account|paid|added|reporter|blocker|blocked|sender|receiver|entered|used|by|removed|decided)(_|$)/.test(
          column,
        )
      ) {
        const found = await server.sql(`SELECT 1 FROM "${table}" t WHERE t."${column}" = $1 LIMIT 1`, [who.userId]);
        if (found.length > 0) forbidden.push(`${table}.${column}`);
      }
    }
    return { forbidden, allowed };
  }

  // DATA-12, DATA-13, DATA-15
  it('does not change the balances, counters and totals that other people see, except that a group has one member fewer', async () => {
    const after = await seenByOthers();
    expect({ ...after, members: after.members + 1 }).toEqual(before);
    expect(await ledgerFaults(server)).toEqual([]);
    expect(before.books.flat(2).length).toBeGreaterThan(8);
  });

  // DATA-11
  it('leaves the person’s data only in columns for which the map of personal data has the effect `stays`', async () => {
    const { forbidden, allowed } = await remainingColumns(account.who, account.mark);
    expect(forbidden).toEqual([]);
    expect(allowed).toEqual(
      expect.arrayContaining([
        'all_events.title',
        'all_events.description',
        'expenses.title',
        'notifications.event_title',
      ]),
    );
  });

  // DATA-10, DATA-12, DATA-14
  it('shows a different pseudonym in each event and under a post, and preserves participations, comments and expenses that other people need', async () => {
    const {
      friends: { petr, eva, viktor },
      own,
      others,
      posts,
    } = account;
    const past = (await petr.api.get(`/discover/events/${own.past.id}`)).body.data;
    expect(past).toMatchObject({ organizer: PSEUDONYM, images: [], group: null });
    for (const page of [`/events/${own.past.id}`, `/events/${own.past.id}/itinerary`])
      expect([page, (await server.nobody.get(`~${page}`)).status]).toEqual([page, 404]);
    expect((await viktor.api.get(`/discover/events/${own.past.id}`)).status).toBe(404);
    expect((await petr.api.get(`/events/${own.past.id}/itinerary`)).status).toBe(200);
    const [participant] = (await petr.api.get(`/events/${others.past.id}/participants`)).body.data.filter(
      ({ user }: { user: Person }) => user.name === 'deleted',
    );
    expect(participant).toMatchObject({ user: PSEUDONYM, status: 'confirmed', checked_in_at: expect.any(String) });
    const threads = (await eva.api.get(`/events/${others.past.id}/comments`)).body.data;
    const root = threads.find(({ replies }: { replies: { body: string }[] }) =>
      replies.some(({ body }) => body === 'odpověď Petra'),
    );
    expect(root).toMatchObject({ body: null, image_url: null, author: PSEUDONYM, parent: null });
    const underPost = (await eva.api.get(`/posts/${posts.petrs}/comments`)).body.data;
    expect(underPost).toEqual([
      expect.objectContaining({
        body: null,
        author: PSEUDONYM,
        replies: [expect.objectContaining({ body: 'souhlas' })],
      }),
    ]);
    const book = (await petr.api.get(`/events/${own.past.id}/expenses`)).body.data;
    const slugs = [past.organizer.slug, participant.user.slug, underPost[0].author.slug];
    expect(new Set([...slugs, root.author.slug]).size).toBe(3);
    expect(root.author.slug).toBe(participant.user.slug);
    expect(book.expenses[0].paid_by.slug).toBe(past.organizer.slug);
    expect((await petr.api.get(`~/people/${past.organizer.slug}`)).status).toBe(404);
    expect((await petr.api.put(`/blocks/${past.organizer.slug}`)).status).toBe(404);
  });

  // DATA-10
  it('creates pseudonyms that, like unknown slugs, have no page and cannot be invited, blocked or reported', async () => {
    const { organizer, guest, erased, author } = await server.people('organizer', 'guest', 'erased', 'author');
    const past = (owner: Person, people: readonly Person[]) =>
      buildEvent(server, owner, {
        starts_at: inDays(-2),
        with: people.map((person) => [person, 'confirmed'] as const),
      });
    const attended = await past(organizer, [erased, guest]);
    const organized = await past(erased, [organizer, guest]);
    const post = (
      await author.api.post('/posts', { title: 'Článek', body: 'text', categories: ['kolo'], status: 'published' })
    ).body.data.slug as string;
    const comment = (await erased.api.post(`/posts/${post}/comments`, { body: 'x' })).body.data.id as string;
    await author.api.post(`/posts/${post}/comments`, { body: 'y', parent: comment });
    await server.app.get(OwnDataCommands).erase(erased.slug);

    const participants = (await organizer.api.get(`/events/${attended.id}/participants`)).body.data as {
      user: { slug: string; name: string };
    }[];
    const pseudonyms = [
      participants.find(({ user }) => user.name === 'deleted')?.user.slug,
      (await organizer.api.get(`/discover/events/${organized.id}`)).body.data.organizer.slug,
      (await organizer.api.get(`/posts/${post}/comments`)).body.data[0].author.slug,
    ] as string[];
    expect(pseudonyms).toEqual(pseudonyms.map(() => expect.stringMatching(/^deleted-/)));
    const upcoming = await buildEvent(server, organizer);
    const group = await buildGroup(server, organizer);
    const answers = async (person: Person, slug: string) => {
      const all = [
        await person.api.get(`/users/${slug}`),
        await person.api.get(`~/people/${slug}`),
        await person.api.put(`/blocks/${slug}`),
        await person.api.post('/reports', { subject_type: 'user', subject_id: slug, reason: 'spam' }),
        await person.api.post(`/events/${upcoming.id}/participants`, { user: slug }),
        await person.api.post(`/groups/${group.id}/members`, { user: slug }),
      ];
      return all.map(({ status, body }) => [status, body?.code, Object.keys(body?.errors ?? {})]);
    };
    for (const person of [organizer, guest]) {
      const unknown = await answers(person, 'deleted-nobody');
      expect(unknown.map(([status]) => status)).toEqual([
        404,
        404,
        404,
        422,
        ...(person === organizer ? [422, 422] : [403, 403]),
      ]);
      for (const slug of pseudonyms) expect([slug, await answers(person, slug)]).toEqual([slug, unknown]);
    }
    for (const slug of pseudonyms) {
      const [row] = await server.sql<{ id: string }>('SELECT id FROM users WHERE slug = $1', [slug]);
      const id = server.app.get(PublicIds).encode('user', Number(row?.id));
      const report = await organizer.api.post('/reports', { subject_type: 'user', subject_id: id, reason: 'spam' });
      expect([slug, report.status, Object.keys(report.body.errors)]).toEqual([slug, 422, ['subject_id']]);
    }
  });

  // DATA-13
  it('cancels upcoming events, notifies their participants, refunds payments, and frees seats', async () => {
    const {
      friends: { petr, eva, viktor },
      own,
      others,
    } = account;
    expect((await petr.api.get(`/discover/events/${own.upcoming.id}`)).body.data).toMatchObject({
      status: 'cancelled',
      organizer: PSEUDONYM,
    });
    expect((await viktor.api.get(`/discover/events/${own.upcoming.id}`)).status).toBe(404);
    const notices = (await petr.api.get('/notices')).body.data;
    expect(notices).toContainEqual(expect.objectContaining({ kind: 'event_cancelled' }));
    expect((await eva.api.get('/notices')).body.data.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['event_cancelled', 'series_cancelled']),
    );
    const [creditAccount] = await server.sql<{ balance: string; held: string }>(
      'SELECT balance, held FROM credit_accounts WHERE user_id = $1',
      [petr.userId],
    );
    expect(creditAccount).toMatchObject({ balance: '130', held: '0' });
    const people = (await petr.api.get(`/events/${others.upcoming.id}/participants`)).body.data;
    expect(people.map(({ user }: { user: Person }) => user.slug)).toEqual([eva.slug]);
    expect((await petr.api.get(`/events/${others.upcoming.id}`)).body.data.current_participants).toBe(2);
  });

  // DATA-15, DATA-16
  it('deletes the data that no rule preserves, including files, and makes other members the owners of groups', async () => {
    const {
      who,
      friends: { petr, eva },
      own,
      groups,
      posts,
      series,
      files,
    } = account;
    for (const path of [
      `/discover/events/${own.pastAlone.id}`,
      `/discover/events/${own.upcomingAlone.id}`,
      `/groups/${groups.alone}`,
      `/posts/${posts.own}`,
    ]) {
      expect([path, (await petr.api.get(path)).status]).toEqual([path, 404]);
    }
    expect((await petr.api.get(`/groups/${groups.shared}`)).body.data).toMatchObject({
      owner: { slug: petr.slug },
      members_count: 2,
    });
    expect(
      (await eva.api.get(`/groups/${groups.shared}/members`)).body.data
        .map(({ user }: { user: Person }) => user.slug)
        .sort(),
    ).toEqual([eva.slug, petr.slug].sort());
    expect(await server.sql('SELECT id FROM all_series')).toEqual([]);
    expect(series).toMatch(/\w/);
    expect((await who.api.get('/user')).status).toBe(401);
    expect(await disagreements(server)).toEqual([]);
    for (const key of files) expect((await server.nobody.get(`~/media/${key}`)).status).toBe(404);
  });

  // DATA-15
  it('makes the member who joined first the owner of a group, not the member with the oldest account', async () => {
    const { owner, older, younger } = await server.people('owner', 'older', 'younger');
    const group = await buildGroup(server, owner);
    for (const member of [younger, older]) {
      server.clock.forward(1000);
      await addMember(server, group, member, 'member');
    }
    await server.app.get(OwnDataCommands).erase(owner.slug);
    expect((await older.api.get(`/groups/${group.id}`)).body.data.owner.slug).toBe(younger.slug);
  });

  // DATA-15
  it('keeps the events in a group if somebody joins the group while its owner, the only member, is being erased', async () => {
    const { owner, member, organizer } = await server.people('owner', 'member', 'organizer');
    const group = await buildGroup(server, owner);
    const event = await buildEvent(server, organizer);
    await server.sql('UPDATE all_events SET group_id = $1 WHERE id = $2', [group.groupId, event.eventId]);
    await server.sql('BEGIN');
    await server.sql('SELECT 1 FROM all_events WHERE id = $1 FOR UPDATE', [event.eventId]);
    const erased = server.app.get(OwnDataCommands).erase(owner.slug);
    const selectLockWaits =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await waitUntil(async () => (await server.sql(selectLockWaits)).length > 0);
    await addMember(server, group, member, 'member');
    await server.sql('COMMIT');
    await erased;
    const { body } = await member.api.get(`/groups/${group.id}/events`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([event.id]);
  });

  // DATA-15
  it('makes the member who joined first the owner of a group, even if another person was invited or asked to join earlier', async () => {
    const { owner, invited, asking, first, last, never } = await server.people(
      'owner',
      'invited',
      'asking',
      'first',
      'last',
      'never',
    );
    const group = await buildGroup(server, owner);
    const move = (person: Person, trigger: 'join' | 'approve') =>
      server.database.transaction((tx) =>
        server.app.get(MembershipsCommands).move(tx, group.groupId, person.userId, trigger),
      );
    const steps: (() => Promise<unknown>)[] = [
      () => addMember(server, group, never, 'invited'),
      () => addMember(server, group, invited, 'invited'),
      () => addMember(server, group, asking, 'requested'),
      () => addMember(server, group, first, 'member'),
      () => move(invited, 'join'),
      () => move(asking, 'approve'),
      () => addMember(server, group, last, 'member'),
    ];
    for (const step of steps) {
      server.clock.forward(1000);
      await step();
    }
    const ownerSeenBy = async (person: Person) => (await person.api.get(`/groups/${group.id}`)).body.data.owner.slug;
    const order = [first, invited, asking, last];
    for (const [index, heir] of order.entries()) {
      await server.app.get(OwnDataCommands).erase((order[index - 1] ?? owner).slug);
      expect(await ownerSeenBy(heir)).toBe(heir.slug);
      // The new owner has the rights of an owner.
      expect((await heir.api.patch(`/groups/${group.id}`, { name: `Skupina ${index}` })).status).toBe(200);
    }
    await server.app.get(OwnDataCommands).erase(last.slug);
    expect((await never.api.get(`/groups/${group.id}`)).status).toBe(404);
  });

  // DATA-13
  it('changes the join mode `password` of remaining events to `request`, because the password is deleted', async () => {
    const { owner, guest } = await server.people('owner', 'guest');
    const build = (join: { join_mode: 'password' | 'open'; join_password?: string }) =>
      buildEvent(server, owner, { starts_at: inDays(-2), ...join, with: [[guest, 'confirmed']] });
    const passwordEvent = await build({ join_mode: 'password', join_password: 'sezam' });
    const openEvent = await build({ join_mode: 'open' });
    await server.app.get(OwnDataCommands).erase(owner.slug);
    const joinModeOf = async (id: string) => (await guest.api.get(`/discover/events/${id}`)).body.data.join_mode;
    expect([await joinModeOf(passwordEvent.id), await joinModeOf(openEvent.id)]).toEqual(['request', 'open']);
  });

  // DATA-12, DATA-14
  it('keeps recorded payments, even of an event without expenses', async () => {
    const { organizer, payer, receiver } = await server.people('organizer', 'payer', 'receiver');
    const build = (owner: Person) =>
      buildEvent(server, owner, {
        starts_at: inDays(-2),
        with: ([payer, receiver] as const).map((person) => [person, 'confirmed'] as const),
      });
    const event = await build(organizer);
    const payments = `/events/${event.id}/expenses/payments`;
    for (const to of [organizer, receiver])
      expect((await payer.api.post(payments, { to: to.slug, amount: 5 })).status).toBe(201);
    await receiver.api.delete(`/events/${event.id}/join`);
    await server.app.get(OwnDataCommands).erase(receiver.slug);
    const paid = async () => (await payer.api.get(`/events/${event.id}/expenses`)).body.data.summary.CZK.payments;
    expect((await paid()).map(({ to }: { to: { name: string } }) => to.name)).toEqual([organizer.name, 'deleted']);
    await payer.api.delete(`/events/${event.id}/join`);
    await server.app.get(OwnDataCommands).erase(organizer.slug);
    expect(
      await server.sql('SELECT count(*)::int AS payments FROM expense_payments WHERE event_id = $1', [event.eventId]),
    ).toEqual([{ payments: 2 }]);
  });

  // DATA-15
  it('deletes a group without other members, even if people are invited or have asked to join', async () => {
    const { owner, invited, asking } = await server.people('owner', 'invited', 'asking');
    const group = await buildGroup(server, owner, {
      with: [
        [invited, 'invited'],
        [asking, 'requested'],
      ],
    });
    await server.app.get(OwnDataCommands).erase(owner.slug);
    expect((await invited.api.get(`/groups/${group.id}`)).status).toBe(404);
    expect(await server.sql('SELECT id FROM all_groups WHERE id = $1', [group.groupId])).toEqual([]);
  });

  // DATA-17
  it('frees the slug for a new account, which gets no data of the erased person', async () => {
    const { who, own } = account;
    const token = await server.database.transaction(async (tx) => {
      const newAccount = await server.app
        .get(UsersCommands)
        .create(tx, who.slug, { name: 'Někdo jiný', email: `${who.slug}@example.org`, premium_until: inDays(10) });
      return (
        await server.app
          .get(TokensCommands)
          .create(tx, newAccount.id, { name: 'app', access: 'write', expiresAt: null })
      ).secret;
    });
    const api = clientOf(server, token);
    for (const path of ['/events', '/groups', '/notices', '/blocks', '/reports', '/series', '/changes']) {
      const { status, body } = await api.get(path);
      expect([
        path,
        status,
        body.data?.filter(
          ({ kind, type }: { kind?: string; type?: string }) => kind !== 'discover' && type === undefined,
        ),
      ]).toEqual([path, 200, []]);
    }
    expect((await api.get(`/discover/events/${own.past.id}`)).status).toBe(404);
    expect((await api.get(`/events/${own.upcoming.id}`)).status).toBe(404);
    await server.app.get(OwnDataCommands).erase(who.slug);
    expect((await api.get('/user')).status).toBe(401);
  });

  // DATA-18
  it('removes the person’s data from reports that were sent without an account, but with the person’s email address', async () => {
    const { lida } = await server.people('lida');
    await server.sql('UPDATE users SET email = $2 WHERE id = $1', [lida.userId, 'lida@example.org']);
    const columns = 'reporter_email, reporter_name, reporter_locale, note';
    for (const email of ['Lida@Example.ORG', 'jina@example.org'])
      await server.sql(
        `INSERT INTO reports (${columns}, subject_type, subject_id, subject_sent, snapshot, reason, created_at)
         VALUES ($1, 'Lída', 'cs', 'od Lídy', 'user', 987654, 'x', '{}', 'spam', now())`,
        [email],
      );
    await server.app.get(OwnDataCommands).erase(lida.slug);
    expect(await server.sql(`SELECT ${columns} FROM reports WHERE subject_id = 987654 ORDER BY id`)).toEqual([
      { reporter_email: null, reporter_name: null, reporter_locale: null, note: null },
      { reporter_email: 'jina@example.org', reporter_name: 'Lída', reporter_locale: 'cs', note: 'od Lídy' },
    ]);
  });

  // DATA-18
  it('is logged without a name, and is refused for an unknown or already erased account', async () => {
    const { who } = account;
    expect(
      await server.sql("SELECT actor_id, subject, reason, details FROM audit_entries WHERE action = 'user erase'"),
    ).toContainEqual({ actor_id: null, subject: `user ${who.id}`, reason: null, details: {} });
    expect(
      await server.sql(
        `SELECT 1 FROM audit_entries
          WHERE action = 'user erase' AND strpos(subject || coalesce(reason, '') || details::text, $1) > 0`,
        [account.mark],
      ),
    ).toEqual([]);
    await expect(server.app.get(OwnDataCommands).erase('nobody-such')).rejects.toThrow(
      'There is nobody with the slug nobody-such.',
    );
    const [pseudonym] = await server.sql<{ slug: string }>('SELECT slug FROM users WHERE gone LIMIT 1');
    await expect(server.app.get(OwnDataCommands).erase(pseudonym?.slug as string)).rejects.toThrow('There is nobody');
  });

  // DATA-15, MOD-5
  it('also deletes or empties content that a moderator has removed, and deletes the files of this content', async () => {
    const { zora, petr } = await server.people('zora', 'petr');
    const picture = new Blob([await phonePhoto()]);
    const event = await buildEvent(server, petr, { photos_enabled: true, with: [[zora, 'confirmed']] });
    const own = await buildEvent(server, zora, { starts_at: inDays(-2), with: [[petr, 'confirmed']] });
    const { slug } = (
      await zora.api.post('/posts', { title: 'Zorin zápisek', categories: ['mista'], body: 'x', status: 'published' })
    ).body.data;
    const statuses = [
      await zora.api.upload(`/posts/${slug}/cover`, [['cover', picture]]),
      await zora.api.upload(`/events/${event.id}/photos`, [['photos[]', picture]]),
      await zora.api.upload(`/events/${event.id}/comments`, [
        ['body', 'Zorin komentář'],
        ['image', picture],
      ]),
      await petr.api.post(`/posts/${slug}/comments`, { body: 'Petrův komentář' }),
      await zora.api.upload('/puls', [
        ['latitude', '50'],
        ['longitude', '14'],
        ['image', picture],
      ]),
      await zora.api.post(`/events/${own.id}/messages`, { text: 'Zorina zpráva', to: 'all' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 201, 201, 201, 201, 201]);
    const tables = ['all_posts', 'all_gallery_photos', 'all_comments', 'all_puls_posts'] as const;
    for (const table of tables)
      await server.sql(`UPDATE ${table} SET removed_at = now() WHERE author_id = $1`, [zora.userId]);
    await server.sql('UPDATE all_event_messages SET removed_at = now() WHERE event_id = $1', [own.eventId]);

    await server.app.get(OwnDataCommands).erase(zora.slug);
    for (const table of tables)
      expect([table, await server.sql(`SELECT 1 FROM ${table} WHERE author_id = $1`, [zora.userId])]).toEqual([
        table,
        [],
      ]);
    expect(await server.sql(`SELECT 1 FROM all_posts WHERE title = 'Zorin zápisek'`)).toEqual([]);
    expect(await server.sql(`SELECT 1 FROM all_comments WHERE body IN ('Zorin komentář', 'Petrův komentář')`)).toEqual(
      [],
    );
    expect(await server.sql('SELECT 1 FROM all_event_messages WHERE event_id = $1', [own.eventId])).toEqual([]);
    expect(await disagreements(server)).toEqual([]);
  });

  // DATA-14, MOD-4, MOD-5, MOD-80
  it('keeps each occurrence of a removed series hidden until a moderator restores it or it is deleted permanently', async () => {
    const { zora, petr } = await server.people('zora', 'petr');
    const { id: series } = await buildSeries(server, zora, { atMost: 3 });
    const occurrences = await occurrencesOf(zora, series);
    const [first, second] = occurrences.map(({ id }) => id) as [string, string];
    for (const id of [first, second]) await confirm(server, id, petr);
    const cli = CommandLine.forDatabaseOf(server.app.get(Settings));
    await cli.answer('content', 'remove', 'series', series, '--reason', 'podvod');
    const feed = await Feed.of(petr);
    await server.app.get(OwnDataCommands).erase(zora.slug);
    const statuses = () =>
      Promise.all([first, second].map(async (id) => (await petr.api.get(`/discover/events/${id}`)).status));
    expect([await statuses(), await feed.newEntries(), (await petr.api.get('/notices')).body.data]).toEqual([
      [404, 404],
      [],
      [],
    ]);
    await cli.answer('content', 'restore', 'event', first);
    expect(await statuses()).toEqual([200, 404]);
    await server.sql("UPDATE content_removals SET removed_at = removed_at - interval '31 days'");
    await server.sql("UPDATE all_events SET removed_at = removed_at - interval '31 days' WHERE removed_at IS NOT NULL");
    await server.job('removed-delete');
    expect(await server.sql('SELECT event_id FROM participations WHERE user_id = $1', [petr.userId])).toHaveLength(1);
  });

  // DATA-11
  it('removes the names of deleted posts and groups from the notices of other people', async () => {
    const { vlasta, petra, jiri } = await server.people('vlasta', 'petra', 'jiri');
    const { slug } = (
      await vlasta.api.post('/posts', { title: 'Vlastin výlet', categories: ['mista'], body: 'x', status: 'published' })
    ).body.data;
    const { id: parent } = (await petra.api.post(`/posts/${slug}/comments`, { body: 'kam?' })).body.data;
    await jiri.api.post(`/posts/${slug}/comments`, { body: 'do Tater', parent });
    const group = await buildGroup(server, vlasta, { name: 'Vlastina parta' });
    await vlasta.api.post(`/groups/${group.id}/members`, { user: petra.slug });
    const notices = async () => JSON.stringify((await petra.api.get('/notices')).body.data);
    for (const name of ['Vlastin výlet', slug as string, 'Vlastina parta']) expect(await notices()).toContain(name);

    await server.app.get(OwnDataCommands).erase(vlasta.slug);
    for (const name of ['Vlastin', slug as string]) expect(await notices()).not.toContain(name);
    expect((await petra.api.get('/notices')).body.data.map(({ text }: { text: string }) => text)).toEqual([
      'Někdo vás zve do skupiny „deleted“.',
      expect.stringContaining('odpovídá na komentář u příspěvku „deleted“'),
    ]);
  });

  // DATA-11
  it('removes the names of the person’s apps and the places of the person’s events from the notices of other people', async () => {
    const { vlasta, petra } = await server.people('vlasta', 'petra');
    const [app] = await server.sql<{ id: string }>(
      `INSERT INTO apps (client_id, origin, user_id, name, icon_key, redirect_uris, created_at, updated_at)
       VALUES ('deník', 'developer', $1, 'Vlastin deník', 'icon', '{}', now(), now()) RETURNING id`,
      [vlasta.userId],
    );
    await server.database.transaction((tx) =>
      server.app.get(NotificationsCommands).notifyAbout(tx, 'app_connected', {
        userId: petra.userId,
        subject: { type: 'app', id: Number(app?.id) },
        words: { app: 'Vlastin deník' },
      }),
    );
    const event = await buildEvent(server, vlasta, {
      title: 'Piknik',
      location_name: 'Vlastin byt',
      location_address: 'Vlastina 1',
      with: [[petra, 'confirmed']],
    });
    await vlasta.api.patch(`/events/${event.id}`, { location_name: 'Vlastin dům', location_address: 'Vlastina 2' });
    server.clock.forward(600_000);
    await server.job('event-changes');
    const words = async () =>
      JSON.stringify(
        await server.sql('SELECT kind, words FROM notifications WHERE user_id = $1 ORDER BY id', [petra.userId]),
      );
    for (const text of ['Vlastin deník', 'Vlastin byt', 'Vlastin dům', 'Vlastina 1', 'Vlastina 2'])
      expect(await words()).toContain(text);

    await server.app.get(OwnDataCommands).erase(vlasta.slug);
    expect(await words()).not.toContain('Vlastin');
    const texts = (await petra.api.get('/notices')).body.data.map(({ text }: { text: string }) => text);
    expect(texts).toEqual(
      expect.arrayContaining([
        'Akce „Piknik“ se změnila. Místo na mapě se posunulo.',
        expect.stringContaining('Aplikace „deleted“'),
      ]),
    );
  });

  // DATA-19
  it('succeeds completely or not at all, even under concurrent requests', async () => {
    const { lada, mirek } = await server.people('lada', 'mirek');
    const events = await Promise.all([1, 2, 3].map(() => buildEvent(server, mirek, { is_public: true })));
    await buildEvent(server, lada, { with: [[mirek, 'confirmed']] });
    const rows = () =>
      server.sql(
        `SELECT (SELECT count(*) FROM users) AS users,
                (SELECT array_agg(organizer_id ORDER BY id) FROM all_events) AS events,
                (SELECT count(*) FROM notifications) AS notices`,
      );
    const rowsBefore = await rows();
    // The foreign key of this table makes the erasure fail when the row of the person is deleted.
    await server.sql('CREATE TABLE user_references (user_id bigint REFERENCES users (id))');
    await server.sql('INSERT INTO user_references VALUES ($1)', [lada.userId]);
    await expect(server.app.get(OwnDataCommands).erase(lada.slug)).rejects.toThrow(/user_references/);
    expect(await rows()).toEqual(rowsBefore);
    await server.sql('DROP TABLE user_references');
    const results = await Promise.all([
      server.app
        .get(OwnDataCommands)
        .erase(lada.slug)
        .then(() => 'erased'),
      ...events.map(async ({ id }) => (await mirek.api.post(`/events/${id}/participants`, { user: lada.slug })).status),
      ...events.map(async ({ id }) => (await lada.api.post(`/events/${id}/join`)).status),
    ]);
    expect(results[0]).toBe('erased');
    expect(
      results.slice(1).filter((status) => ![200, 201, 204, 401, 404, 409, 422, 503].includes(status as number)),
    ).toEqual([]);
    expect(await server.sql('SELECT 1 FROM users WHERE slug = $1', [lada.slug])).toEqual([]);
    expect(await ledgerFaults(server)).toEqual([]);
  });

  // DATA-11, DATA-12
  it('after random actions of several people, keeps the balances and the number of comments that other people see, and leaves no data that the map of personal data forbids', async () => {
    for (let seed = 1; seed <= repetitions('erasures'); seed++) {
      const draw = seededRandom(seed);
      const pick = <One>(from: readonly One[]): One => from[Math.floor(draw() * from.length)] as One;
      const mark = `nahoda${seed}x${Date.now().toString(36)}`;
      const who = await server.person(mark, { name: `Jméno ${mark}` });
      const people = [who, ...Object.values(await server.people('alena', 'bedrich', 'cyril'))];
      const events: { id: string; organizer: Person; isOver: boolean }[] = [];
      for (let number = 0; number < 6; number++) {
        const organizer = number === 0 ? who : pick(people);
        const isOver = draw() < 0.5;
        const others = people.filter((one) => one !== organizer);
        const { id } = await buildEvent(server, organizer, {
          title: `Akce ${organizer.name}`,
          starts_at: inDays(isOver ? -2 : 2),
          with: others
            .filter(() => draw() < 0.7)
            .map(
              (one) =>
                [
                  one,
                  pick(['confirmed', 'confirmed', 'pending', 'waitlisted', 'requested', 'banned'] as const),
                ] as const,
            ),
        });
        events.push({ id, organizer, isOver });
        for (let expense = 0; expense < 3; expense++) {
          const shared_with = people.filter(() => draw() < 0.6).map(({ slug }) => slug);
          await organizer.api.post(`/events/${id}/expenses`, {
            title: `Za ${organizer.name}`,
            amount: 1 + Math.floor(draw() * 9999) / 100,
            paid_by: pick(people).slug,
            ...(shared_with.length > 0 && { shared_with }),
          });
        }
        await pick(people).api.post(`/events/${id}/expenses/payments`, {
          to: pick(people).slug,
          amount: 3.33,
          currency: 'CZK',
        });
        for (const one of people) await one.api.post(`/events/${id}/comments`, { body: `říká ${one.name}` });
      }
      const seen = () =>
        Promise.all(
          events.flatMap(({ id }) =>
            people.slice(1).map(async ({ slug, api }) => {
              const { status, body } = await api.get(`/events/${id}/expenses`);
              if (status !== 200) return null;
              const balances = Object.entries<{ balances: Balance[]; total: number }>(body.data.summary).map(
                ([currency, { balances: all, total }]) => [
                  currency,
                  total,
                  all
                    .map(({ user, balance }) => [
                      user.slug.startsWith('deleted-') || user.slug === who.slug ? 'who' : user.slug,
                      balance,
                    ])
                    .sort(),
                ],
              );
              return [id, slug, balances, (await api.get(`/events/${id}/comments`)).body.data.length];
            }),
          ),
        );
      const earlier = await seen();
      expect(earlier.some((one) => one !== null)).toBe(true);
      await server.app.get(OwnDataCommands).erase(who.slug);
      await deleteDiscoverChanges();
      const later = await seen();
      expect([seed, later.filter((_one, index) => earlier[index] !== null)]).toEqual([
        seed,
        earlier.filter((one) => one !== null),
      ]);
      expect([seed, (await remainingColumns(who, mark)).forbidden]).toEqual([seed, []]);
      expect([seed, await ledgerFaults(server)]).toEqual([seed, []]);
    }
  }, 300_000);
});
