import fc from 'fast-check';
import { JOIN_MODES, type ParticipationState } from '#contract/vocabulary';
import { buildEvent } from '#testing/builders';
import { crowd } from '#testing/crowd';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

function oneIn(n: number): fc.Arbitrary<boolean> {
  return fc.integer({ min: 1, max: n }).map((drawn) => drawn === 1);
}

/** DISC-4: `viewer.can_join` agrees with POST join. */
describe('viewer.can_join', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  /** One obstacle is enough to prevent joining. Each obstacle is rare, so that about one in five people can join. */
  const circumstances = fc.record({
    state: fc.oneof(
      { weight: 6, arbitrary: fc.constant(null) },
      { weight: 4, arbitrary: fc.constant<ParticipationState>('pending') },
      { weight: 4, arbitrary: fc.constantFrom<ParticipationState>('waitlisted', 'requested', 'confirmed', 'declined') },
    ),
    mode: fc.constantFrom(...JOIN_MODES),
    isPublic: oneIn(6).map((hidden) => !hidden),
    isFull: oneIn(8),
    startsInDays: fc.constantFrom(7, 7, 7, 7, 7, 7, -0.1, -1),
    isCancelled: oneIn(8),
    price: oneIn(8).map((paid) => (paid ? 5 : 0)),
    age: fc.constantFrom(null, null, null, null, 18, 60),
    gender: fc.constantFrom(null, null, null, null, 'male' as const, 'female' as const),
    isBlocked: oneIn(8),
  });

  // DISC-4
  it('is true if POST join with the required input succeeds, and false otherwise', async () => {
    const [organizer, filler] = (await crowd(server, 2)) as [Person, Person];
    const petr = await server.person('petr', { birth_date: '1990-05-01', gender: 'male' });
    let joinedCount = 0;
    await fc.assert(
      fc.asyncProperty(
        circumstances,
        async ({ state, mode, isPublic, isFull, startsInDays, isCancelled, price, age, gender, isBlocked }) => {
          // The organizer and the filler take a seat each. If petr is confirmed, he takes a third seat.
          const takenSeats = state === 'confirmed' ? 3 : 2;
          const event = await buildEvent(server, organizer, {
            join_mode: price > 0 && mode === 'request' ? 'open' : mode,
            join_password: 'jablko',
            is_public: isPublic,
            starts_at: inDays(startsInDays),
            max_participants: isFull ? takenSeats : 10,
            age_min: age,
            gender_restriction: gender,
            editorial: { ticketPriceCredits: price },
            with: [...(isFull ? [[filler, 'confirmed'] as const] : []), ...(state ? [[petr, state] as const] : [])],
          });
          const ticket =
            mode === 'tickets'
              ? ((await organizer.api.post(`/events/${event.id}/tickets`, { count: 1 })).body.data?.[0].code ?? null)
              : null;
          if (isCancelled) await organizer.api.patch(`/events/${event.id}`, { status: 'cancelled' });
          if (isBlocked) await server.sql('INSERT INTO user_blocks VALUES ($1, $2)', [organizer.userId, petr.userId]);
          const shown = await petr.api.get(`/discover/events/${event.id}`);
          const joined = await petr.api.post(`/events/${event.id}/join`, { password: 'jablko', ticket_code: ticket });
          expect(joined.status === 200).toBe(shown.status === 200 && shown.body.data.viewer.can_join);
          if (joined.status === 200) joinedCount++;
          if (isBlocked) await server.sql('DELETE FROM user_blocks');
        },
      ),
      { numRuns: 100 },
    );
    expect(joinedCount).toBeGreaterThan(5);
  }, 60_000);
});
