import { buildEvent } from '#testing/builders';
import { changeWhileWaiting, untilWaitingForLock } from '#testing/held-lock';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

const MINUTE_MS = 60_000;

/** Tests docs/rules/joining.md: joining, leaving and the waitlist. table.spec.ts tests the table of all statuses. */
describe('joining', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  beforeAll(async () => (server = await TestServer.start()));
  beforeEach(async () => {
    server.clock.reset();
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
  });
  afterAll(() => server.stop());

  const join = async (who: Person, id: string, body?: object) => {
    const answer = await who.api.post(`/events/${id}/join`, body as Record<string, unknown>);
    return answer.status === 200 ? answer.body.data.viewer.participation : `${answer.status} ${answer.body.code}`;
  };
  const waitlist = async (who: Person, id: string) => {
    const answer = await who.api.post(`/events/${id}/waitlist`);
    return answer.status === 200 ? answer.body.data.viewer.participation : `${answer.status} ${answer.body.code}`;
  };

  // JOIN-2
  it('answers 404 for an event that does not exist', async () => {
    for (const id of ['999999999', 'neniTakova', 'x']) {
      expect(await join(petr, id)).toBe('404 not_found');
      expect(await waitlist(petr, id)).toBe('404 not_found');
      expect((await petr.api.delete(`/events/${id}/join`)).status).toBe(404);
    }
  });

  // JOIN-6
  it('refuses the organizer of the event, who cannot leave the event either', async () => {
    const event = await buildEvent(server, jana, { is_public: false, max_participants: 2, with: [[eva, 'confirmed']] });
    expect(await join(jana, event.id)).toBe('409 cannot_join');
    expect(await waitlist(jana, event.id)).toBe('409 cannot_join');
    const leave = await jana.api.delete(`/events/${event.id}/join`);
    expect([leave.status, leave.body.code]).toEqual([409, 'not_participant']);
  });

  // JOIN-10
  it('refuses people whom the organizer blocks', async () => {
    const event = await buildEvent(server, jana, { max_participants: 2, with: [[eva, 'confirmed']] });
    await server.sql('INSERT INTO user_blocks VALUES ($1, $2)', [jana.userId, petr.userId]);
    expect(await join(petr, event.id)).toBe('409 cannot_join');
    expect(await waitlist(petr, event.id)).toBe('409 cannot_join');
  });

  // JOIN-5
  it('refuses people who have no relation to a private event, always with the same response', async () => {
    const closed = { is_public: false };
    const events = await Promise.all([
      buildEvent(server, jana, closed),
      buildEvent(server, jana, { ...closed, max_participants: 2, with: [[eva, 'confirmed']] }),
      buildEvent(server, jana, { ...closed, join_mode: 'password', join_password: 'jablko' }),
      buildEvent(server, jana, { ...closed, starts_at: inDays(-3) }),
      buildEvent(server, jana, { ...closed, editorial: { ticketPriceCredits: 5 } }),
    ]);
    const answers = await Promise.all(
      events.flatMap(({ id }) => [
        petr.api.post(`/events/${id}/join`, { password: 'x' }),
        petr.api.post(`/events/${id}/waitlist`),
      ]),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 409, body: { code: 'cannot_join' } });
    const leave = await petr.api.delete(`/events/${events[0]?.id}/join`);
    expect([leave.status, leave.text]).toEqual([404, (await petr.api.delete('/events/999999999/join')).text]);
  });

  // JOIN-3, JOIN-4
  it('refuses banned and declined people with the code of their status, even in a private event', async () => {
    const event = await buildEvent(server, jana, {
      is_public: false,
      with: [
        [petr, 'banned'],
        [eva, 'declined'],
      ],
    });
    expect([
      await join(petr, event.id),
      await waitlist(petr, event.id),
      await join(eva, event.id),
      await waitlist(eva, event.id),
    ]).toEqual(['403 banned', '403 banned', '403 request_declined', '403 request_declined']);
    const leave = async ({ api }: Person) => (await api.delete(`/events/${event.id}/join`)).body.code;
    expect([await leave(petr), await leave(eva)]).toEqual(['banned', 'not_participant']);
  });

  // JOIN-9, EVT-16
  it('is refused for cancelled and past events, but participants can still leave', async () => {
    const past = await buildEvent(server, jana, { starts_at: inDays(-1), with: [[eva, 'confirmed']] });
    const cancelled = await buildEvent(server, jana, { with: [[eva, 'confirmed']] });
    await jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
    for (const { id } of [past, cancelled]) {
      expect(await join(petr, id)).toBe('409 cannot_join');
      expect(await waitlist(petr, id)).toBe('409 cannot_join');
      expect((await eva.api.delete(`/events/${id}/join`)).status).toBe(204);
    }
  });

  // JOIN-2
  it('checks the status of the person and the price of the event first, then whether the event is cancelled, and then the password', async () => {
    const expected = {
      confirmed: '409 already_participant',
      waitlisted: '409 already_waitlisted',
      requested: '409 already_requested',
      declined: '403 request_declined',
      banned: '403 banned',
      pending: '409 cannot_join',
    } as const;
    for (const [state, answer] of Object.entries(expected)) {
      const event = await buildEvent(server, jana, {
        join_mode: 'password',
        join_password: 'jablko',
        with: [[petr, state as keyof typeof expected]],
      });
      await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
      expect([state, await join(petr, event.id)]).toEqual([state, answer]);
    }
    const [withPassword, withPrice] = [
      await buildEvent(server, jana, { join_mode: 'password', join_password: 'jablko' }),
      await buildEvent(server, jana, { editorial: { ticketPriceCredits: 5 } }),
    ];
    for (const { id } of [withPassword, withPrice]) await jana.api.patch(`/events/${id}`, { status: 'cancelled' });
    expect([await join(petr, withPassword.id), await join(petr, withPrice.id)]).toEqual([
      '409 cannot_join',
      '422 paid_ticket_unsupported',
    ]);
  });

  // JOIN-11, JOIN-18
  it('checks the gender, and the age on the day of the start in Prague, also for invited people', async () => {
    server.clock.moveTo('2031-01-10T12:00:00Z');
    const start = new Date('2031-06-15T22:30:00Z'); // This time is on 16 June in Prague.
    const adult = await server.person('adam', { birth_date: '2013-06-16', gender: 'male' });
    const child = await server.person('bara', { birth_date: '2013-06-17', gender: 'female' });
    const event = await buildEvent(server, jana, { starts_at: start, age_min: 18, with: [[child, 'pending']] });
    expect([await join(adult, event.id), await join(child, event.id), await join(petr, event.id)]).toEqual([
      'confirmed',
      '409 cannot_join',
      '409 cannot_join',
    ]);
    const women = await buildEvent(server, jana, {
      starts_at: start,
      gender_restriction: 'female',
      max_participants: 2,
      with: [[eva, 'confirmed']],
    });
    expect([await waitlist(adult, women.id), await waitlist(child, women.id)]).toEqual([
      '409 cannot_join',
      'waitlisted',
    ]);
  });

  // JOIN-7
  it('is refused for an event with a price in credits, also for invited people and for the waitlist', async () => {
    const { adam, bara } = await server.people('adam', 'bara');
    const event = await buildEvent(server, jana, {
      max_participants: 3,
      editorial: { ticketPriceCredits: 50 },
      with: [
        [eva, 'pending'],
        [adam, 'confirmed'],
        [bara, 'waitlisted'],
      ],
    });
    // JOIN-2: the price is checked before the existing relation and before the free seats.
    for (const who of [petr, eva, adam, bara])
      expect([await join(who, event.id), await waitlist(who, event.id)]).toEqual(
        Array(2).fill('422 paid_ticket_unsupported'),
      );
  });

  // JOIN-2
  it('validates the body after the event was found, and before the free seats are checked', async () => {
    const event = await buildEvent(server, jana, { max_participants: 2, with: [[eva, 'confirmed']] });
    expect(await join(petr, event.id, { password: 7 })).toBe('422 validation_failed');
    expect(await join(petr, '999999999', { password: 7 })).toBe('404 not_found');
  });

  describe('with a password', () => {
    // JOIN-1, JOIN-13, JOIN-18
    it('admits people with the password, and invited people without a password', async () => {
      const event = await buildEvent(server, jana, {
        join_mode: 'password',
        join_password: 'Žlutý kůň',
        with: [[eva, 'pending']],
      });
      for (const body of [
        undefined,
        {},
        { password: null },
        { password: '' },
        { password: 'žlutý kůň' },
        { password: 'x'.repeat(300) },
        { ticket_code: 'Žlutý kůň' },
      ]) {
        expect(await join(petr, event.id, body)).toBe('422 wrong_password');
      }
      // The accents are separate characters, as some programs write them.
      const decomposed = ' Žlutý kůň '.normalize('NFD');
      expect([await join(petr, event.id, { password: decomposed }), await join(eva, event.id)]).toEqual([
        'confirmed',
        'confirmed',
      ]);
    });

    // JOIN-14
    it('allows at most ten wrong passwords in a quarter of an hour, even with 50 parallel attempts', async () => {
      const event = await buildEvent(server, jana, { join_mode: 'password', join_password: 'jablko' });
      const guesses = await Promise.all(
        Array.from({ length: 50 }, (_, i) => join(petr, event.id, { password: `hruška ${i}` })),
      );
      expect(guesses.filter((answer) => answer === '422 wrong_password')).toHaveLength(10);
      expect(guesses.filter((answer) => answer === '429 too_many_requests')).toHaveLength(40);
      const right = await petr.api.post(`/events/${event.id}/join`, { password: 'jablko' });
      expect([right.status, right.body.code]).toEqual([429, 'too_many_requests']);
      expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
      expect(await join(eva, event.id, { password: 'jablko' })).toBe('confirmed');
      server.clock.forward(15 * MINUTE_MS);
      expect(await join(petr, event.id, { password: 'jablko' })).toBe('confirmed');
    });

    // JOIN-14, LIM-5
    it('refuses the correct password if a parallel request with the tenth wrong password is processed first', async () => {
      const event = await buildEvent(server, jana, { join_mode: 'password', join_password: 'jablko' });
      for (let i = 0; i < 9; i++) await join(petr, event.id, { password: 'x' });
      await server.sql('BEGIN');
      await server.sql('SELECT 1 FROM wrong_passwords WHERE event_id = $1 FOR UPDATE', [event.eventId]);
      const wrong = join(petr, event.id, { password: 'y' });
      await untilWaitingForLock(server, 1);
      const right = join(petr, event.id, { password: 'jablko' });
      await Promise.race([right, untilWaitingForLock(server, 2)]);
      await server.sql('COMMIT');
      expect(await Promise.all([wrong, right])).toEqual(['422 wrong_password', '429 too_many_requests']);
    });

    // JOIN-13, JOIN-58, OPS-78
    it('needs no second database connection to check the password, even if the request also ends a lapsed offer, has an idempotency key or is a dry run', async () => {
      const { zora, adam } = await server.people('zora', 'adam');
      const event = await buildEvent(server, jana, {
        join_mode: 'password',
        join_password: 'jablko',
        max_participants: 2,
        waitlist_mode: 'offer',
        offer_hours: 1,
        with: [
          [zora, 'confirmed'],
          [adam, 'waitlisted'],
        ],
      });
      await zora.api.delete(`/events/${event.id}/join`);
      server.clock.forward(2 * 60 * MINUTE_MS);
      const attempt = async (password: string, headers: Record<string, string>) => {
        const { status, body } = await petr.api.send('POST', `/events/${event.id}/join`, {
          json: { password },
          headers,
        });
        return body.code ?? `${status} ${body.data.viewer.participation}`;
      };
      expect(await attempt('jablko', { prefer: 'dry-run' })).toBe('200 confirmed');
      expect(await attempt('hruška', { 'idempotency-key': 'a' })).toBe('wrong_password');
      expect(await attempt('jablko', { 'idempotency-key': 'b' })).toBe('200 confirmed');
      expect(await join(adam, event.id, { password: 'jablko' })).toBe('409 event_full');
    });

    // JOIN-14
    it('counts the wrong passwords of the last 15 minutes, separately for each event', async () => {
      const event = await buildEvent(server, jana, { join_mode: 'password', join_password: 'jablko' });
      // Missing passwords do not count.
      for (let i = 0; i < 11; i++) expect(await join(petr, event.id)).toBe('422 wrong_password');
      expect(await join(petr, event.id, { password: 'x' })).toBe('422 wrong_password');
      server.clock.forward(14 * MINUTE_MS);
      for (let i = 0; i < 9; i++) expect(await join(petr, event.id, { password: 'x' })).toBe('422 wrong_password');
      expect(await join(petr, event.id, { password: 'x' })).toBe('429 too_many_requests');
      expect(await join(petr, event.id)).toBe('429 too_many_requests');
      // Attempts at one event do not count at another event.
      const other = await buildEvent(server, jana, { join_mode: 'password', join_password: 'jablko' });
      expect(await join(petr, other.id, { password: 'jablko' })).toBe('confirmed');
      server.clock.forward(2 * MINUTE_MS);
      expect(await join(petr, event.id, { password: 'x' })).toBe('422 wrong_password');
      expect(await join(petr, event.id, { password: 'x' })).toBe('429 too_many_requests');
    });
  });

  describe('by request', () => {
    // JOIN-66, DISC-4
    it('allows 100 open requests for an event and 20 open requests of a person', async () => {
      const crowd = await server.sql<{ id: string }>(
        `INSERT INTO users (slug, name, created_at, updated_at)
         SELECT 'crowd-' || gen_random_uuid(), 'Dav', now(), now() FROM generate_series(1, 100) RETURNING id`,
      );
      const event = await buildEvent(server, jana, { join_mode: 'request' });
      await server.sql(
        `INSERT INTO participations (event_id, user_id, status, created_at, updated_at)
         SELECT $1, unnest($2::bigint[]), 'requested', now(), now()`,
        [event.eventId, crowd.slice(1).map(({ id }) => id)],
      );
      expect(await join(eva, event.id)).toBe('requested');
      expect(await join(petr, event.id)).toBe('409 request_limit_reached');
      expect((await petr.api.get(`/discover/events/${event.id}`)).body.data.viewer.can_join).toBe(false);
      // JOIN-18: an invited person joins without a request.
      expect((await jana.api.post(`/events/${event.id}/participants`, { user: petr.slug })).status).toBe(201);
      expect(await join(petr, event.id)).toBe('confirmed');

      const others = await Promise.all(
        Array.from({ length: 22 }, () => buildEvent(server, jana, { join_mode: 'request' })),
      );
      for (const { id } of others.slice(0, 20)) expect(await join(petr, id)).toBe('requested');
      expect(await join(petr, others[20]?.id ?? '')).toBe('409 request_limit_reached');
      expect((await petr.api.get(`/discover/events/${others[20]?.id}`)).body.data.viewer.can_join).toBe(false);
      // JOIN-2: a full event is reported before the limit of requests.
      const full = await buildEvent(server, jana, {
        join_mode: 'request',
        max_participants: 2,
        with: [[eva, 'confirmed']],
      });
      expect(await join(petr, full.id)).toBe('409 event_full');
      await petr.api.delete(`/events/${others[0]?.id}/join`);
      expect(await join(petr, others[20]?.id ?? '')).toBe('requested');
      expect(await join(petr, others[21]?.id ?? '')).toBe('409 request_limit_reached');
      // The organizer cannot answer requests for past and cancelled events, so these requests do not count.
      const usage = async () =>
        ((await petr.api.get('/limits')).body.data as { name: string; used: number }[]).find(
          ({ name }) => name === 'join_requests',
        )?.used;
      expect(await usage()).toBe(20);
      await server.sql(
        `UPDATE all_events SET starts_at = now() - interval '2 days', ends_at = now() - interval '1 day' WHERE id = $1`,
        [others[1]?.eventId],
      );
      expect(await usage()).toBe(19);
      await jana.api.patch(`/events/${others[2]?.id}`, { status: 'cancelled' });
      expect(await usage()).toBe(18);
      expect((await petr.api.get(`/discover/events/${others[21]?.id}`)).body.data.viewer.can_join).toBe(true);
      expect(await join(petr, others[21]?.id ?? '')).toBe('requested');
    });

    // JOIN-16, JOIN-19, JOIN-21
    it('changes the status with each action of the person and of the organizer', async () => {
      const event = await buildEvent(server, jana, { join_mode: 'request' });
      const remove = (query = '') => jana.api.delete(`/events/${event.id}/participants/${petr.slug}${query}`);
      expect(await join(petr, event.id)).toBe('requested');
      expect((await remove()).status).toBe(204);
      expect(await join(petr, event.id)).toBe('403 request_declined');
      expect((await remove()).status).toBe(204);
      expect(await join(petr, event.id)).toBe('requested');
      expect((await jana.api.post(`/events/${event.id}/participants/${petr.slug}/promote`)).body.data).toMatchObject({
        status: 'confirmed',
        joined_at: expect.any(String),
        requested_at: expect.any(String),
        invited_at: null,
      });
      expect((await petr.api.delete(`/events/${event.id}/join`)).status).toBe(204);
      expect((await jana.api.post(`/events/${event.id}/participants`, { user: petr.slug })).status).toBe(201);
      expect(await join(petr, event.id)).toBe('confirmed');
      expect((await remove('?ban=1')).status).toBe(204);
      expect(await join(petr, event.id)).toBe('403 banned');
    });
  });

  // JOIN-13, JOIN-44
  it('requires the password if the join mode changes to password while the request to join waits for the lock of the event', async () => {
    const { id, eventId } = await buildEvent(server, jana, { join_mode: 'request' });
    const answer = await changeWhileWaiting(
      server,
      ['all_events', eventId],
      () => join(petr, id),
      () =>
        server.sql(`UPDATE all_events SET join_mode = 'password', join_password_sealed = 'x' WHERE id = $1`, [eventId]),
    );
    expect(answer).toBe('422 wrong_password');
    expect(await server.sql('SELECT 1 FROM participations WHERE event_id = $1', [eventId])).toEqual([]);
  });

  // JOIN-13, JOIN-44
  it('is refused if the password changes while the request to join waits for the lock of the event', async () => {
    const [event, other] = [
      await buildEvent(server, jana, { join_mode: 'password', join_password: 'jablko' }),
      await buildEvent(server, jana, { join_mode: 'password', join_password: 'hruška' }),
    ];
    const { status, headers } = await changeWhileWaiting(
      server,
      ['all_events', event.eventId],
      () => petr.api.post(`/events/${event.id}/join`, { password: 'jablko' }),
      () =>
        server.sql(
          `UPDATE all_events SET join_password_sealed = (SELECT join_password_sealed FROM all_events WHERE id = $2)
            WHERE id = $1`,
          [event.eventId, other.eventId],
        ),
    );
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(await join(petr, event.id, { password: 'jablko' })).toBe('422 wrong_password');
    expect(await join(petr, event.id, { password: 'hruška' })).toBe('confirmed');
  });

  // JOIN-13, JOIN-44
  it('does not confirm a person whose invitation is cancelled while the acceptance waits for the lock of the event', async () => {
    const { id, eventId } = await buildEvent(server, jana, { is_public: false, with: [[petr, 'pending']] });
    const answer = await changeWhileWaiting(
      server,
      ['all_events', eventId],
      () => join(petr, id),
      () => server.sql('DELETE FROM participations WHERE event_id = $1', [eventId]),
    );
    expect(answer).toBe('409 cannot_join');
    expect(await server.sql('SELECT confirmed_count FROM events WHERE id = $1', [eventId])).toEqual([
      { confirmed_count: 0 },
    ]);
    expect(await server.sql('SELECT 1 FROM participations WHERE event_id = $1', [eventId])).toEqual([]);
  });

  // EVT-25
  it('adds the event to one of the person’s lists of events: joined, invited, waitlisted or requested', async () => {
    const createEvent = (state: 'confirmed' | 'pending' | 'waitlisted' | 'requested') =>
      buildEvent(server, jana, { with: [[petr, state]] });
    const eventByRelation = {
      joined: await createEvent('confirmed'),
      invited: await createEvent('pending'),
      waitlisted: await createEvent('waitlisted'),
      requested: await createEvent('requested'),
    };
    for (const [relation, { id }] of Object.entries(eventByRelation)) {
      const { body } = await petr.api.get(`/events?relation=${relation}`);
      expect(body.data.map((event: { id: string }) => event.id)).toEqual([id]);
      expect(body.data[0].viewer.participation).toBe({ joined: 'confirmed', invited: 'pending' }[relation] ?? relation);
      expect(body.data[0]).not.toHaveProperty('is_public');
    }
  });

  // EVT-26
  it.each([
    ['joined', 'confirmed'],
    ['invited', 'pending'],
    ['waitlisted', 'waitlisted'],
    ['requested', 'requested'],
  ] as const)(
    'adds the event to the person’s list of events with the relation "%s"; the parameter `scope` limits this list to upcoming or past events',
    async (relation, state) => {
      const createEvent = async (days: number) =>
        (await buildEvent(server, jana, { starts_at: inDays(days), with: [[petr, state]] })).id;
      const [late, past, soon, older] = [
        await createEvent(9),
        await createEvent(-2),
        await createEvent(3),
        await createEvent(-5),
      ];
      const listed = async (scope: string) => {
        const page = async (size: number) =>
          (await petr.api.get(`/events?relation=${relation}&per_page=${size}${scope}`)).body;
        return [(await page(3)).data.map(({ id }: { id: string }) => id), (await page(1)).meta.total];
      };
      expect(await listed('&scope=upcoming')).toEqual([[soon, late], 2]);
      expect(await listed('&scope=past')).toEqual([[past, older], 2]);
      expect(await listed('')).toEqual(relation === 'joined' ? [[late, soon, past], 4] : [[soon, late], 2]);
    },
  );
});
