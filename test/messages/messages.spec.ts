import { Settings } from '#platform/config/settings';
import { pragueDay } from '#platform/time/prague';
import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import { PublicIds } from '#platform/http/public-ids';
import { buildEvent } from '#testing/builders';
import { CommandLine } from '#testing/command-line';
import { Feed } from '#testing/feed';
import type { Answer } from '#testing/http-client';
import { clientOf, type Person } from '#testing/people';
import { buildSeries, confirm, occurrencesOf } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

interface EventWithPeople {
  readonly jana: Person;
  readonly people: Record<'petr' | 'eva' | 'otto' | 'iva', Person>;
  readonly id: string;
  readonly send: (to: string, text?: string) => Promise<Answer>;
}

/** Creates an event of Jana: Petr is confirmed, Eva is on the waitlist, Otto has sent a request, and Iva is invited. */
async function createEvent(options: Parameters<typeof buildEvent>[2] = {}): Promise<EventWithPeople> {
  const { jana, petr, eva, otto, iva } = await server.people('jana', 'petr', 'eva', 'otto', 'iva');
  const { id } = await buildEvent(server, jana, {
    title: 'Piknik',
    ...options,
    with: [
      [petr, 'confirmed'],
      [eva, 'waitlisted'],
      [otto, 'requested'],
      [iva, 'pending'],
    ],
  });
  return {
    jana,
    people: { petr, eva, otto, iva },
    id,
    send: (to, text = 'Sejdeme se vzadu.') => jana.api.post(`/events/${id}/messages`, { text, to }),
  };
}

const messagesOf = async (person: Person): Promise<{ text: string; subject: { type: string; id: string } }[]> =>
  ((await person.api.get('/notices')).body.data as { kind: string; text: string; subject: never }[]).filter(
    ({ kind }) => kind === 'organizer_message',
  );

