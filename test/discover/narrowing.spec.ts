import { pragueDay } from '#platform/time/prague';
import { buildEvent, type EventOptions } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import { injectedGet, type GetResult } from '#testing/injected-get';
import type { Person } from '#testing/people';
import { buildSeries } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

describe('Discover with filters, orders and cursors', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    await server.sql('DELETE FROM user_blocks');
    await server.sql('DELETE FROM events');
    await server.sql('DELETE FROM series');
  });

  let days = 1;
  const createEvent = (title: string, { organizer = jana, ...options }: EventOptions & { organizer?: Person } = {}) =>
    buildEvent(server, organizer, { title, starts_at: inDays((days += 0.01)), ...options });
  const discover = (query: string, who = petr) => injectedGet(server, who, `/discover/events?${query}`);
  const titlesOf = ({ status, body }: GetResult): string[] => {
    expect(status).toBe(200);
    return body.data.map(({ title }: { title: string }) => title);
  };
  async function titles(query: string, who = petr): Promise<string[]> {
    const answer = await discover(query, who);
    expect(answer.body.meta).toMatchObject({ total: answer.body.data?.length, next_cursor: null });
    return titlesOf(answer);
  }
  const refusedFields = async (query: string): Promise<string[]> => {
    const { status, body } = await discover(query);
    expect(status).toBe(422);
    return Object.keys(body.errors as object);
  };

  // DISC-15
  it('finds events by their hashids and numeric ids, each once and in the usual order', async () => {
    const one = await createEvent('jedna');
    const two = await createEvent('dva');
    await createEvent('tři');
    const secret = await createEvent('tajná', { is_public: false });
    const own = await createEvent('vlastní', { organizer: petr });
    const ids = [two.id, one.eventId, one.id, 'nikdonikdo', 999_999_999, secret.id, own.id].join(',');
    expect(await titles(`ids=${ids}`)).toEqual(['jedna', 'dva']);
    expect(await titles(`ids=${Array.from({ length: 100 }, () => one.id).join(',')}`)).toEqual(['jedna']);
    expect(await titles('ids=nikdonikdo')).toEqual([]);
    expect(await titles(`ids=${two.id}&type=sport`)).toEqual([]);
    expect(await refusedFields(`ids=${Array.from({ length: 101 }, () => one.id).join(',')}`)).toEqual(['ids']);
    expect(await refusedFields('ids=')).toEqual(['ids']);
  });

  // DISC-15, WIRE-2
  it('finds an event by its own numeric id, but not by the numeric id of a group, series or organizer', async () => {
    const group = await buildGroup(server, jana);
    const series = await buildSeries(server, jana, { occurrencesLimit: 1 });
    const { eventId } = await createEvent('očíslovaná', { group: group.id, is_public: true });
    await createEvent('jiná');
    expect(await titles(`ids=${eventId}`)).toEqual(['očíslovaná']);
    expect(await titles(`ids=${eventId}&group=${group.id}`)).toEqual(['očíslovaná']);
    for (const query of [`group=${group.groupId}`, `series=${series.seriesId}`, `organizer=${jana.userId}`])
      expect([query, await titles(query)]).toEqual([query, []]);
  });

  // DISC-15
  it('lists events of one organizer', async () => {
    const eva = await server.person('eva');
    await createEvent('Janina');
    await createEvent('Evina', { organizer: eva });
    expect(await titles(`organizer=${eva.slug}`)).toEqual(['Evina']);
    expect(await titles(`organizer=${eva.slug}&q=jani`)).toEqual([]);
    expect(await titles(`organizer=${petr.slug}`)).toEqual([]);
    expect(await titles('organizer=nikdo')).toEqual([]);
    await eva.api.put(`/blocks/${petr.slug}`);
    expect(await titles(`organizer=${eva.slug}`)).toEqual([]);
  });

  // DISC-15
  it('lists occurrences of a series, and events of a group for people who see the group', async () => {
    const { id } = await buildSeries(server, jana, { title: 'Běh' });
    await createEvent('jiná');
    expect(new Set(await titles(`series=${id}`))).toEqual(new Set(['Běh']));
    expect(await titles('series=nikdonikdo')).toEqual([]);

    const createGroup = async (is_public: boolean): Promise<string> =>
      (await jana.api.post('/groups', { name: 'Parta', is_public })).body.data.id as string;
    const [open, closed] = [await createGroup(true), await createGroup(false)];
    await createEvent('otevřené', { group: open, is_public: true });
    await createEvent('zavřené', { group: closed, is_public: true });
    expect(await titles(`group=${open}`)).toEqual(['otevřené']);
    expect(await titles(`group=${closed}`)).toEqual([]);
    expect(await titles('group=17')).toEqual([]);
    await jana.api.post(`/groups/${closed}/members`, { user: petr.slug });
    expect(await titles(`group=${closed}`)).toEqual(['zavřené']);
    await jana.api.delete(`/groups/${open}`);
    expect(await titles(`group=${open}`)).toEqual([]);
  });

  // DISC-16
  it('finds free events or paid events, even after the price of an event changes', async () => {
    await createEvent('bez ceny');
    const zero = await createEvent('nula', { price_czk: 0 });
    await createEvent('placená', { price_czk: 0.5 });
    await createEvent('za kredity', { editorial: { ticketPriceCredits: 3 } });
    expect(await titles('price=free')).toEqual(['bez ceny', 'nula']);
    expect(await titles('price=paid')).toEqual(['placená', 'za kredity']);
    await jana.api.patch(`/events/${zero.id}`, { price_czk: 100 });
    expect(await titles('price=free')).toEqual(['bez ceny']);
    expect(await titles('price=paid')).toEqual(['nula', 'placená', 'za kredity']);
    expect(await refusedFields('price=FREE')).toEqual(['price']);
  });

  // DISC-17
  it('finds events in a box, also on the edges of the box and in a box across the date line', async () => {
    const at = (title: string, latitude: number, longitude: number) => createEvent(title, { latitude, longitude });
    await at('Praha', 50.08, 14.42);
    await at('Brno', 49.19, 16.6);
    await at('Fidži', -17.8, 179.2);
    await at('Taveuni', -16.5, -179.5);
    await at('poledník', 0, 180);
    await createEvent('nikde');
    expect(await titles('bbox=14,49,17,51')).toEqual(['Praha', 'Brno']);
    expect(await titles('bbox=14.42,49,17,50.08')).toEqual(['Praha', 'Brno']);
    expect(await titles('bbox=14.421,49,17,51')).toEqual(['Brno']);
    expect(await titles('bbox=14,50.08,17,50.08')).toEqual(['Praha']);
    expect(await titles('bbox=16.6,49,16.6,50')).toEqual(['Brno']);
    expect(await titles('bbox=179,-20,-179,-10')).toEqual(['Fidži', 'Taveuni']);
    expect(await titles('bbox=-180,-1,-179,1')).toEqual(['poledník']);
    expect(await titles('bbox=170,-1,180,1')).toEqual(['poledník']);
    expect(await titles('bbox=-180,-90,180,90')).toHaveLength(5);
    expect(await titles('bbox=-170,-90,170,90')).toEqual(['Praha', 'Brno']);
    expect((await discover('bbox=14,49,17,51')).body.data[0]).not.toHaveProperty('distance_km');
  });

  // DISC-17
  it.each([
    ['a large box west of this meridian', '170,-1,180,1'],
    ['a large box east of this meridian', '-180,-1,-170,1'],
    ['a small box west of this meridian', '179.95,-0.05,180,0.05'],
    ['a small box east of this meridian', '-180,-0.05,-179.95,0.05'],
    ['a box without width at 180 degrees', '180,-1,180,1'],
    ['a box without width at -180 degrees', '-180,-1,-180,1'],
    ['a box across this meridian', '179.95,-0.05,-179.95,0.05'],
    ['a box across this meridian that begins at 180 degrees', '180,-1,-170,1'],
    ['a box across this meridian that ends at -180 degrees', '170,-1,-180,1'],
    ['the whole equator', '-180,-1,180,1'],
  ])('finds events at 180 and -180 degrees, which are the same meridian, in %s', async (_, bbox) => {
    await createEvent('180', { latitude: 0, longitude: 180 });
    await createEvent('-180', { latitude: 0, longitude: -180 });
    await createEvent('Greenwich', { latitude: 1.5, longitude: 0 });
    expect(await titles(`bbox=${bbox}`)).toEqual(['180', '-180']);
  });

  // DISC-17
  it.each([
    '1,2,3',
    '1,2,3,4,5',
    'a,b,c,d',
    '1,2,3,',
    '-181,0,0,1',
    '0,-91,1,0',
    '0,0,181,1',
    '0,10,1,5',
    'NaN,0,1,1',
    '181,0,0,1',
    '1,0,-181,1',
    '0,0,1,91',
  ])('refuses the box %s', async (bbox) => expect(await refusedFields(`bbox=${bbox}`)).toEqual(['bbox']));

  // DISC-17
  it('refuses a box together with a circle', async () => {
    expect(await refusedFields('bbox=12,48,19,51&lat=50&lng=14')).toEqual(['bbox']);
    expect(await refusedFields('bbox=12,48,19,51&lat=50')).toEqual(['bbox', 'lng']);
    expect(await refusedFields('bbox=12,48,19,51&lng=14')).toEqual(['bbox', 'lat']);
  });

  // DISC-18
  it('includes an event that starts at starts_after and excludes an event that starts at starts_before', async () => {
    const [first, second, third] = [inDays(2), inDays(3), inDays(4)];
    await createEvent('první', { starts_at: first });
    await createEvent('druhá', { starts_at: second });
    await createEvent('třetí', { starts_at: third });
    const query = (after: Date, before: Date) =>
      `starts_after=${after.toISOString()}&starts_before=${before.toISOString()}`;
    expect(await titles(query(second, third))).toEqual(['druhá']);
    expect(await titles(`${query(first, third)}&date_from=${pragueDay(second)}`)).not.toContain('první');
    expect(await refusedFields(query(third, third))).toEqual(['starts_before']);
    expect(await refusedFields('starts_after=2030-01-01')).toEqual(['starts_after']);
  });

  // DISC-10, DISC-15, DISC-18
  it('uses the later of date_from and starts_after, and the earlier of date_to and starts_before', async () => {
    server.clock.moveTo('2031-05-01T12:00:00Z');
    for (const day of [10, 11, 12, 13])
      await createEvent(String(day), { starts_at: new Date(`2031-06-${day}T12:00:00Z`) });
    const [at11, at12] = ['2031-06-11T12:00:00Z', '2031-06-12T12:00:00Z'];
    expect(await titles(`date_from=2031-06-10&starts_after=${at12}`)).toEqual(['12', '13']);
    expect(await titles(`date_from=2031-06-12&starts_after=${at11}`)).toEqual(['12', '13']);
    expect(await titles(`date_to=2031-06-13&starts_before=${at12}`)).toEqual(['10', '11']);
    expect(await titles(`date_to=2031-06-11&starts_before=2031-06-13T12:00:01Z`)).toEqual(['10', '11']);
  });

  // DISC-20
  it('lists boosted events first until the boost ends; a list whose first page was read before the end keeps this order on later pages', async () => {
    const end = new Date(Math.ceil(server.clock.now().getTime() / 1000) * 1000 + 3_600_000);
    await createEvent('topovaná', { starts_at: inDays(5), editorial: { boostedUntil: end } });
    await createEvent('brzy', { starts_at: inDays(2) });
    await createEvent('druhá topovaná', { starts_at: inDays(6), editorial: { boostedUntil: end } });
    server.clock.freezeAt(new Date(end.getTime() - 1));
    expect(await titles('')).toEqual(['topovaná', 'druhá topovaná', 'brzy']);
    const first = await discover('per_page=1');
    expect(titlesOf(first)).toEqual(['topovaná']);
    server.clock.freezeAt(end);
    expect(await titles('')).toEqual(['brzy', 'topovaná', 'druhá topovaná']);
    const atEnd = await discover('per_page=1');
    expect(titlesOf(await discover(`cursor=${atEnd.body.meta.next_cursor as string}`))).toEqual([
      'topovaná',
      'druhá topovaná',
    ]);
    server.clock.freezeAt(new Date(end.getTime() + 59 * 60_000));
    await server.job('discover-sweep');
    const others = await discover(`per_page=2&cursor=${first.body.meta.next_cursor as string}`);
    expect([titlesOf(others), others.body.meta]).toEqual([
      ['druhá topovaná', 'brzy'],
      expect.objectContaining({ current_page: null, last_page: null, from: null, to: null, total: 3, per_page: 2 }),
    ]);
    const second = await discover(`per_page=1&cursor=${first.body.meta.next_cursor as string}`);
    const third = await discover(`per_page=1&cursor=${second.body.meta.next_cursor as string}`);
    expect([titlesOf(second), titlesOf(third), third.body.meta.next_cursor]).toEqual([
      ['druhá topovaná'],
      ['brzy'],
      null,
    ]);
    server.clock.freezeAt(new Date(end.getTime() + 3_600_000));
    expect((await server.job('discover-sweep')).boosts_lapsed).toBe(2);
  });

  // DISC-20
  it('lists, after a cursor, an event whose boost ended less than a millisecond ago', async () => {
    server.clock.freezeAt(server.clock.now());
    await createEvent('brzy', { starts_at: inDays(2) });
    const { eventId } = await createEvent('dřív topovaná', { starts_at: inDays(6) });
    await server.sql(`UPDATE events SET boosted_until = $2::timestamptz - interval '300 microseconds' WHERE id = $1`, [
      eventId,
      server.clock.now(),
    ]);
    expect(await titles('')).toEqual(['brzy', 'dřív topovaná']);
    const first = await discover('per_page=1');
    expect(titlesOf(await discover(`cursor=${first.body.meta.next_cursor as string}`))).toEqual(['dřív topovaná']);
  });

  // DISC-19
  it('sorts by start, by creation and by distance', async () => {
    const at = (title: string, start: number, longitude: number, options: EventOptions = {}) =>
      createEvent(title, { starts_at: inDays(start), latitude: 50, longitude, ...options });
    await at('a', 5, 14.02, { editorial: { boostedUntil: inDays(1) } });
    server.clock.forward(1000);
    await at('b', 3, 14.03);
    server.clock.forward(1000);
    await at('c', 4, 14.01);
    expect(await titles('')).toEqual(['a', 'b', 'c']);
    expect(await titles('sort=default')).toEqual(['a', 'b', 'c']);
    expect(await titles('sort=starts_at')).toEqual(['b', 'c', 'a']);
    expect(await titles('sort=created_at')).toEqual(['c', 'b', 'a']);
    expect(await titles('sort=distance&lat=50&lng=14')).toEqual(['c', 'a', 'b']);
    expect(await titles('sort=distance&lat=50&lng=14&radius_km=1')).toEqual(['c']);
    expect(await refusedFields('sort=distance')).toEqual(['sort']);
    expect(await refusedFields('sort=price')).toEqual(['sort']);
  });

  // DISC-19
  it('uses the id to order events with the same start, creation time or distance', async () => {
    server.clock.freezeAt(server.clock.now());
    const startsAt = inDays(5);
    for (const title of ['a', 'b', 'c'])
      await createEvent(title, { starts_at: startsAt, latitude: 50, longitude: 14.01 });
    for (const [query, expected] of [
      ['', ['a', 'b', 'c']],
      ['sort=starts_at', ['a', 'b', 'c']],
      ['sort=created_at', ['c', 'b', 'a']],
      ['sort=distance&lat=50&lng=14', ['a', 'b', 'c']],
    ] as const) {
      expect([query, await titles(query)]).toEqual([query, expected]);
      const first = await discover(`${query}&per_page=2`);
      const second = await discover(`${query}&per_page=2&cursor=${first.body.meta.next_cursor as string}`);
      expect([query, ...titlesOf(first), ...titlesOf(second)]).toEqual([query, ...expected]);
    }
  });

  // DISC-15, DISC-19, DISC-20
  it('combines many filters with every order and with cursors', async () => {
    const seeking = { type: 'sport', latitude: 50, longitude: 14, seeking_company: true, max_participants: 5 } as const;
    for (const title of ['kolo a', 'kolo b']) await createEvent(title, { ...seeking, starts_at: inDays(5) });
    await createEvent('kolo bez místa', { type: 'sport' });
    const day = (days: number) => pragueDay(inDays(days));
    const filters = `q=kolo&type=sport&source=community&seeking_company=1&date_from=${day(3)}&date_to=${day(7)}&min_participants=1&lat=50&lng=14&price=free&organizer=${jana.slug}`;
    for (const sort of ['default', 'starts_at', 'distance', 'created_at']) {
      const query = `${filters}&sort=${sort}`;
      const expected = sort === 'created_at' ? ['kolo b', 'kolo a'] : ['kolo a', 'kolo b'];
      for (const attempt of ['counts the total', 'uses the known total'])
        expect([sort, attempt, await titles(query)]).toEqual([sort, attempt, expected]);
      const first = await discover(`${query}&per_page=1`);
      const second = await discover(`${query}&per_page=1&cursor=${first.body.meta.next_cursor as string}`);
      expect([sort, ...titlesOf(first), ...titlesOf(second)]).toEqual([sort, ...expected]);
    }
  });

  // DISC-1, DISC-14
  it('subtracts an event from the total only once if its organizer blocks the viewer and has also banned the viewer from the event', async () => {
    const event = await createEvent('skrytá', { with: [[petr, 'banned']] });
    await createEvent('vlastní', { organizer: petr });
    const eva = await server.person('eva');
    await createEvent('viditelná', { organizer: eva });
    await jana.api.put(`/blocks/${petr.slug}`);
    for (const query of ['', 'q=a', 'q=viditelna', `ids=${event.id}`, 'type=other'])
      expect((await discover(query)).body.meta.total).toBe(query.startsWith('ids') ? 0 : 1);
  });

  const ORDERS = [
    '',
    'sort=starts_at',
    'sort=created_at',
    'sort=distance&lat=50&lng=14',
    'lat=50&lng=14',
    'bbox=13,49,15,51',
  ];
  const FILTERS = ['', 'q=kolo', 'organizer='];

  // DISC-20
  it.each(ORDERS.flatMap((order) => FILTERS.map((filter) => [order, filter] as const)))(
    'returns pages without repeated or missing events while other events change, with order "%s" and filter "%s"',
    async (order, filter) => {
      const query = [order, filter === 'organizer=' ? filter + jana.slug : filter, 'per_page=2'].join('&');
      const at = (n: number, options: EventOptions = {}) =>
        createEvent(`kolo ${n}`, {
          starts_at: inDays(5 + (n % 3)),
          latitude: 50,
          longitude: 14 + (n % 4) / 100,
          ...options,
        });
      const permanent = [];
      for (let n = 0; n < 7; n++)
        permanent.push(await at(n, n < 3 ? { editorial: { boostedUntil: inDays(n === 0 ? 0.01 : 3) } } : {}));
      const foundIds: string[] = [];
      const toCancel: string[] = [];
      let answer = await discover(query);
      for (let round = 0; ; round++) {
        const { data, meta, links } = answer.body;
        foundIds.push(...data.map(({ id }: { id: string }) => id));
        const [{ count }] = (await server.sql<{ count: string }>('SELECT count(*) FROM live_events')) as [
          { count: string },
        ];
        expect(meta.total).toBe(Number(count));
        if (round > 0) expect(links).toEqual({ first: null, last: null, prev: null, next: null });
        if (meta.next_cursor === null) break;
        // Between two pages, the temporary event of the previous round is cancelled, a new temporary event is created,
        // and ten minutes pass. Temporary events start before all permanent events. One boost ends during the test.
        for (const id of toCancel.splice(0)) await jana.api.patch(`/events/${id}`, { status: 'cancelled' });
        toCancel.push((await at(30 + round, { starts_at: inDays(1) })).id);
        server.clock.forward(600_000);
        answer = await discover(`${query}&cursor=${meta.next_cursor}`);
        expect(answer.status).toBe(200);
        expect(round).toBeLessThan(10);
      }
      for (const { id } of permanent) expect(foundIds.filter((one) => one === id)).toEqual([id]);
    },
  );

  // DISC-20
  it('returns a cursor for every page except the last, and refuses invalid cursors', async () => {
    for (const title of ['a', 'b', 'c']) await createEvent(title, { latitude: 50, longitude: 14 });
    const first = (await discover('per_page=1')).body.meta.next_cursor as string;
    // The cursor does not depend on the time of the request, so the ETag of an unchanged page stays the same.
    expect((await discover('per_page=1')).body.meta.next_cursor).toBe(first);
    const second = (await discover('per_page=1&page=2')).body.meta.next_cursor as string;
    expect(titlesOf(await discover(`per_page=1&cursor=${first}`))).toEqual(['b']);
    const last = await discover(`per_page=100&cursor=${second}`);
    expect([titlesOf(last), last.body.meta.next_cursor, last.body.meta.total]).toEqual([['c'], null, 3]);
    expect((await discover('per_page=3')).body.meta.next_cursor).toBeNull();
    expect((await discover('per_page=3&page=9')).body.meta.next_cursor).toBeNull();
    const cursorOfDistance = (await discover('sort=distance&lat=50&lng=14&per_page=1')).body.meta.next_cursor as string;
    const forged = [
      '[1,"default",0,1e300,1,0]',
      '[1,"default",0,1,1.5,0]',
      '[1,"default",0,1,1,1e300]',
      '[1,"default",2,1,1,0]',
      '[2,"default",0,1,1,0]',
      '{"0":1}',
    ].map((text) => Buffer.from(text).toString('base64url'));
    const boosted = Buffer.from('[1,"starts_at",1,1,1,0]').toString('base64url');
    for (const query of [
      `cursor=${first}&page=1`,
      `cursor=${first}&sort=starts_at`,
      `cursor=${cursorOfDistance}&sort=distance&lat=50&lng=15`,
      ...forged.map((cursor) => `cursor=${cursor}`),
      `cursor=${boosted}&sort=starts_at`,
      `cursor=${first}x`,
      'cursor=x',
      'cursor=',
      `cursor=${'x'.repeat(201)}`,
    ])
      expect(await refusedFields(query)).toEqual(['cursor']);
  });
});
