import { NotificationsCommands } from '#areas/notifications/notifications.commands';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { changeWhileWaiting } from '#testing/held-lock';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

const MINUTE_MS = 60_000;

/** NOTE-16, NOTE-17: notices that inform organizers about new participants and new people on the waitlist. */
describe('digests about new participants', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  const run = () => server.job('joined-digest');
  const textsOf = async ({ api }: Person, kind: string): Promise<string[]> => {
    const { body } = await api.send('GET', '/notices', { headers: { 'accept-language': 'en' } });
    return body.data
      .filter((one: { kind: string }) => one.kind === kind)
      .map(({ text }: { text: string }) => text)
      .reverse();
  };
  const join = async (event: BuiltEvent, ...people: Person[]) => {
    for (const { api } of people) expect((await api.post(`/events/${event.id}/join`)).status).toBe(200);
  };
  const setRemoved = ({ eventId }: BuiltEvent, removed: boolean) =>
    server.sql('UPDATE all_events SET removed_at = $2 WHERE id = $1', [eventId, removed ? new Date() : null]);
  const personNamed = (name: string) => server.person(name.toLowerCase(), { name });

  it('count the people who joined by themselves and still participate, and name at most three of these people', async () => {
    const [jana, anna, bara, cyril, dana, emil, filip, gita] = (await Promise.all(
      ['Jana', 'Anna', 'Bára', 'Cyril', 'Dana', 'Emil', 'Filip', 'Gita'].map(personNamed),
    )) as [Person, Person, Person, Person, Person, Person, Person, Person];
    const event = await buildEvent(server, jana, {
      title: 'Sraz',
      with: [
        [filip, 'confirmed'],
        [gita, 'waitlisted'],
      ],
    });
    await jana.api.post(`/events/${event.id}/participants`, { user: emil.slug });
    await join(event, anna, bara, cyril, dana, emil);
    await bara.api.delete(`/events/${event.id}/join`);
    await jana.api.post(`/events/${event.id}/participants/${gita.slug}/promote`);
    await run();
    await run();
    expect(await textsOf(jana, 'joined')).toEqual([
      expect.stringMatching(/^Anna, Cyril, Dana and 1 other person joined “Sraz” \(\w+day,? \d.*\)\.$/),
    ]);
    const { body } = await jana.api.get('/notices');
    expect(body.data[0].subject.url).toMatch(new RegExp(`/api/v1/events/${event.id}$`));
  });

  // OPS-13
  it('are sent for the other events if the digest of one event fails, which the next run retries', async () => {
    const [jana, anna] = (await Promise.all(['Jana', 'Anna'].map(personNamed))) as [Person, Person];
    for (const title of ['First', 'Second']) await join(await buildEvent(server, jana, { title }), anna);
    const failing = jest
      .spyOn(server.app.get(NotificationsCommands), 'notifyOrganizer')
      .mockRejectedValueOnce(new Error('no connection'));
    await expect(run()).rejects.toThrow('1 of 2 items failed');
    failing.mockRestore();
    expect(await textsOf(jana, 'joined')).toHaveLength(1);
    await run();
    expect(await textsOf(jana, 'joined')).toHaveLength(2);
  });

  it('are sent at most once an hour for each event', async () => {
    const [jana, anna, bara, cyril] = (await Promise.all(['Jana', 'Anna', 'Bára', 'Cyril'].map(personNamed))) as [
      Person,
      Person,
      Person,
      Person,
    ];
    const event = await buildEvent(server, jana, { title: 'Sraz' });
    await join(event, anna);
    await run();
    await join(event, bara);
    server.clock.forward(59 * MINUTE_MS);
    await run();
    expect(await textsOf(jana, 'joined')).toHaveLength(1);
    server.clock.forward(2 * MINUTE_MS);
    await join(event, cyril);
    await run();
    expect(await textsOf(jana, 'joined')).toEqual([
      expect.stringMatching(/^Anna joined /),
      expect.stringMatching(/^Bára and Cyril joined /),
    ]);
  });

  it('are sent again exactly one hour after the last digest', async () => {
    const [jana, anna, bara] = [await personNamed('Jana'), await personNamed('Anna'), await personNamed('Bára')];
    const event = await buildEvent(server, jana, { title: 'Sraz' });
    const now = server.clock.now();
    const runAt = (minutes: number) => {
      server.clock.freezeAt(new Date(now.getTime() + minutes * MINUTE_MS));
      return run();
    };
    await join(event, anna);
    await runAt(0);
    await join(event, bara);
    await runAt(60);
    expect(await textsOf(jana, 'joined')).toHaveLength(2);
  });

  it('report new people on the waitlist separately from participants', async () => {
    const [jana, anna, bara] = (await Promise.all(['Jana', 'Anna', 'Bára'].map(personNamed))) as [
      Person,
      Person,
      Person,
    ];
    const event = await buildEvent(server, jana, { title: 'Sraz', max_participants: 2 });
    await join(event, anna);
    expect((await bara.api.post(`/events/${event.id}/waitlist`)).status).toBe(200);
    await run();
    expect(await textsOf(jana, 'waitlisted')).toEqual([expect.stringMatching(/^Bára joined the waitlist of “Sraz” /)]);
    expect(await textsOf(jana, 'joined')).toHaveLength(1);
    // While `waitlist_mode` is "auto", people on the waitlist cause no digest, even if they joined it before the mode
    // became "auto".
    const other = await buildEvent(server, jana, { title: 'Jiný sraz', max_participants: 2 });
    await join(other, anna);
    expect((await bara.api.post(`/events/${other.id}/waitlist`)).status).toBe(200);
    expect((await jana.api.patch(`/events/${other.id}`, { waitlist_mode: 'auto' })).status).toBe(200);
    await run();
    expect(await textsOf(jana, 'waitlisted')).toHaveLength(1);
  });

  // NOTE-17
  it('about the waitlist are sent even within an hour after a digest about participants, and name people in the order of the waitlist', async () => {
    const [jana, anna, bara, cyril] = [
      await personNamed('Jana'),
      await personNamed('Anna'),
      await personNamed('Bára'),
      await personNamed('Cyril'),
    ];
    const event = await buildEvent(server, jana, { title: 'Sraz', max_participants: 2 });
    await join(event, anna);
    await run();
    for (const { api } of [cyril, bara]) {
      server.clock.forward(MINUTE_MS);
      expect((await api.post(`/events/${event.id}/waitlist`)).status).toBe(200);
    }
    await run();
    expect(await textsOf(jana, 'joined')).toHaveLength(1);
    expect(await textsOf(jana, 'waitlisted')).toEqual([
      expect.stringMatching(/^Cyril and Bára joined the waitlist of “Sraz” /),
    ]);
  });

  // NOTE-16, NOTE-21
  it('are not delayed by an earlier run of the job that found nobody to report', async () => {
    const [jana, anna, bara] = [await personNamed('Jana'), await personNamed('Anna'), await personNamed('Bára')];
    const event = await buildEvent(server, jana, { title: 'Sraz' });
    await join(event, anna);
    expect((await jana.api.put(`/blocks/${anna.slug}`)).status).toBeLessThan(300);
    await run();
    expect(await textsOf(jana, 'joined')).toEqual([]);
    await join(event, bara);
    await run();
    expect(await textsOf(jana, 'joined')).toEqual([expect.stringMatching(/^Bára joined /)]);
  });

  it('name people in the order in which they joined, not by the age of their accounts', async () => {
    const [jana, anna, bara] = [await personNamed('Jana'), await personNamed('Anna'), await personNamed('Bára')];
    const event = await buildEvent(server, jana, { title: 'Sraz' });
    await join(event, bara, anna);
    await run();
    expect(await textsOf(jana, 'joined')).toEqual([expect.stringMatching(/^Bára and Anna joined /)]);
  });

  // JOIN-60, NOTE-17
  it('count people who got a seat from the waitlist automatically or by an offer as people who joined', async () => {
    const [jana, anna, bara, cyril] = (await Promise.all(['Jana', 'Anna', 'Bára', 'Cyril'].map(personNamed))) as [
      Person,
      Person,
      Person,
      Person,
    ];
    const event = await buildEvent(server, jana, {
      title: 'Sraz',
      max_participants: 2,
      waitlist_mode: 'auto',
      starts_at: inDays(3650),
      with: [[anna, 'confirmed']],
    });
    const leave = ({ api }: Person) => api.delete(`/events/${event.id}/join`);
    for (const { api } of [bara, cyril]) expect((await api.post(`/events/${event.id}/waitlist`)).status).toBe(200);
    await leave(anna);
    await run();
    expect(await textsOf(jana, 'joined')).toEqual([expect.stringMatching(/^Bára joined /)]);
    await jana.api.patch(`/events/${event.id}`, { waitlist_mode: 'offer' });
    await leave(bara);
    await join(event, cyril);
    server.clock.forward(61 * MINUTE_MS);
    await run();
    expect(await textsOf(jana, 'joined')).toEqual([
      expect.stringMatching(/^Bára joined /),
      expect.stringMatching(/^Cyril joined /),
    ]);
    expect(await textsOf(jana, 'waitlisted')).toEqual([]);
  });

  // JOIN-60, JOIN-63, NOTE-17
  it('report a person on the waitlist only once, even if the person gets an offer and the offer ends', async () => {
    const [jana, anna, bara] = (await Promise.all(['Jana', 'Anna', 'Bára'].map(personNamed))) as [
      Person,
      Person,
      Person,
    ];
    const event = await buildEvent(server, jana, {
      max_participants: 2,
      starts_at: inDays(3650),
      with: [[anna, 'confirmed']],
    });
    expect((await bara.api.post(`/events/${event.id}/waitlist`)).status).toBe(200);
    await run();
    expect(await textsOf(jana, 'waitlisted')).toHaveLength(1);
    await jana.api.patch(`/events/${event.id}`, { waitlist_mode: 'offer' });
    await anna.api.delete(`/events/${event.id}/join`);
    const { viewer } = (await bara.api.get(`/discover/events/${event.id}`)).body.data;
    expect(viewer.offer).not.toBeNull();
    await jana.api.patch(`/events/${event.id}`, { waitlist_mode: 'manual' });
    server.clock.forward(61 * MINUTE_MS);
    await run();
    expect(await textsOf(jana, 'waitlisted')).toHaveLength(1);
  });

  it.each([
    [
      'a cancelled event',
      ({ id }: BuiltEvent, jana: Person) => jana.api.patch(`/events/${id}`, { status: 'cancelled' }),
    ],
    ['an event that has ended', () => Promise.resolve(server.clock.moveTo(inDays(9)))],
    [
      'a person whom the organizer blocks',
      (_: BuiltEvent, jana: Person, anna: Person) =>
        server.sql('INSERT INTO user_blocks (blocker_id, blocked_id, created_at) VALUES ($1, $2, now())', [
          jana.userId,
          anna.userId,
        ]),
    ],
  ])('are not sent about %s, and the participation is no longer marked for a digest', async (_, action) => {
    const { jana, anna } = await server.people('jana', 'anna');
    const event = await buildEvent(server, jana);
    await join(event, anna);
    await action(event, jana, anna);
    await run();
    expect(await textsOf(jana, 'joined')).toEqual([]);
    expect(
      await server.sql('SELECT 1 FROM participations WHERE event_id = $1 AND digest IS NOT NULL', [event.eventId]),
    ).toEqual([]);
  });

  // NOTE-16
  it('about an event that a moderator has removed are sent after the event is restored', async () => {
    const { jana, anna } = await server.people('jana', 'anna');
    const event = await buildEvent(server, jana);
    await join(event, anna);
    await setRemoved(event, true);
    await run();
    expect(await textsOf(jana, 'joined')).toEqual([]);
    await setRemoved(event, false);
    await run();
    expect(await textsOf(jana, 'joined')).toHaveLength(1);
  });

  // NOTE-16
  it('about an event that is removed while the job waits for the lock of the event are sent after the event is restored', async () => {
    const { jana, anna } = await server.people('jana', 'anna');
    const event = await buildEvent(server, jana);
    await join(event, anna);
    await changeWhileWaiting(server, ['all_events', event.eventId], run, () => setRemoved(event, true));
    await setRemoved(event, false);
    await run();
    expect(await textsOf(jana, 'joined')).toHaveLength(1);
  });

  it('use the correct Czech plural form for the number of people who are not named', async () => {
    const people = await Promise.all(
      ['Jana', 'Anna', 'Bára', 'Cyril', 'Dana', 'Eva', 'Filip', 'Gita', 'Hana'].map(personNamed),
    );
    const [jana, ...others] = people as [Person, ...Person[]];
    const texts: string[] = [];
    for (const count of [3, 4, 5, 8]) {
      const event = await buildEvent(server, jana);
      await join(event, ...others.slice(0, count));
      await run();
      const { body } = await jana.api.send('GET', '/notices', { headers: { 'accept-language': 'cs' } });
      texts.push(/: ([^:]*)\.$/.exec(body.data[0].text)?.[1]?.replace(/\s/g, ' ') ?? '');
    }
    expect(texts).toEqual([
      'Anna, Bára a Cyril',
      'Anna, Bára, Cyril a 1 další',
      'Anna, Bára, Cyril a 2 další',
      'Anna, Bára, Cyril a 5 dalších',
    ]);
  });
});
