import { CreditsCommands, NotEnoughCredits } from '#areas/credits/credits.commands';
import { CreditsReader } from '#areas/credits/credits.reader';
import { ParticipationCommands } from '#areas/participation/participation.commands';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { ledgerFaults } from '#testing/ledger';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

/** JOIN-20: held credits are either refunded or released to the organizer, and only once. */
describe('credits for an event with a price', () => {
  let server: TestServer;
  let jana: Person, petr: Person;
  let event: BuiltEvent;
  beforeAll(async () => (server = await TestServer.start()));
  beforeEach(async () => {
    ({ jana, petr } = await server.people('jana', 'petr'));
    event = await buildEvent(server, jana, { editorial: { ticketPriceCredits: 50 } });
    await server.database.transaction(async (tx) => {
      await server.app.get(CreditsCommands).grant(tx, petr.userId, 120);
      await server.app
        .get(ParticipationCommands)
        .setParticipation(tx, event.eventId, petr.userId, { status: 'confirmed', checkedInAt: null, paidCredits: 50 });
    });
  });
  afterEach(async () => expect(await ledgerFaults(server)).toEqual([]));
  afterAll(() => server.stop());

  /** The balance and the held credits of a person, such as `70+50`. */
  const balanceAndHeld = async ({ userId }: Person) => {
    const { balance, held } = await server.app.get(CreditsReader).creditsOf(server.database, userId);
    return `${balance}+${held}`;
  };
  const removePetr = (query = '') => jana.api.delete(`/events/${event.id}/participants/${petr.slug}${query}`);
  const checkInPetr = () => jana.api.put(`/events/${event.id}/participants/${petr.slug}/check-in`);

  it('are held for a confirmed participant', async () =>
    expect([await balanceAndHeld(petr), await balanceAndHeld(jana)]).toEqual(['70+50', '0+0']));

  // JOIN-20, JOIN-35
  it('are released or refunded only once', async () => {
    const [hold] = await server.sql<{ id: string }>('SELECT id FROM credit_holds WHERE event_id = $1', [event.eventId]);
    const settle = async (how: 'refund' | 'release') =>
      server.database.transaction((tx) => {
        const commands = server.app.get(CreditsCommands);
        return how === 'refund'
          ? commands.refund(tx, Number(hold?.id))
          : commands.release(tx, Number(hold?.id), jana.userId);
      });
    await settle('release');
    await server.sql('UPDATE participations SET credit_hold_id = NULL WHERE event_id = $1', [event.eventId]);
    const entries = await server.sql('SELECT * FROM credit_entries ORDER BY id');
    for (const settlement of ['release', 'refund', 'release'] as const) await settle(settlement);
    expect(await server.sql('SELECT * FROM credit_entries ORDER BY id')).toEqual(entries);
    expect([await balanceAndHeld(petr), await balanceAndHeld(jana)]).toEqual(['70+0', '50+0']);
  });

  // JOIN-20
  it('are refunded only once, even if the participant leaves and is then also banned and removed', async () => {
    await petr.api.delete(`/events/${event.id}/join`);
    expect(await balanceAndHeld(petr)).toBe('120+0');
    expect((await petr.api.delete(`/events/${event.id}/join`)).body.code).toBe('not_participant');
    expect((await removePetr('?ban=1')).status).toBe(204);
    expect((await removePetr()).status).toBe(204);
    expect(await balanceAndHeld(petr)).toBe('120+0');
  });

  it.each(['', '?ban=1'])('are refunded after a removal with the query "%s"', async (query) => {
    await removePetr(query);
    expect([await balanceAndHeld(petr), await balanceAndHeld(jana)]).toEqual(['120+0', '0+0']);
  });

  // EVT-20
  it('are refunded only once when the event is cancelled', async () => {
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    expect(await balanceAndHeld(petr)).toBe('120+0');
    await petr.api.delete(`/events/${event.id}/join`);
    expect([await balanceAndHeld(petr), await balanceAndHeld(jana)]).toEqual(['120+0', '0+0']);
  });

  // JOIN-20, JOIN-35
  it('are released to the organizer at check-in, which then cannot be undone', async () => {
    expect((await checkInPetr()).status).toBe(200);
    expect((await checkInPetr()).body.meta.already_checked_in).toBe(true);
    expect([await balanceAndHeld(petr), await balanceAndHeld(jana)]).toEqual(['70+0', '50+0']);
    const undo = await jana.api.delete(`/events/${event.id}/participants/${petr.slug}/check-in`);
    expect([undo.status, undo.body.code]).toEqual([409, 'conflict']);
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    await petr.api.delete(`/events/${event.id}/join`);
    expect([await balanceAndHeld(petr), await balanceAndHeld(jana)]).toEqual(['70+0', '50+0']);
  });

  // OPS-23
  it('can be held up to the whole balance of the account', async () => {
    const other = await buildEvent(server, jana);
    await server.database.transaction((tx) =>
      server.app
        .get(ParticipationCommands)
        .setParticipation(tx, other.eventId, petr.userId, { status: 'confirmed', checkedInAt: null, paidCredits: 70 }),
    );
    expect(await balanceAndHeld(petr)).toBe('0+120');
  });

  // OPS-23
  it('cannot be held or removed beyond the balance of the account; setting the balance does not change held credits', async () => {
    const commands = server.app.get(CreditsCommands);
    const other = await buildEvent(server, jana);
    await expect(
      server.database.transaction((tx) =>
        commands.hold(tx, { eventId: other.eventId, userId: petr.userId, amount: 71 }),
      ),
    ).rejects.toThrow(NotEnoughCredits);
    await expect(server.database.transaction((tx) => commands.grant(tx, petr.userId, -71))).rejects.toThrow(
      NotEnoughCredits,
    );
    for (const balance of [100, 100, 5]) {
      await server.database.transaction((tx) => commands.setBalance(tx, petr.userId, balance));
      expect(await balanceAndHeld(petr)).toBe(`${balance}+50`);
    }
  });
});
