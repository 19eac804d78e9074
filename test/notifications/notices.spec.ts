import { CreditsCommands } from '#areas/credits/credits.commands';
import { ParticipationCommands } from '#areas/participation/participation.commands';
import { MailDelivery } from '#platform/mail/mail-delivery';
import { NotificationsCommands } from '#areas/notifications/notifications.commands';
import { EventsCommands } from '#areas/events/events.commands';
import { Settings } from '#platform/config/settings';
import { buildEvent } from '#testing/builders';
import { buildSeries, confirm, occurrencesOf } from '#testing/series';
import { SmtpSink } from '#testing/smtp-sink';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { waitUntil } from '#testing/wait-until';

const HOUR_MS = 3_600_000;

/** The recipients of notices (JOIN-45, JOIN-46, JOIN-47), and the mails of notices (JOIN-49). */
describe('notices', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  const noticesOf = async (userId: number) =>
    (await server.sql<{ kind: string }>('SELECT kind FROM notifications WHERE user_id = $1 ORDER BY id', [userId])).map(
      ({ kind }) => kind,
    );

  // JOIN-45
  it('are created about requests, approved and declined requests, invitations, promotions and removals, but not about cancelled invitations', async () => {
    const { jana, petr, eva, adam, bara } = await server.people('jana', 'petr', 'eva', 'adam', 'bara');
    const event = await buildEvent(server, jana, {
      join_mode: 'request',
      with: [
        [eva, 'waitlisted'],
        [adam, 'waitlisted'],
        [bara, 'pending'],
      ],
    });
    const participantsPath = `/events/${event.id}/participants`;
    await petr.api.post(`/events/${event.id}/join`);
    await jana.api.post(`${participantsPath}/${petr.slug}/promote`);
    await jana.api.delete(`${participantsPath}/${petr.slug}`);
    await petr.api.post(`/events/${event.id}/join`);
    await jana.api.delete(`${participantsPath}/${petr.slug}`);
    await jana.api.delete(`${participantsPath}/${petr.slug}`);
    await jana.api.post(participantsPath, { user: petr.slug });
    await petr.api.delete(`/events/${event.id}/join`);
    await jana.api.post(`${participantsPath}/${eva.slug}/promote`);
    for (const { slug } of [adam, bara])
      expect((await jana.api.delete(`${participantsPath}/${slug}`)).status).toBe(204);
    expect(await noticesOf(petr.userId)).toEqual(['approval', 'removal', 'decline', 'invitation']);
    expect(await noticesOf(jana.userId)).toEqual(['request', 'request']);
    const requesters = await server.sql('SELECT DISTINCT person_id::int FROM notifications WHERE user_id = $1', [
      jana.userId,
    ]);
    expect(requesters).toEqual([{ person_id: petr.userId }]);
    expect(await noticesOf(eva.userId)).toEqual(['promotion']);
    expect(await noticesOf(adam.userId)).toEqual(['removal']);
    expect(await noticesOf(bara.userId)).toEqual([]);
  });

  // JOIN-45, JOIN-46, NOTE-21
  it('about decisions of an organizer are not created for people who block the organizer, but notices about a cancellation are created', async () => {
    const { jana, petr, eva, adam, bara } = await server.people('jana', 'petr', 'eva', 'adam', 'bara');
    const states = [
      [petr, 'requested'],
      [eva, 'waitlisted'],
      [adam, 'requested'],
      [bara, 'confirmed'],
    ] as const;
    const { id } = await buildEvent(server, jana, { with: states });
    for (const [{ api }] of states) expect((await api.put(`/blocks/${jana.slug}`)).status).toBe(204);
    const participantsPath = `/events/${id}/participants`;
    for (const { slug } of [petr, eva])
      expect((await jana.api.post(`${participantsPath}/${slug}/promote`)).status).toBe(200);
    for (const { slug } of [adam, bara])
      expect((await jana.api.delete(`${participantsPath}/${slug}`)).status).toBe(204);
    for (const [{ userId }] of states) expect(await noticesOf(userId)).toEqual([]);
    await jana.api.patch(`/events/${id}`, { status: 'cancelled' });
    const kinds = await Promise.all(states.map(([{ userId }]) => noticesOf(userId)));
    expect(kinds).toEqual([['event_cancelled'], ['event_cancelled'], [], []]);
  });

  // JOIN-45, JOIN-31
  it('are created when a confirmed, waitlisted or requesting person is banned from an event, but not when the ban is repeated or lifted', async () => {
    const { jana, petr, eva, adam, bara, iva } = await server.people('jana', 'petr', 'eva', 'adam', 'bara', 'iva');
    const states = [
      [petr, 'confirmed'],
      [eva, 'waitlisted'],
      [adam, 'pending'],
      [bara, 'requested'],
      [iva, 'declined'],
    ] as const;
    const { id } = await buildEvent(server, jana, { with: states });
    for (const query of ['?ban=1', '?ban=1', ''])
      for (const [{ slug }] of states)
        expect((await jana.api.delete(`/events/${id}/participants/${slug}${query}`)).status).toBe(204);
    const noticesByPerson = await Promise.all(states.map(([{ userId }]) => noticesOf(userId)));
    expect(noticesByPerson).toEqual([['removal'], ['removal'], [], ['decline'], []]);
  });

  // JOIN-46, EVT-20
  it('inform each affected person once about a cancelled event', async () => {
    const { jana, petr, eva, adam, bara, iva } = await server.people('jana', 'petr', 'eva', 'adam', 'bara', 'iva');
    const event = await buildEvent(server, jana, {
      with: [
        [petr, 'confirmed'],
        [eva, 'pending'],
        [adam, 'waitlisted'],
        [bara, 'declined'],
        [iva, 'banned'],
      ],
    });
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    const noticesByPerson = await Promise.all(
      [petr, eva, adam, bara, iva, jana].map(({ userId }) => noticesOf(userId)),
    );
    expect(noticesByPerson).toEqual([['event_cancelled'], ['event_cancelled'], ['event_cancelled'], [], [], []]);
  });

  // JOIN-46
  it('mention a refund only to people who get credits back for the cancelled event', async () => {
    const { jana, petr, eva, adam, bara } = await server.people('jana', 'petr', 'eva', 'adam', 'bara');
    const event = await buildEvent(server, jana, {
      editorial: { ticketPriceCredits: 50 },
      with: [
        [eva, 'pending'],
        [bara, 'confirmed'],
      ],
    });
    await server.database.transaction(async (tx) => {
      for (const [who, checkedInAt] of [
        [petr, null],
        [adam, new Date()],
      ] as const) {
        await server.app.get(CreditsCommands).grant(tx, who.userId, 50);
        await server.app
          .get(ParticipationCommands)
          .setParticipation(tx, event.eventId, who.userId, { status: 'confirmed', checkedInAt, paidCredits: 50 });
      }
    });
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    const refunded = await server.sql<{ user_id: string; refunded_credits: string }>(
      'SELECT user_id, refunded_credits FROM notifications WHERE event_id = $1 ORDER BY user_id',
      [event.eventId],
    );
    expect(refunded.map(({ user_id, refunded_credits }) => [Number(user_id), Number(refunded_credits)]).sort()).toEqual(
      [
        [petr.userId, 50],
        [eva.userId, 0],
        [adam.userId, 0],
        [bara.userId, 0],
      ].sort(),
    );
  });

  // JOIN-47
  it('about the deletion of an event are created for people who are invited, are on the waitlist or have asked to join, unless the event was already cancelled or over', async () => {
    const { jana, petr, eva, adam, bara, iva } = await server.people('jana', 'petr', 'eva', 'adam', 'bara', 'iva');
    const people = [
      [petr, 'pending'],
      [eva, 'waitlisted'],
      [adam, 'requested'],
      [bara, 'declined'],
      [iva, 'banned'],
    ] as const;
    const [upcoming, past, cancelled] = [
      await buildEvent(server, jana, { with: people }),
      await buildEvent(server, jana, { starts_at: inDays(-1), with: people }),
      await buildEvent(server, jana, { with: people }),
    ];
    await jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
    for (const { id } of [upcoming, past, cancelled]) expect((await jana.api.delete(`/events/${id}`)).status).toBe(204);
    const noticesByPerson = await Promise.all(
      [petr, eva, adam, bara, iva, jana].map(({ userId }) => noticesOf(userId)),
    );
    expect(noticesByPerson).toEqual([
      ['event_cancelled', 'event_deleted'],
      ['event_cancelled', 'event_deleted'],
      ['event_cancelled', 'event_deleted'],
      [],
      [],
      [],
    ]);
  });

  // JOIN-46
  it('report a cancelled series, even if only one occurrence was upcoming', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { id } = await buildSeries(server, jana, { occurrencesLimit: 2, startsAt: inDays(-6) });
    const [last] = await occurrencesOf(jana, id, 'upcoming');
    await confirm(server, last?.id ?? '', petr);
    expect((await jana.api.post(`/series/${id}/cancel`)).body.meta).toEqual({ cancelled_events: 1 });
    expect(await noticesOf(petr.userId)).toEqual(['series_cancelled']);
  });

  // JOIN-46
  it('about a cancelled series contain the start of the earliest cancelled occurrence of the person, even if occurrences were moved', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { id } = await buildSeries(server, jana, { occurrencesLimit: 3 });
    const [first, second, third] = await occurrencesOf(jana, id);
    for (const occurrence of [second, third]) await confirm(server, occurrence?.id ?? '', petr);
    const earlier = new Date(Date.parse(first?.starts_at ?? '') + 86_400_000);
    expect((await jana.api.patch(`/events/${third?.id}`, { starts_at: earlier.toISOString() })).status).toBe(200);
    expect((await jana.api.post(`/series/${id}/cancel`)).status).toBe(200);
    const { body } = await petr.api.get('/notices');
    expect(body.data[0]).toMatchObject({ kind: 'series_cancelled', subject: { id: third?.id } });
    expect(
      await server.sql('SELECT event_starts_at FROM notifications WHERE user_id = $1 AND kind = $2', [
        petr.userId,
        'series_cancelled',
      ]),
    ).toEqual([{ event_starts_at: earlier }]);
  });

  // JOIN-48
  it('are not created if the transaction is rolled back', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana);
    const commands = server.app.get(ParticipationCommands);
    await expect(
      server.database.transaction(async (tx) => {
        expect(await commands.inviteAll(tx, event.eventId, jana.userId, [petr.userId, jana.userId])).toBe(1);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await noticesOf(petr.userId)).toEqual([]);
  });

  it('and refunds for 20 cancelled events with 20 participants each need at most seven statements, including the cancellation', async () => {
    const { jana } = await server.people('jana');
    const events = await server.sql<{ id: string }>(
      `INSERT INTO events (organizer_id, title, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, ticket_price_credits, confirmed_count, created_at, updated_at)
       SELECT $1, 'Termín ' || i, 'other', now() + i * interval '1 day', true, 'open', false, false, 5, 20, now(), now() FROM generate_series(1, 20) i RETURNING id`,
      [jana.userId],
    );
    const ids = events.map(({ id }) => Number(id));
    await server.sql(
      `WITH crowd AS (INSERT INTO users (slug, name, created_at, updated_at) SELECT 'crowd-' || i, 'Dav', now(), now() FROM generate_series(1, 20) i RETURNING id),
            accounts AS (INSERT INTO credit_accounts (user_id, balance, held) SELECT id, 0, 100 FROM crowd),
            holds AS (INSERT INTO credit_holds (event_id, user_id, amount, created_at) SELECT e, id, 5, now() FROM crowd, unnest($1::bigint[]) e RETURNING id, event_id, user_id)
       INSERT INTO participations (event_id, user_id, status, joined_at, credit_hold_id, created_at, updated_at) SELECT event_id, user_id, 'confirmed', now(), id, now(), now() FROM holds`,
      [ids],
    );
    let statements = 0;
    const cancelled = await server.database.transaction(async (tx) => {
      const rows = tx.rows.bind(tx);
      tx.rows = (...args) => (statements++, rows(...args)) as never;
      return server.app.get(EventsCommands).cancel(tx, ids, 'series');
    });
    expect(cancelled).toBe(20);
    expect(statements).toBeLessThanOrEqual(7);
    expect(
      await server.sql(`SELECT count(*)::int AS accounts FROM credit_accounts WHERE balance = 100 AND held = 0`),
    ).toEqual([{ accounts: 20 }]);
    expect(
      await server.sql(
        `SELECT count(*)::int AS notices, count(DISTINCT user_id)::int AS people, min(refunded_credits)::int AS least, max(refunded_credits)::int AS most
      FROM notifications WHERE kind = 'series_cancelled' AND event_id = ANY($1)`,
        [ids],
      ),
    ).toEqual([{ notices: 20, people: 20, least: 100, most: 100 }]);
  });

  // JOIN-49
  it('are mailed only once each if there is a mail server, even after a refused mail, and are not mailed if they are older than a day', async () => {
    const sink = await SmtpSink.open(1);
    const mailing = await TestServer.start({ smtpUrl: sink.url, baseUrl: 'https://events.example.org' });
    const jana = await mailing.person('jana', { email: 'jana@example.org', locale: 'en' });
    const petr = await mailing.person('petr');
    const [early, current, asked] = [
      await buildEvent(mailing, jana),
      await buildEvent(mailing, jana),
      await buildEvent(mailing, jana, { join_mode: 'request' }),
    ];
    await mailing.database.transaction(async (tx) => {
      for (const { eventId } of [early, current])
        await mailing.app.get(NotificationsCommands).notify(tx, 'request', { eventId, userIds: [jana.userId] });
    });
    const [old] = await mailing.sql<{ id: string }>(
      `UPDATE notifications SET created_at = created_at - interval '25 hours' WHERE event_id = $1 RETURNING id`,
      [early.eventId],
    );
    await mailing.app.get(MailDelivery).start();
    await mailing.sql(`UPDATE pgboss.queue SET retry_delay = 0, retry_backoff = false`);
    await petr.api.post(`/events/${asked.id}/join`);
    await waitUntil(
      async () => (await mailing.sql('SELECT 1 FROM notifications WHERE mailed_at IS NOT NULL')).length >= 2,
    );
    expect(await mailing.sql('SELECT id FROM notifications WHERE queued_at IS NULL')).toEqual([old]);
    await mailing.stop();
    await sink.close();
    expect(sink.mails).toHaveLength(2);
    for (const mail of sink.mails)
      expect(mail).toMatch(
        /From: Events <no-reply@events\.example\.org>[^]*To: .*jana@example\.org[^]*Request to join/,
      );
  }, 60_000);

  it('are mailed only once when two servers queue the mails at the same time', async () => {
    const sink = await SmtpSink.open();
    const one = await TestServer.start({ smtpUrl: sink.url });
    const two = await TestServer.start({ smtpUrl: sink.url, databaseUrl: one.app.get(Settings).databaseUrl });
    const jana = await one.person('jana', { email: 'jana@example.org' });
    const events = await Promise.all(Array.from({ length: 4 }, () => buildEvent(one, jana)));
    for (const server of [one, two]) await server.app.get(MailDelivery).start();
    // The table lock below blocks both servers, so both have begun to queue the notices before either can continue.
    const waiting = async () =>
      (
        await one.sql(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%SET queued_at%'`,
        )
      ).length;
    await one.database.transaction(async (tx) => {
      await tx.manager.query('LOCK TABLE notifications IN EXCLUSIVE MODE');
      for (const { eventId } of events)
        await one.app.get(NotificationsCommands).notify(tx, 'request', { eventId, userIds: [jana.userId] });
      await tx.manager.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await waitUntil(async () => (await waiting()) >= 2);
    });
    const unsent = async () => (await one.sql('SELECT 1 FROM notifications WHERE mailed_at IS NULL')).length;
    await waitUntil(async () => (await unsent()) === 0);
    const queued = await one.sql<{ id: string }>(`SELECT data->>'id' AS id FROM pgboss.job WHERE name = 'notices'`);
    for (const server of [two, one]) await server.stop();
    await sink.close();
    expect(new Set(queued.map(({ id }) => id)).size).toBe(4);
    expect(queued).toHaveLength(4);
    expect(sink.mails).toHaveLength(4);
  }, 60_000);

  // SBX-3
  it('are all queued and processed by one call of `MailDelivery.drain`, even if they do not fit into one batch', async () => {
    const sink = await SmtpSink.open();
    const mailing = await TestServer.start({ smtpUrl: sink.url });
    // Jana has no e-mail address, so the notices pass through the queue, and no mail is sent.
    const { jana } = await mailing.people('jana');
    await mailing.sql(
      `INSERT INTO notifications (user_id, kind, subject_type, subject_id, created_at)
       SELECT $1, 'group_invitation', 'group', 1, now() FROM generate_series(1, 1001)`,
      [jana.userId],
    );
    const delivery = mailing.app.get(MailDelivery);
    await delivery.start(HOUR_MS);
    await delivery.drain();
    const [unqueued] = await mailing.sql('SELECT count(*)::int FROM notifications WHERE queued_at IS NULL');
    const jobs = await mailing.sql(`SELECT state, count(*)::int FROM pgboss.job WHERE name = 'notices' GROUP BY state`);
    await mailing.stop();
    await sink.close();
    expect(unqueued).toEqual({ count: 0 });
    expect(jobs).toEqual([{ state: 'completed', count: 1001 }]);
  }, 60_000);

  it('create no mail queue if there is no mail server', async () => {
    await server.app.get(MailDelivery).start();
    expect(await server.sql(`SELECT 1 FROM pg_namespace WHERE nspname = 'pgboss'`)).toEqual([]);
  });
});
