import { ApplyCommands } from '#areas/apply/apply.commands';
import { CreditsReader } from '#areas/credits/credits.reader';
import { ledgerFaults } from '#testing/ledger';
import { TestServer } from '#testing/test-server';

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
  it('sets balances, holds credits that participants paid, and releases the credits of checked-in participants', async () => {
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

  it('refunds credits paid for an event that is cancelled in the same document', async () => {
    await apply({ users, events: [event([{ user: 'eva', paid_credits: 50 }], { status: 'cancelled' })] });
    expect(await credits('eva')).toEqual({ balance: 60, held: 0 });
  });

  it('refuses a document with an impossible state, and changes nothing', async () => {
    await apply({ users });
    for (const [participant, message] of [
      [{ user: 'petr', paid_credits: 101 }, /petr has fewer credits/],
      [{ user: 'petr', status: 'pending', paid_credits: 1 }, /only confirmed/],
      [{ user: 'jana' }, /jana organizes/],
      [{ user: 'petr', paid_credits: -1 }, /./],
    ] as const)
      await expect(apply({ events: [event([participant])] })).rejects.toThrow(message);
    expect((await credits('petr')).balance).toBe(100);
  });
});
