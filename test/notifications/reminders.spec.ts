import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { NoticeMailSource } from '#areas/notifications/notice-mail.source';
import type { ReminderHours } from '#contract/vocabulary';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** NOTE-14: recipients and times of reminders. Each test creates its own events, which start in some hours. */
describe('reminders', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  const inHours = (hours: number) => new Date(server.clock.now().getTime() + hours * HOUR_MS);
  const chooseHours = ({ userId }: Person, reminder_hours: ReminderHours) =>
    server.database.transaction(async (tx) => {
      const user = await server.app.get(UsersReader, { strict: false }).lockById(tx, userId);
      if (user) await server.app.get(UsersCommands, { strict: false }).update(tx, user, { reminder_hours });
    });
  const reminders = async ({ api }: Person): Promise<number> =>
    (await api.get('/notices')).body.data.filter(({ kind }: { kind: string }) => kind === 'reminder').length;
  const run = () => server.job('reminders');
  /** Moves the clock to `hoursBefore` hours before the start, and then by `minutes` minutes (negative: back). */
  const moveTo = (start: Date, hoursBefore: number, minutes: number) =>
    server.clock.moveTo(new Date(start.getTime() - hoursBefore * HOUR_MS + minutes * MINUTE_MS));

  it.each([
    [48, [1, 0, 0, 0]],
    [24, [1, 1, 0, 0]],
    [2, [1, 1, 1, 0]],
  ] as const)('are sent %s hours before the start to people who chose this time', async (hours, expected) => {
    const { jana, ...people } = await server.people('jana', 'far', 'day', 'near', 'off');
    const all = Object.values(people);
    await Promise.all(([48, 24, 2, 0] as const).map((choice, index) => chooseHours(all[index] as Person, choice)));
    const start = inHours(60);
    await buildEvent(server, jana, { starts_at: start, with: all.map((person) => [person, 'confirmed'] as const) });
    moveTo(start, hours, -1);
    await run();
    const before = await Promise.all(all.map(reminders));
    moveTo(start, hours, 1);
    await run();
    await run();
    expect(await Promise.all(all.map(reminders))).toEqual(expected);
    // The first run, one minute before this time, sent all expected reminders except one.
    expect(before.reduce((sum, one) => sum + one)).toBe(expected.reduce<number>((sum, one) => sum + one, -1));
    expect(await reminders(jana)).toBe(0);
  });

  it('contain the start and the place, in the language of the request', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { id } = await buildEvent(server, jana, {
      title: 'Kino',
      starts_at: inHours(30),
      location_name: 'Lucerna',
      with: [[petr, 'confirmed']],
    });
    server.clock.forward(7 * HOUR_MS);
    await run();
    const { body } = await petr.api.send('GET', '/notices', { headers: { 'accept-language': 'en' } });
    expect(body.data).toEqual([
      expect.objectContaining({
        kind: 'reminder',
        text: expect.stringMatching(/^The event “Kino” starts soon: \w+day,? \d.* Place: Lucerna\.$/),
        subject: expect.objectContaining({ type: 'event', id }),
      }),
    ]);
  });

  it('contain the address if the place has no name', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const place = { location_name: null, location_address: 'Letná 1, Praha', latitude: 50.1, longitude: 14.4 };
    await buildEvent(server, jana, { starts_at: inHours(30), ...place, with: [[petr, 'confirmed']] });
    server.clock.forward(7 * HOUR_MS);
    await run();
    const { body } = await petr.api.send('GET', '/notices', { headers: { 'accept-language': 'en' } });
    expect(body.data[0]?.text).toMatch(/ Place: Letná 1, Praha\.$/);
  });

  it('are sent before the new start if the event is moved to an earlier day', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { id } = await buildEvent(server, jana, { starts_at: inHours(400), with: [[petr, 'confirmed']] });
    const start = inHours(100);
    expect((await jana.api.patch(`/events/${id}`, { starts_at: start })).status).toBe(200);
    moveTo(start, 24, 1);
    await run();
    expect(await reminders(petr)).toBe(1);
  });

  it('are sent for all events whose reminders are due, even if a single event has more participants than fit into one batch', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    for (let i = 0; i < 2; i++) {
      const { eventId } = await buildEvent(server, jana, { starts_at: inHours(30), with: [[petr, 'confirmed']] });
      await server.sql('UPDATE all_events SET confirmed_count = 5001 WHERE id = $1', [eventId]);
    }
    server.clock.forward(7 * HOUR_MS);
    await run();
    expect(await reminders(petr)).toBe(2);
  });

  const leave = (person: Person, { id }: BuiltEvent) => person.api.delete(`/events/${id}/join`);
  it.each<
    [string, (event: BuiltEvent, people: { jana: Person; petr: Person }, start: Date) => Promise<unknown>, number]
  >([
    [
      'none to a person who is confirmed after the reminder was due',
      async (event, { petr }, start) => {
        await leave(petr, event);
        moveTo(start, 24, 1);
        await petr.api.post(`/events/${event.id}/join`);
      },
      0,
    ],
    [
      'none to a person who waited for a seat and got it after the reminder was due',
      async ({ eventId, id }, { jana, petr }, start) => {
        await server.sql("UPDATE participations SET status = 'waitlisted', joined_at = NULL WHERE event_id = $1", [
          eventId,
        ]);
        moveTo(start, 24, 1);
        expect((await jana.api.post(`/events/${id}/participants/${petr.slug}/promote`)).status).toBe(200);
      },
      0,
    ],
    ['none to a person who has left', (event, { petr }) => leave(petr, event), 0],
    ['none for a cancelled event', ({ id }, { jana }) => jana.api.patch(`/events/${id}`, { status: 'cancelled' }), 0],
    [
      'none for a new start if the time of its reminder had already passed when the start was changed',
      async ({ id }, { jana }, start) => {
        moveTo(start, 24, 1);
        await jana.api.patch(`/events/${id}`, { starts_at: new Date(start.getTime() - HOUR_MS).toISOString() });
      },
      0,
    ],
    [
      'none before the original start of an event that was moved to a later day',
      ({ id }, { jana }, start) =>
        jana.api.patch(`/events/${id}`, { starts_at: new Date(start.getTime() + 48 * HOUR_MS).toISOString() }),
      0,
    ],
    [
      'none for an event that a moderator has removed',
      ({ eventId }) => server.sql('UPDATE all_events SET removed_at = now() WHERE id = $1', [eventId]),
      0,
    ],
    [
      'one for a start that was changed and changed back before the reminder was due',
      async ({ id }, { jana }, start) => {
        for (const hours of [5, 0])
          await jana.api.patch(`/events/${id}`, {
            starts_at: new Date(start.getTime() + hours * HOUR_MS).toISOString(),
          });
      },
      1,
    ],
  ])('are sent as often as expected: %s', async (_, action, expected) => {
    const { jana, petr } = await server.people('jana', 'petr');
    const start = inHours(40);
    start.setMilliseconds(0);
    const event = await buildEvent(server, jana, { starts_at: start, with: [[petr, 'confirmed']] });
    await action(event, { jana, petr }, start);
    moveTo(start, 24, 2);
    await run();
    expect(await reminders(petr)).toBe(expected);
  });

  it('are sent late if the job was delayed, but not after the event has started', async () => {
    const { jana, petr, eva, adam } = await server.people('jana', 'petr', 'eva', 'adam');
    const [start, later] = [inHours(60), inHours(61)];
    await buildEvent(server, jana, { starts_at: start, with: [[petr, 'confirmed']] });
    const { eventId } = await buildEvent(server, jana, {
      starts_at: later,
      with: [
        [petr, 'confirmed'],
        [eva, 'confirmed'],
      ],
    });
    const eventOfAdam = await buildEvent(server, jana, { starts_at: later, with: [[adam, 'confirmed']] });
    const setRemoved = (removed: boolean) =>
      server.sql('UPDATE all_events SET removed_at = $2 WHERE id = $1', [
        eventOfAdam.eventId,
        removed ? new Date() : null,
      ]);
    await setRemoved(true);
    await chooseHours(eva, 0);
    moveTo(later, 2, 0);
    await run();
    // Petr gets the late reminders of both events that he attends. Eva has switched reminders off, and Adam's event is
    // removed.
    expect([await reminders(petr), await reminders(eva), await reminders(adam)]).toEqual([2, 0, 0]);
    await chooseHours(eva, 48);
    await setRemoved(false);
    moveTo(later, 1, 30);
    await run();
    expect([await reminders(petr), await reminders(eva), await reminders(adam)]).toEqual([2, 1, 1]);
    await chooseHours(petr, 48);
    server.clock.moveTo(later);
    await run();
    expect([await reminders(petr), await reminders(eva)]).toEqual([2, 1]);
    expect(await server.sql('SELECT event_id FROM event_reminders WHERE event_id = $1', [eventId])).toEqual([]);
  });

  it('are mailed late if the mail server was not available, but not after the event has started', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    await server.sql('UPDATE users SET email = $2 WHERE id = $1', [petr.userId, `${petr.slug}@example.org`]);
    const start = inHours(60);
    await buildEvent(server, jana, { starts_at: start, with: [[petr, 'confirmed']] });
    moveTo(start, 2, 0);
    await run();
    const [notice] = await server.sql<{ id: string }>('SELECT id FROM notifications WHERE user_id = $1', [petr.userId]);
    const mail = () => server.app.get(NoticeMailSource).mailOf(Number(notice!.id), server.clock.now());
    moveTo(start, 0, -1);
    expect(await mail()).not.toBeNull();
    moveTo(start, 0, 0);
    expect(await mail()).toBeNull();
  });

  it('are sent only once for each start, even if the start is moved and moved back', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    await chooseHours(petr, 48);
    const start = inHours(60);
    start.setMilliseconds(0);
    const event = await buildEvent(server, jana, { starts_at: start, with: [[petr, 'confirmed']] });
    moveTo(start, 48, 1);
    await run();
    const move = (hours: number) =>
      jana.api.patch(`/events/${event.id}`, { starts_at: new Date(start.getTime() + hours * HOUR_MS).toISOString() });
    await move(100);
    await move(0);
    await chooseHours(petr, 24);
    moveTo(start, 24, 1);
    await run();
    expect(await reminders(petr)).toBe(1);
  });
});
