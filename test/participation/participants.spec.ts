import { Eraser } from '#areas/own-data/erasure/eraser';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

/** Tests how the organizer manages participants (docs/rules/joining.md). */
describe('participants', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  beforeAll(async () => (server = await TestServer.start()));
  beforeEach(async () => ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva')));
  afterAll(() => server.stop());

  const invite = async ({ id }: BuiltEvent, user: unknown) => {
    const { status, body } = await jana.api.post(`/events/${id}/participants`, { user });
    return status === 201 ? body.data.status : `${status} ${body.code}`;
  };

  // JOIN-23
  it('are seen and managed only by the organizer: 403 for other people who see the event, 404 for people who do not see it', async () => {
    const publicEvent = await buildEvent(server, jana, { join_mode: 'tickets' });
    const privateEvent = await buildEvent(server, jana, { is_public: false });
    for (const [{ id }, status, code] of [
      [publicEvent, 403, 'forbidden'],
      [privateEvent, 404, 'not_found'],
    ] as const) {
      const answers = await Promise.all([
        petr.api.get(`/events/${id}/participants?status=nonsense`),
        petr.api.post(`/events/${id}/participants`, {}),
        petr.api.delete(`/events/${id}/participants/${eva.slug}?ban=nonsense`),
        petr.api.post(`/events/${id}/participants/${eva.slug}/promote`),
        petr.api.put(`/events/${id}/participants/${eva.slug}/check-in`),
        petr.api.delete(`/events/${id}/participants/${eva.slug}/check-in`),
        petr.api.post(`/events/${id}/check-in`, {}),
        petr.api.get(`/events/${id}/tickets?page=0`),
        petr.api.post(`/events/${id}/tickets`, {}),
        petr.api.delete(`/events/${id}/tickets/ABCD`),
      ]);
      for (const answer of answers) expect([answer.status, answer.body.code]).toEqual([status, code]);
    }
  });

  // JOIN-24, JOIN-25
  it('are listed by status, in pages, the oldest relation first', async () => {
    const event = await buildEvent(server, jana, {
      with: [
        [petr, 'confirmed'],
        [eva, 'pending'],
      ],
    });
    const { body } = await jana.api.get(`/events/${event.id}/participants?status=confirmed`);
    expect(body.data).toEqual([
      {
        user: { name: petr.name, nickname: null, slug: petr.slug, avatar_url: null },
        status: 'confirmed',
        checked_in_at: null,
        joined_at: expect.stringMatching(/Z$/),
        invited_at: null,
        requested_at: null,
        ticket_code: null,
        offer_expires_at: null,
        checked_in_by: null,
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(body.meta.total).toBe(1);
    expect((await jana.api.get(`/events/${event.id}/participants?per_page=1&page=2`)).body).toMatchObject({
      meta: { total: 2, last_page: 2 },
      data: [{ status: 'pending' }],
    });
    expect((await jana.api.get(`/events/${event.id}/participants?status=nonsense`)).status).toBe(422);
    // The oldest relation comes first, not the oldest account.
    const other = await buildEvent(server, jana);
    expect(await invite(other, eva.slug)).toBe('pending');
    server.clock.forward(1000);
    expect(await invite(other, petr.slug)).toBe('pending');
    server.clock.reset();
    const listed = await jana.api.get(`/events/${other.id}/participants?status=pending`);
    expect(listed.body.data.map(({ user }: { user: { slug: string } }) => user.slug)).toEqual([eva.slug, petr.slug]);
  });

  // JOIN-27
  it('cannot be invited if they are unknown, unsearchable or banned, are the organizer, or block the organizer', async () => {
    const event = await buildEvent(server, jana);
    const hidden = await server.person('hidden', { searchable: false });
    const shy = await server.person('shy');
    await server.sql('INSERT INTO user_blocks VALUES ($1, $2)', [shy.userId, jana.userId]);
    const banned = await server.person('banned', { banned: true });
    const formerlyBanned = await server.person('unbanned');
    await server.sql(`UPDATE users SET banned = true, banned_until = now() - interval '1 minute' WHERE id = $1`, [
      formerlyBanned.userId,
    ]);
    for (const slug of ['nobody-at-all', hidden.slug, jana.slug, shy.slug, banned.slug, 'x'.repeat(300)])
      expect(await invite(event, slug)).toBe('422 user_not_invitable');
    expect(await invite(event, undefined)).toBe('422 validation_failed');
    expect(await invite(event, 7)).toBe('422 validation_failed');
    expect([await invite(event, petr.slug), await invite(event, formerlyBanned.slug)]).toEqual(['pending', 'pending']);
  });

  // JOIN-28
  it('can be invited only while the event has fewer than 100 open invitations, even if 50 invitations are sent in parallel', async () => {
    const event = await buildEvent(server, jana);
    await server.sql(
      `WITH crowd AS (
         INSERT INTO users (slug, name, created_at, updated_at)
         SELECT 'many-' || i, 'Dav', now(), now() FROM generate_series(1, 149) i RETURNING id, slug
       )
       INSERT INTO participations (event_id, user_id, status, invited_at, created_at, updated_at)
       SELECT $1, id, 'pending', now(), now(), now() FROM crowd WHERE split_part(slug, '-', 2)::int < 100`,
      [event.eventId],
    );
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => invite(event, `many-${100 + i}`)));
    expect(answers.filter((answer) => answer === 'pending')).toHaveLength(1);
    expect(answers.filter((answer) => answer === '409 invite_limit_reached')).toHaveLength(49);
    // JOIN-27: the limit is checked last.
    expect(await invite(event, 'many-1')).toBe('409 already_invited');
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    expect(await invite(event, petr.slug)).toBe('409 conflict');
  });

  // JOIN-27, JOIN-29, JOIN-9
  it('cannot be invited or promoted after the event was cancelled or has ended, but can be removed', async () => {
    const past = await buildEvent(server, jana, { starts_at: inDays(-1), with: [[eva, 'waitlisted']] });
    const cancelled = await buildEvent(server, jana, { with: [[eva, 'waitlisted']] });
    await jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
    for (const event of [past, cancelled]) {
      expect(await invite(event, petr.slug)).toBe('409 conflict');
      // The person's existing status is checked before the status of the event.
      expect(await invite(event, eva.slug)).toBe('409 already_waitlisted');
      const promoted = await jana.api.post(`/events/${event.id}/participants/${eva.slug}/promote`);
      expect([promoted.status, promoted.body.code]).toEqual([409, 'conflict']);
      expect((await jana.api.delete(`/events/${event.id}/participants/${eva.slug}`)).status).toBe(204);
    }
  });

  // JOIN-7
  it('can be invited to and removed from an event with a price in credits, but not promoted', async () => {
    const event = await buildEvent(server, jana, { editorial: { ticketPriceCredits: 5 }, with: [[eva, 'waitlisted']] });
    expect(await invite(event, petr.slug)).toBe('pending');
    // JOIN-29: the price is checked before the status of the person.
    for (const { slug } of [eva, petr, jana])
      expect((await jana.api.post(`/events/${event.id}/participants/${slug}/promote`)).body.code).toBe(
        'paid_ticket_unsupported',
      );
    expect((await jana.api.delete(`/events/${event.id}/participants/${eva.slug}`)).status).toBe(204);
  });

  // WIRE-3, JOIN-37
  it('are not found with an invalid slug or code (404)', async () => {
    const event = await buildEvent(server, jana);
    for (const invalid of ['a%00b', '%20', '%F0%9F%98%80', 'x'.repeat(300)]) {
      const at = `/events/${event.id}/participants/${invalid}`;
      const answers = [
        await jana.api.delete(at),
        await jana.api.post(`${at}/promote`),
        await jana.api.put(`${at}/check-in`),
        await jana.api.delete(`${at}/check-in`),
        await jana.api.delete(`/events/${event.id}/tickets/${invalid}`),
      ];
      for (const answer of answers)
        expect([invalid, answer.status, answer.body.code]).toEqual([invalid, 404, 'not_found']);
    }
  });

  // JOIN-31, DATA-10
  it('are not found with the pseudonym of a deleted account, except at an event at which the person took part', async () => {
    const past = await buildEvent(server, jana, { starts_at: inDays(-3), with: [[petr, 'confirmed']] });
    const other = await buildEvent(server, jana);
    await server.app.get(Eraser).erase(petr.userId);
    const listed = async ({ id }: BuiltEvent) => (await jana.api.get(`/events/${id}/participants`)).body.data;
    const pseudonym = (await listed(past))[0].user.slug as string;
    const ban = ({ id }: BuiltEvent) => jana.api.delete(`/events/${id}/participants/${pseudonym}?ban=1`);
    expect([(await ban(other)).status, await listed(other)]).toEqual([404, []]);
    expect([(await ban(past)).status, (await listed(past))[0].status]).toEqual([204, 'banned']);
  });

  // JOIN-30, JOIN-31
  it('are not found with an unknown slug (404); an invalid value of `ban` gets 422, and a ban of the organizer gets `conflict`', async () => {
    const event = await buildEvent(server, jana);
    const at = `/events/${event.id}/participants/nobody-at-all`;
    const answers = [
      await jana.api.delete(at),
      await jana.api.delete(`${at}?ban=1`),
      await jana.api.post(`${at}/promote`),
      await jana.api.put(`${at}/check-in`),
      await jana.api.delete(`${at}/check-in`),
    ];
    for (const answer of answers) expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expect((await jana.api.delete(`/events/${event.id}/participants/${petr.slug}?ban=maybe`)).status).toBe(422);
    expect((await jana.api.delete(`/events/${event.id}/participants/${jana.slug}?ban=1`)).body.code).toBe('conflict');
  });
});