describe('a message to the people of an event', () => {
  // MSG-1, MSG-2
  it('is sent with its whole text to the chosen people, and is listed only for the organizer', async () => {
    const { jana, people, id, send } = await createEvent();
    const text = `První řádek\n<b>${'ž'.repeat(1_980)}`;
    const all = await send('all', text);
    expect([all.status, all.body.data]).toEqual([
      201,
      { id: expect.any(String), text, to: 'all', recipients: 3, created_at: expect.any(String) },
    ]);
    const later = await send('waitlisted');
    expect(later.body.data).toMatchObject({ to: 'waitlisted', recipients: 1 });
    const countOf = async (who: Person): Promise<number> => (await messagesOf(who)).length;
    expect(await Promise.all([people.petr, people.eva, people.otto, people.iva, jana].map(countOf))).toEqual([
      1, 2, 1, 0, 0,
    ]);
    const [notice] = await messagesOf(people.petr);
    expect(notice).toMatchObject({ subject: { type: 'message', id: all.body.data.id } });
    expect(notice?.text).toContain(text);
    const { body } = await jana.api.get(`/events/${id}/messages`);
    expect([body.data, body.meta.total]).toEqual([[later.body.data, all.body.data], 2]);
    expect((await people.petr.api.get(`/events/${id}/messages`)).body.code).toBe('forbidden');
    const refused = await people.petr.api.post(`/events/${id}/messages`, {});
    expect(refused.body.code).toBe('forbidden');
  });

  // MSG-1
  it('needs a text of 1 to 2,000 characters and valid recipients', async () => {
    const { jana, id, send } = await createEvent();
    const fields = async (json: object): Promise<string[]> =>
      Object.keys(((await jana.api.post(`/events/${id}/messages`, json as never)).body.errors ?? {}) as object);
    expect(await fields({})).toEqual(expect.arrayContaining(['text', 'to']));
    expect(await fields({ text: 'Ahoj' })).toEqual(['to']);
    expect(await fields({ text: 'Ahoj', to: 'pending' })).toEqual(['to']);
    expect(await fields({ text: ' ', to: 'all' })).toEqual(['text']);
    expect(await fields({ text: 'ž'.repeat(2_001), to: 'all' })).toEqual(['text']);
    expect((await send('all', 'ž'.repeat(2_000))).status).toBe(201);
  });

  // MSG-2, MSG-3
  it('is refused with 409 if there are no recipients, and then does not count towards the daily limit', async () => {
    const { jana, people, send } = await createEvent();
    await people.otto.api.put(`/blocks/${jana.slug}`);
    for (let i = 0; i < 4; i++) expect((await send('requested')).body.code).toBe('conflict');
    expect((await send('all')).body.data.recipients).toBe(2);
    expect(await messagesOf(people.otto)).toEqual([]);
  });

  // MSG-2, MSG-3
  it('is not sent to a deleted account, which does not count as a recipient', async () => {
    const { people, send } = await createEvent({ starts_at: inDays(-2), ends_at: inDays(-1) });
    await server.app.get(OwnDataCommands).erase(people.petr.slug);
    expect((await send('confirmed')).body.code).toBe('conflict');
    expect((await send('all')).body.data.recipients).toBe(2);
  });

  // MSG-5, DATA-11
  it('is shown with the name of the organizer in the notice; after the account of the organizer is deleted, the notice shows neither the name nor the message', async () => {
    const { jana, people, send } = await createEvent({ starts_at: inDays(-2), ends_at: inDays(-1) });
    expect((await send('confirmed')).status).toBe(201);
    const text = async () => (await messagesOf(people.petr))[0]?.text;
    expect(await text()).toBe(`${jana.name} píše k akci „Piknik“: Sejdeme se vzadu.`);
    await server.app.get(OwnDataCommands).erase(jana.slug);
    expect(await text()).toBe('Někdo píše k akci „Piknik“: tato zpráva už není k dispozici.');
  });

  // MSG-2
  it('is also sent to a person whom the organizer blocks', async () => {
    const { jana, people, send } = await createEvent();
    await jana.api.put(`/blocks/${people.petr.slug}`);
    expect((await send('confirmed')).body.data.recipients).toBe(1);
    expect(await messagesOf(people.petr)).toHaveLength(1);
  });

  // MSG-3
  it('is refused if three messages of the event were already sent on the same day in Prague, even if the requests run in parallel', async () => {
    const { jana, people, id, send } = await createEvent();
    const all = await Promise.all(Array.from({ length: 6 }, () => send('confirmed')));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const { status, body, headers } of all.filter((answer) => answer.status !== 201)) {
      expect([status, body.code]).toEqual([429, 'daily_message_limit']);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(25 * 3_600);
    }
    expect(await messagesOf(people.petr)).toHaveLength(3);
    expect((await send('nobody')).status).toBe(422);
    await jana.api.delete(`/events/${id}/participants/${people.petr.slug}`);
    expect((await send('confirmed')).body.code).toBe('conflict');
    // Messages that were sent on the previous day do not count.
    const eventId = server.app.get(PublicIds).decode('event', id);
    const days = await server.sql<{ day: string }>(
      'UPDATE all_event_messages SET day = day - 1 WHERE event_id = $1 RETURNING day::text',
      [eventId],
    );
    for (const { day } of days) expect(day < pragueDay(server.clock.now())).toBe(true);
    expect((await send('all')).status).toBe(201);
  });

  // MSG-3
  it('can be sent for a cancelled event, and for an ended event until 7 days after its end', async () => {
    const ended = await createEvent({ starts_at: inDays(-6), ends_at: inDays(-5) });
    expect((await ended.send('all')).status).toBe(201);
    const older = await createEvent({ starts_at: inDays(-9), ends_at: inDays(-8) });
    expect((await older.send('all')).body.code).toBe('conflict');
    const cancelled = await createEvent();
    await cancelled.jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
    expect((await cancelled.send('all')).status).toBe(201);
  });

  // MSG-3
  it('is refused with 422 if a field is invalid, even if there is also a reason for 409', async () => {
    const late = await createEvent({ starts_at: inDays(-9), ends_at: inDays(-8) });
    expect([(await late.send('nobody')).status, (await late.send('all')).status]).toEqual([422, 409]);
    const { jana, people, id, send } = await createEvent();
    await jana.api.delete(`/events/${id}/participants/${people.petr.slug}`);
    expect([(await send('confirmed', '')).status, (await send('confirmed')).status]).toEqual([422, 409]);
  });

  // MSG-3
  it('can be sent until exactly 7 days after the end of the event, even if the event is cancelled; the daily limit begins again at midnight in Prague', async () => {
    server.clock.freezeAt('2027-06-01T08:00:00Z');
    const { jana, id, send } = await createEvent({
      starts_at: new Date('2027-06-20T08:00:00Z'),
      ends_at: new Date('2027-06-20T10:00:00Z'),
    });
    const sendAt = async (instant: string) => {
      server.clock.freezeAt(instant);
      return send('confirmed');
    };
    // 22:00 UTC is midnight in Prague.
    for (const time of ['20:00', '20:30', '21:59']) expect((await sendAt(`2027-06-24T${time}:00Z`)).status).toBe(201);
    const refused = await sendAt('2027-06-24T21:59:30Z');
    expect([refused.body.code, refused.headers.get('retry-after')]).toEqual(['daily_message_limit', '30']);
    for (let n = 0; n < 3; n++) expect((await sendAt('2027-06-24T22:00:00Z')).status).toBe(201);
    expect((await sendAt('2027-06-25T20:00:00Z')).body.code).toBe('daily_message_limit');
    await jana.api.patch(`/events/${id}`, { status: 'cancelled' });
    expect((await sendAt('2027-06-27T10:00:00Z')).status).toBe(201);
    expect((await sendAt('2027-06-27T10:00:01Z')).body.code).toBe('conflict');
  });

  // MSG-3, MSG-4
  it('counts towards the daily limit even after its removal, and cannot be reported while it is removed', async () => {
    const { people, send } = await createEvent();
    const messages: string[] = [];
    for (let n = 0; n < 3; n++) messages.push((await send('confirmed')).body.data.id as string);
    const cli = CommandLine.forDatabaseOf(server.app.get(Settings));
    const [removed = ''] = messages;
    await cli.answer('content', 'remove', 'message', removed, '--reason', 'podvod');
    expect((await send('confirmed')).body.code).toBe('daily_message_limit');
    const report = { subject_type: 'message', subject_id: removed, reason: 'fraud' };
    expect((await people.petr.api.post('/reports', report)).status).toBe(422);
    const feed = await Feed.of(people.petr);
    await cli.answer('content', 'restore', 'message', removed);
    expect(await feed.newEntries()).toEqual([expect.objectContaining({ type: 'notice.updated' })]);
    expect((await people.petr.api.post('/reports', report)).status).toBe(201);
  });

  // MOD-44, MSG-4
  it('can be reported only by its recipients, and is shown nowhere while it is removed', async () => {
    const { jana, people, id, send } = await createEvent();
    const message = (await send('confirmed', 'Pošlete mi peníze.')).body.data.id as string;
    const report = { subject_type: 'message', subject_id: message, reason: 'fraud' };
    for (const who of [people.eva, people.iva, jana])
      expect(Object.keys((await who.api.post('/reports', report)).body.errors as object)).toEqual(['subject_id']);
    expect((await people.petr.api.post('/reports', report)).status).toBe(201);
    const cli = CommandLine.forDatabaseOf(server.app.get(Settings));
    const narrow = await cli.answer(
      'token',
      'create',
      people.petr.slug,
      '--name',
      'app',
      '--scopes',
      'changes:read,events:read,notices:read',
    );
    const feeds = await Feed.all(people.petr, { ...people.petr, api: clientOf(server, narrow['token'] as string) });
    await cli.answer('content', 'remove', 'message', message, '--reason', 'podvod');
    expect((await jana.api.get(`/events/${id}/messages`)).body.data).toEqual([]);
    const [gone] = await messagesOf(people.petr);
    expect(gone?.text).not.toContain('peníze');
    // The token `narrow` does not read notices about groups or posts, but it reads notices about messages of events
    // (SCOPE-5).
    for (const feed of feeds)
      expect(await feed.newEntries()).toEqual(
        expect.arrayContaining([expect.objectContaining({ type: 'notice.updated' })]),
      );
    expect((await people.petr.api.get('/reports')).body.data[0]).toMatchObject({ outcome: 'removed' });
    expect((await jana.api.get('/notices')).body.data).toContainEqual(
      expect.objectContaining({ kind: 'content_removed', text: expect.stringContaining('(Pošlete mi peníze.)') }),
    );
    await cli.answer('content', 'restore', 'message', message);
    expect((await messagesOf(people.petr))[0]?.text).toContain('peníze');
  });

  // CHG-14, MSG-4, MOD-4, MOD-5, MOD-10
  it('is not shown in notices while its event is hidden by moderation', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { id: series } = await buildSeries(server, jana, { atMost: 1 });
    const [{ id } = { id: '' }] = await occurrencesOf(jana, series);
    await confirm(server, id, petr);
    await jana.api.post(`/events/${id}/messages`, { text: 'Sejdeme se vzadu.', to: 'all' });
    const cli = CommandLine.forDatabaseOf(server.app.get(Settings));
    const feed = await Feed.of(petr);
    const newTypes = async (): Promise<string[]> => (await feed.newEntries()).map(({ type }) => type).sort();
    const isShown = async (): Promise<boolean> =>
      (await messagesOf(petr)).some(({ text }) => text.includes('Sejdeme se vzadu.'));
    for (const [hide, show] of [
      [`content remove event ${id} --reason podvod`, `content restore event ${id}`],
      [`content remove series ${series} --reason podvod`, `content restore series ${series}`],
      [`user ban ${jana.slug}`, `user unban ${jana.slug}`],
    ] as const) {
      await cli.answer(...hide.split(' '));
      expect([hide, (await petr.api.get(`/discover/events/${id}`)).status, await isShown()]).toEqual([
        hide,
        404,
        false,
      ]);
      expect(await newTypes()).toEqual(['event.gone', 'notice.updated']);
      await cli.answer(...show.split(' '));
      expect([show, await isShown()]).toEqual([show, true]);
      expect(await newTypes()).toEqual(['event.updated', 'notice.updated']);
    }
  });

  // MSG-5
  it('is deleted together with its event, and is then no longer shown in notices', async () => {
    const { jana, people, id, send } = await createEvent();
    await send('waitlisted', 'Jen pro čekající');
    await jana.api.delete(`/events/${id}/participants/${people.petr.slug}`);
    const feed = await Feed.of(people.eva);
    expect((await jana.api.delete(`/events/${id}`)).status).toBe(204);
    const [notice] = await messagesOf(people.eva);
    expect(notice?.text).not.toContain('čekající');
    expect((await feed.newEntries()).map(({ type }) => type)).toContain('notice.updated');
  });
});
