import type { ParticipationState } from '#contract/vocabulary';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import type { Answer } from '#testing/http-client';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

type State = ParticipationState | null;
const STATES: readonly State[] = [null, 'pending', 'waitlisted', 'requested', 'confirmed', 'declined', 'banned'];

/**
 * The result of each action in each state, in the order of STATES: the HTTP status and the new state, or the HTTP
 * status and the error code. The state null means that there is no participation.
 */
const TABLE: Record<string, readonly string[]> = {
  join: [
    '200 confirmed',
    '200 confirmed',
    '409 already_waitlisted',
    '409 already_requested',
    '409 already_participant',
    '403 request_declined',
    '403 banned',
  ],
  'join by request': [
    '200 requested',
    '200 confirmed',
    '409 already_waitlisted',
    '409 already_requested',
    '409 already_participant',
    '403 request_declined',
    '403 banned',
  ],
  'join a full event': [
    '409 event_full',
    '409 event_full',
    '409 already_waitlisted',
    '409 already_requested',
    '409 already_participant',
    '403 request_declined',
    '403 banned',
  ],
  waitlist: [
    '409 cannot_join',
    '409 already_invited',
    '409 already_waitlisted',
    '409 already_requested',
    '409 already_participant',
    '403 request_declined',
    '403 banned',
  ],
  'waitlist of a full event': [
    '200 waitlisted',
    '409 already_invited',
    '409 already_waitlisted',
    '409 already_requested',
    '409 already_participant',
    '403 request_declined',
    '403 banned',
  ],
  leave: ['409 not_participant', '204 null', '204 null', '204 null', '204 null', '409 not_participant', '403 banned'],
  invite: [
    '201 pending',
    '409 already_invited',
    '409 already_waitlisted',
    '409 already_requested',
    '409 already_participant',
    '409 conflict',
    '409 conflict',
  ],
  promote: [
    '409 not_participant',
    '409 not_participant',
    '200 confirmed',
    '200 confirmed',
    '409 not_participant',
    '409 not_participant',
    '409 not_participant',
  ],
  'promote into a full event': [
    '409 not_participant',
    '409 not_participant',
    '409 event_full',
    '409 event_full',
    '409 not_participant',
    '409 not_participant',
    '409 not_participant',
  ],
  remove: ['409 not_participant', '204 null', '204 null', '204 declined', '204 null', '204 null', '204 null'],
  ban: ['204 banned', '204 banned', '204 banned', '204 banned', '204 banned', '204 banned', '204 banned'],
  'check in': [
    '409 not_participant',
    '409 not_participant',
    '409 not_participant',
    '409 not_participant',
    '200 confirmed',
    '409 not_participant',
    '409 not_participant',
  ],
  'undo check-in': [
    '409 not_participant',
    '409 not_participant',
    '409 not_participant',
    '409 not_participant',
    '200 confirmed',
    '409 not_participant',
    '409 not_participant',
  ],
};

type Action = (organizer: Person, guest: Person, event: BuiltEvent) => Promise<Answer>;
const join: Action = (_, guest, { id }) => guest.api.post(`/events/${id}/join`);
const waitlist: Action = (_, guest, { id }) => guest.api.post(`/events/${id}/waitlist`);
const promote: Action = (organizer, guest, { id }) =>
  organizer.api.post(`/events/${id}/participants/${guest.slug}/promote`);
const ACTIONS: Record<string, Action> = {
  join,
  'join by request': join,
  'join a full event': join,
  waitlist,
  'waitlist of a full event': waitlist,
  promote,
  'promote into a full event': promote,
  leave: (_, guest, { id }) => guest.api.delete(`/events/${id}/join`),
  invite: (organizer, guest, { id }) => organizer.api.post(`/events/${id}/participants`, { user: guest.slug }),
  remove: (organizer, guest, { id }) => organizer.api.delete(`/events/${id}/participants/${guest.slug}`),
  ban: (organizer, guest, { id }) => organizer.api.delete(`/events/${id}/participants/${guest.slug}?ban=1`),
  'check in': (organizer, guest, { id }) => organizer.api.put(`/events/${id}/participants/${guest.slug}/check-in`),
  'undo check-in': (organizer, guest, { id }) =>
    organizer.api.delete(`/events/${id}/participants/${guest.slug}/check-in`),
};

/** Tests each action in each state, over HTTP. */
// JOIN-43, JOIN-8, JOIN-12, JOIN-19, JOIN-21, JOIN-22, JOIN-26, JOIN-29, JOIN-30
describe('the participation table', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
  });
  afterAll(() => server.stop());

  const cells = Object.entries(TABLE).flatMap(([action, row]) =>
    row.map((expected, i) => [action, STATES[i] ?? null, expected] as const),
  );

  it.each(cells)('defines the result of "%s" in the state %s: %s', async (action, from, expected) => {
    const isFull = action.includes('full');
    // In a full event, the organizer and eva take one seat each. If petr is confirmed, he takes the third seat.
    const takenSeats = from === 'confirmed' ? 3 : 2;
    const event = await buildEvent(server, jana, {
      join_mode: action.includes('request') ? 'request' : 'open',
      max_participants: isFull ? takenSeats : 10,
      with: [...(isFull ? [[eva, 'confirmed'] as const] : []), ...(from ? [[petr, from] as const] : [])],
    });
    const answer = await ACTIONS[action]!(jana, petr, event);
    expect(`${answer.status} ${answer.status < 300 ? await stateOf(event) : answer.body.code}`).toBe(expected);
    if (answer.status >= 300) expect(await stateOf(event)).toBe(from);
    if (answer.status === 200 && !action.startsWith('join') && !action.startsWith('waitlist'))
      expect(answer.body.data.user.slug).toBe(petr.slug);
    if (answer.status === 200 && (action.startsWith('join') || action.startsWith('waitlist'))) {
      expect(answer.body.data.viewer).toMatchObject({ participation: await stateOf(event), is_organizer: false });
      expect(answer.body.data).toEqual((await petr.api.get(`/discover/events/${event.id}`)).body.data);
    }
    await expectCountsToAgree(event);
  });

  async function stateOf({ eventId }: BuiltEvent): Promise<State> {
    const [row] = await server.sql<{ status: ParticipationState }>(
      'SELECT status FROM participations WHERE event_id = $1 AND user_id = $2',
      [eventId, petr.userId],
    );
    return row?.status ?? null;
  }

  async function expectCountsToAgree({ id, eventId }: BuiltEvent): Promise<void> {
    const [{ confirmed } = { confirmed: -1 }] = await server.sql<{ confirmed: number }>(
      `SELECT count(*)::int AS confirmed FROM participations WHERE event_id = $1 AND status = 'confirmed'`,
      [eventId],
    );
    expect((await jana.api.get(`/events/${id}`)).body.data.current_participants).toBe(confirmed + 1);
  }
});
