import { browserOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { soon } from '#testing/times';
import { Visitor, type Page } from '#testing/visitor';

/**
 * Tests the pages that list the content of a group, a person, a series, a post or the signed-in person, and the page
 * with Puls posts near a place.
 */
describe('pages with lists of related content', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  // Each test needs new people, because the page of a person shows all content of this person.
  beforeEach(async () => ({ jana, petr } = await server.people('jana', 'petr')));

  const stranger = () => new Visitor(server);
  const titles = ({ html }: Page) => [...html.matchAll(/<h2><a href="[^"]+">([^<]+)</g)].map(([, title]) => title);
  const alternates = ({ html }: Page) =>
    [...html.matchAll(/<link rel="alternate" type="([^"]+)"/g)].map(([, type]) => type);

  // PAGE-34
  it('show upcoming events and posts of a group and of a person, and link to feeds', async () => {
    const group = await buildGroup(server, jana, { name: 'Turisti' });
    const open = await buildEvent(server, jana, { title: 'Otevřený výlet', group: group.id, is_public: true });
    await buildEvent(server, jana, { title: 'Skrytý výlet', group: group.id, is_public: false });
    await jana.api.post('/posts', {
      title: 'Jak bylo venku',
      categories: ['kolo'],
      body: 'Text',
      status: 'published',
      event_id: open.id,
    });
    for (const path of [`/groups/${group.id}`, `/people/${jana.slug}`]) {
      const page = await stranger().get(path);
      expect([path, titles(page)]).toEqual([path, ['Otevřený výlet', 'Jak bylo venku']]);
      expect(alternates(page)).toEqual(['text/calendar', 'application/atom+xml', 'application/json+oembed']);
      expect(titles(await (await browserOf(server, jana)).get(path))).toContain('Skrytý výlet');
    }
    const hidden = await buildGroup(server, jana, { name: 'Skrytá', is_public: false });
    await buildEvent(server, jana, { title: 'Věc skryté skupiny', group: hidden.id, is_public: true });
    const invite = (await jana.api.post(`/groups/${hidden.id}/invite-link`)).body.data.url as string;
    // The page of the invite link shows the group, but not the events of the group.
    expect((await stranger().get(new URL(invite).pathname)).html).not.toContain('Věc skryté skupiny');
  });

  // PAGE-34
  it('show the dates of a series; the page of a private series is visible only to people who see its events', async () => {
    const createSeries = async (title: string, is_public: boolean) =>
      (
        await petr.api.post('/series', {
          title,
          description: '<h1>Trasa</h1>',
          starts_at: soon(3),
          location_name: 'Obora',
          frequency: 'weekly',
          interval: 1,
          occurrences_limit: 3,
          is_public,
        })
      ).body.data.id as string;
    const datesOf = ({ html }: Page) =>
      [...(/<ul class="card list dates">[^]*?<\/ul>/.exec(html)?.[0] ?? '').matchAll(/<li>[^]*?<\/li>/g)].map(
        ([row]) => row,
      );
    const [open, hidden] = [await createSeries('Běhání', true), await createSeries('Tajné běhání', false)];
    const [first] = (await petr.api.get(`/series/${open}/events?scope=upcoming`)).body.data as { id: string }[];
    await petr.api.patch(`/events/${first?.id}`, { title: 'Běhání s dětmi', type: 'sport' });
    const page = await stranger().get(`/series/${open}`);
    // A date shows its title only if the title differs from the heading of the page. It shows its place and its chips
    // only if they are not common to all dates.
    expect(datesOf(page).map((row) => ['Běhání', 'Obora', 'sport', 'free'].map((text) => row.includes(text)))).toEqual([
      [true, false, true, false],
      [false, false, false, false],
      [false, false, false, false],
    ]);
    expect(page.html).toMatch(
      new RegExp(`<img class="cover[^]*free[^]*Obora[^]*${petr.name}[^]*<h2>Trasa</h2>[^]*list dates`),
    );
    expect(alternates(page)).toEqual(['text/calendar']);
    expect((await stranger().get(`/series/${hidden}`)).status).toBe(404);
    expect((await stranger().get('/series/nowhereatall')).status).toBe(404);
    const own = await (await browserOf(server, petr)).get(`/series/${hidden}`);
    expect(datesOf(own)).toHaveLength(3);
    expect(own.html).not.toMatch(/property="og:|rel="alternate"/);
  });

  it('show a message (CSS class `empty`) if the list is empty', async () => {
    const visitor = await browserOf(server, petr);
    for (const list of [
      'notices',
      'apps',
      'apps/own',
      'api/webhooks',
      'blocks',
      'reports',
      'groups',
      'posts',
      'events',
    ]) {
      const { status, html } = await visitor.get(`/account/${list}`);
      expect([list, status, html.includes('<p class="empty">')]).toEqual([list, 200, true]);
    }
  });

  // PAGE-28
  it('link to the last page if the number in `?page=` is too high (notices, messages of a webhook)', async () => {
    const { id } = await buildEvent(server, jana, { join_mode: 'request' });
    await petr.api.post(`/events/${id}/join`);
    const webhook = (await jana.api.post('/webhooks', { url: 'https://93.184.216.34/' })).body.data.id as string;
    const visitor = await browserOf(server, jana);
    for (const path of ['/account/notices', `/account/api/webhooks/${webhook}`]) {
      expect((await visitor.get(path)).html).not.toContain('rel="prev"');
      expect((await visitor.get(`${path}?page=9`)).html).toMatch(
        new RegExp(`<a [^>]*rel="prev" href="${path}\\?page=1">`),
      );
    }
  });

  // PAGE-34
  it('show the comments on a post', async () => {
    const { slug } = (
      await jana.api.post('/posts', { title: 'Zápisek', categories: ['kolo'], body: 'Text', status: 'published' })
    ).body.data;
    await petr.api.post(`/posts/${slug}/comments`, { body: 'Moc hezké & krátké.' });
    const page = await stranger().get(`/posts/${slug}`);
    expect(page.html).toContain('Moc hezké &amp; krátké.');
    expect(alternates(page)).toEqual(['application/atom+xml']);
  });

  // PAGE-34
  it('show Puls posts nearby, but only to people with an account', async () => {
    expect(await stranger().get('/puls?lat=50.1&lng=14.4')).toMatchObject({
      status: 303,
      to: '/sign-in?next=%2Fpuls%3Flat%3D50.1%26lng%3D14.4',
    });
    await jana.api.upload('/puls', [
      ['latitude', '50.1'],
      ['longitude', '14.4'],
      ['body', 'Kdo jde na pivo?'],
    ]);
    const visitor = await browserOf(server, petr);
    expect((await visitor.get('/puls')).status).toBe(200);
    expect((await visitor.get('/puls?lat=50.1&lng=14.4')).html).toContain('Kdo jde na pivo?');
    expect((await visitor.get('/puls?lat=49&lng=16')).html).not.toContain('pivo');
    expect((await visitor.get('/puls?lat=x&lng=')).status).toBe(422);
  });

  // PAGE-35
  it('show the events of the reader, filtered by relation and by time', async () => {
    const { eva } = await server.people('eva');
    const states = {
      joined: 'confirmed',
      invited: 'pending',
      waitlisted: 'waitlisted',
      requested: 'requested',
    } as const;
    for (const [relation, state] of Object.entries(states))
      await buildEvent(server, jana, { title: `Jsem ${relation}`, is_public: false, with: [[eva, state]] });
    await buildEvent(server, eva, { title: 'Jsem organizing' });
    const visitor = await browserOf(server, eva);
    expect(titles(await visitor.get('/account/events'))).toEqual(['Jsem joined']);
    const [past, later] = [
      { title: 'Byl jsem', starts_at: new Date('2020-05-01T10:00:00Z') },
      { title: 'Půjdu pak', starts_at: new Date('2999-05-01T10:00:00Z') },
    ];
    for (const one of [later, past]) await buildEvent(server, jana, { ...one, with: [[eva, 'confirmed']] });
    expect(titles(await visitor.get('/account/events'))).toEqual(['Jsem joined', 'Půjdu pak']);
    expect(titles(await visitor.get('/account/events?scope=past'))).toEqual(['Byl jsem']);
    expect((await visitor.get('/account/events')).html).toMatch(/scope=upcoming" aria-current="true"/);
    for (const relation of [...Object.keys(states).slice(1), 'organizing'])
      expect(titles(await visitor.get(`/account/events?relation=${relation}`))).toEqual([`Jsem ${relation}`]);
    // PAGE-41: only the lists whose events are in the calendar show the address of the calendar.
    const queries = ['', '?relation=organizing', '?relation=invited', '?relation=joined&scope=past'];
    const lists = await Promise.all(queries.map((query) => visitor.get(`/account/events${query}`)));
    expect(lists.map(({ html }) => html.includes('id="calendar"'))).toEqual([true, true, false, true]);
    expect(titles(await visitor.get('/account/events?relation=organizing&scope=past'))).toEqual([]);
    await buildEvent(server, eva, { title: 'Jen pro pozvané', is_public: false });
    const organized = (await visitor.get('/account/events?relation=organizing')).html;
    expect([...organized.matchAll(/<li class="tile">.*?<\/li>/gs)].map(([tile]) => tile.includes('>private<'))).toEqual(
      [false, true],
    );
    for (const [address, list] of [
      ['/account/events?relation=nonsense', '/account/events'],
      ['/account/events?page=0', '/account/events'],
      ['/account/groups?page=0', '/account/groups'],
      ['/account/posts?page=0', '/account/posts'],
      ['/account/blocks?page=x', '/account/blocks'],
      ['/account/reports?page=0', '/account/reports'],
    ] as const) {
      const { status, html } = await visitor.get(address);
      expect([address, status]).toEqual([address, 422]);
      expect(html).toContain(`role="alert">The address of this list is not valid. <a href="${list}">`);
    }
    expect((await stranger().get('/account/events')).to).toBe('/sign-in?next=%2Faccount%2Fevents');
  });
});
