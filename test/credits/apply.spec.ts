import { ApplyCommands } from '#areas/apply/apply.commands';
import { CreditsReader } from '#areas/credits/credits.reader';
import { buildGroup } from '#testing/groups';
import { ledgerFaults } from '#testing/ledger';
import { TestServer } from '#testing/test-server';
import { soon } from '#testing/times';

/** OPS-22: credits in the document of the command `apply`. */
describe('the command apply', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterEach(async () => expect(await ledgerFaults(server)).toEqual([]));
  afterAll(() => server.stop());

  const apply = (document: unknown) => server.app.get(ApplyCommands).apply(document);
  const credits = async (slug: string) => {
    const [row] = await server.sql<{ id: string }>('SELECT id FROM users WHERE slug = $1', [slug]);
    return server.app.get(CreditsReader).creditsOf(server.database, Number(row?.id));
  };
  const users = [
    { slug: 'jana', name: 'Jana' },
    { slug: 'petr', name: 'Petr', credits: 100 },
    { slug: 'eva', name: 'Eva', credits: 60 },
  ];
  const event = (participants: object[], more = {}) => ({
    organizer: 'jana',
    title: 'Koncert',
    starts_at: '2020-01-01T10:00:00Z',
    ticket_price_credits: 50,
    participants,
    ...more,
  });

  // OPS-22
  it('sets balances, holds credits that participants paid, and pays the credits of checked-in participants to the organizer', async () => {
    const paid = [
      { user: 'petr', paid_credits: 50 },
      { user: 'eva', paid_credits: 50, checked_in_at: '2020-01-01T10:05:00Z' },
    ];
    await apply({ users, events: [event(paid)] });
    expect([await credits('jana'), await credits('petr'), await credits('eva')]).toEqual([
      { balance: 50, held: 0 },
      { balance: 50, held: 50 },
      { balance: 10, held: 0 },
    ]);
    await apply({ users });
    expect([await credits('petr'), await credits('eva')]).toEqual([
      { balance: 100, held: 50 },
      { balance: 60, held: 0 },
    ]);
  });

  // OPS-22, OPS-23
  it('sets a balance to 0, keeps held credits, and keeps the balance if the document omits credits', async () => {
    const karel = { slug: 'karel', name: 'Karel' };
    await apply({
      users: [users[0], { ...karel, credits: 80 }],
      events: [event([{ user: 'karel', paid_credits: 50 }])],
    });
    await apply({ users: [karel] });
    expect(await credits('karel')).toEqual({ balance: 30, held: 50 });
    for (const balance of [0, 0, 7, 0]) {
      await apply({ users: [{ ...karel, credits: balance }] });
      expect(await credits('karel')).toEqual({ balance, held: 50 });
    }
  });

  // OPS-22
  it('holds all credits of a participant who paid the whole balance, or pays them to the organizer after a check-in, and refuses a further payment', async () => {
    const paid = [
      { user: 'pavla', paid_credits: 100 },
      { user: 'emil', paid_credits: 60, checked_in_at: '2020-01-01T10:05:00Z' },
    ];
    await apply({
      users: [
        { slug: 'ivan', name: 'Ivan' },
        { slug: 'pavla', name: 'Pavla', credits: 100 },
        { slug: 'emil', name: 'Emil', credits: 60 },
      ],
    });
    await apply({ events: [event(paid, { organizer: 'ivan' })] });
    expect([await credits('pavla'), await credits('emil')]).toEqual([
      { balance: 0, held: 100 },
      { balance: 0, held: 0 },
    ]);
    expect(await credits('ivan')).toEqual({ balance: 60, held: 0 });
    for (const user of ['pavla', 'emil'])
      await expect(apply({ events: [event([{ user, paid_credits: 1 }], { organizer: 'ivan' })] })).rejects.toThrow(
        `${user} has fewer credits`,
      );
  });

  // JOIN-20, JOIN-35
  it('holds credits of participants whom the event also invites as members of its group; leaving and removing refund these credits to the participants, and a check-in pays them to the organizer', async () => {
    const people = await server.people('jana', 'leaver', 'removed', 'guest', 'arrived');
    const { jana, leaver, removed, guest, arrived } = people;
    const asker = await server.person('asker');
    const members = [leaver, removed, guest, arrived];
    const group = await buildGroup(server, jana, {
      with: [...members, asker].map((person) => [person, 'member'] as const),
    });
    await apply({ users: members.map(({ slug }) => ({ slug, name: 'Někdo', credits: 80 })) });
    const { events } = await apply({
      events: [
        event(
          [
            { user: asker.slug, status: 'requested' },
            ...members.map(({ slug }) => ({
              user: slug,
              paid_credits: 50,
              ...(slug === arrived.slug && { checked_in_at: '2020-01-01T10:05:00Z' }),
            })),
          ],
          { organizer: jana.slug, group: group.id, starts_at: soon() },
        ),
      ],
    });
    const path = `/events/${events[0]?.id}`;
    const list = async () =>
      Object.fromEntries(
        (await jana.api.get(`${path}/participants`)).body.data.map(
          ({ user, ...more }: { user: { slug: string } } & Record<string, unknown>) => [user.slug, more],
        ),
      );
    /** The balance and the held credits of each person, as `balance+held`. */
    const balances = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(people).map(async ([name, { slug }]) => {
            const { balance, held } = await credits(slug);
            return [name, `${balance}+${held}`] as const;
          }),
        ),
      );
    expect(await balances()).toEqual({
      jana: '50+0',
      leaver: '30+50',
      removed: '30+50',
      guest: '30+50',
      arrived: '30+0',
    });
    const listed = await list();
    for (const { slug } of members)
      expect(listed[slug]).toMatchObject({ status: 'confirmed', joined_at: expect.any(String), requested_at: null });
    expect(listed[arrived.slug].checked_in_at).toBe('2020-01-01T10:05:00Z');
    expect(listed[asker.slug]).toMatchObject({
      status: 'requested',
      joined_at: null,
      requested_at: expect.any(String),
    });
    const { viewer } = (await guest.api.get(`/discover${path}`)).body.data;
    expect((await jana.api.post(`${path}/check-in`, { code: viewer.check_in_code })).status).toBe(200);
    expect((await leaver.api.delete(`${path}/join`)).status).toBe(204);
    expect((await jana.api.delete(`${path}/participants/${removed.slug}`)).status).toBe(204);
    expect(await balances()).toEqual({
      jana: '100+0',
      leaver: '80+0',
      removed: '80+0',
      guest: '30+0',
      arrived: '30+0',
    });
  });

  it('refunds credits paid for an event that is cancelled in the same document', async () => {
    await apply({ users, events: [event([{ user: 'eva', paid_credits: 50 }], { status: 'cancelled' })] });
    expect(await credits('eva')).toEqual({ balance: 60, held: 0 });
  });

  it('refuses a document with an impossible state, and changes nothing', async () => {
    await apply({ users });
    for (const [participant, message] of [
      [{ user: 'petr', paid_credits: 101 }, /petr has fewer credits/],
      [{ user: 'petr', status: 'pending', paid_credits: 1 }, /only confirmed/],
      [{ user: 'petr', status: 'pending', checked_in_at: '2020-01-01T10:05:00Z' }, /only confirmed/],
      [{ user: 'jana' }, /jana organizes/],
      [{ user: 'petr', paid_credits: -1 }, /./],
    ] as const)
      await expect(apply({ events: [event([participant])] })).rejects.toThrow(message);
    expect((await credits('petr')).balance).toBe(100);
  });
});
