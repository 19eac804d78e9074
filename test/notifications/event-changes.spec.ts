import { buildEvent, type BuiltEvent } from '#testing/builders';
import { Feed } from '#testing/feed';
import type { Person } from '#testing/people';
import { buildSeries, occurrencesOf, setParticipation } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { inDays, soon } from '#testing/times';

const MINUTE_MS = 60_000;

/** NOTE-11, NOTE-12: notices about a changed time or place. */
describe('notices about changed events', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  /** Kinds and texts of a person's notices, oldest first. */
  const noticesOf = async ({ api }: Person): Promise<[kind: string, text: string][]> => {
    const { body } = await api.get('/notices');
    return body.data.map(({ kind, text }: { kind: string; text: string }) => [kind, text]).reverse();
  };
  const kindsOf = async (person: Person) => (await noticesOf(person)).map(([kind]) => kind);
  const change = async (organizer: Person, { id }: BuiltEvent, fields: Record<string, unknown>) => {
    const { status, body } = await organizer.api.patch(`/events/${id}`, fields);
    expect([status, body.code]).toEqual([200, undefined]);
  };
  const runJobAfter = async (minutes: number) => {
    server.clock.forward(minutes * MINUTE_MS);
    return server.job('event-changes');
  };
  /** The quiet time is five minutes. */
  const runJobAfterQuietTime = () => runJobAfter(6);

  // NOTE-11
  it('contain the old and the new value of each changed field except the position, in the language of the request', async () => {
    const jana = await server.person('jana');
    const eva = await server.person('eva', { locale: 'en' });
    const event = await buildEvent(server, jana, {
      title: 'Piknik',
      starts_at: new Date('2099-05-01T16:00:00Z'),
      location_name: 'Stromovka',
      with: [[eva, 'confirmed']],
    });
    await change(jana, event, {
      starts_at: '2099-05-02T17:30:00Z',
      ends_at: '2099-05-02T20:00:00Z',
      location_name: null,
      location_address: 'Letná 1, Praha',
      latitude: 50.1,
      longitude: 14.4,
    });
    expect(await noticesOf(eva)).toEqual([]);
    await runJobAfterQuietTime();
    const english = await eva.api.send('GET', '/notices', { headers: { 'accept-language': 'en' } });
    const czech = await eva.api.send('GET', '/notices', { headers: { 'accept-language': 'cs' } });
    // The version of Node.js determines whether the weekday is followed by a comma.
    english.body.data[0].text = english.body.data[0].text.replaceAll('day, ', 'day ');
    expect(english.body.data).toEqual([
      {
        id: expect.any(String),
        kind: 'event_changed',
        text:
          'The event “Piknik” has changed. New start: Saturday 2 May 2099 at 19:30 (previously: Friday 1 May 2099 at 18:00). ' +
          'New end: Saturday 2 May 2099 at 22:00 (previously: not set). New place: not given (previously: Stromovka). ' +
          'New address: Letná 1, Praha (previously: not given). The place on the map has moved.',
        subject: { type: 'event', id: event.id, url: expect.stringMatching(`/api/v1/discover/events/${event.id}$`) },
        read_at: null,
        created_at: expect.any(String),
      },
    ]);
    expect(czech.body.data[0].text).toBe(
      'Akce „Piknik“ se změnila. Nový začátek: sobota 2. května 2099, 19:30 (dříve: pátek 1. května 2099, 18:00). ' +
        'Nový konec: sobota 2. května 2099, 22:00 (dříve: neuvedeno). Nové místo: neuvedeno (dříve: Stromovka). ' +
        'Nová adresa: Letná 1, Praha (dříve: neuvedena). Místo na mapě se posunulo.',
    );
    expect((await server.job('event-changes')).notices_written).toBe(0);
  });

  // NOTE-11
  it.each([
    ['the end', { ends_at: soon(4) }],
    ['the address', { location_address: 'Jinde 1' }],
    ['the position', { latitude: 49.2, longitude: 16.6 }],
  ])('are sent if only %s changes', async (_, fields) => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana, {
      starts_at: inDays(3),
      location_name: 'A',
      location_address: 'Tady 1',
      latitude: 50.1,
      longitude: 14.4,
      with: [[petr, 'confirmed']],
    });
    await change(jana, event, fields);
    await runJobAfterQuietTime();
    expect(await kindsOf(petr)).toEqual(['event_changed']);
  });

  // NOTE-11
  it('are also sent if the PATCH contains the status that the event already has', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    await change(jana, event, { status: 'active', location_name: 'Riegrovy sady' });
    await runJobAfterQuietTime();
    expect(await kindsOf(petr)).toEqual(['event_changed']);
  });

  // NOTE-11, NOTE-21
  it('are sent to people whose status was confirmed, pending, waitlisted or requested at the last change and is one of these four when the notices are due, but not to people who block the organizer', async () => {
    const people = await server.people('jana', 'conf', 'pend', 'wait', 'req', 'decl', 'ban', 'gone', 'late', 'block');
    const { jana, conf, pend, wait, req, decl, ban, gone, late, block } = people;
    const event = await buildEvent(server, jana, {
      with: [
        [conf, 'confirmed'],
        [pend, 'pending'],
        [wait, 'waitlisted'],
        [req, 'requested'],
        [decl, 'declined'],
        [ban, 'banned'],
        [gone, 'confirmed'],
        [block, 'confirmed'],
      ],
    });
    await block.api.put(`/blocks/${jana.slug}`);
    await server.sql(
      'INSERT INTO user_blocks (blocker_id, blocked_id, created_at) VALUES ($1, $2, now()) ON CONFLICT DO NOTHING',
      [block.userId, jana.userId],
    );
    await change(jana, event, { location_name: 'Riegrovy sady' });
    server.clock.forward(MINUTE_MS);
    await gone.api.delete(`/events/${event.id}/join`);
    await late.api.post(`/events/${event.id}/join`);
    await decl.api.post(`/events/${event.id}/join`);
    await jana.api.post(`/events/${event.id}/participants`, { user: decl.slug });
    await runJobAfterQuietTime();
    const noticesByPerson = Object.fromEntries(
      await Promise.all(
        Object.entries(people).map(async ([name, person]) => [
          name,
          (await kindsOf(person)).filter((kind) => kind === 'event_changed').length,
        ]),
      ),
    );
    expect(noticesByPerson).toEqual({
      jana: 0,
      conf: 1,
      pend: 1,
      wait: 1,
      req: 1,
      decl: 0,
      ban: 0,
      gone: 0,
      late: 0,
      block: 0,
    });
  });

  // NOTE-11
  it('are sent even if the status of the participation changes, but not to people who left and joined again', async () => {
    const people = await server.people('jana', 'pend', 'wait', 'req', 'back', 'taker', 'offered', 'next', 'one', 'two');
    const { jana, pend, wait, req, back, taker, offered, next, one, two } = people;
    const open = await buildEvent(server, jana, {
      with: [
        [pend, 'pending'],
        [wait, 'waitlisted'],
        [req, 'requested'],
        [back, 'confirmed'],
      ],
    });
    const full = await buildEvent(server, jana, {
      max_participants: 3,
      waitlist_mode: 'offer',
      with: [
        [one, 'confirmed'],
        [two, 'confirmed'],
        [taker, 'waitlisted'],
        [offered, 'waitlisted'],
        [next, 'waitlisted'],
      ],
    });
    const join = async (person: Person, { id }: BuiltEvent) =>
      expect((await person.api.post(`/events/${id}/join`)).body.data.viewer.participation).toBe('confirmed');
    server.clock.forward(MINUTE_MS);
    for (const person of [one, two]) await person.api.delete(`/events/${full.id}/join`);
    server.clock.forward(MINUTE_MS);
    for (const event of [open, full]) await change(jana, event, { location_name: 'Riegrovy sady' });
    server.clock.forward(MINUTE_MS);
    await join(pend, open);
    for (const { slug } of [wait, req])
      expect((await jana.api.post(`/events/${open.id}/participants/${slug}/promote`)).status).toBe(200);
    await back.api.delete(`/events/${open.id}/join`);
    await join(back, open);
    await join(taker, full);
    await change(jana, full, { max_participants: 4 });
    expect((await jana.api.get(`/events/${full.id}`)).body.data.open_offers).toBe(2);
    // This change ends both offers. The people stay on the waitlist.
    await change(jana, full, { waitlist_mode: 'manual' });
    await runJobAfterQuietTime();
    const informed = await Promise.all(
      Object.entries(people).map(async ([name, person]) =>
        (await kindsOf(person)).filter((kind) => kind === 'event_changed').map(() => name),
      ),
    );
    expect(informed.flat()).toEqual(['pend', 'wait', 'req', 'taker', 'offered', 'next']);
  });

  // NOTE-11
  it('are sent after a period without changes, and contain only values that differ from the original values', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana, { location_name: 'A', with: [[petr, 'confirmed']] });
    const other = await buildEvent(server, jana, { location_name: 'A', with: [[petr, 'confirmed']] });
    await change(jana, event, { location_name: 'B' });
    await change(jana, other, { location_name: 'B' });
    await runJobAfter(4);
    await change(jana, event, { location_name: 'C' });
    await change(jana, other, { location_name: 'A' });
    await change(jana, event, { description: 'No change of time or place.' });
    await runJobAfter(4);
    expect(await noticesOf(petr)).toEqual([]);
    await runJobAfter(2);
    expect(await noticesOf(petr)).toEqual([['event_changed', expect.stringContaining('C (dříve: A).')]]);
    expect(await server.sql('SELECT event_id FROM event_changes')).toEqual([]);
  });

  // NOTE-11
  it('are sent exactly at the end of the quiet time, five minutes after the last change', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana, { location_name: 'A', with: [[petr, 'confirmed']] });
    const now = server.clock.now();
    const freeze = (seconds: number) => server.clock.freezeAt(new Date(now.getTime() + seconds * 1000));
    freeze(0);
    await change(jana, event, { location_name: 'B' });
    freeze(299);
    await server.job('event-changes');
    expect(await kindsOf(petr)).toEqual([]);
    freeze(300);
    await server.job('event-changes');
    expect(await kindsOf(petr)).toEqual(['event_changed']);
  });

  it.each([
    ['an event that starts soon', async () => ({ from: inDays(1 / 1440), to: soon(3) })],
    [
      'an event that is moved to a time in a few minutes',
      async () => ({ from: inDays(3), to: inDays(4 / 1440).toISOString() }),
    ],
    ['a running event', async () => ({ from: inDays(-1 / 24), to: soon(1) })],
  ])('are sent without a delay for %s, and include changes that were waiting to be sent', async (_, times) => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { from, to } = await times();
    const event = await buildEvent(server, jana, { starts_at: from, location_name: 'A', with: [[petr, 'confirmed']] });
    await change(jana, event, { location_name: 'B' });
    await change(jana, event, { starts_at: to });
    const notices = await noticesOf(petr);
    expect(notices.every(([kind]) => kind === 'event_changed')).toBe(true);
    expect(notices.map(([, text]) => text).join()).toContain('B (dříve: A)');
    expect(notices.at(-1)?.[1]).toContain('Nový začátek');
    expect((await server.job('event-changes')).notices_written).toBe(0);
  });

  // NOTE-11
  it.each([
    ['cancelled', (jana: Person, { id }: BuiltEvent) => jana.api.patch(`/events/${id}`, { status: 'cancelled' })],
    [
      'removed',
      (_: Person, { eventId }: BuiltEvent) =>
        server.sql('UPDATE all_events SET removed_at = now() WHERE id = $1', [eventId]),
    ],
    ['past', () => Promise.resolve(server.clock.moveTo(inDays(9)))],
    ['deleted', (_: Person, { eventId }: BuiltEvent) => server.sql('DELETE FROM all_events WHERE id = $1', [eventId])],
  ])('are not sent for an event that is %s when the notices are due', async (_, action) => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    await change(jana, event, { location_name: 'B' });
    await action(jana, event);
    await runJobAfterQuietTime();
    expect(await kindsOf(petr)).not.toContain('event_changed');
    expect(await server.sql('SELECT event_id FROM event_changes WHERE event_id = $1', [event.eventId])).toEqual([]);
  });

  // NOTE-11
  it.each([
    ['old', 2, 7000],
    ['new', 7000, 2],
  ])('are sent at once if the %s start is earlier than the end of the quiet time', async (_, former, changed) => {
    const { jana, petr } = await server.people('jana', 'petr');
    server.clock.reset();
    const inMinutes = (minutes: number) => new Date(server.clock.now().getTime() + minutes * MINUTE_MS);
    const event = await buildEvent(server, jana, { starts_at: inMinutes(former), with: [[petr, 'confirmed']] });
    await change(jana, event, { starts_at: inMinutes(changed).toISOString() });
    expect(await kindsOf(petr)).toEqual(['event_changed']);
  });

  // NOTE-11
  it('report the original start as the previous start, even if the event was moved to the past in between; no notice is sent if the original start is set again', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    server.clock.reset();
    const [start, later, past] = [soon(7), soon(8), soon(-7)];
    const event = await buildEvent(server, jana, { starts_at: new Date(start), with: [[petr, 'confirmed']] });
    await change(jana, event, { starts_at: past });
    await change(jana, event, { starts_at: start });
    await runJobAfterQuietTime();
    expect(await noticesOf(petr)).toEqual([]);
    await change(jana, event, { starts_at: past });
    await change(jana, event, { starts_at: later });
    await runJobAfterQuietTime();
    const day = (time: string) =>
      new Intl.DateTimeFormat('cs', { dateStyle: 'long', timeZone: 'Europe/Prague' }).format(new Date(time));
    expect((await noticesOf(petr)).map(([, text]) => [text.includes(day(start)), text.includes(day(past))])).toEqual([
      [true, false],
    ]);
  });

  // NOTE-11
  it('report only the cancellation if one request changes and cancels the event', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const near = await buildEvent(server, jana, { starts_at: inDays(1 / 1440), with: [[petr, 'confirmed']] });
    await change(jana, near, { location_name: 'B', status: 'cancelled' });
    const far = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    await change(jana, far, { location_name: 'B', status: 'cancelled' });
    await change(jana, far, { location_name: 'C' });
    await runJobAfterQuietTime();
    expect(await kindsOf(petr)).toEqual(['event_cancelled', 'event_cancelled']);
  });

  // NOTE-11
  it('are sent if only the end, the address, the latitude or the longitude has changed', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const changes = [{ ends_at: inDays(9) }, { location_address: 'Letná 1' }, { latitude: 50.1 }, { longitude: 14.5 }];
    for (const fields of changes) {
      const event = await buildEvent(server, jana, {
        starts_at: inDays(8),
        latitude: 50,
        longitude: 14,
        with: [[petr, 'confirmed']],
      });
      await change(jana, event, fields);
    }
    await runJobAfterQuietTime();
    expect(await kindsOf(petr)).toEqual(changes.map(() => 'event_changed'));
  });

  // NOTE-12
  it('about a changed series are sent once to each person, and link to the earliest occurrence that the person joined', async () => {
    const { jana, petr, eva, adam } = await server.people('jana', 'petr', 'eva', 'adam');
    const series = await buildSeries(server, jana, { title: 'Běh', location_name: 'Obora' });
    const [first, second, third] = await occurrencesOf(jana, series.id);
    for (const [person, occurrence] of [
      [petr, second],
      [petr, third],
      [eva, first],
      [eva, third],
    ] as const)
      expect((await person.api.post(`/events/${occurrence?.id}/join`)).status).toBe(200);
    // The notice about an edited occurrence omits the place, because the notice about the series reports the place.
    const edited = { ...(third as { id: string }), eventId: 0 };
    await change(jana, edited, { location_name: 'Letná', starts_at: soon(20) });
    expect((await jana.api.patch(`/series/${series.id}`, { location_name: 'Hvězda', title: 'Běhy' })).status).toBe(200);
    expect((await jana.api.patch(`/series/${series.id}`, { title: 'Běh' })).status).toBe(200);
    const subjectOf = async (person: Person) => (await person.api.get('/notices')).body.data.at(-1).subject.id;
    expect([await subjectOf(petr), await subjectOf(eva)]).toEqual([second?.id, first?.id]);
    await runJobAfterQuietTime();
    for (const person of [petr, eva])
      expect(await noticesOf(person)).toEqual([
        ['series_changed', expect.stringContaining('Nové místo: Hvězda (dříve: Obora).')],
        ['event_changed', expect.not.stringContaining('Nové místo')],
      ]);
    expect(await noticesOf(adam)).toEqual([]);
  });

  // NOTE-12
  it('about a new place of a series show, as the previous place, the place that the person knew', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const series = await buildSeries(server, jana, { location_name: 'Obora', atMost: 1 });
    const [only] = await occurrencesOf(jana, series.id);
    await petr.api.post(`/events/${only?.id}/join`);
    await change(jana, { id: only?.id ?? '', eventId: 0 }, { location_name: 'Letná' });
    server.clock.forward(MINUTE_MS);
    await eva.api.post(`/events/${only?.id}/join`);
    expect((await jana.api.patch(`/series/${series.id}`, { location_name: 'Hvězda' })).status).toBe(200);
    expect([await noticesOf(petr), await noticesOf(eva)]).toEqual([
      [['series_changed', expect.stringContaining('Nové místo: Hvězda (dříve: Obora).')]],
      [['series_changed', expect.stringContaining('Nové místo: Hvězda (dříve: Letná).')]],
    ]);
  });

  // NOTE-12, NOTE-21
  it('about a series are sent to the people who take part, are on the waitlist or are invited, but not to people who block the organizer', async () => {
    const people = await server.people('jana', 'conf', 'pend', 'wait', 'decl', 'ban', 'block');
    const { jana, conf, pend, wait, decl, ban, block } = people;
    const series = await buildSeries(server, jana, { latitude: 50.1, longitude: 14.4, atMost: 1 });
    const [only] = await occurrencesOf(jana, series.id);
    for (const [person, status] of [
      [conf, 'confirmed'],
      [pend, 'pending'],
      [wait, 'waitlisted'],
      [decl, 'declined'],
      [ban, 'banned'],
      [block, 'confirmed'],
    ] as const)
      await setParticipation(server, only?.id ?? '', person, status);
    expect((await block.api.put(`/blocks/${jana.slug}`)).status).toBeLessThan(300);
    expect((await jana.api.patch(`/series/${series.id}`, { latitude: 49.2, longitude: 16.6 })).status).toBe(200);
    const informed = await Promise.all(
      Object.entries(people).map(async ([name, person]) => ((await noticesOf(person)).length > 0 ? [name] : [])),
    );
    expect(informed.flat()).toEqual(['conf', 'pend', 'wait']);
    expect(await noticesOf(conf)).toEqual([
      [
        'series_changed',
        expect.stringMatching(/ Váš nejbližší termín: \p{L}+ \d+\. .*\d:\d\d\. Místo na mapě se posunulo\.$/u),
      ],
    ]);
  });

  const PLACE = { location_name: 'Obora', location_address: 'Obora 1', latitude: 50.1, longitude: 14.4 };
  /** For each field of the place: a value for an occurrence alone, and another value for the whole series. */
  const MOVES: [string, keyof typeof PLACE, ofOccurrence: string | number, ofSeries: string | number][] = [
    ['place name', 'location_name', 'Letná', 'Hvězda'],
    ['address', 'location_address', 'Letná 1', 'Hvězda 1'],
    ['latitude', 'latitude', 50.2, 50.3],
    ['longitude', 'longitude', 14.5, 14.6],
  ];
  /**
   * Creates a series of Jana at `PLACE`. Petr joins the only occurrence of the series, and Jana changes `fields` of
   * this occurrence alone.
   */
  async function changedOccurrence(fields: Record<string, unknown>) {
    const { jana, petr } = await server.people('jana', 'petr');
    const series = await buildSeries(server, jana, { ...PLACE, atMost: 1 });
    const [only] = await occurrencesOf(jana, series.id);
    await petr.api.post(`/events/${only?.id}/join`);
    const changeOccurrence = () => change(jana, { id: only?.id ?? '', eventId: 0 }, fields);
    await changeOccurrence();
    const changeSeries = async (ofSeries: Record<string, unknown>) =>
      expect((await jana.api.patch(`/series/${series.id}`, ofSeries)).status).toBe(200);
    return { petr, changeOccurrence, changeSeries };
  }

  // NOTE-12
  it.each(MOVES)(
    'about a single occurrence do not repeat a new %s that a notice about the series has already reported',
    async (_name, field, ofOccurrence, ofSeries) => {
      const { petr, changeOccurrence, changeSeries } = await changedOccurrence({ [field]: ofOccurrence });
      await changeSeries({ [field]: ofSeries });
      await runJobAfterQuietTime();
      expect(await kindsOf(petr)).toEqual(['series_changed']);
      // A later change of the occurrence alone is reported.
      await changeOccurrence();
      await runJobAfterQuietTime();
      expect(await kindsOf(petr)).toEqual(['series_changed', 'event_changed']);
    },
  );

  // NOTE-12
  it('about a series contain a link to the occurrence that starts first, even if another occurrence was created earlier', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const series = await buildSeries(server, jana, { location_name: 'Obora', atMost: 2 });
    const [first, second] = await occurrencesOf(jana, series.id);
    for (const occurrence of [first, second]) await petr.api.post(`/events/${occurrence?.id}/join`);
    await change(jana, { id: first?.id ?? '', eventId: 0 }, { starts_at: soon(20) });
    expect((await jana.api.patch(`/series/${series.id}`, { location_name: 'Hvězda' })).status).toBe(200);
    const [notice] = (await petr.api.get('/notices')).body.data;
    expect([notice.kind, notice.subject.id]).toEqual(['series_changed', second?.id]);
  });

  // NOTE-12
  it.each(MOVES)(
    'are not sent if a change of the series gives an occurrence its original %s again',
    async (_name, field, ofOccurrence) => {
      const { petr, changeSeries } = await changedOccurrence({ [field]: ofOccurrence });
      await changeSeries({ [field]: PLACE[field] });
      await runJobAfterQuietTime();
      expect(await noticesOf(petr)).toEqual([]);
    },
  );

  // NOTE-11
  it('appear in the feed of changes, and are not created if the request is refused', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const event = await buildEvent(server, jana, { starts_at: inDays(1 / 1440), with: [[petr, 'confirmed']] });
    const feed = await Feed.of(petr);
    await change(jana, event, { location_name: 'B' });
    await jana.api.patch(`/events/${event.id}`, { location_name: 'C', max_participants: 1 });
    expect((await feed.newEntries()).filter(({ type }) => type === 'notice.created')).toHaveLength(1);
  });
});

describe('notices about changed events if no delay is configured', () => {
  it('are sent for each change', async () => {
    const server = await TestServer.start({ noticeQuietSeconds: 0 });
    try {
      const { jana, petr } = await server.people('jana', 'petr');
      const event = await buildEvent(server, jana, { location_name: 'A', with: [[petr, 'confirmed']] });
      for (const location_name of ['B', 'C']) await jana.api.patch(`/events/${event.id}`, { location_name });
      const { body } = await petr.api.get('/notices');
      expect(body.data.map(({ text }: { text: string }) => /místo: (.*)\./.exec(text)?.[1])).toEqual([
        'C (dříve: B)',
        'B (dříve: A)',
      ]);
    } finally {
      await server.stop();
    }
  });
});
