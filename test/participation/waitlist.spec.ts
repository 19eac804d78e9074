import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import { buildEvent, eventBody, type BuiltEvent, type EventOptions } from '#testing/builders';
import { Feed } from '#testing/feed';
import { ledgerFaults } from '#testing/ledger';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const HOUR_MS = 3_600_000;

/** By default, an event in these tests has two seats: one for the organizer and one for a guest. */
describe('a waitlist that fills free seats', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person, ivan: Person, olga: Person;

  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr, eva, ivan, olga } = await server.people('jana', 'petr', 'eva', 'ivan', 'olga'));
  });
  afterEach(async () => expect(await ledgerFaults(server)).toEqual([]));
  afterAll(() => server.stop());

  const createEvent = (options: EventOptions = {}) =>
    buildEvent(server, jana, {
      max_participants: 2,
      waitlist_mode: 'offer',
      with: [
        [petr, 'confirmed'],
        [eva, 'waitlisted'],
        [ivan, 'waitlisted'],
      ],
      ...options,
    });
  const join = ({ api }: Person, { id }: BuiltEvent, body = {}) => api.post(`/events/${id}/join`, body);
  /** Creates an event for adults, in which petr has the only seat for guests and `person` is on the waitlist. */
  const eventForAdults = (person: Person) =>
    createEvent({
      age_min: 18,
      with: [
        [petr, 'confirmed'],
        [person, 'waitlisted'],
      ],
    });
  const leave = ({ api }: Person, { id }: BuiltEvent) => api.delete(`/events/${id}/join`);
  const viewer = async ({ api }: Person, { id }: BuiltEvent) =>
    (await api.get(`/discover/events/${id}`)).body.data.viewer;
  const patch = ({ id }: BuiltEvent, body: Record<string, unknown>) => jana.api.patch(`/events/${id}`, body);
  const sweep = () => server.job('offers-sweep');
  const result = ({ status, body }: Awaited<ReturnType<typeof join>>) =>
    status < 300 ? String(status) : `${status} ${body.code}`;
  const noticeKinds = async ({ api }: Person, { id }: BuiltEvent): Promise<string[]> =>
    (await api.get('/notices?per_page=100')).body.data
      .filter((notice: { subject: { id: string } }) => notice.subject.id === id)
      .map(({ kind }: { kind: string }) => kind);
  /** The participants in the order of the API, such as `eva waitlisted`, or with an open offer `eva waitlisted!`. */
  const people = async ({ id }: BuiltEvent): Promise<string[]> =>
    (await jana.api.get(`/events/${id}/participants?per_page=100`)).body.data
      .filter(({ status }: { status: string }) => status !== 'banned')
      .map(
        ({ user, status, offer_expires_at }: { user: { slug: string }; status: string; offer_expires_at: unknown }) =>
          `${user.slug.split('-')[0]} ${status}${offer_expires_at === null ? '' : '!'}`,
      );

  // JOIN-53
  it('has default values for its mode and offer hours, and refuses invalid values; other people see the mode `manual` if the event has tickets or no limit', async () => {
    const { body: created } = await jana.api.post('/events', eventBody({ max_participants: 5 }));
    expect(created.data).toMatchObject({ waitlist_mode: 'manual', offer_hours: 24, open_offers: 0 });
    const event = await createEvent({ with: [] });
    const { data } = (await patch(event, { waitlist_mode: 'offer', offer_hours: 168 })).body;
    expect(data).toMatchObject({ waitlist_mode: 'offer', offer_hours: 168, open_offers: 0 });
    const nulls = await patch(event, { waitlist_mode: null, offer_hours: null });
    expect(nulls.body.data).toMatchObject({ waitlist_mode: 'manual', offer_hours: 24 });
    for (const wrong of [{ waitlist_mode: 'fast' }, { offer_hours: 0 }, { offer_hours: 169 }, { offer_hours: 1.5 }]) {
      const { status, body } = await patch(event, wrong);
      expect([status, Object.keys(body.errors)]).toEqual([422, Object.keys(wrong)]);
    }
    const shownModes = async (changes: Record<string, unknown>) => {
      const ownView = await patch(event, changes);
      const { body } = await eva.api.get(`/discover/events/${event.id}`);
      return [ownView.body.data.waitlist_mode, body.data.waitlist_mode];
    };
    expect(await shownModes({ waitlist_mode: 'auto' })).toEqual(['auto', 'auto']);
    expect(await shownModes({ join_mode: 'tickets' })).toEqual(['auto', 'manual']);
    expect(await shownModes({ join_mode: 'password', join_password: 'jablko' })).toEqual(['auto', 'auto']);
    expect(await shownModes({ max_participants: null })).toEqual(['auto', 'manual']);
  });

  // JOIN-53
  it('has the mode and offer hours of its series; a series that was stored before these fields existed has their default values', async () => {
    const { body } = await jana.api.post('/series', {
      title: 'Čaj',
      starts_at: new Date(server.clock.now().getTime() + 48 * HOUR_MS).toISOString(),
      frequency: 'weekly',
      occurrences_limit: 2,
      max_participants: 2,
      waitlist_mode: 'auto',
    });
    expect(body.data).toMatchObject({ waitlist_mode: 'auto', offer_hours: 24 });
    const path = `/series/${body.data.id}`;
    const events = (await jana.api.get(`${path}/events`)).body.data as { id: string; waitlist_mode: string }[];
    expect(events.map(({ waitlist_mode }) => waitlist_mode)).toEqual(['auto', 'auto']);
    // JOIN-54: when the series gets more seats, the new seats of its events are given to waiting people.
    const id = events[0]?.id ?? '';
    expect((await petr.api.post(`/events/${id}/join`)).status).toBe(200);
    expect((await eva.api.post(`/events/${id}/waitlist`)).status).toBe(200);
    expect((await jana.api.patch(path, { max_participants: 3 })).status).toBe(200);
    expect((await eva.api.get(`/discover/events/${id}`)).body.data.viewer.participation).toBe('confirmed');
    await server.sql(`UPDATE all_series SET template = template - 'waitlist_mode' - 'offer_hours'`);
    expect((await jana.api.get(path)).body.data).toMatchObject({ waitlist_mode: 'manual', offer_hours: 24 });
    expect((await jana.api.patch(path, { offer_hours: 3 })).body.data).toMatchObject({ offer_hours: 3 });
  });

  // JOIN-54, JOIN-55, JOIN-60
  it('gives a freed seat to the first person who can join, in mode `auto`', async () => {
    const event = await createEvent({ waitlist_mode: 'auto' });
    expect(result(await leave(petr, event))).toBe('204');
    expect(await people(event)).toEqual(['eva confirmed', 'ivan waitlisted']);
    expect(await noticeKinds(eva, event)).toEqual(['promotion']);
    expect(await viewer(eva, event)).toMatchObject({ participation: 'confirmed', check_in_code: expect.any(String) });
    expect(result(await join(olga, event))).toBe('409 event_full');
  });

  // JOIN-54
  it('skips people who cannot join, but does not change their positions', async () => {
    const young = await server.person('mladá', { birth_date: '2015-01-01' });
    const old = await server.person('stará', { birth_date: '1980-01-01' });
    const event = await createEvent({
      waitlist_mode: 'auto',
      age_min: 18,
      with: [
        [petr, 'confirmed'],
        [young, 'waitlisted'],
        [eva, 'waitlisted'],
        [old, 'waitlisted'],
      ],
    });
    await leave(petr, event);
    expect((await people(event)).sort()).toEqual(['eva waitlisted', 'mladá waitlisted', 'stará confirmed']);
    expect((await viewer(young, event)).waitlist_position).toBe(1);
  });

  // JOIN-54, JOIN-11
  it('skips people whose gender, or age on the day of the start, does not fit or is unknown', async () => {
    const fittingProfile = { birth_date: '1990-06-17', gender: 'female' } as const;
    const [man, unknown, older, withoutBirthDate, fits] = await Promise.all([
      server.person('muž', { ...fittingProfile, gender: 'male' }),
      server.person('nikdo', { ...fittingProfile, gender: null }),
      server.person('starší', { ...fittingProfile, birth_date: '1990-06-16' }),
      server.person('bezvěk', { gender: 'female' }),
      server.person('hodící', fittingProfile),
    ]);
    const event = await createEvent({
      waitlist_mode: 'auto',
      starts_at: new Date('2031-06-15T22:30:00Z'), // This time is on 16 June in Prague.
      age_max: 40,
      gender_restriction: 'female',
      with: [
        [petr, 'confirmed'],
        ...[man, unknown, older, withoutBirthDate, fits].map((one) => [one, 'waitlisted'] as const),
      ],
    });
    await leave(petr, event);
    expect((await people(event)).sort()).toEqual([
      'bezvěk waitlisted',
      'hodící confirmed',
      'muž waitlisted',
      'nikdo waitlisted',
      'starší waitlisted',
    ]);
  });

  // JOIN-54, JOIN-61
  it('lets other people take a free seat if all waiting people have offers', async () => {
    const event = await createEvent({
      max_participants: 3,
      with: [
        [petr, 'confirmed'],
        [ivan, 'confirmed'],
        [eva, 'waitlisted'],
      ],
    });
    for (const one of [petr, ivan]) await leave(one, event);
    expect(await people(event)).toEqual(['eva waitlisted!']);
    expect(await viewer(olga, event)).toMatchObject({ can_join: true });
    expect(result(await join(olga, event))).toBe('200');
    expect(result(await join(petr, event))).toBe('409 event_full');
    // JOIN-61: an invited person cannot take a seat that an offer reserves. A person without an invitation can join the
    // waitlist.
    expect((await jana.api.post(`/events/${event.id}/participants`, { user: ivan.slug })).status).toBe(201);
    expect(await viewer(ivan, event)).toMatchObject({ participation: 'pending', can_join: false });
    expect(result(await join(ivan, event))).toBe('409 event_full');
    const answer = await petr.api.post(`/events/${event.id}/waitlist`);
    expect([result(answer), answer.body.data.viewer.waitlist_position]).toEqual(['200', 2]);
  });

  // JOIN-55, JOIN-56, JOIN-57, JOIN-60, JOIN-61
  it('reserves a freed seat for the first waiting person, in mode `offer`; this person can take the seat without the password', async () => {
    const event = await createEvent({ join_mode: 'password', join_password: 'jablko', offer_hours: 2 });
    server.clock.freezeAt('2026-12-01T10:00:00Z');
    await patch(event, { starts_at: '2026-12-20T10:00:00Z' });
    await leave(petr, event);
    const expires_at = '2026-12-01T12:00:00Z';
    expect(await viewer(eva, event)).toEqual({
      is_organizer: false,
      participation: 'waitlisted',
      can_join: true,
      offer: { expires_at },
      waitlist_position: 1,
    });
    expect(await viewer(ivan, event)).toMatchObject({ can_join: false, offer: null, waitlist_position: 2 });
    expect(await viewer(olga, event)).toMatchObject({ can_join: false, offer: null, waitlist_position: null });
    const ownView = (await jana.api.get(`/events/${event.id}`)).body.data;
    expect(ownView).toMatchObject({ current_participants: 1, open_offers: 1 });
    const { body } = await jana.api.get(`/events/${event.id}/participants`);
    expect(body.data[0]).toMatchObject({ status: 'waitlisted', offer_expires_at: expires_at });
    const notice = (await eva.api.send('GET', '/notices', { headers: { 'accept-language': 'en' } })).body.data[0];
    expect(notice).toMatchObject({
      kind: 'seat_offered',
      text: expect.stringContaining('until 1 December 2026'),
    });
    expect(result(await join(olga, event, { password: 'jablko' }))).toBe('409 event_full');
    expect((await patch(event, { max_participants: 2 })).status).toBe(200);
    const promoted = await jana.api.post(`/events/${event.id}/participants/${ivan.slug}/promote`);
    expect(result(promoted)).toBe('409 event_full');
    const accepted = await join(eva, event);
    expect([result(accepted), accepted.body.data.viewer.offer]).toEqual(['200', null]);
    expect(await people(event)).toEqual(['eva confirmed', 'ivan waitlisted']);
  });

  // JOIN-56
  it('ends an offer at the second that expires_at shows', async () => {
    const event = await createEvent({ offer_hours: 2 });
    server.clock.freezeAt('2026-12-01T10:00:00.700Z');
    await leave(petr, event);
    const { offer } = (await viewer(eva, event)) as { offer: { expires_at: string } };
    server.clock.freezeAt(offer.expires_at);
    expect(await viewer(eva, event)).toMatchObject({ offer: null, can_join: false });
  });

  // JOIN-57, JOIN-58
  it('offers the seat to the next person when an offer is declined or lapses', async () => {
    const event = await createEvent({
      with: [
        [petr, 'confirmed'],
        [eva, 'waitlisted'],
        [ivan, 'waitlisted'],
        [olga, 'waitlisted'],
      ],
    });
    await leave(petr, event);
    expect(result(await leave(eva, event))).toBe('204');
    expect(await people(event)).toEqual(['ivan waitlisted!', 'olga waitlisted']);
    server.clock.forward(24 * HOUR_MS + 1000);
    expect(await people(event)).toEqual(['ivan waitlisted', 'olga waitlisted']);
    expect(await viewer(ivan, event)).toMatchObject({ participation: 'waitlisted', offer: null, can_join: false });
    // JOIN-62: a person with a lapsed offer has no position, even before the job offers-sweep ends the offer.
    expect((await viewer(ivan, event)).waitlist_position).toBeNull();
    expect((await viewer(olga, event)).waitlist_position).toBe(1);
    const listed = (await olga.api.get(`/discover/events?ids=${event.id}`)).body.data;
    expect(listed[0].viewer.waitlist_position).toBe(1);
    await sweep();
    expect(await people(event)).toEqual(['olga waitlisted!']);
    expect(await noticeKinds(ivan, event)).toEqual(['offer_lapsed', 'seat_offered']);
    expect(await noticeKinds(eva, event)).toEqual(['seat_offered']);
    const { people_moved } = (await sweep()) as unknown as { people_moved?: number };
    expect(people_moved ?? 0).toBe(0);
  });

  // JOIN-58
  it('ends lapsed offers before a person joins, so that these offers give no right to a seat', async () => {
    const withNextPerson = await createEvent();
    const alone = await createEvent({
      with: [
        [petr, 'confirmed'],
        [eva, 'waitlisted'],
      ],
    });
    for (const event of [withNextPerson, alone]) await leave(petr, event);
    server.clock.forward(24 * HOUR_MS + 1000);
    expect(await viewer(eva, alone)).toMatchObject({ can_join: true, offer: null, participation: 'waitlisted' });
    expect(result(await join(eva, withNextPerson))).toBe('409 event_full');
    expect(await people(withNextPerson)).toEqual(['ivan waitlisted!']);
    expect(await noticeKinds(eva, withNextPerson)).toEqual(['offer_lapsed', 'seat_offered']);
    expect(result(await join(eva, alone))).toBe('200');
    expect(await people(alone)).toEqual(['eva confirmed']);
  });

  // JOIN-54
  it.each<[string, (event: BuiltEvent) => Promise<unknown>]>([
    ['a departure', (event) => leave(petr, event)],
    ['a removal', ({ id }) => jana.api.delete(`/events/${id}/participants/${petr.slug}`)],
    ['a ban from the event', ({ id }) => jana.api.delete(`/events/${id}/participants/${petr.slug}?ban=1`)],
    ['a change that adds a seat', (event) => patch(event, { max_participants: 3 })],
  ])('fills a seat immediately after %s, without a run of the job offers-sweep', async (_cause, free) => {
    for (const waitlist_mode of ['auto', 'offer'] as const) {
      const event = await createEvent({ waitlist_mode });
      await free(event);
      expect(await people(event)).toContain(waitlist_mode === 'auto' ? 'eva confirmed' : 'eva waitlisted!');
      expect(await people(event)).toContain('ivan waitlisted');
    }
  });

  // EVT-20
  it('gives no seat to a waiting person if one request adds a seat and cancels the event', async () => {
    const event = await createEvent({ waitlist_mode: 'auto' });
    expect((await patch(event, { max_participants: 3, status: 'cancelled' })).status).toBe(200);
    expect((await people(event)).sort()).toEqual(['eva waitlisted', 'ivan waitlisted', 'petr confirmed']);
    expect(await noticeKinds(eva, event)).toEqual(['event_cancelled']);
  });

  // SER-16, JOIN-58
  it('ends lapsed offers of occurrences before a change of the series', async () => {
    const created = await ivan.api.post('/series', {
      title: 'Čaj',
      starts_at: new Date(server.clock.now().getTime() + 240 * HOUR_MS).toISOString(),
      frequency: 'weekly',
      occurrences_limit: 2,
      max_participants: 3,
      waitlist_mode: 'offer',
    });
    const path = `/series/${created.body.data.id}`;
    const change = (max_participants: number) => ivan.api.patch(path, { max_participants });
    const [event] = (await ivan.api.get(`${path}/events`)).body.data as [BuiltEvent];
    for (const person of [petr, olga]) expect(result(await join(person, event))).toBe('200');
    expect((await eva.api.post(`/events/${event.id}/waitlist`)).status).toBe(200);
    expect(result(await leave(petr, event))).toBe('204');
    const refused = await change(2);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['max_participants']]);
    server.clock.forward(24 * HOUR_MS + 1000);
    expect((await change(2)).body.meta).toEqual({ updated_events: 2 });
    expect((await noticeKinds(eva, event))[0]).toBe('offer_lapsed');
  });

  // JOIN-58
  it('counts an offer as open until its exact end, even if the job offers-sweep has not run', async () => {
    const event = await createEvent();
    await leave(petr, event);
    const end = new Date(Math.ceil(server.clock.now().getTime() / 1000) * 1000 + HOUR_MS);
    await server.sql(
      'UPDATE participations SET offer_expires_at = $2 WHERE event_id = $1 AND offer_expires_at IS NOT NULL',
      [event.eventId, end],
    );
    const openOffersAt = async (time: number) => {
      server.clock.freezeAt(new Date(time));
      return (await jana.api.get(`/events/${event.id}`)).body.data.open_offers;
    };
    const counts = [await openOffersAt(end.getTime() - 1), await openOffersAt(end.getTime())];
    server.clock.reset();
    expect(counts).toEqual([1, 0]);
  });

  // JOIN-54, JOIN-63
  it.each([
    ['removed', ''],
    ['banned from the event', '?ban=1'],
  ])('offers a seat to the next person when the person with the offer is %s', async (_action, query) => {
    const event = await createEvent();
    await leave(petr, event);
    expect((await jana.api.delete(`/events/${event.id}/participants/${eva.slug}${query}`)).status).toBe(204);
    expect(await people(event)).toEqual(['ivan waitlisted!']);
    expect((await jana.api.get(`/events/${event.id}`)).body.data).toMatchObject({ open_offers: 1 });
    expect(await noticeKinds(eva, event)).toEqual(['removal', 'seat_offered']);
    expect(result(await join(ivan, event))).toBe('200');
  });

  // JOIN-58
  it.each<[string, (event: BuiltEvent) => ReturnType<typeof leave>]>([
    ['removes', ({ id }) => jana.api.delete(`/events/${id}/participants/${eva.slug}`)],
    ['promotes', ({ id }) => jana.api.post(`/events/${id}/participants/${eva.slug}/promote`)],
  ])('ends a lapsed offer before the organizer %s the person with this offer', async (_action, act) => {
    const event = await createEvent();
    await leave(petr, event);
    server.clock.forward(24 * HOUR_MS + 1000);
    expect(result(await act(event))).toBe('409 not_participant');
    await sweep();
    expect(await people(event)).toEqual(['ivan waitlisted!']);
    expect(await noticeKinds(eva, event)).toEqual(['offer_lapsed', 'seat_offered']);
  });

  // JOIN-58
  it('ends a lapsed offer before the person with this offer leaves or joins the waitlist again', async () => {
    const event = await createEvent();
    await leave(petr, event);
    server.clock.forward(24 * HOUR_MS + 1000);
    expect(result(await leave(eva, event))).toBe('409 not_participant');
    const answer = await eva.api.post(`/events/${event.id}/waitlist`);
    expect([result(answer), answer.body.data.viewer.waitlist_position]).toEqual(['200', 2]);
    expect(await people(event)).toEqual(['ivan waitlisted!', 'eva waitlisted']);
    expect(await noticeKinds(eva, event)).toEqual(['offer_lapsed', 'seat_offered']);
  });

  // DATA-13, JOIN-54
  it('offers a seat to the next person immediately after the account with the offer is erased', async () => {
    const { zora, adam } = await server.people('zora', 'adam');
    const event = await createEvent({
      with: [
        [petr, 'confirmed'],
        [zora, 'waitlisted'],
        [adam, 'waitlisted'],
      ],
    });
    await leave(petr, event);
    expect(await people(event)).toEqual(['zora waitlisted!', 'adam waitlisted']);
    await server.app.get(OwnDataCommands).erase(zora.slug);
    expect(await people(event)).toEqual(['adam waitlisted!']);
    expect(result(await join(adam, event))).toBe('200');
    expect(result(await eva.api.post(`/events/${event.id}/waitlist`))).toBe('200');
    await server.app.get(OwnDataCommands).erase(adam.slug);
    expect(await people(event)).toEqual(['eva waitlisted!']);
  });

  // JOIN-54, JOIN-63
  it('fills free seats after every PATCH of the event, such as a change of the waitlist mode', async () => {
    const event = await createEvent({ waitlist_mode: 'manual' });
    await leave(petr, event);
    expect(await people(event)).toEqual(['eva waitlisted', 'ivan waitlisted']);
    await patch(event, { waitlist_mode: 'offer' });
    expect(await people(event)).toEqual(['eva waitlisted!', 'ivan waitlisted']);
    await patch(event, { waitlist_mode: 'auto' });
    expect(await people(event)).toEqual(['eva waitlisted!', 'ivan waitlisted']);
    await patch(event, { waitlist_mode: 'manual' });
    expect(await people(event)).toEqual(['eva waitlisted', 'ivan waitlisted']);
    await server.sql(`UPDATE all_events SET waitlist_mode = 'auto' WHERE id = $1`, [event.eventId]);
    await patch(event, {});
    expect(await people(event)).toEqual(['eva confirmed', 'ivan waitlisted']);
  });

  // JOIN-55
  it('confirms all waiting people when the limit of seats is removed', async () => {
    const event = await createEvent();
    await leave(petr, event);
    await patch(event, { max_participants: null });
    expect(await people(event)).toEqual(['eva confirmed', 'ivan confirmed']);
    expect(await noticeKinds(eva, event)).toEqual(['promotion', 'seat_offered']);
  });

  // JOIN-56
  it('ends an offer no later than the start of the event; an earlier start shortens an offer, a later start does not extend it', async () => {
    const event = await createEvent({ starts_at: new Date(server.clock.now().getTime() + 10 * HOUR_MS) });
    await leave(petr, event);
    const endOfOffer = async () => (await viewer(eva, event)).offer?.expires_at;
    const { starts_at } = (await jana.api.get(`/events/${event.id}`)).body.data;
    expect(await endOfOffer()).toBe(starts_at);
    const earlier = new Date(server.clock.now().getTime() + 5 * HOUR_MS).toISOString();
    await patch(event, { starts_at: earlier });
    expect(await endOfOffer()).toBe(`${earlier.slice(0, 19)}Z`);
    await patch(event, {
      starts_at: new Date(server.clock.now().getTime() + 50 * HOUR_MS).toISOString(),
      offer_hours: 48,
    });
    expect(await endOfOffer()).toBe(`${earlier.slice(0, 19)}Z`);
  });

  // JOIN-56
  it('gives no seat to waiting people after the event has started', async () => {
    const event = await createEvent({ starts_at: new Date(server.clock.now().getTime() + HOUR_MS) });
    server.clock.forward(HOUR_MS + 1000);
    await leave(petr, event);
    await sweep();
    expect(await people(event)).toEqual(['eva waitlisted', 'ivan waitlisted']);
    expect(result(await join(olga, event))).toBe('200');
  });

  // JOIN-59
  it('ends the offer of a person whom the organizer blocks, but does not change the position of this person', async () => {
    const organizer = await server.person('organizer');
    const event = await buildEvent(server, organizer, {
      max_participants: 2,
      waitlist_mode: 'offer',
      with: [
        [petr, 'confirmed'],
        [eva, 'waitlisted'],
        [ivan, 'waitlisted'],
      ],
    });
    await leave(petr, event);
    await organizer.api.put(`/blocks/${eva.slug}`);
    expect(await viewer(ivan, event)).toMatchObject({
      offer: { expires_at: expect.any(String) },
      waitlist_position: 2,
    });
    expect(await viewer(eva, event)).toMatchObject({ offer: null, waitlist_position: 1, can_join: false });
    await organizer.api.delete(`/blocks/${eva.slug}`);
    expect(await noticeKinds(eva, event)).toEqual(['seat_offered']);
  });

  // JOIN-59
  it('ends the offer of a banned account when the job offers-sweep runs', async () => {
    const banned = await server.person('ban');
    const event = await createEvent({
      with: [
        [petr, 'confirmed'],
        [banned, 'waitlisted'],
        [eva, 'waitlisted'],
      ],
    });
    await leave(petr, event);
    await server.sql('UPDATE users SET banned = true WHERE id = $1', [banned.userId]);
    await sweep();
    expect((await people(event)).sort()).toEqual(['ban waitlisted', 'eva waitlisted!']);
  });

  // JOIN-58
  it('removes a person with a lapsed offer from the waitlist, even if this person could no longer join', async () => {
    const young = await server.person('mladá', { birth_date: '1990-01-01' });
    const event = await eventForAdults(young);
    await leave(petr, event);
    expect(await people(event)).toEqual(['mladá waitlisted!']);
    await server.sql(`UPDATE users SET birth_date = '2020-01-01' WHERE id = $1`, [young.userId]);
    server.clock.forward(24 * HOUR_MS + 1000);
    await sweep();
    expect(await people(event)).toEqual([]);
    expect(await noticeKinds(young, event)).toEqual(['offer_lapsed', 'seat_offered']);
  });

  // JOIN-55, JOIN-58
  it('confirms a waiting person who becomes able to join after the limit of seats was removed', async () => {
    const who = await server.person('nová', { birth_date: '2015-01-01' });
    const event = await eventForAdults(who);
    await patch(event, { max_participants: null });
    expect((await people(event)).sort()).toEqual(['nová waitlisted', 'petr confirmed']);
    await server.sql(`UPDATE users SET birth_date = '1990-01-01' WHERE id = $1`, [who.userId]);
    await sweep();
    expect((await people(event)).sort()).toEqual(['nová confirmed', 'petr confirmed']);
  });

  // JOIN-58
  it.each(['run of the job', 'join request'])(
    'offers a seat to a person who has become able to join, at the next %s',
    async (way) => {
      const who = await server.person('nová', { birth_date: '2015-01-01' });
      const event = await eventForAdults(who);
      const stranger = await server.person('cizí', { birth_date: '1980-01-01' });
      await leave(petr, event);
      expect(await people(event)).toEqual(['nová waitlisted']);
      expect(await viewer(stranger, event)).toMatchObject({ can_join: true });
      await server.sql(`UPDATE users SET birth_date = '1990-01-01' WHERE id = $1`, [who.userId]);
      expect(await viewer(stranger, event)).toMatchObject({ can_join: false });
      if (way === 'run of the job') await sweep();
      else expect(result(await join(stranger, event))).toBe('409 event_full');
      expect(await people(event)).toEqual(['nová waitlisted!']);
    },
  );

  // JOIN-61
  it('counts open offers as taken seats, and lets the organizer promote the person with an offer', async () => {
    const event = await createEvent({
      max_participants: 3,
      with: [
        [petr, 'confirmed'],
        [olga, 'confirmed'],
        [eva, 'waitlisted'],
        [ivan, 'waitlisted'],
      ],
    });
    await leave(petr, event);
    const refused = await patch(event, { max_participants: 2 });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['max_participants']]);
    const promote = ({ slug }: Person) => jana.api.post(`/events/${event.id}/participants/${slug}/promote`);
    expect(result(await promote(ivan))).toBe('409 event_full');
    expect(result(await promote(eva))).toBe('200');
    expect((await jana.api.get(`/events/${event.id}`)).body.data).toMatchObject({
      open_offers: 0,
      current_participants: 3,
    });
  });

  // JOIN-61
  it.each<[string, Record<string, unknown>, string[]]>([
    ['has the waitlist mode manual', { waitlist_mode: 'manual' }, ['eva waitlisted']],
    ['has the join mode tickets', { join_mode: 'tickets' }, ['eva waitlisted']],
    ['is cancelled', { status: 'cancelled' }, ['eva waitlisted']],
    ['requires an age that the person does not have', { age_min: 119 }, ['eva waitlisted']],
    ['has already started', { starts_at: '2020-01-01T12:00:00Z' }, []],
  ])(
    'allows a PATCH to remove the seat that an offer reserves if the same PATCH ends the offer, because the event then %s',
    async (_state, change, waiting) => {
      const event = await createEvent({
        max_participants: 3,
        with: [
          [petr, 'confirmed'],
          [olga, 'confirmed'],
          [eva, 'waitlisted'],
        ],
      });
      await leave(petr, event);
      const refused = await patch(event, { ...change, max_participants: 2, latitude: 50 });
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['longitude']]);
      const remaining = await patch(event, { max_participants: 2, age_min: null });
      expect([remaining.status, Object.keys(remaining.body.errors)]).toEqual([422, ['max_participants']]);
      expect((await people(event)).sort()).toEqual(['eva waitlisted!', 'olga confirmed']);
      const { status, body } = await patch(event, { ...change, max_participants: 2 });
      expect([status, body.data.max_participants, body.data.open_offers]).toEqual([200, 2, 0]);
      expect((await people(event)).sort()).toEqual([...waiting, 'olga confirmed']);
    },
  );

  // JOIN-61
  it('allows a PATCH to reduce the seats to the number that the participants and the remaining offers need', async () => {
    const zora = await server.person('zora', { gender: 'female' });
    const event = await createEvent({
      max_participants: 4,
      with: [
        [petr, 'confirmed'],
        [olga, 'confirmed'],
        [ivan, 'confirmed'],
        [eva, 'waitlisted'],
        [zora, 'waitlisted'],
      ],
    });
    await leave(petr, event);
    await leave(ivan, event);
    const women = (max_participants: number) => patch(event, { gender_restriction: 'female', max_participants });
    expect((await women(2)).body.errors).toEqual({ max_participants: [expect.stringContaining('3')] });
    expect(await people(event)).toEqual(['olga confirmed', 'eva waitlisted!', 'zora waitlisted!']);
    expect((await women(3)).body.data).toMatchObject({ max_participants: 3, open_offers: 1 });
    expect(await people(event)).toEqual(['olga confirmed', 'eva waitlisted', 'zora waitlisted!']);
  });

  // JOIN-63
  it.each<[string, Record<string, unknown>]>([
    ['is cancelled', { status: 'cancelled' }],
    ['changes to the waitlist mode manual', { waitlist_mode: 'manual' }],
    ['changes to the join mode tickets', { join_mode: 'tickets' }],
  ])('ends offers when an event %s; the people stay on the waitlist and are not notified', async (_state, change) => {
    const event = await createEvent();
    await leave(petr, event);
    const before = await noticeKinds(eva, event);
    expect((await patch(event, change)).body.data).toMatchObject({ open_offers: 0 });
    expect(await people(event)).toEqual(['eva waitlisted', 'ivan waitlisted']);
    expect((await noticeKinds(eva, event)).filter((kind) => kind !== 'event_cancelled')).toEqual(before);
    expect(await viewer(eva, event)).toMatchObject({ offer: null });
  });

  // JOIN-64
  it('reports a departure only to the people behind the person who leaves the waitlist', async () => {
    const event = await createEvent({
      with: [
        [petr, 'confirmed'],
        [eva, 'waitlisted'],
        [ivan, 'waitlisted'],
        [olga, 'waitlisted'],
      ],
    });
    const [ahead, behind] = (await Feed.all(eva, olga)) as [Feed, Feed];
    await leave(ivan, event);
    expect(await behind.summaries()).toEqual([`event.updated ${event.id} -`]);
    expect(await ahead.summaries()).toEqual([]);
  });

  // JOIN-64
  it('reports an accepted offer to the organizer as `participant.updated`, and to the person as `event.updated`', async () => {
    const event = await createEvent();
    await leave(petr, event);
    const [owner, person, other] = (await Feed.all(jana, eva, ivan)) as [Feed, Feed, Feed];
    expect(result(await join(eva, event))).toBe('200');
    const joined = `participant.joined ${eva.slug} ${eva.slug}`;
    expect(await owner.summaries()).toEqual([joined, `participant.updated ${eva.slug} ${eva.slug}`]);
    expect(await person.summaries()).toEqual([joined, `event.updated ${event.id} ${eva.slug}`]);
    expect(await other.summaries()).toEqual([`event.updated ${event.id} -`]);
  });

  // JOIN-64
  it('reports the new position to a person between two people whose offers end at the same time', async () => {
    const young = await server.person('mladá', { birth_date: '2015-01-01' });
    const [first, third, last] = (await Promise.all(
      ['první', 'třetí', 'poslední'].map((name) => server.person(name, { birth_date: '1980-01-01' })),
    )) as [Person, Person, Person];
    const event = await createEvent({
      max_participants: 3,
      age_min: 18,
      with: [
        [petr, 'confirmed'],
        [olga, 'confirmed'],
        [first, 'waitlisted'],
        [young, 'waitlisted'],
        [third, 'waitlisted'],
        [last, 'waitlisted'],
      ],
    });
    for (const one of [petr, olga]) await leave(one, event);
    const feed = await Feed.of(young);
    server.clock.forward(24 * HOUR_MS + 1000);
    await sweep();
    expect(await viewer(young, event)).toMatchObject({ waitlist_position: 1 });
    expect(await feed.summaries()).toEqual([`event.updated ${event.id} -`]);
  });

  // JOIN-59, JOIN-64
  it('reports the end of an offer to the person and the organizer, both after a block and after the offer has lapsed', async () => {
    const zora = await server.person('zora');
    const event = await createEvent({
      with: [
        [petr, 'confirmed'],
        [zora, 'waitlisted'],
        [ivan, 'waitlisted'],
      ],
    });
    await leave(petr, event);
    const [owner, first, second] = (await Feed.all(jana, zora, ivan)) as [Feed, Feed, Feed];
    expect((await jana.api.put(`/blocks/${zora.slug}`)).status).toBe(204);
    expect((await owner.summaries()).sort()).toEqual(
      [`participant.updated ${zora.slug} -`, `participant.updated ${ivan.slug} -`].sort(),
    );
    for (const feed of [first, second]) expect(await feed.summaries()).toEqual([`event.updated ${event.id} -`]);
    server.clock.forward(24 * HOUR_MS + 1000);
    await sweep();
    server.clock.reset();
    // The run of the job may also end offers of other tests, so only the entries of this event are compared.
    const summariesOf = async (feed: Feed) =>
      (await feed.newEntries())
        .filter(({ subject }) => subject.type !== 'notice' && [subject.id, subject.event].includes(event.id))
        .map(({ type, subject }) => `${type} ${subject.id}`);
    expect(await summariesOf(owner)).toEqual([`participant.gone ${ivan.slug}`]);
    expect(await summariesOf(second)).toEqual([`event.gone ${event.id}`]);
    expect(await summariesOf(first)).toEqual([]);
  });

  // JOIN-62
  it('gives the last position to a person who joins the waitlist again after people at the beginning have left', async () => {
    const event = await createEvent({
      waitlist_mode: 'manual',
      with: [
        [petr, 'confirmed'],
        [eva, 'waitlisted'],
        [ivan, 'waitlisted'],
        [olga, 'waitlisted'],
      ],
    });
    for (const one of [eva, ivan]) await leave(one, event);
    expect(result(await eva.api.post(`/events/${event.id}/waitlist`))).toBe('200');
    const positions = [await viewer(olga, event), await viewer(eva, event)];
    expect(positions.map(({ waitlist_position }) => waitlist_position)).toEqual([1, 2]);
  });

  // JOIN-62
  it('contains at most 1,000 people', async () => {
    const event = await createEvent();
    await server.sql(
      `WITH made AS (
         INSERT INTO users (slug, name, created_at, updated_at)
         SELECT 'many-' || n, 'Dav', now(), now() FROM generate_series(1, 998) n RETURNING id
       )
       INSERT INTO participations (event_id, user_id, status, created_at, updated_at)
       SELECT $1, id, 'waitlisted', now(), now() FROM made`,
      [event.eventId],
    );
    expect(result(await olga.api.post(`/events/${event.id}/waitlist`))).toBe('409 waitlist_limit_reached');
    // JOIN-11: the age is checked before the limit. The profile of olga has no date of birth.
    const setMinimumAge = (age: number | null) =>
      server.sql('UPDATE all_events SET age_min = $2 WHERE id = $1', [event.eventId, age]);
    await setMinimumAge(18);
    expect(result(await olga.api.post(`/events/${event.id}/waitlist`))).toBe('409 cannot_join');
    await setMinimumAge(null);
    await leave(ivan, event);
    const answer = await olga.api.post(`/events/${event.id}/waitlist`);
    expect([result(answer), answer.body.data.viewer.waitlist_position]).toEqual(['200', 1000]);
  });
});
