import { inDays } from '#testing/times';
import type { Person } from '#testing/people';
import { buildSeries, confirm, occurrencesOf, setParticipation, refusedFields } from '#testing/series';
import { TestServer } from '#testing/test-server';

/** SER-14, SER-15, SER-16, SER-17, SER-20 */
describe('PATCH /series/{id}', () => {
  let server: TestServer;
  let jana: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
  });
  afterAll(() => server.stop());

  // SER-14
  it('changes the template and all upcoming occurrences that are not cancelled, and returns the number of these occurrences', async () => {
    const { id } = await buildSeries(server, jana, {
      startsAt: inDays(-7.1),
      occurrencesLimit: 6,
      location_name: 'Obora',
      price_czk: 10,
    });
    const [past, started, cancelled, deleted, ...upcoming] = await occurrencesOf(jana, id);
    await jana.api.patch(`/events/${cancelled?.id}`, { status: 'cancelled' });
    await jana.api.delete(`/events/${deleted?.id}`);
    const { status, body } = await jana.api.patch(`/series/${id}`, {
      title: '  Nový název ',
      max_participants: 20,
      price_czk: null,
    });
    expect({ status, meta: body.meta }).toEqual({ status: 200, meta: { updated_events: 2 } });
    expect(body.data).toMatchObject({
      id,
      title: 'Nový název',
      max_participants: 20,
      price_czk: null,
      location_name: 'Obora',
    });
    expect((await jana.api.get(`/series/${id}`)).body.data).toEqual(body.data);
    const untouched = [past, started].map((one) => one?.id);
    for (const event of await occurrencesOf(jana, id)) {
      const before = [past, started, cancelled, ...upcoming].find((one) => one?.id === event.id);
      if (untouched.includes(event.id)) expect(event).toEqual(before);
      else if (event.id === cancelled?.id)
        expect(event).toMatchObject({ title: 'Běhání v Oboře', status: 'cancelled', price_czk: 10 });
      else
        expect(event).toEqual({
          ...before,
          title: 'Nový název',
          max_participants: 20,
          price_czk: null,
          updated_at: expect.any(String),
        });
    }
  });

  // SER-14
  it('changes in each occurrence only the fields that the request contains', async () => {
    const { id } = await buildSeries(server, jana, { occurrencesLimit: 3 });
    const [first] = await occurrencesOf(jana, id);
    const starts_at = inDays(2).toISOString();
    await jana.api.patch(`/events/${first?.id}`, { title: 'Výjimka', starts_at, location_name: 'Jinde' });
    await jana.api.patch(`/series/${id}`, {
      description: '<p>Pro <i>všechny</i></p><script>x</script>',
      location_name: 'Obora',
    });
    const [moved, second] = await occurrencesOf(jana, id);
    expect(moved).toMatchObject({
      title: 'Výjimka',
      location_name: 'Obora',
      description: '<p>Pro <i>všechny</i></p>',
      starts_at: `${starts_at.slice(0, 19)}Z`,
    });
    expect(second).toMatchObject({
      title: 'Běhání v Oboře',
      location_name: 'Obora',
      description: '<p>Pro <i>všechny</i></p>',
    });
  });

  // SER-14, JOIN-54
  it('gives new seats in each occurrence to the people on the waitlist of this occurrence before the response is sent', async () => {
    const { petr, eva } = await server.people('petr', 'eva');
    const { id } = await buildSeries(server, jana, { occurrencesLimit: 2, max_participants: 2, waitlist_mode: 'auto' });
    const occurrences = await occurrencesOf(jana, id);
    for (const event of occurrences) {
      await confirm(server, event.id, petr);
      await setParticipation(server, event.id, eva, 'waitlisted');
    }
    expect((await jana.api.patch(`/series/${id}`, { max_participants: 3 })).status).toBe(200);
    for (const event of occurrences) {
      const { body } = await eva.api.get(`/discover/events/${event.id}`);
      expect(body.data.viewer.participation).toBe('confirmed');
    }
  });

  // SER-14, JOIN-61
  it('can reduce the number of seats if the same request ends the offers that occupy these seats', async () => {
    const { petr, eva } = await server.people('petr', 'eva');
    const { id } = await buildSeries(server, jana, {
      occurrencesLimit: 2,
      max_participants: 3,
      waitlist_mode: 'offer',
    });
    const [event = ''] = (await occurrencesOf(jana, id)).map((occurrence) => occurrence.id);
    await confirm(server, event, petr);
    await setParticipation(server, event, eva, 'waitlisted');
    expect((await jana.api.patch(`/series/${id}`, { offer_hours: 2 })).status).toBe(200);
    const refused = await jana.api.patch(`/series/${id}`, { max_participants: 2 });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['max_participants']]);
    const changed = await jana.api.patch(`/series/${id}`, { max_participants: 2, waitlist_mode: 'manual' });
    expect([changed.status, changed.body.data.max_participants]).toEqual([200, 2]);
    const { data } = (await jana.api.get(`/events/${event}`)).body;
    expect(data).toMatchObject({ max_participants: 2, current_participants: 2, open_offers: 0 });
  });

  // SER-14
  it('applies to occurrences that are generated after the change', async () => {
    const { id } = await buildSeries(server, jana, { title: 'Staré' });
    await jana.api.patch(`/series/${id}`, { title: 'Nové', join_mode: 'password', join_password: 'heslo' });
    const changedAt = server.clock.now();
    server.clock.forward(14 * 86_400_000);
    await server.job('series-extend');
    server.clock.reset();
    const generated = (await occurrencesOf(jana, id)).filter(
      ({ created_at }) => Date.parse(String(created_at)) > changedAt.getTime() + 86_400_000,
    );
    expect(generated.length).toBeGreaterThan(0);
    for (const event of generated) expect(event).toMatchObject({ title: 'Nové', join_password: 'heslo' });
  });

  // SER-15
  it.each([
    ['starts_at', '2031-01-01T10:00:00Z'],
    ['frequency', 'daily'],
    ['interval', 2],
    ['until', '2031-01-01'],
    ['occurrences_limit', 5],
    ['duration_minutes', 60],
    ['until', null],
    ['frequency', 'weekly'],
    ['interval', { deep: true }],
  ])('refuses to change the recurrence rule: %s = %j', async (field, value) => {
    const { id } = await buildSeries(server, jana, { occurrencesLimit: 2 });
    const answer = await jana.api.patch(`/series/${id}`, { title: 'Nemá projít', [field]: value });
    expect(refusedFields(answer)).toEqual([field]);
    expect(answer.body.errors[field]).toEqual(['Toto nelze změnit.']);
    for (const event of await occurrencesOf(jana, id)) expect(event.title).toBe('Běhání v Oboře');
  });

  // SER-15
  it.each([{}, { colour: 'red' }])(
    'changes nothing if the body %j contains no field of the template',
    async (fields) => {
      const { id } = await buildSeries(server, jana, { occurrencesLimit: 2 });
      const occurrences = await occurrencesOf(jana, id);
      expect((await jana.api.patch(`/series/${id}`, fields)).status).toBe(200);
      expect(await occurrencesOf(jana, id)).toEqual(occurrences);
    },
  );

  it.each([
    ['a short title', { title: 'ab' }, 'title'],
    ['null as `title`', { title: null }, 'title'],
    ['an unknown type', { type: 'unknown' }, 'type'],
    ['a latitude without a longitude', { latitude: 50 }, 'longitude'],
    ['a missing join password', { join_mode: 'password' }, 'join_password'],
    ['an `is_public` that is a text', { is_public: 'true' }, 'is_public'],
  ])('refuses %s', async (_what, fields, field) => {
    const { id } = await buildSeries(server, jana);
    expect(refusedFields(await jana.api.patch(`/series/${id}`, fields))).toEqual([field]);
  });

  // SER-16
  it('changes nothing if one occurrence would violate a rule', async () => {
    const { id } = await buildSeries(server, jana, { occurrencesLimit: 3, max_participants: 10 });
    const [, second] = await occurrencesOf(jana, id);
    await confirm(server, second?.id ?? '', await server.person('petr'), await server.person('eva'));
    expect(refusedFields(await jana.api.patch(`/series/${id}`, { max_participants: 2, title: 'Nemá projít' }))).toEqual(
      ['max_participants'],
    );
    const unchanged = { title: 'Běhání v Oboře', max_participants: 10 };
    expect((await jana.api.get(`/series/${id}`)).body.data).toMatchObject(unchanged);
    for (const event of await occurrencesOf(jana, id)) expect(event).toMatchObject(unchanged);
    expect((await jana.api.patch(`/series/${id}`, { max_participants: 3 })).body.meta).toEqual({ updated_events: 3 });
  });

  // EVT-11
  it('refuses join mode "request" while a person is on the waitlist of an occurrence', async () => {
    const { id } = await buildSeries(server, jana, { occurrencesLimit: 3 });
    const occurrences = await occurrencesOf(jana, id);
    const waiting = await server.person('petr');
    await setParticipation(server, occurrences[1]?.id ?? '', waiting, 'waitlisted');
    expect(refusedFields(await jana.api.patch(`/series/${id}`, { join_mode: 'request', title: 'Jinak' }))).toEqual([
      'join_mode',
    ]);
    expect(await occurrencesOf(jana, id)).toEqual(occurrences);
    await waiting.api.delete(`/events/${occurrences[1]?.id}/join`);
    expect((await jana.api.patch(`/series/${id}`, { join_mode: 'request' })).body.meta).toEqual({ updated_events: 3 });
  });

  // SER-16
  it('refuses to make the series private if one of its occurrences seeks company', async () => {
    const { id } = await buildSeries(server, jana, { occurrencesLimit: 2, max_participants: 5 });
    const [first] = await occurrencesOf(jana, id);
    await jana.api.patch(`/events/${first?.id}`, { seeking_company: true });
    expect(refusedFields(await jana.api.patch(`/series/${id}`, { is_public: false }))).toEqual(['seeking_company']);
  });

  /** A series whose first occurrence has another join password than the series. */
  async function seriesWithTwoPasswords(): Promise<string> {
    const { id } = await buildSeries(server, jana, {
      occurrencesLimit: 2,
      join_mode: 'password',
      join_password: 'společné',
    });
    const [first] = await occurrencesOf(jana, id);
    await jana.api.patch(`/events/${first?.id}`, { join_password: 'zvláštní' });
    return id;
  }

  // SER-17
  it('removes every join password when the join mode changes; a request without join_mode and join_password keeps every join password', async () => {
    const id = await seriesWithTwoPasswords();
    await jana.api.patch(`/series/${id}`, { title: 'Jen název' });
    expect((await occurrencesOf(jana, id)).map((event) => event['join_password'])).toEqual(['zvláštní', 'společné']);
    expect((await jana.api.patch(`/series/${id}`, { join_mode: 'open' })).body.data.join_password).toBeNull();
    expect((await occurrencesOf(jana, id)).map((event) => event['join_password'])).toEqual([null, null]);
  });

  // SER-17
  it('replaces the join password of the series and of every occurrence if the request contains join_password, even if an occurrence had another password', async () => {
    const id = await seriesWithTwoPasswords();
    expect((await jana.api.patch(`/series/${id}`, { join_password: 'nové' })).body.data.join_password).toBe('nové');
    expect((await occurrencesOf(jana, id)).map((event) => event['join_password'])).toEqual(['nové', 'nové']);
  });

  // SER-20
  it('changes a cancelled series, but none of its occurrences', async () => {
    const { id } = await buildSeries(server, jana, { occurrencesLimit: 2 });
    await jana.api.post(`/series/${id}/cancel`);
    const { body } = await jana.api.patch(`/series/${id}`, { title: 'Bylo to' });
    expect(body).toMatchObject({ data: { title: 'Bylo to', active: false }, meta: { updated_events: 0 } });
  });

  // SER-20
  it('does not change an occurrence of a cancelled series, even if its start was moved from the past to the future', async () => {
    const { id } = await buildSeries(server, jana, { startsAt: inDays(-0.1), occurrencesLimit: 2 });
    const [started] = await occurrencesOf(jana, id);
    await jana.api.post(`/series/${id}/cancel`);
    expect((await jana.api.patch(`/events/${started?.id}`, { starts_at: inDays(9) })).status).toBe(200);
    const { body } = await jana.api.patch(`/series/${id}`, { title: 'Bylo to' });
    expect(body).toMatchObject({ data: { title: 'Bylo to' }, meta: { updated_events: 0 } });
    expect((await jana.api.get(`/events/${started?.id}`)).body.data.title).toBe(started?.title);
  });

  // SER-10, SER-15
  it('sets updated_at of the series only if the request changes a value', async () => {
    const { id } = await buildSeries(server, jana, { occurrencesLimit: 2 });
    const [first, second] = [inDays(0.1), inDays(0.2)].map((at) => `${at.toISOString().slice(0, 19)}Z`) as [
      string,
      string,
    ];
    const updatedAtAfter = async (at: string, fields: Record<string, string>): Promise<string> => {
      server.clock.freezeAt(new Date(at));
      return (await jana.api.patch(`/series/${id}`, fields)).body.data.updated_at;
    };
    expect([await updatedAtAfter(first, { title: 'Jinak' }), await updatedAtAfter(second, { title: 'Jinak' })]).toEqual(
      [first, first],
    );
    expect((await jana.api.post(`/series/${id}/cancel`)).body.data).toMatchObject({
      cancelled_at: second,
      updated_at: second,
    });
  });
});
