import fc from 'fast-check';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import type { ParticipationState } from '#contract/vocabulary';
import { pragueDay } from '#platform/time/prague';
import { buildEvent } from '#testing/builders';
import { entryOf, readCalendar, type ReadCalendar } from '#testing/calendars';
import { buildGroup } from '#testing/groups';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { buildSeries, occurrencesOf, setParticipation } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let serial = 0;
const byTitle = (one: { title: string }, other: { title: string }): number => one.title.localeCompare(other.title);

/**
 * Moves a time out of the hour that occurs twice in autumn, because node-ical always reads a time in this hour as the
 * second occurrence. A separate test checks how times in this hour are written.
 */
function outsideRepeatedHour(moment: number, year: number): number {
  const last = new Date(Date.UTC(year, 9, 31));
  const repeatedHour = Date.UTC(year, 9, 31 - last.getUTCDay());
  return moment >= repeatedHour && moment < repeatedHour + 2 * HOUR_MS ? moment + 2 * HOUR_MS : moment;
}

/** Tests iCalendar files with an independent parser (node-ical). */
describe('a calendar file', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
  });
  afterAll(() => server.stop());

  const fetchFile = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(server.origin + path, { headers });
  const calendarPathOf = async (person: Person): Promise<string> =>
    new URL((await person.api.get('/user/calendar')).body.data.url).pathname;
  async function calendarAt(path: string): Promise<ReadCalendar & { text: string }> {
    const response = await fetchFile(path);
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/calendar; charset=utf-8',
    ]);
    const text = await response.text();
    return { text, ...readCalendar(text) };
  }
  const calendarOf = async (person: Person) => calendarAt(await calendarPathOf(person));
  const eventUrlOf = async (organizer: Person, id: string): Promise<string> =>
    (await organizer.api.get(`/events/${id}`)).body.data.url;
  const titles = ({ events }: ReadCalendar) => events.map((one) => one.summary as string).sort();
  async function setBanned(person: Person, banned: boolean): Promise<void> {
    await server.database.transaction(async (tx) => {
      const user = (await server.app.get(UsersReader).lockBySlug(tx, person.slug))!;
      await server.app.get(UsersCommands).update(tx, user, { banned });
    });
  }

  // CAL-1, CAL-2
  describe('has a secret address that', () => {
    it('is permanent, different for each person, and needs no token', async () => {
      const { body, headers } = await jana.api.get('/user/calendar');
      expect(body.data.url).toMatch(/\/calendar\/[A-Za-z0-9_-]{43}\.ics$/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect((await jana.api.get('/user/calendar')).body.data.url).toBe(body.data.url);
      expect(await calendarPathOf(petr)).not.toBe(await calendarPathOf(jana));
      const file = await fetchFile(await calendarPathOf(jana));
      expect(file.headers.get('cache-control')).toBe('private, no-cache');
      expect(file.headers.get('x-robots-tag')).toBe('noindex');
      expect((await server.nobody.get('/user/calendar')).status).toBe(401);
    });

    it('is created only once, even if ten requests are sent in parallel', async () => {
      const { nova } = await server.people('nova');
      const urls = await Promise.all(
        Array.from({ length: 10 }, () => nova.api.get('/user/calendar').then(({ body }) => body.data.url as string)),
      );
      expect(new Set(urls).size).toBe(1);
    });

    it('can be renewed, after which the old address immediately answers 404', async () => {
      const { nova } = await server.people('nova');
      const old = await calendarPathOf(nova);
      const answers = await Promise.all(Array.from({ length: 10 }, () => nova.api.post('/user/calendar/renew')));
      const paths = answers.map(({ status, body }) => [status, new URL(body.data.url).pathname] as const);
      const currentPath = await calendarPathOf(nova);
      expect(paths.map(([status]) => status)).toEqual(Array(10).fill(200));
      for (const path of [old, ...paths.map(([, path]) => path)])
        expect((await fetchFile(path)).status).toBe(path === currentPath ? 200 : 404);
      expect(answers[0]!.headers.get('cache-control')).toBe('no-store');
    });

    it('can be read with a read-only token, but not renewed', async () => {
      const reader = await server.person('ctenar', { access: 'read' });
      await calendarPathOf(reader);
      const { status, body } = await reader.api.post('/user/calendar/renew');
      expect([status, body.code]).toEqual([403, 'insufficient_scope']);
    });

    it('answers 404 if the address is truncated, invented or changed, and while the account is banned', async () => {
      const { nova } = await server.people('nova');
      const path = await calendarPathOf(nova);
      const cut = path.slice(0, -4);
      for (const bad of [
        cut,
        `${cut.slice(0, -1)}.ics`,
        `${cut}a.ics`,
        `${cut.toUpperCase().replace('/CALENDAR', '/calendar')}.ics`,
        '/calendar/.ics',
        '/calendar/%00.ics',
      ]) {
        expect([bad, (await fetchFile(bad)).status]).toEqual([bad, 404]);
      }
      await setBanned(nova, true);
      expect((await fetchFile(path)).status).toBe(404);
      await setBanned(nova, false);
      expect((await fetchFile(path)).status).toBe(200);
    });
  });

  // CAL-3, CAL-4
  it('contains exactly the events that its owner organizes or is confirmed for, each until 30 days after its end or cancellation', async () => {
    const { host, guest } = await server.people('host', 'guest');
    const make = (title: string, options: Parameters<typeof buildEvent>[2] = {}) =>
      buildEvent(server, host, { title, ...options });
    await make('Soukromá', { is_public: false, with: [[guest, 'confirmed']] });
    for (const state of ['pending', 'waitlisted', 'requested', 'declined', 'banned'] as const)
      await make(state, { with: [[guest, state]] });
    await make('Před 29 dny', { starts_at: inDays(-29.5), with: [[guest, 'confirmed']] });
    await make('Před 31 dny', { starts_at: inDays(-31), with: [[guest, 'confirmed']] });
    await make('Dlouhá', { starts_at: inDays(-40), ends_at: inDays(-20), with: [[guest, 'confirmed']] });
    const leftEvent = await make('Opuštěná', { with: [[guest, 'confirmed']] });
    const cancelled = await make('Zrušená', { with: [[guest, 'confirmed']], starts_at: inDays(90) });
    await host.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
    expect(titles(await calendarOf(guest))).toEqual(
      ['Dlouhá', 'Opuštěná', 'Před 29 dny', 'Soukromá', 'Zrušená'].sort(),
    );
    expect((await calendarOf(guest)).events.find((one) => one.summary === 'Zrušená')?.status).toBe('CANCELLED');
    await guest.api.delete(`/events/${leftEvent.id}/join`);
    expect(titles(await calendarOf(guest))).not.toContain('Opuštěná');
    expect(titles(await calendarOf(host))).toHaveLength(10);
    server.clock.moveTo(inDays(31));
    expect(titles(await calendarOf(guest))).toEqual(['Soukromá']);
    server.clock.moveTo(inDays(38));
    expect(titles(await calendarOf(guest))).toEqual([]);
    expect((await calendarOf(guest)).text).toContain('TZID:Europe/Prague');
  });

  // CAL-4
  it('contains a cancelled event until 30 days after its cancellation, even if its place was changed later', async () => {
    const { host, guest } = await server.people('host', 'guest');
    const { id } = await buildEvent(server, host, {
      title: 'Zrušená',
      with: [[guest, 'confirmed']],
      starts_at: inDays(90),
    });
    await host.api.patch(`/events/${id}`, { status: 'cancelled' });
    server.clock.moveTo(inDays(20));
    expect((await host.api.patch(`/events/${id}`, { location_name: 'Jinde' })).status).toBe(200);
    expect(titles(await calendarOf(guest))).toEqual(['Zrušená']);
    server.clock.moveTo(inDays(31));
    expect(titles(await calendarOf(guest))).toEqual([]);
  });

  // CAL-3
  it('contains the events ordered by their start, each with its place, address and position', async () => {
    const { host } = await server.people('host');
    const make = (title: string, days: number, options: Parameters<typeof buildEvent>[2] = {}) =>
      buildEvent(server, host, { title, starts_at: inDays(days), ...options });
    await make('Druhá', 20, {
      location_name: 'Letná',
      location_address: 'Letenské sady 1',
      latitude: 50.1,
      longitude: 14.4,
    });
    await make('První', 10, { location_name: null, location_address: 'Náměstí 2' });
    await make('Třetí', 30, { location_name: null, location_address: null });
    const { events } = await calendarOf(host);
    expect(
      events.map(({ summary, location, geo }) => [summary, location, geo && [Number(geo.lat), Number(geo.lon)]]),
    ).toEqual([
      ['První', 'Náměstí 2', undefined],
      ['Druhá', 'Letná, Letenské sady 1', [50.1, 14.4]],
      ['Třetí', undefined, undefined],
    ]);
  });

  // CAL-3
  it('contains coordinates as decimal numbers, never with an exponent such as 5e-7', async () => {
    const { host } = await server.people('host');
    await buildEvent(server, host, { title: 'Rovník', latitude: 5e-7, longitude: -78.45 });
    expect((await calendarOf(host)).text).toContain('\r\nGEO:0.0000005;-78.45\r\n');
  });

  // CAL-8
  it('has a name in the language of its owner', async () => {
    const [czech, english] = await Promise.all(
      (['cs', 'en'] as const).map((locale) => server.person('ctenar', { locale })),
    );
    const names = [(await calendarOf(czech!)).name, (await calendarOf(english!)).name];
    expect(names).toEqual(['Moje akce', 'My events']);
  });

  // CAL-5
  it('increases the SEQUENCE and the DTSTAMP of an event when its time, place or status changes; a new title or price does not increase the SEQUENCE, and joins, comments and check-ins do not change the entry', async () => {
    const { host, guest, other } = await server.people('host', 'guest', 'other');
    const { id } = await buildEvent(server, host, {
      title: 'Stálá',
      with: [[guest, 'confirmed']],
      starts_at: inDays(5),
      ends_at: inDays(6),
    });
    const url = await eventUrlOf(host, id);
    const entry = async (who = guest) => entryOf(await calendarOf(who), url)!;
    const first = await entry();
    expect([Number(first.sequence), first.uid]).toEqual([0, (await entry(host)).uid]);
    await other.api.post(`/events/${id}/join`);
    await guest.api.post(`/events/${id}/comments`, { body: 'Těším se' });
    await host.api.put(`/events/${id}/participants/${other.slug}/check-in`);
    expect(await entry()).toEqual(first);
    const changes = [
      { starts_at: inDays(4).toISOString() },
      { ends_at: inDays(7).toISOString() },
      { location_name: 'Jinde' },
      { location_address: 'Jinde 1' },
      { latitude: 50.1, longitude: 14.5 },
      { latitude: 50.2 },
      { longitude: 14.6 },
      { status: 'cancelled' },
    ];
    for (const [i, change] of changes.entries()) {
      server.clock.forward(2000);
      await host.api.patch(`/events/${id}`, change);
      const after = await entry();
      expect([Number(after.sequence), after.uid, +after.dtstamp > +first.dtstamp]).toEqual([i + 1, first.uid, true]);
    }
    await host.api.patch(`/events/${id}`, { title: 'Jinak', price_czk: 10 });
    expect(Number((await entry()).sequence)).toBe(changes.length);
  });

  // CAL-6
  it('shows times before 1997 in UTC, and has no DTEND for an event without an end', async () => {
    const { id } = await buildEvent(server, jana, { starts_at: new Date('1996-07-01T10:00:00Z') });
    const { text } = await calendarAt(`${new URL(await eventUrlOf(jana, id)).pathname}.ics`);
    expect(text).toContain('\r\nDTSTART:19960701T100000Z\r\n');
    expect(text).not.toContain('DTEND');
  });

  // CAL-6
  it('shows every time around both clock changes correctly', async () => {
    const { host } = await server.people('host');
    const year = new Date().getUTCFullYear() + 1;
    const starts: Date[] = [];
    // Every half hour from Saturday 22:00 to Sunday 04:00 (UTC), on the last Sundays of March and October.
    for (const month of [2, 9]) {
      const lastDay = new Date(Date.UTC(year, month + 1, 0));
      const sunday = Date.UTC(year, month, lastDay.getUTCDate() - lastDay.getUTCDay());
      for (let half = -4; half <= 8; half++) starts.push(new Date(sunday + half * 1_800_000));
    }
    const events = [];
    for (const start of starts)
      events.push(await buildEvent(server, host, { starts_at: start, ends_at: new Date(+start + 5_400_000) }));
    const calendar = await calendarOf(host);
    // In the file, a local time that occurs twice means its first occurrence (RFC 5545, 3.3.5). node-ical reads it as
    // the second occurrence, so this test checks the text of the file.
    const autumnDay = String(year) + calendar.text.match(/^DTSTART:\d{4}(10\d\d)T\d{6}Z/m)![1]!;
    const isFirstOccurrence = (instant: Date): boolean =>
      pragueDay(instant).replaceAll('-', '') === autumnDay && [0, 0.5].includes((+instant % 86_400_000) / 3_600_000);
    const expectTime = (readTime: Date | undefined, instant: Date): void => {
      if (!isFirstOccurrence(instant)) expect(+readTime!).toBe(+instant);
      else
        expect(calendar.text).toContain(
          `;TZID=Europe/Prague:${autumnDay}T02${+instant % 3_600_000 ? '30' : '00'}00\r\n`,
        );
    };
    for (const [i, { id }] of events.entries()) {
      const entry = entryOf(calendar, await eventUrlOf(host, id))!;
      expectTime(entry.start, starts[i]!);
      expectTime(entry.end, new Date(+starts[i]! + 5_400_000));
    }
    // Two starts and two ends are in UTC, because they are in the second occurrence of the repeated hour: 01:00Z and
    // 01:30Z of that night.
    expect(calendar.text.match(/^DTSTART:\d{8}T\d{6}Z/gm)).toHaveLength(2);
    expect(calendar.text.match(/^DTEND:\d{8}T\d{6}Z/gm)).toHaveLength(2);
    expect(calendar.text.match(/BEGIN:VTIMEZONE/g)).toHaveLength(1);
  });

  // CAL-3, CAL-4, CAL-6
  it('contains exactly the recent and future events that its owner organizes or is confirmed for (random events)', async () => {
    const host = await server.person('hostitel');
    const year = new Date().getUTCFullYear() + 1;
    // Two of these five periods are the weeks of the clock changes, so that random events are often in these weeks.
    const periods = [
      [Date.UTC(year, 2, 24), 8],
      [Date.UTC(year, 9, 24), 8],
      [Date.now() - 25 * DAY_MS, 24],
      [Date.now() + DAY_MS, 300],
      [Date.now() - 300 * DAY_MS, 250],
    ] as const;
    const randomEvent = fc.record({
      moment: fc
        .constantFrom(...periods)
        .chain(([from, days]) =>
          fc
            .integer({ min: 0, max: days * 96 - 1 })
            .map((quarter) => Math.floor(from / HOUR_MS) * HOUR_MS + quarter * (HOUR_MS / 4)),
        ),
      quarters: fc.option(fc.integer({ min: 1, max: 300 })),
      relation: fc.constantFrom<'organizer' | ParticipationState>(
        'organizer',
        'confirmed',
        'confirmed',
        'pending',
        'waitlisted',
        'requested',
        'declined',
        'banned',
      ),
      isPublic: fc.boolean(),
      isCancelled: fc.boolean(),
    });
    for (const options of fc.sample(fc.array(randomEvent, { maxLength: 10 }), repetitions('calendar_accounts'))) {
      const account = await server.person(`ucet-${serial++}`);
      const expected: { title: string; start: number; end: number | undefined; status: string }[] = [];
      for (const [i, { moment, quarters, relation, isPublic, isCancelled }] of options.entries()) {
        const start = outsideRepeatedHour(moment, year);
        const end = quarters === null ? undefined : outsideRepeatedHour(start + quarters * (HOUR_MS / 4), year);
        const event = await buildEvent(server, relation === 'organizer' ? account : host, {
          title: `${i}`,
          starts_at: new Date(start),
          ends_at: end === undefined ? null : new Date(end),
          is_public: isPublic,
          with: relation === 'organizer' ? [] : [[account, relation]],
        });
        const isRecent = (end ?? start) > Date.now() - 30 * DAY_MS;
        if (isCancelled && isRecent)
          await server.sql(`UPDATE events SET status = 'cancelled' WHERE id = $1`, [event.eventId]);
        if (isRecent && (relation === 'organizer' || relation === 'confirmed'))
          expected.push({ title: `${i}`, start, end, status: isCancelled ? 'CANCELLED' : 'CONFIRMED' });
      }
      const read = (await calendarOf(account)).events.map(({ summary, start, end, status, datetype }) => {
        expect(datetype).toBe('date-time');
        return {
          title: summary as string,
          start: +start,
          end: end && +end !== +start ? +end : undefined,
          status: status ?? 'CONFIRMED',
        };
      });
      expect(read.sort(byTitle)).toEqual(expected.sort(byTitle));
    }
  }, 600_000);

  // CAL-8
  it('preserves texts that contain calendar syntax, without additional entries, and has lines of at most 75 bytes', async () => {
    const { host } = await server.people('host');
    const texts = [
      'Čaj; o páté, \\ a "uvozovky"',
      'END:VEVENT',
      'a\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:x',
      '\\ \\; \\\\,',
      '🎉'.repeat(45),
      'ěščřžýáíé'.repeat(11),
      'a'.repeat(66),
      'tab\tuvnitř',
      ':;=,"^\'',
      '<b>&amp;',
    ];
    for (const [i, title] of texts.entries())
      await buildEvent(server, host, {
        title,
        location_name: title.slice(0, 90),
        description: '<p>První; &amp;</p><p>druhý</p>',
        starts_at: inDays(i + 1),
      });
    const { events, text } = await calendarOf(host);
    expect(events.map((one) => one.summary)).toEqual(texts.map((one) => one.replace(/\r\n/g, '\n')));
    // node-ical would read `\n` in a title as the end of a line, so this test checks the text of the file. The
    // description is long enough to continue on three lines of exactly 75 bytes.
    await buildEvent(server, host, { title: 'zpětné \\n lomítko', description: `<p>${'a'.repeat(300)}</p>` });
    const { text: laterText } = await calendarOf(host);
    expect(laterText).toContain('SUMMARY:zpětné \\\\n lomítko\r\n');
    for (const one of events) expect(one.description).toBe('První; &\ndruhý');
    for (const line of [...text.split('\r\n'), ...laterText.split('\r\n')])
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text).not.toMatch(/(^|[^\r])\n|\r(?!\n)|\r\n\r\n/);
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(text.replaceAll('\r\n ', '')).not.toMatch(/mailto|@example|ORGANIZER|ATTENDEE/);
    expect(text).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT1H');
  });

  // CAL-7
  describe('that is public', () => {
    it('contains the public events of a group, but does not exist for a private group', async () => {
      const { founder } = await server.people('founder');
      const group = await buildGroup(server, founder, { name: 'Parta; u řeky, "A"' });
      const hidden = await buildGroup(server, founder, { is_public: false });
      const post = (title: string, is_public: boolean, ofGroup = group) =>
        founder.api.post('/events', { title, starts_at: inDays(3).toISOString(), is_public, group: ofGroup.id });
      expect((await post('Veřejná', true)).status).toBe(201);
      expect((await post('Soukromá', false)).status).toBe(201);
      const calendar = await calendarAt(`/groups/${group.id}/calendar.ics`);
      expect([calendar.name, titles(calendar)]).toEqual(['Parta; u řeky, "A"', ['Veřejná']]);
      for (const id of [hidden.id, 'nowhereatall'])
        expect((await fetchFile(`/groups/${id}/calendar.ics`)).status).toBe(404);
    });

    it('contains the public events of an organizer, but does not exist for a person without a page', async () => {
      const { singer, visitor } = await server.people('singer', 'visitor');
      await buildEvent(server, singer, { title: 'Veřejná', with: [[visitor, 'confirmed']] });
      await buildEvent(server, singer, { title: 'Soukromá', is_public: false });
      expect(titles(await calendarAt(`/people/${singer.slug}/calendar.ics`))).toEqual(['Veřejná']);
      expect(titles(await calendarAt(`/people/${visitor.slug}/calendar.ics`))).toEqual([]);
      const hidden = await server.person('skryta', { searchable: false });
      await buildEvent(server, hidden, { is_public: false });
      await setBanned(singer, true);
      for (const slug of [hidden.slug, singer.slug, 'nikdo'])
        expect((await fetchFile(`/people/${slug}/calendar.ics`)).status).toBe(404);
    });

    it('has an entry for each public occurrence of a series, including cancelled occurrences', async () => {
      const { host } = await server.people('host');
      const series = await buildSeries(server, host, { is_public: true, atMost: 4, durationMinutes: 90 });
      const privateSeries = await buildSeries(server, host, { is_public: false, atMost: 1 });
      const occurrences = await occurrencesOf(host, series.id);
      await host.api.patch(`/events/${occurrences[1]!.id}`, { is_public: false });
      const path = `/series/${series.id}/calendar.ics`;
      const calendar = await calendarAt(path);
      expect(calendar.events.map((one) => String(one.url))).toEqual([0, 2, 3].map((i) => occurrences[i]!.url));
      await host.api.post(`/series/${series.id}/cancel`);
      const after = await calendarAt(path);
      expect(after.events.map(({ status, sequence }) => [status, Number(sequence)])).toEqual(
        Array(3).fill(['CANCELLED', 1]),
      );
      for (const id of [privateSeries.id, 'nowhereatall'])
        expect((await fetchFile(`/series/${id}/calendar.ics`)).status).toBe(404);
      await setBanned(host, true);
      expect((await fetchFile(path)).status).toBe(404);
    });
  });

  // CAL-5, CAL-9
  it('contains the same entry for an event as the event’s own calendar file, and answers 304 while the calendar is unchanged', async () => {
    const { host } = await server.people('host');
    const { id } = await buildEvent(server, host, { title: 'Jedna' });
    await setParticipation(server, id, eva, 'confirmed');
    const path = `/people/${host.slug}/calendar.ics`;
    const entry = readCalendar(await (await fetchFile(`/events/${id}.ics`)).text()).events[0]!;
    for (const calendar of [await calendarOf(eva), await calendarAt(path)])
      expect(calendar.events.find(({ uid }) => uid === entry.uid)).toEqual(entry);

    const first = await fetchFile(path);
    const tag = first.headers.get('etag')!;
    server.clock.forward(60_000);
    for (const etags of [tag, `"x", W/${tag}`, '*']) {
      const revalidated = await fetchFile(path, { 'if-none-match': etags });
      expect([revalidated.status, revalidated.headers.get('etag'), await revalidated.text()]).toEqual([304, tag, '']);
    }
    await buildEvent(server, host, { title: 'Tajná', is_public: false });
    expect((await fetchFile(path)).headers.get('etag')).toBe(tag);
    await host.api.patch(`/events/${id}`, { title: 'Jiná' });
    expect((await fetchFile(path, { 'if-none-match': tag })).status).toBe(200);
    const head = await fetch(server.origin + path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  // CAL-5
  it('contains no control characters, even if the stored title of an old event contains such characters', async () => {
    const { host } = await server.people('host');
    const { id, eventId } = await buildEvent(server, host);
    await server.sql('UPDATE events SET title = $1 WHERE id = $2', ['Zvo\u0007nek \u001b[31m', eventId]);
    const text = await (await fetchFile(`/events/${id}.ics`)).text();
    expect(text).toMatch(/^SUMMARY:Zvonek \[31m\r$/m);
    expect(text.replace(/[\t\r\n]/g, '')).not.toMatch(/\p{Cc}/u);
  });

  // CAL-9
  it('is linked in the <head> of the page of its event, group or person', async () => {
    const { host } = await server.people('host');
    const group = await buildGroup(server, host);
    const { id } = await buildEvent(server, host);
    for (const [page, file] of [
      [`/events/${id}`, `/events/${id}.ics`],
      [`/groups/${group.id}`, `/groups/${group.id}/calendar.ics`],
      [`/people/${host.slug}`, `/people/${host.slug}/calendar.ics`],
    ] as const) {
      const html = await (await fetchFile(page)).text();
      const [, href = ''] = /<link rel="alternate" type="text\/calendar" href="([^"]+)"/.exec(html) ?? [];
      expect(new URL(href).pathname).toBe(file);
    }
  });
});
