import { buildEvent, type BuiltEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

/** docs/rules/joining.md: check-in and ticket codes. */
describe('check-in at the door', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  beforeAll(async () => (server = await TestServer.start()));
  beforeEach(async () => ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva')));
  afterAll(() => server.stop());

  const checkIn = async ({ id }: BuiltEvent, code: unknown) => {
    const { status, body } = await jana.api.post(`/events/${id}/check-in`, { code });
    return status === 200 ? body : `${status} ${body.code}`;
  };
  const codesOf = async ({ id }: BuiltEvent, count: number): Promise<string[]> =>
    (await jana.api.post(`/events/${id}/tickets`, { count })).body.data.map(({ code }: { code: string }) => code);

  // JOIN-36, JOIN-32, JOIN-34
  it('uses the personal code of each participant, and can be repeated and undone', async () => {
    const event = await buildEvent(server, jana);
    const { check_in_code: code, ...viewer } = (await petr.api.post(`/events/${event.id}/join`)).body.data.viewer;
    expect(viewer).toEqual({
      is_organizer: false,
      participation: 'confirmed',
      can_join: false,
      offer: null,
      waitlist_position: null,
    });
    expect(code).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/);
    expect((await petr.api.get(`/discover/events/${event.id}`)).body.data.viewer.check_in_code).toBe(code);
    expect((await eva.api.get(`/discover/events/${event.id}`)).body.data.viewer).not.toHaveProperty('check_in_code');

    const first = await checkIn(event, code.toLowerCase().replaceAll('-', ' '));
    expect(first).toEqual({
      data: expect.objectContaining({
        user: expect.objectContaining({ slug: petr.slug }),
        checked_in_at: expect.any(String),
      }),
      meta: { already_checked_in: false },
    });
    server.clock.forward(60_000);
    expect(await checkIn(event, code)).toEqual({ data: first.data, meta: { already_checked_in: true } });
    expect((await jana.api.put(`/events/${event.id}/participants/${petr.slug}/check-in`)).body).toEqual({
      data: first.data,
      meta: { already_checked_in: true },
    });

    const at = `/events/${event.id}/participants/${petr.slug}/check-in`;
    for (let times = 0; times < 2; times++) {
      const undone = await jana.api.delete(at);
      expect([undone.status, undone.body.data.checked_in_at]).toEqual([200, null]);
    }
  });

  // JOIN-36, JOIN-37, WIRE-57
  it('answers 404 for an unknown code, the code of another event and the code of a person who left, and 422 without a code', async () => {
    const event = await buildEvent(server, jana);
    const { check_in_code } = (await petr.api.post(`/events/${event.id}/join`)).body.data.viewer;
    const other = await buildEvent(server, jana);
    for (const code of ['Příliš žluťoučký kůň', `https://example.org/?${'q'.repeat(300)}`])
      expect(await checkIn(event, code)).toBe('404 not_found');
    expect([
      await checkIn(event, 'AAAA-BBBB'),
      await checkIn(other, check_in_code),
      await checkIn(event, undefined),
    ]).toEqual(['404 not_found', '404 not_found', '422 validation_failed']);
    await petr.api.delete(`/events/${event.id}/join`);
    expect(await checkIn(event, check_in_code)).toBe('404 not_found');
  });

  // JOIN-33
  it('works after the end of an event, but not for a cancelled event', async () => {
    const past = await buildEvent(server, jana, { starts_at: inDays(-1), with: [[petr, 'confirmed']] });
    expect((await jana.api.put(`/events/${past.id}/participants/${petr.slug}/check-in`)).status).toBe(200);
    const cancelled = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    await jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
    expect((await jana.api.put(`/events/${cancelled.id}/participants/${petr.slug}/check-in`)).body.code).toBe(
      'conflict',
    );
    const [{ check_in_code }] = (await server.sql(
      'SELECT check_in_code FROM participations WHERE event_id = $1 AND user_id = $2',
      [cancelled.eventId, petr.userId],
    )) as [{ check_in_code: string }];
    expect((await jana.api.post(`/events/${cancelled.id}/check-in`, { code: check_in_code })).body.code).toBe(
      'conflict',
    );
    // If the event is cancelled and the ticket has no participant, the cancellation is reported.
    const ticketed = await buildEvent(server, jana, { join_mode: 'tickets' });
    const [ticket] = await codesOf(ticketed, 1);
    expect(await checkIn(ticketed, ticket)).toBe('409 not_participant');
    await jana.api.patch(`/events/${ticketed.id}`, { status: 'cancelled' });
    expect(await checkIn(ticketed, ticket)).toBe('409 conflict');
    expect(await checkIn(ticketed, 'NENI-TAKO-VYKO')).toBe('404 not_found');
  });

  // JOIN-15, JOIN-37, JOIN-39, JOIN-38
  it('accepts the code of a ticket only after a person has joined with the ticket, which then belongs to this person permanently', async () => {
    const event = await buildEvent(server, jana, { join_mode: 'tickets' });
    const [code = '', spare = ''] = await codesOf(event, 2);
    for (const body of [undefined, {}, { ticket_code: '' }, { ticket_code: 'NENI-TAKO-VYKO' }, { password: code }]) {
      expect((await petr.api.post(`/events/${event.id}/join`, body)).body.code).toBe('invalid_ticket_code');
    }
    expect(await checkIn(event, code)).toBe('409 not_participant');
    expect(
      (await petr.api.post(`/events/${event.id}/join`, { ticket_code: code.toLowerCase() })).body.data.viewer
        .participation,
    ).toBe('confirmed');
    expect((await eva.api.post(`/events/${event.id}/join`, { ticket_code: code })).body.code).toBe(
      'invalid_ticket_code',
    );
    const { body } = await jana.api.get(`/events/${event.id}/tickets`);
    expect(body.data).toEqual([
      {
        code,
        used: true,
        used_by: { name: petr.name, nickname: null, slug: petr.slug, avatar_url: null },
        used_at: expect.any(String),
        created_at: expect.any(String),
      },
      { code: spare, used: false, used_by: null, used_at: null, created_at: expect.any(String) },
    ]);
    expect((await checkIn(event, code)).data).toMatchObject({ ticket_code: code, user: { slug: petr.slug } });

    await petr.api.delete(`/events/${event.id}/join`);
    expect((await petr.api.post(`/events/${event.id}/join`, { ticket_code: code })).body.code).toBe(
      'invalid_ticket_code',
    );
    expect(await checkIn(event, code)).toBe('409 not_participant');
    // JOIN-25: a person who accepts an invitation has no ticket.
    const invited = await jana.api.post(`/events/${event.id}/participants`, { user: petr.slug });
    expect(invited.body.data).toMatchObject({ status: 'pending', ticket_code: null });
    expect((await petr.api.post(`/events/${event.id}/join`, { ticket_code: spare })).status).toBe(200);
    expect((await jana.api.get(`/events/${event.id}/participants`)).body.data).toMatchObject([{ ticket_code: null }]);
    for (const ticket of [code, spare]) expect(await checkIn(event, ticket)).toBe('409 not_participant');
  });

  describe('tickets of an event', () => {
    // JOIN-15, JOIN-38, JOIN-42
    it('are refused at every other event like unknown codes', async () => {
      const [event, other] = [
        await buildEvent(server, jana, { join_mode: 'tickets' }),
        await buildEvent(server, jana, { join_mode: 'tickets' }),
      ];
      const [used = '', unused = ''] = await codesOf(other, 2);
      expect((await petr.api.post(`/events/${other.id}/join`, { ticket_code: used })).status).toBe(200);
      expect((await eva.api.post(`/events/${event.id}/join`, { ticket_code: unused })).body.code).toBe(
        'invalid_ticket_code',
      );
      for (const code of [used, unused]) {
        expect(await checkIn(event, code)).toBe('404 not_found');
        const scan = { code, scanned_at: server.clock.now().toISOString() };
        const { body } = await jana.api.post(`/events/${event.id}/door/scans`, { device: 'brána', scans: [scan] });
        expect(body.data).toEqual([{ result: 'not_found', user: null, checked_in_at: null }]);
        expect((await jana.api.delete(`/events/${event.id}/tickets/${code}`)).status).toBe(404);
      }
    });

    // JOIN-18, JOIN-15
    it('are not used up when an invited person joins or when joining is refused', async () => {
      const event = await buildEvent(server, jana, {
        join_mode: 'tickets',
        max_participants: 2,
        with: [[eva, 'pending']],
      });
      const [code] = await codesOf(event, 1);
      expect((await eva.api.post(`/events/${event.id}/join`, { ticket_code: code })).status).toBe(200);
      expect((await petr.api.post(`/events/${event.id}/join`, { ticket_code: code })).body.code).toBe('event_full');
      expect((await jana.api.get(`/events/${event.id}/tickets`)).body.data[0].used).toBe(false);
    });

    // JOIN-40, JOIN-41
    it('are limited to max_participants, and always to 500', async () => {
      // A confirmed person without a ticket does not reduce the number of possible tickets.
      const small = await buildEvent(server, jana, {
        join_mode: 'tickets',
        max_participants: 5,
        with: [[petr, 'confirmed']],
      });
      expect([(await codesOf(small, 3)).length, (await codesOf(small, 3)).length]).toEqual([3, 2]);
      expect((await jana.api.post(`/events/${small.id}/tickets`, { count: 1 })).body.code).toBe('ticket_limit_reached');
      const large = await buildEvent(server, jana, { join_mode: 'tickets' });
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => jana.api.post(`/events/${large.id}/tickets`, { count: 11 })),
      );
      expect(answers.filter(({ status }) => status === 201).reduce((sum, { body }) => sum + body.data.length, 0)).toBe(
        500,
      );
      expect((await jana.api.get(`/events/${large.id}/tickets`)).body.meta.total).toBe(500);
      for (const count of [0, 101, 1.5, '3', undefined])
        expect((await jana.api.post(`/events/${large.id}/tickets`, { count })).status).toBe(422);
      const open = await buildEvent(server, jana);
      expect((await jana.api.post(`/events/${open.id}/tickets`, { count: 1 })).body.code).toBe('conflict');
    });

    // JOIN-40
    it('can be replaced after their holders have left, but at most max_participants tickets are valid at the same time', async () => {
      const event = await buildEvent(server, jana, { join_mode: 'tickets', max_participants: 3, with: [] });
      const createTickets = async (count: number) => {
        const { status, body } = await jana.api.post(`/events/${event.id}/tickets`, { count });
        return status === 201 ? body.data.length : `${status} ${body.code}`;
      };
      const codes = await codesOf(event, 3);
      const join = (who: Person, ticket_code?: string) => who.api.post(`/events/${event.id}/join`, { ticket_code });
      expect([(await join(petr, codes[0])).status, (await join(eva, codes[1])).status]).toEqual([200, 200]);
      expect(await createTickets(1)).toBe('409 ticket_limit_reached');
      await petr.api.delete(`/events/${event.id}/join`);
      expect([await createTickets(2), await createTickets(1)]).toEqual([1, '409 ticket_limit_reached']);
      await eva.api.delete(`/events/${event.id}/join`);
      await jana.api.delete(`/events/${event.id}/tickets/${codes[2]}`);
      expect([await createTickets(100), await createTickets(1)]).toEqual([2, '409 ticket_limit_reached']);
      const { body } = await jana.api.get(`/events/${event.id}/tickets`);
      expect(body.data.map(({ used }: { used: boolean }) => used)).toEqual([true, true, false, false, false]);
    });

    // JOIN-40
    it('are never more than 500 for an event, even after their holders have left', async () => {
      const event = await buildEvent(server, jana, { join_mode: 'tickets', max_participants: 600 });
      await server.sql(
        `INSERT INTO tickets (event_id, code, used_by, used_at, created_at)
      SELECT $1, 'USED-' || i, $2, now(), now() FROM generate_series(1, 499) i`,
        [event.eventId, petr.userId],
      );
      expect((await codesOf(event, 100)).length).toBe(1);
      expect((await jana.api.post(`/events/${event.id}/tickets`, { count: 1 })).body.code).toBe('ticket_limit_reached');
    });

    // JOIN-42
    it('can be deleted only while they are unused', async () => {
      const event = await buildEvent(server, jana, { join_mode: 'tickets' });
      const [used = '', unused = ''] = await codesOf(event, 2);
      await petr.api.post(`/events/${event.id}/join`, { ticket_code: used });
      const answers = [
        await jana.api.delete(`/events/${event.id}/tickets/${unused.toLowerCase()}`),
        await jana.api.delete(`/events/${event.id}/tickets/${unused}`),
        await jana.api.delete(`/events/${event.id}/tickets/${used}`),
      ];
      expect(answers.map(({ status, body }) => `${status} ${body?.code}`)).toEqual([
        '204 undefined',
        '404 not_found',
        '409 ticket_used',
      ]);
    });
  });
});
