import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explain } from '#apps/cli/explain';
import { ApplyCommands, type Applied } from '#areas/apply/apply.commands';
import { buildGroup } from '#testing/groups';
import { HttpClient } from '#testing/http-client';
import { picture } from '#testing/media';
import { TestServer } from '#testing/test-server';
import { soon } from '#testing/times';

const PREMIUM = { premium_until: '2099-01-01T00:00:00Z' };
/** Fields of a person that differ from the defaults of a new account. */
const PROFILE = {
  ...PREMIUM,
  password: 'correct horse',
  locale: 'en',
  timezone: 'Europe/London',
  birth_date: '1990-05-01',
  gender: 'female',
  iban: 'CZ65 0800 0000 1920 0014 5399',
  verified: true,
  admin: true,
  moderator: true,
  searchable: false,
  credits: 100,
};
const TOKENS = [{ name: 'app', access: 'write' }];

/** Tests the command `apply` (docs/rules/operator.md). */
describe('apply', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  const apply = (document: unknown): Promise<Applied> => server.app.get(ApplyCommands).apply(document, server.dataDir);
  const refusal = (document: unknown): Promise<string> => apply(document).then(() => 'nothing was refused', explain);
  const api = (applied: Applied, user = 0): HttpClient =>
    new HttpClient(server.origin, {
      authorization: `Bearer ${applied.users[user]?.tokens[0]?.token}`,
      accept: 'application/json',
    });
  const storedUsers = async (): Promise<{ slug: string; avatar_key: string | null }[]> =>
    server.sql('SELECT slug, avatar_key FROM users ORDER BY slug');

  // OPS-20, OPS-21
  it('creates a person with a profile, rights, a block and tokens, and updates the person if the document is applied again', async () => {
    writeFileSync(join(server.dataDir, 'eva.png'), await picture());
    const eva = {
      slug: 'eva',
      name: ' Eva ',
      nickname: 'Evička',
      email: 'eva@example.org',
      ...PROFILE,
      avatar: 'eva.png',
      banned: false,
      show_participation: true,
      blocks: ['ota'],
      tokens: [...TOKENS, { name: 'old', access: 'legacy', expires_at: null }],
    };
    const document = { users: [eva, { slug: 'ota', name: 'Ota' }] };
    const [first, second] = [await apply(document), await apply(document)];
    expect(second.users.map(({ id }) => id)).toEqual(first.users.map(({ id }) => id));
    expect((await api(first).get('/user')).status).toBe(401);
    expect((await api(second).get('/user')).body.data).toMatchObject({
      name: 'Eva',
      nickname: 'Evička',
      slug: 'eva',
      locale: 'en',
      timezone: 'Europe/London',
    });
    const [row] = await server.sql(
      `SELECT birth_date::text, gender, iban, verified, admin, moderator, searchable, show_participation, avatar_key IS NOT NULL AS has_avatar FROM users WHERE slug = 'eva'`,
    );
    expect(row).toEqual({
      birth_date: '1990-05-01',
      gender: 'female',
      iban: 'CZ6508000000192000145399',
      verified: true,
      admin: true,
      moderator: true,
      searchable: false,
      show_participation: true,
      has_avatar: true,
    });
    const keptFiles = async () => (await server.sql(`SELECT FROM media_files WHERE state = 'kept'`)).length;
    const filesWithAvatar = await keptFiles();
    await apply({ users: [{ slug: 'eva', name: 'Eva', avatar: null, email: null }] });
    expect((await storedUsers()).find(({ slug }) => slug === 'eva')?.avatar_key).toBeNull();
    expect(await keptFiles()).toBe(filesWithAvatar - 1);
  });

  // OPS-16, OPS-20
  it('does not change a person’s fields that a later document omits', async () => {
    writeFileSync(join(server.dataDir, 'vera.png'), await picture());
    const vera = {
      slug: 'vera',
      name: 'Věra',
      nickname: 'Věrka',
      email: 'vera@example.org',
      ...PROFILE,
      avatar: 'vera.png',
      banned: true,
      show_participation: false,
      reminder_hours: 2,
    };
    const row = async () => {
      const [{ updated_at: _, ...fields } = {}] = await server.sql<Record<string, unknown>>(
        `SELECT u.*, (SELECT a.balance FROM credit_accounts a WHERE a.user_id = u.id) AS balance FROM users u WHERE slug = 'vera'`,
      );
      return fields;
    };
    await apply({ users: [vera] });
    const before = await row();
    expect(before.avatar_key).not.toBeNull();
    await apply({ users: [{ slug: 'vera', name: 'Věra' }] });
    expect(await row()).toEqual(before);
  });

  // OPS-20, OPS-21
  it('creates Puls posts with any time of creation, and without the limits of the API', async () => {
    const place = { latitude: 50.08, longitude: 14.42 };
    const ago = (hours: number) => new Date(server.clock.now().getTime() - hours * 3_600_000).toISOString();
    const applied = await apply({
      users: [{ slug: 'petr', name: 'Petr', ...PREMIUM, tokens: TOKENS }],
      puls: [
        { author: 'petr', body: 'Jdu <b>ven</b>', location_name: 'Letná', ...place },
        { author: 'petr', body: 'Zaplaceno', paid: true, created_at: ago(2), ...place },
        { author: 'petr', body: 'Včera', created_at: ago(25), ...place },
      ],
    });
    expect(applied.puls).toEqual([{ id: expect.any(String) }, { id: expect.any(String) }, { id: expect.any(String) }]);
    const ownPosts = (await api(applied).get('/puls/mine')).body.data;
    expect(ownPosts.map(({ id, body }: { id: string; body: string }) => [id, body])).toEqual([
      [applied.puls[0]?.id, 'Jdu <b>ven</b>'],
      [applied.puls[1]?.id, 'Zaplaceno'],
    ]);
    expect(ownPosts[0]).toMatchObject({ location_name: 'Letná', ...place });
  });

  // OPS-20, OPS-21
  it('creates a cancelled event in the past, with a group, a boost, a source and participants', async () => {
    const { jana, iva, ota } = await server.people('jana', 'iva', 'ota');
    const group = await buildGroup(server, jana, {
      with: [
        [iva, 'member'],
        [ota, 'member'],
      ],
    });
    const applied = await apply({
      events: [
        {
          key: 'picnic',
          organizer: jana.slug,
          title: 'Piknik',
          starts_at: '2020-01-01T10:00:00',
          is_public: true,
          max_participants: 2,
          group: group.id,
          boosted_until: '2099-01-01T00:00:00Z',
          source: { name: 'Kudy z nudy', url: 'https://example.org/1' },
          status: 'cancelled',
          participants: [{ user: iva.slug, checked_in_at: '2020-01-01T09:05:00Z' }],
        },
      ],
    });
    expect(applied.events).toEqual([{ key: 'picnic', id: expect.any(String), numeric_id: expect.any(Number) }]);
    expect((await jana.api.get(`/events/${applied.events[0]?.numeric_id}`)).body.data).toMatchObject({
      id: applied.events[0]?.id,
      starts_at: '2020-01-01T09:00:00Z',
      status: 'cancelled',
      is_public: true,
      group: group.id,
      current_participants: 2,
      is_boosted: true,
    });
    // Both participants were created at the same time, so their order depends on the ids of the accounts.
    const participants: { status: string }[] = (await jana.api.get(`/events/${applied.events[0]?.id}/participants`))
      .body.data;
    expect(participants.sort((a, b) => a.status.localeCompare(b.status))).toMatchObject([
      { user: { slug: iva.slug }, status: 'confirmed', checked_in_at: '2020-01-01T09:05:00Z' },
      { user: { slug: ota.slug }, status: 'pending', checked_in_at: null },
    ]);
  });

  // OPS-93
  it('changes credits and creates an event for a group in one document', async () => {
    const { jana, iva } = await server.people('jana', 'iva');
    const group = await buildGroup(server, jana, { with: [[iva, 'member']] });
    const { events } = await apply({
      users: [{ slug: iva.slug, name: 'Iva', credits: 30 }],
      events: [{ organizer: jana.slug, title: 'Schůzka', starts_at: soon(), group: group.id }],
    });
    expect((await jana.api.get(`/events/${events[0]?.id}`)).body.data.group).toBe(group.id);
  });

  // OPS-93
  it('updates an existing event with the same organizer and key, and adds participants', async () => {
    const users = [
      { slug: 'dana', name: 'Dana', ...PREMIUM, tokens: TOKENS },
      { slug: 'ivo', name: 'Ivo', credits: 50 },
      { slug: 'olga', name: 'Olga' },
    ];
    const party = {
      key: 'party',
      organizer: 'dana',
      title: 'Oslava',
      location_name: 'Doma',
      starts_at: soon(),
      max_participants: 3,
      ticket_price_credits: 20,
      participants: [{ user: 'ivo', paid_credits: 20 }],
    };
    const first = await apply({ users, events: [party, { ...party, key: undefined, participants: [] }] });
    const { location_name: _, ...later } = party;
    const second = await apply({
      events: [
        { ...later, title: 'Velká oslava', participants: [...party.participants, { user: 'olga' }] },
        { ...party, organizer: 'ivo', participants: [] },
        { ...party, key: undefined, participants: [] },
      ],
    });
    expect(second.events[0]).toEqual(first.events[0]);
    expect(new Set([...first.events, ...second.events].map(({ id }) => id)).size).toBe(4);
    const dana = api(first);
    const { data } = (await dana.get(`/events/${first.events[0]?.id}`)).body;
    expect(data).toMatchObject({ title: 'Velká oslava', location_name: 'Doma', current_participants: 3 });
    expect(
      await server.sql(
        `SELECT count(*)::int AS holds FROM credit_holds h JOIN users u ON u.id = h.user_id WHERE u.slug = 'ivo'`,
      ),
    ).toEqual([{ holds: 1 }]);
    expect((await apply({ events: [{ ...party, title: 'Velká oslava', location_name: 'Doma' }] })).events).toEqual([
      first.events[0],
    ]);
    expect((await dana.get(`/events/${data.id}`)).body.data).toEqual(data);

    expect(await refusal({ events: [{ ...party, group: 'abc' }] })).toBe(
      'events.0.group: the group of party cannot be changed after the event was created.',
    );
    expect(
      await refusal({
        users: [{ slug: 'nela', name: 'Nela' }],
        events: [{ ...party, participants: [{ user: 'nela' }] }],
      }),
    ).toMatch(/^events\.0\.participants: 4 people \(with the organizer and offered seats\)/);
    expect(await refusal({ events: [party, party] })).toBe('events.1.key: the document contains party of dana twice.');
    await apply({ events: [{ ...party, status: 'cancelled' }] });
    expect(await refusal({ events: [{ ...party, status: 'active' }] })).toBe(
      'events.0.status: party is cancelled and cannot become active again.',
    );
    await server.sql('UPDATE all_events SET removed_at = now() WHERE id = $1', [first.events[0]?.numeric_id]);
    expect(await refusal({ events: [party] })).toBe(
      'events.0: party is hidden: the event or its series was removed, or the organizer is banned.',
    );
  });

  // OPS-93
  it('does not change an event’s fields that a later document omits, and clears only fields that are null', async () => {
    const { jana } = await server.people('jana');
    const group = await buildGroup(server, jana);
    const mandatory = { key: 'ball', organizer: jana.slug, title: 'Ples', starts_at: soon() };
    const ball = {
      ...mandatory,
      description: '<p>Tanec</p>',
      type: 'sport',
      location_name: 'Sokolovna',
      location_address: 'Brno',
      latitude: 49.2,
      longitude: 16.6,
      is_public: true,
      join_mode: 'password',
      join_password: 'valčík',
      max_participants: 50,
      age_min: 18,
      age_max: 99,
      gender_restriction: 'female',
      price_czk: 150,
      price_note: 'na místě',
      ticket_url: 'https://example.org/ples',
      photos_enabled: true,
      waitlist_mode: 'auto',
      offer_hours: 5,
      ends_at: '2099-01-01T00:00:00Z',
      group: group.id,
      ticket_price_credits: 20,
      boosted_until: '2099-01-01T00:00:00Z',
      source: { name: 'Kudy z nudy', url: 'https://example.org/1' },
      status: 'active',
    };
    const eventRows = async () =>
      await server.sql<object>(`SELECT * FROM all_events WHERE organizer_id = $1`, [jana.userId]);
    const first = await apply({ events: [ball] });
    const before = await eventRows();
    expect(before).toHaveLength(1);
    expect((await apply({ events: [mandatory] })).events).toEqual(first.events);
    expect(await eventRows()).toEqual(before);
    expect(await refusal({ events: [{ ...mandatory, group: null }] })).toBe(
      'events.0.group: the group of ball cannot be changed after the event was created.',
    );
    await apply({ events: [{ ...ball, boosted_until: null, source: { name: 'Sokol' }, price_note: null }] });
    expect(await eventRows()).toEqual([
      {
        ...before[0],
        boosted_until: null,
        source_name: 'Sokol',
        source_url: null,
        price_note: null,
        revision: expect.anything(),
        version: expect.anything(),
        updated_at: expect.anything(),
      },
    ]);
    await apply({ events: [{ ...mandatory, source: null }] });
    expect(await eventRows()).toMatchObject([{ source_name: null, source_url: null }]);
    await apply({ events: [{ ...mandatory, status: 'cancelled' }] });
    const cancelled = await eventRows();
    expect(cancelled).toMatchObject([{ status: 'cancelled' }]);
    for (const status of [undefined, 'cancelled']) await apply({ events: [{ ...mandatory, status }] });
    expect(await eventRows()).toEqual(cancelled);
  });

  // OPS-93
  it('keeps the status of each participant of an event, and makes a person who has left the event a participant again', async () => {
    const states = ['confirmed', 'pending', 'waitlisted', 'requested', 'declined', 'banned'] as const;
    const { jana, ...people } = await server.people('jana', 'leaver', 'removed', ...states);
    const { leaver, removed } = people;
    const ball = { key: 'ball', organizer: jana.slug, title: 'Ples', starts_at: soon(), waitlist_mode: 'manual' };
    const participants = [
      ...states.map((status) => ({ user: people[status].slug, status })),
      { user: leaver.slug },
      { user: removed.slug },
    ];
    const { events } = await apply({ events: [{ ...ball, max_participants: 10, participants }] });
    const path = `/events/${events[0]?.id}`;
    const rowsOfOthers = async () =>
      await server.sql<{ status: string }>(
        `SELECT p.* FROM participations p JOIN users u ON u.id = p.user_id
          WHERE p.event_id = $1 AND u.slug <> $2 ORDER BY p.user_id`,
        [events[0]?.numeric_id, leaver.slug],
      );
    const statusOf = async (slug: string) =>
      (await jana.api.get(`${path}/participants`)).body.data.find(
        ({ user }: { user: { slug: string } }) => user.slug === slug,
      )?.status;
    expect((await leaver.api.delete(`${path}/join`)).status).toBe(204);
    expect((await jana.api.delete(`${path}/participants/${removed.slug}?ban=1`)).status).toBeLessThan(300);
    const before = await rowsOfOthers();
    expect(before.filter(({ status }) => status === 'banned')).toHaveLength(2);
    for (const status of ['confirmed', 'declined', 'banned', 'pending'] as const) {
      await apply({ events: [{ ...ball, participants: participants.map(({ user }) => ({ user, status })) }] });
      expect(await rowsOfOthers()).toEqual(before);
      expect(await statusOf(leaver.slug)).toBe('confirmed');
    }
  });

  // OPS-93
  it('adds invited people to an event that has no free seats', async () => {
    const { jana, petr, eva, ota } = await server.people('jana', 'petr', 'eva', 'ota');
    const ball = { key: 'ball', organizer: jana.slug, title: 'Ples', starts_at: soon(), max_participants: 2 };
    const invited = { user: eva.slug, status: 'pending' };
    const { events } = await apply({ events: [{ ...ball, participants: [{ user: petr.slug }, invited] }] });
    await apply({ events: [{ ...ball, participants: [{ user: petr.slug }, { user: ota.slug, status: 'pending' }] }] });
    const { data } = (await jana.api.get(`/events/${events[0]?.id}/participants`)).body as {
      data: { user: { slug: string }; status: string }[];
    };
    expect(Object.fromEntries(data.map(({ user, status }) => [user.slug, status]))).toMatchObject({
      [petr.slug]: 'confirmed',
      [eva.slug]: 'pending',
      [ota.slug]: 'pending',
    });
  });

  // OPS-93, JOIN-54
  it('refuses to add a participant if the only free seat is already offered to a person on the waitlist', async () => {
    const users = ['stela', 'adam', 'beata', 'ctibor'].map((slug) => ({ slug, name: slug }));
    const event = (max_participants: number, participants: object[]) => ({
      events: [
        {
          key: 'walk',
          organizer: 'stela',
          title: 'Procházka',
          starts_at: soon(),
          waitlist_mode: 'offer',
          max_participants,
          participants,
        },
      ],
    });
    await apply({ users, ...event(2, [{ user: 'adam' }, { user: 'beata', status: 'waitlisted' }]) });
    await apply(event(3, []));
    expect(
      await server.sql(`SELECT confirmed_count, offers_count FROM all_events WHERE apply_key = 'walk'`),
    ).toMatchObject([{ offers_count: 1 }]);
    expect(await refusal(event(3, [{ user: 'ctibor' }]))).toBe(
      'events.0.participants: 4 people (with the organizer and offered seats) are more than max_participants.',
    );
  });

  // OPS-93, JOIN-54
  it('gives free seats of a new and of an existing event to people whom the document puts on the waitlist', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const ball = { key: 'ball', organizer: jana.slug, title: 'Ples', starts_at: soon(), waitlist_mode: 'auto' };
    for (const [i, { slug }] of [petr, eva].entries()) {
      const participants = [{ user: slug, status: 'waitlisted' }];
      const { events } = await apply({ events: [{ ...ball, max_participants: 3, participants }] });
      const { data } = (await jana.api.get(`/events/${events[0]?.id}`)).body;
      expect(data.current_participants).toBe(i + 2);
    }
  });

  // OPS-93, NOTE-11
  it('sends only the notice of the cancellation if a document moves and cancels an event that starts soon', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const ball = { key: 'ball', organizer: jana.slug, title: 'Ples', starts_at: soon(0.001) };
    await apply({ events: [{ ...ball, participants: [{ user: petr.slug }] }] });
    await apply({ events: [{ ...ball, location_name: 'Jinde', starts_at: soon(0.002), status: 'cancelled' }] });
    const { data } = (await petr.api.get('/notices')).body as { data: { kind: string }[] };
    expect(data.map(({ kind }) => kind)).toEqual(['event_cancelled']);
  });

  // OPS-93
  it('creates one event for a key, even if the same document is applied several times in parallel', async () => {
    const document = {
      users: [{ slug: 'radka', name: 'Radka' }],
      events: [{ key: 'picnic', organizer: 'radka', title: 'Piknik', starts_at: soon() }],
    };
    await apply({ users: document.users });
    const all = await Promise.all(Array.from({ length: 4 }, () => apply({ events: document.events })));
    expect(new Set(all.map(({ events }) => events[0]?.id)).size).toBe(1);
  });

  // OPS-20, OPS-21
  it('keeps tokens that the document omits, but replaces all blocks if the document has a list of blocks', async () => {
    const people = [
      { slug: 'ben', name: 'Ben' },
      { slug: 'cid', name: 'Cid' },
    ];
    const dan = { slug: 'dan', name: 'Dan', ...PREMIUM };
    const expires_at = soon();
    const first = await apply({
      users: [
        ...people,
        { ...dan, blocks: ['ben'], tokens: [...TOKENS, { name: 'other', access: 'read', expires_at }] },
      ],
    });
    const other = new HttpClient(server.origin, {
      authorization: `Bearer ${first.users[2]?.tokens[1]?.token}`,
      accept: 'application/json',
    });
    const blocked = async () =>
      (await other.get('/blocks')).body.data.map(({ user }: { user: { slug: string } }) => user.slug);
    expect((await other.get('/user')).body.data.token).toMatchObject({ expires_at });
    expect((await api(first, 2).get('/user')).body.data.token).toMatchObject({ expires_at: null });
    expect(await blocked()).toEqual(['ben']);
    const second = await apply({ users: [{ ...dan, blocks: ['cid'], tokens: TOKENS }] });
    expect((await api(first, 2).get('/user')).status).toBe(401);
    expect((await api(second).get('/user')).status).toBe(200);
    expect(await blocked()).toEqual(['cid']);
    await apply({ users: [dan] });
    expect(await blocked()).toEqual(['cid']);
    await apply({ users: [{ ...dan, blocks: [] }] });
    expect(await blocked()).toEqual([]);
  });

  // OPS-94
  it('reports all mistakes of a document together, but not errors that are only consequences of another mistake', async () => {
    await apply({ users: [{ slug: 'hana', name: 'Hana', email: 'hana@example.org' }] });
    const before = await storedUsers();
    const message = await refusal({
      users: [
        { slug: 'No vy', tokens: [{ name: 'a', access: 'all' }] },
        { slug: 'druhy', name: 'Druhý', email: 'hana@example.org', blocks: ['nobody'] },
        { slug: 'treti', name: 'Třetí', avatar: 'nowhere.png', blocks: ['nobody', 'druhy'] },
        { slug: 'hana', name: 'Hana Nová' },
      ],
      events: [
        { organizer: 'druhy', title: 'Piknik', starts_at: soon() },
        { organizer: 'hana', title: 'ab', starts_at: soon() },
        { organizer: 'hana', title: 'Piknik', starts_at: soon(), ends_at: '2020-01-01T10:00:00Z' },
        { organizer: 'treti', title: 'Piknik', starts_at: soon(), participants: [{ user: 'nobody' }] },
      ],
      puls: [
        { author: 'nobody', body: 'Ahoj', latitude: 50, longitude: 14 },
        { author: 'hana', body: 'Ahoj', latitude: 91, longitude: 14 },
      ],
    });
    expect(
      message.split('\n').map((line) => line.replace(/(?<=^[a-z]+\.\d+(\.[a-z_]+)?)( is required|: ).*/, '')),
    ).toEqual([
      'users.0.name',
      'users.0',
      'users.0.tokens.0.access: This must be one of: read, write, legacy.',
      'events.1.title',
      'puls.1.latitude',
      'users.2.avatar',
      'users.1.email',
      'users.2.blocks',
      'events.2.ends_at',
      'events.3.participants.0.user: there is no user nobody.',
      'puls.0',
    ]);
    expect(await storedUsers()).toEqual(before);
  });

  // OPS-94
  it('reports each invalid field of a user, both wrong formats and impossible values', async () => {
    const message = await refusal({
      users: [
        { slug: 'novy', name: 'Nový', birth_date: '2020-02-30', email: 'nobody', iban: 'CZ00', timezone: 'Mars' },
      ],
    });
    expect(message.split('\n').map((line) => line.replace(/:.*/, ''))).toEqual([
      'users.0.birth_date',
      'users.0.email',
      'users.0.timezone',
      'users.0.iban',
    ]);
  });

  // OPS-94
  it('reports every invalid entry of a list, and unknown keys together with other mistakes', async () => {
    const message = await refusal({
      people: [],
      users: [
        {
          slug: 'a1',
          name: 'A',
          shoe_size: 43,
          email: 'nobody',
          tokens: [{ name: 'a', access: 'x' }, { access: 'read' }],
          blocks: [1, 2],
        },
        { slug: 'a2', name: 'B', blocks: ['nobody', 'noone'] },
        { slug: 'a3', name: 'C' },
      ],
      events: [
        {
          organizer: 'a3',
          title: 'ab',
          starts_at: soon(),
          source: { name: 7, link: 'x' },
          participants: [{ user: 'a3' }, { user: 5 }, { user: 'a4', status: 'pending', paid_credits: 1 }, 'a5'],
        },
        {
          organizer: 'a3',
          title: 'Piknik',
          starts_at: soon(),
          ends_at: '2020-01-01T10:00:00Z',
          participants: [{ user: 'nobody' }, { user: 'noone' }],
        },
      ],
    });
    expect(
      message.split('\n').map((line) => line.replace(/(?<=^[a-z]+\.\d+[a-z_.\d]*)( is required|: ).*/, '')),
    ).toEqual([
      'The document has unknown keys: people.',
      'users.0 has unknown keys: shoe_size.',
      'users.0.email',
      'users.0.blocks.0',
      'users.0.blocks.1',
      'users.0.tokens.0.access',
      'users.0.tokens.1.name',
      'events.0.title',
      'events.0.source has unknown keys: link.',
      'events.0.source.name',
      'events.0.participants.0',
      'events.0.participants.1.user',
      'events.0.participants.2',
      'events.0.participants.3 must be an object.',
      'users.1.blocks',
      'users.1.blocks',
      'events.1.participants.0.user',
      'events.1.participants.1.user',
      'events.1.ends_at',
    ]);
  });

  // OPS-94
  it.each([
    ['is found in the document', { verified: 'yes' }],
    ['is found by comparison with other accounts', { email: 'taken@example.org' }],
  ])(
    'if a mistake in a user’s entry %s, reports only this mistake, not the errors that it causes in other entries',
    async (_, wrong) => {
      const { jana, petr } = await server.people('jana', 'petr');
      await apply({ users: [{ slug: 'taken', name: 'Adam', email: 'taken@example.org' }] });
      const ball = { key: 'ball', organizer: jana.slug, title: 'Ples', starts_at: soon() };
      await apply({ events: [ball] });
      const guestPetr = { user: petr.slug };
      const message = await refusal({
        users: [
          { slug: 'wrong', name: 'Nový', blocks: ['nobody'], ...wrong },
          { slug: petr.slug, name: 'Petr', blocks: ['wrong'] },
        ],
        events: [
          { organizer: 'wrong', title: 'Piknik', starts_at: soon() },
          { organizer: jana.slug, title: 'Piknik', starts_at: soon(), participants: [guestPetr, { user: 'wrong' }] },
          { ...ball, participants: [guestPetr, { user: 'wrong' }] },
        ],
        puls: [{ author: 'wrong', body: 'Ahoj', latitude: 50, longitude: 14 }],
      });
      expect(message).toMatch(/^users\.0\.(verified|email): .+$/);
    },
  );

  // OPS-20, ACC-11, OPS-21
  it('reports every error with its position in the document, and changes nothing', async () => {
    await apply({ users: [{ slug: 'jan', name: 'Jan', email: 'jan@example.org' }] });
    const before = await storedUsers();
    const user = (fields: object) => ({ users: [{ slug: 'novy', name: 'Nový', ...fields }] });
    const event = (fields: object) => ({
      ...user({}),
      events: [{ organizer: 'novy', title: 'Piknik', starts_at: soon(), ...fields }],
    });
    const puls = (fields: object) => ({
      ...user({}),
      puls: [{ author: 'novy', body: 'Ahoj', latitude: 50, longitude: 14, ...fields }],
    });
    for (const [document, line] of [
      [[], 'The document must be an object.'],
      [{ people: [] }, 'The document has unknown keys: people.'],
      [{ users: {} }, 'users must be a list.'],
      [user({ name: undefined }), 'users.0.name is required.'],
      [
        user({ slug: 'No vy' }),
        'users.0: a slug has at most 60 characters: lower-case letters, digits, and hyphens between them.',
      ],
      [user({ shoe_size: 43 }), 'users.0 has unknown keys: shoe_size.'],
      [user({ verified: 'yes' }), 'users.0.verified: This must be true or false.'],
      [user({ email: 'JAN@example.org' }), 'users.0.email: another account has this address.'],
      [user({ iban: 'CZ00' }), /^users\.0\.iban: /],
      [user({ name: null }), 'users.0.name: This must not be empty.'],
      [user({ name: 5 }), 'users.0.name: This must be a text.'],
      [user({ avatar: 7 }), 'users.0.avatar is required.'],
      [user({ avatar: join(process.cwd(), 'package.json') }), /^users\.0\.avatar: This image cannot be read/],
      [user({ avatar: 'nowhere.png' }), /^users\.0\.avatar: the picture cannot be read: /],
      [user({ blocks: ['nobody'] }), 'users.0.blocks: there is no user nobody.'],
      [user({ blocks: ['novy'] }), 'users.0.blocks: a user cannot block themselves.'],
      [user({ credits: -1 }), /^users\.0\.credits: /],
      [user({ tokens: [{ name: 'a', access: 'all' }] }), /^users\.0\.tokens\.0\.access: /],
      [
        user({ tokens: Array.from({ length: 11 }, (_, i) => ({ name: `t${i}`, access: 'read' })) }),
        /^users\.0\.tokens: An account has at most 10/,
      ],
      [{ users: [user({}).users[0], user({}).users[0]] }, 'users.1.slug: the document contains novy twice.'],
      [user({ blocks: ['a\0'] }), 'users.0.blocks.0 contains a character that cannot be stored.'],
      [event({ organizer: 'nobody' }), 'events.0.organizer: there is no user nobody.'],
      [event({ organizer: 'a\0' }), 'events.0.organizer contains a character that cannot be stored.'],
      [event({ key: 'a\0' }), 'events.0.key contains a character that cannot be stored.'],
      [event({ key: '\ud800' }), 'events.0.key contains a character that cannot be stored.'],
      [event({ key: '🦊'.repeat(501) }), 'events.0.key must have at most 500 characters.'],
      [event({ participants: [{ user: 'a\0' }] }), /^events\.0\.participants\.0\.user: /],
      [event({ ends_at: '2020-01-01T10:00:00Z' }), /^events\.0\.ends_at: /],
      [event({ title: 'ab' }), /^events\.0\.title: /],
      [event({ group: 'abc' }), /^events\.0\.group: /],
      [event({ source: { url: 'https://example.org' } }), /^events\.0\.source\.name: /],
      [event({ participants: [{ user: 'jan' }, { user: 'jan' }] }), 'events.0.participants contain jan twice.'],
      [
        event({ participants: [{ user: 'novy' }] }),
        'events.0.participants.0: novy organizes the event and cannot be its participant.',
      ],
      [
        event({ participants: [{ user: 'jan', status: 'pending', paid_credits: 5 }] }),
        'events.0.participants.0: jan is pending, and only confirmed participants have paid_credits or checked_in_at.',
      ],
      [
        event({ participants: [{ user: 'jan', paid_credits: 5 }] }),
        'events.0.participants.0.paid_credits: jan has fewer credits than 5.',
      ],
      [
        { ...event({}), events: Array(2).fill({ ...event({}).events[0], key: 'ball' }) },
        'events.1.key: the document contains ball of novy twice.',
      ],
      [
        event({ max_participants: 2, participants: [{ user: 'jan' }, { user: 'eva' }] }),
        /^events\.0\.participants: the organizer and 2/,
      ],
      [puls({ author: 'nobody' }), 'puls.0: there is no user nobody.'],
      [puls({ body: '<i> </i>' }), 'puls.0: A Puls post needs a text, a photo or a video.'],
      [puls({ latitude: 91 }), /^puls\.0\.latitude: /],
      [puls({ image: 'a.png' }), 'puls.0 has unknown keys: image.'],
    ] as const) {
      const message = await refusal(document);
      if (typeof line === 'string') expect(message).toBe(line);
      else expect(message).toMatch(line);
    }
    expect(await storedUsers()).toEqual(before);
  });
});
