import { browserOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { Visitor, type Page } from '#testing/visitor';

/** Tests the lists of events, groups and posts with their filters. */
describe('Explore', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
    const eventOptions = {
      free: { title: 'Piknik zadarmo', price_czk: 0, type: 'food', latitude: 50.1, longitude: 14.4 },
      unpriced: { title: 'Procházka', price_czk: null, type: 'walk' },
      paid: { title: 'Koncert & ohňostroj', price_czk: 300, type: 'culture', starts_at: inDays(20) },
      hidden: { title: 'Tajná schůzka', is_public: false },
    } as const;
    for (const [name, options] of Object.entries(eventOptions))
      ids[name] = (await buildEvent(server, jana, options)).id;
    ids.petrs = (await buildEvent(server, petr, { title: 'Petrova jízda', type: 'sport' })).id;
  });
  afterAll(() => server.stop());

  const stranger = () => new Visitor(server);
  const shownEvents = ({ html }: Page) =>
    [...html.matchAll(/<h[23]><a href="\/events\/(\w+)"/g)].map(([, id]) =>
      Object.keys(ids).find((name) => ids[name] === id),
    );
  const fieldWith = (name: string, value: string) => new RegExp(`<input id="${name}"[^>]* value="${value}"`);

  // PAGE-26
  it('shows upcoming public events, including the reader’s own', async () => {
    expect(shownEvents(await stranger().get('/')).sort()).toEqual(['free', 'paid', 'petrs', 'unpriced']);
    const visitor = await browserOf(server, petr);
    expect(shownEvents(await visitor.get('/')).sort()).toEqual(['free', 'paid', 'petrs', 'unpriced']);
    // The Discover API omits the reader’s own events. So the server must store the totals of the API and of the page
    // separately.
    for (let i = 0; i < 2; i++) {
      expect((await petr.api.get('/discover/events')).body.meta.total).toBe(3);
      expect((await visitor.get('/?q=petrova')).html).toContain('Found: 1');
      expect((await petr.api.get('/discover/events?q=petrova')).body.meta.total).toBe(0);
    }
  });

  // PAGE-26
  it.each([
    ['price=free', ['free', 'petrs', 'unpriced']],
    ['price=paid', ['paid']],
    ['q=ohnostroj', ['paid']],
    ['type=walk', ['unpriced']],
    ['lat=50.1&lng=14.4&radius_km=5', ['free']],
    [`date_from=${inDays(15).toISOString().slice(0, 10)}`, ['paid']],
    ['q=&type=&price=&lat=&lng=', ['free', 'paid', 'petrs', 'unpriced']],
    ['price=free&q=piknik&type=food', ['free']],
    ['q=koncert&price=free', []],
  ])('filters by the query in the address: %s', async (query, expected) => {
    const page = await stranger().get(`/?${query}`);
    expect(page.status).toBe(200);
    expect(shownEvents(page).sort()).toEqual(expected);
    expect(page.html).toContain(
      expected.length > 0 ? `Found: ${expected.length}` : 'Nothing found. Try fewer filters.',
    );
    expect(page.html).toContain('content="noindex"');
  });

  // PAGE-26
  it('accepts the parameters of the Discover API that have no field in the form', async () => {
    for (const [query, expected] of [
      [`organizer=${petr.slug}`, ['petrs']],
      [`ids=zzzz,${ids.free},${ids.paid}`, ['free', 'paid']],
      ['ids=zzzz', []],
      [`ids=${ids.free}&organizer=${petr.slug}`, []],
      ['bbox=14,50,15,51', ['free']],
      [`starts_after=${inDays(15).toISOString()}`, ['paid']],
      [`starts_before=${inDays(15).toISOString()}`, ['free', 'petrs', 'unpriced']],
      ['series=zzzz', []],
      ['group=zzzz', []],
    ] as const) {
      const page = await stranger().get(`/?${query}`);
      expect([query, page.status, shownEvents(page).sort()]).toEqual([query, 200, expected]);
    }
    expect(shownEvents(await stranger().get('/?sort=created_at'))).toEqual(['petrs', 'paid', 'unpriced', 'free']);
    expect(shownEvents(await stranger().get('/?sort=starts_at')).at(-1)).toBe('paid');
    const { html } = await stranger().get(`/?organizer=${jana.slug}&sort=created_at&per_page=1`);
    const next = `/?organizer=${jana.slug}&amp;sort=created_at&amp;per_page=1&amp;page=2`;
    expect(html).toContain(`<link rel="next" href="${next}"`);
    expect(shownEvents(await stranger().get(next.replaceAll('&amp;', '&')))).toEqual(['unpriced']);
  });

  // PAGE-26, DISC-1
  it('hides events of an organizer who blocks the reader, and events from which the reader is banned', async () => {
    const eva = await server.person('eva');
    const visitor = await browserOf(server, eva);
    const { eventId } = await buildEvent(server, petr, { title: 'Zákaz vstupu', with: [[eva, 'banned']] });
    await jana.api.put(`/blocks/${eva.slug}`);
    expect(shownEvents(await visitor.get('/'))).toEqual(['petrs']);
    expect((await visitor.get('/')).html).not.toContain('Zákaz vstupu');
    await jana.api.delete(`/blocks/${eva.slug}`);
    await server.sql('DELETE FROM events WHERE id = $1', [eventId]);
    expect(shownEvents(await visitor.get('/')).sort()).toEqual(['free', 'paid', 'petrs', 'unpriced']);
  });

  // PAGE-26
  it('filters by the new price as soon as the price of an event is changed', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Měnlivá', price_czk: 10 });
    ids.changing = id;
    expect(shownEvents(await stranger().get('/?q=menliva&price=paid'))).toEqual(['changing']);
    await jana.api.patch(`/events/${id}`, { price_czk: 0 });
    expect(shownEvents(await stranger().get('/?q=menliva&price=paid'))).toEqual([]);
    expect(shownEvents(await stranger().get('/?q=menliva&price=free'))).toEqual(['changing']);
    await jana.api.delete(`/events/${id}`);
    delete ids.changing;
  });

  // PAGE-28
  it('links to the next and previous page with the same filters', async () => {
    const first = await stranger().get('/?per_page=2&price=&q=');
    const next = /<link rel="next" href="([^"]+)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(next).toBe('/?per_page=2&page=2');
    expect(first.html).toMatch(/<a [^>]*rel="next" href="\/\?per_page=2&amp;page=2"/);
    expect(first.html).not.toContain('rel="prev"');
    const second = await stranger().get(next);
    expect(second.html).toContain('rel="prev"');
    expect(second.html).not.toContain('rel="next"');
    expect([...shownEvents(first), ...shownEvents(second)].sort()).toEqual(['free', 'paid', 'petrs', 'unpriced']);
    expect((await stranger().get('/?per_page=2&page=9')).html).toContain('This page of the list is empty.');
  });

  // PAGE-28
  it.each([
    '/?type=nonsense',
    '/?price=1',
    '/?lat=50',
    '/?date_from=yesterday',
    '/?per_page=1000',
    '/?page=0',
    '/?q=a&q=b',
    '/?lat=1e9&lng=x',
    '/?bbox=1,2,3',
    '/?bbox=14,50,15,51&lat=50&lng=14',
    '/?starts_after=yesterday',
    '/?sort=nonsense',
    '/?sort=distance',
    '/?organizer=a&organizer=b',
    '/?seeking_company=yes',
    '/groups?lat=50',
    '/groups?page=-1',
    '/posts?page=x',
    `/?q=${'x'.repeat(101)}`,
  ])('answers 422 for invalid filters, and shows the reasons in a summary above the filters: %s', async (path) => {
    const page = await stranger().get(path);
    expect(page.status).toBe(422);
    expect(page.html).toContain('role="alert"');
    expect(page.html).toContain('Some filters are not valid.');
    const [alert = ''] = /<[^>]+role="alert".*?<\/div>/s.exec(page.html) ?? [];
    const linkedIds = [...alert.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id);
    expect(linkedIds.filter((id) => !page.html.includes(` id="${id}"`))).toEqual([]);
  });

  // PAGE-28
  it.each([
    '/?q=%00',
    '/?q=%22%3E%3Cscript%3E',
    '/?x[y]=z',
    '/?q=%F0%9F%98%80',
    '/?page=999999',
    '/groups?q=%25_',
    '/posts?q=!!',
    '/?',
  ])('shows the page with its search form even for unusual queries: %s', async (path) => {
    const page = await stranger().get(path);
    expect([200, 422]).toContain(page.status);
    expect(page.html).toContain('<form class="explore" method="get"');
    expect(page.html).not.toContain('<script>');
  });

  // PAGE-27
  it('finds public groups, including groups of the reader, by text and place', async () => {
    await buildGroup(server, jana, {
      name: 'Turisté z Brna',
      description: 'Chodíme po kopcích',
      location_name: 'Brno',
      latitude: 49.2,
      longitude: 16.6,
    });
    await buildGroup(server, jana, { name: 'Šachisti', location_name: 'Praha', latitude: 50.1, longitude: 14.4 });
    await buildGroup(server, jana, { name: 'Tajný spolek', is_public: false });
    const groups = async (query: string, visitor = stranger()) =>
      [...(await visitor.get(`/groups${query}`)).html.matchAll(/<h2><a href="\/groups\/\w+">([^<]+)</g)].map(
        ([, name]) => name,
      );
    expect((await groups('')).sort()).toEqual(['Turisté z Brna', 'Šachisti']);
    expect((await groups('', await browserOf(server, jana))).sort()).toEqual(['Turisté z Brna', 'Šachisti']);
    expect(await groups('?q=turiste+kopcich')).toEqual(['Turisté z Brna']);
    expect(await groups('?q=tajny')).toEqual([]);
    expect(await groups('?lat=50.1&lng=14.4&radius_km=50')).toEqual(['Šachisti']);
    expect(await groups('?lat=49.9&lng=15&radius_km=200')).toEqual(['Šachisti', 'Turisté z Brna']);
  });

  // PAGE-28
  it.each([
    [
      '/?lat=50,1&lng=14,4&radius_km=5,5',
      '/discover/events?lat=50,1&lng=14,4',
      { lat: '50.1', lng: '14.4', radius_km: '5.5' },
    ],
    ['/?place=Brno&radius_km=5,5', '/discover/events?lat=50&lng=14&radius_km=5,5', { place: 'Brno', radius_km: '5.5' }],
    ['/groups?lat=50,1&lng=14,4', '/groups/discover?lat=50,1&lng=14,4', { lat: '50.1', lng: '14.4' }],
    ['/puls?lat=50,1&lng=14,4', '/puls?lat=50,1&lng=14,4', { lat: '50.1', lng: '14.4' }],
  ])('accepts numbers with a decimal comma, although the API refuses them: %s', async (path, apiPath, shown) => {
    const { status, html } = await (await browserOf(server, jana)).get(path);
    expect(status).toBe(200);
    for (const [name, value] of Object.entries(shown)) expect(html).toMatch(fieldWith(name, value));
    expect((await jana.api.get(apiPath)).status).toBe(422);
  });

  // PAGE-28
  it('shows a typed number again if the place is refused, with a decimal point instead of the typed comma', async () => {
    expect((await stranger().get('/?place=nikde&radius_km=5,5')).html).toMatch(fieldWith('radius_km', '5.5'));
  });

  // PAGE-107
  it.each(['/', '/groups', '/puls'])(
    'opens the fields for coordinates on %s only if one of them has a value, even a wrong value',
    async (path) => {
      const visitor = await browserOf(server, jana);
      const isOpen = async (query: string) =>
        /<details class="all" *open>/.test((await visitor.get(`${path}?${query}`)).html);
      expect(await Promise.all(['', 'lat=50.1&lng=14.4', 'lat=x'].map(isOpen))).toEqual([false, true, true]);
    },
  );

  // PAGE-27
  it('finds posts by text, but no drafts', async () => {
    const write = (title: string, status: string) =>
      jana.api.post('/posts', { title, categories: ['kolo'], body: '<p>Text o cestě</p>', status });
    await write('Týden na kole', 'published');
    await write('Rozepsaný deník', 'draft');
    const posts = async (query: string, visitor = stranger()) =>
      [...(await visitor.get(`/posts${query}`)).html.matchAll(/<h2><a href="\/posts\/[^"]+">([^<]+)</g)].map(
        ([, name]) => name,
      );
    expect(await posts('')).toEqual(['Týden na kole']);
    expect(await posts('?q=tyden')).toEqual(['Týden na kole']);
    expect(await posts('?q=denik', await browserOf(server, jana))).toEqual([]);
    // PAGE-16
    const shownDay = async () => /<p class="when">(\d+ \w+( \d+)?)<\/p>/.exec((await stranger().get('/posts')).html);
    expect(await shownDay()).toMatchObject({ 2: undefined });
    server.clock.forward(366 * 86_400_000);
    expect(await shownDay()).toMatchObject({ 2: expect.any(String) as string });
    server.clock.forward(-366 * 86_400_000);
  });
});
