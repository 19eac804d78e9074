import { get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { soon } from '#testing/times';
import { Visitor, type Page } from '#testing/visitor';

/**
 * Tests the pages of events, itineraries, groups, posts and people. Every link that the API returns opens a page for
 * the people who may see the linked object.
 */
describe('the public pages', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
  });
  afterAll(() => server.stop());

  const stranger = () => new Visitor(server);
  /**
   * Opens the page to which a link of the API leads. The link has the public origin; this server has another origin.
   */
  const openPage = (url: string, visitor = stranger()) => visitor.get(new URL(url).pathname);

  /** Gives the person an e-mail address and a password, signs the person in, and returns the browser. */
  async function browserOf(person: Person): Promise<Visitor> {
    const email = `${person.slug}@example.org`;
    await server.database.transaction(async (tx) => {
      const user = (await server.app.get(UsersReader).lockBySlug(tx, person.slug))!;
      await server.app.get(UsersCommands).update(tx, user, { email, password: 'correct horse', locale: 'en' });
    });
    const visitor = new Visitor(server);
    expect((await visitor.submit('/sign-in', { email, password: 'correct horse' })).status).toBe(303);
    return visitor;
  }

  /**
   * Expects that the page has the security headers, has no inline script, style or event handler, and loads nothing
   * from other hosts.
   */
  function expectStrict({ html, headers }: Page): void {
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy.split('; ')).toContain(rule);
    }
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/i);
    for (const [, attributes, inline] of html.matchAll(/<script([^>]*)>([^<]*)</g)) {
      // JSON-LD is data for search engines. Browsers do not run it.
      if (attributes === ' type="application/ld+json"') continue;
      expect(attributes).toContain('src="/web/');
      expect(inline).toBe('');
    }
    for (const [, address] of html.matchAll(/<(?:img|link|script)[^>]*(?:src|href)="([^"]+)"/g)) {
      expect(address).toMatch(/^(\/|http:\/\/127\.0\.0\.1)/);
    }
  }

  const openGraph = ({ html }: Page, name: string) =>
    new RegExp(`<meta property="og:${name}" content="([^"]*)"`).exec(html)?.[1];

  describe('of an event', () => {
    // PAGE-11, PAGE-16
    it('show the data of the API, in the reader’s time zone and language', async () => {
      server.clock.moveTo('2030-06-01T10:00:00Z');
      const { body } = await jana.api.post('/events', {
        title: 'Piknik <ve> Stromovce',
        description: '<p>Vezměte <b>deku</b> &amp; jídlo.</p>',
        starts_at: '2030-07-01T18:00:00+02:00',
        ends_at: '2030-07-01T21:00:00+02:00',
        location_name: 'Stromovka',
        location_address: 'Praha 7',
        latitude: 50.106,
        longitude: 14.424,
        max_participants: 8,
        ticket_url: 'https://example.org/t?a=1&b=2',
      });
      const { id, url } = body.data;
      expect((await jana.api.upload(`/events/${id}/images`, [['images[]', new Blob([await picture()])]])).status).toBe(
        201,
      );
      const page = await openPage(url);
      expect(page.status).toBe(200);
      expectStrict(page);
      expect(page.html).toContain('<h1>Piknik &lt;ve&gt; Stromovce');
      expect(page.html).toContain('<p>Vezměte <b>deku</b> &amp; jídlo.</p>');
      expect(page.html).toMatch(/Monday,? 1 July 2030[^<]*18:00[^<]*21:00 CEST/);
      expect(page.html).toContain('Stromovka, Praha 7');
      expect(page.html).toContain('https://www.openstreetmap.org/?mlat=50.106&mlon=14.424');
      expect(page.html).toContain('href="https://example.org/t?a=1&amp;b=2">example.org</a>');
      expect(page.html).toContain(`href="/people/${jana.slug}"`);
      expect(openGraph(page, 'title')).toBe('Piknik &lt;ve&gt; Stromovce');
      expect(openGraph(page, 'url')).toBe(url);
      expect(openGraph(page, 'image')).toContain('/media/');
      expect(openGraph(page, 'description')).toContain('Vezměte deku &amp; jídlo.');

      const czech = await openPage(url, new Visitor(server, { 'accept-language': 'cs-CZ' }));
      expect(czech.html).toMatch(/pondělí 1\. července 2030[^<]*18:00/);

      await server.sql(`UPDATE users SET timezone = 'America/New_York' WHERE slug = $1`, [petr.slug]);
      expect((await openPage(url, await browserOf(petr))).html).toMatch(/12:00[^<]*15:00/);
    });

    // PAGE-15
    it('have an iCalendar file', async () => {
      const title = 'Čaj; o páté, s dlouhým názvem, který se nevejde na jediný řádek kalendáře vůbec';
      const { id } = await buildEvent(server, jana, {
        title,
        starts_at: new Date('2030-07-01T16:00:00Z'),
        description: '<p>První</p><p>Druhý</p>',
      });
      const file = await stranger().get(`/events/${id}.ics`);
      expect(file.status).toBe(200);
      expect(file.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
      const lines = file.html.split('\r\n');
      for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      const unfolded = file.html.replaceAll('\r\n ', '');
      expect(unfolded).toContain('DTSTART;TZID=Europe/Prague:20300701T180000\r\n');
      expect(unfolded).toContain(`SUMMARY:${title.replace(/[;,]/g, '\\$&')}\r\n`);
      expect(unfolded).toContain('DESCRIPTION:První\\nDruhý\r\n');
      expect(unfolded).toContain('STATUS:CONFIRMED\r\n');
      expect(unfolded.endsWith('END:VEVENT\r\nEND:VCALENDAR\r\n')).toBe(true);
    });

    // PAGE-11, PAGE-15
    it('are visible only to people with a relation to the event if the event is private', async () => {
      const { id } = await buildEvent(server, jana, {
        title: 'Tajná oslava',
        is_public: false,
        with: [[petr, 'pending']],
      });
      const { eva } = await server.people('eva');
      for (const path of [`/events/${id}`, `/events/${id}.ics`]) {
        for (const visitor of [stranger(), await browserOf(eva)]) {
          const page = await visitor.get(path);
          expect(page.status).toBe(404);
          expect(page.html).not.toContain('Tajná');
        }
        for (const person of [jana, petr])
          expect((await (await browserOf(person)).get(path)).html).toContain('Tajná oslava');
      }
    });

    // PAGE-11
    it('mark a cancelled event, and show a 404 page for a deleted or unknown event', async () => {
      const { id } = await buildEvent(server, jana, {});
      await jana.api.patch(`/events/${id}`, { status: 'cancelled' });
      expect((await openPage(`http://x/events/${id}`)).html).toContain('<span class="badge">cancelled</span>');
      expect((await stranger().get(`/events/${id}.ics`)).html).toContain('STATUS:CANCELLED');
      await jana.api.delete(`/events/${id}`);
      for (const missing of [id, 'nowhereatall', '1', `${jana.id}`, '%00', 'a.ics', '..%2f']) {
        const page = await stranger().get(`/events/${missing}`);
        expect([missing, page.status]).toEqual([missing, 404]);
        expect(page.html).toContain('Page not found');
        expectStrict(page);
      }
    });

    it('do not show, even to the organizer, the join password, e-mail addresses, or participants who have not allowed it in their profile', async () => {
      const { id } = await buildEvent(server, jana, {
        title: 'S heslem',
        join_mode: 'password',
        join_password: 'sezam-otevri',
        with: [[petr, 'confirmed']],
      });
      for (const visitor of [stranger(), await browserOf(jana)]) {
        const { html } = await visitor.get(`/events/${id}`);
        expect(html).not.toContain('sezam');
        expect(html).not.toContain(petr.slug);
        expect(html).not.toContain('@example.org');
      }
    });
  });

  // PAGE-12, PLAN-4
  it('include the page of a public itinerary, even if its event is private', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Výlet' });
    const plan = {
      title: 'Plán výletu',
      is_public: true,
      stops: [
        { title: 'Nádraží', latitude: 50.08, longitude: 14.43, duration_minutes: 15 },
        { title: 'Rozhledna', notes: '<i>hezky</i>' },
      ],
    };
    const { url } = (await jana.api.put(`/events/${id}/itinerary`, plan)).body.data;
    const page = await openPage(url);
    expect(page.status).toBe(200);
    expectStrict(page);
    expect(page.html).toContain('<h1>Plán výletu</h1>');
    expect(page.html).toContain('&lt;i&gt;hezky&lt;/i&gt;');
    expect(page.html).toContain(`href="/events/${id}">Výlet</a>`);
    expect((await stranger().get(`/events/${id}`)).html).toContain(`href="/events/${id}/itinerary"`);
    await jana.api.patch(`/events/${id}`, { is_public: false });
    const itineraryPage = await stranger().get(`/events/${id}/itinerary`);
    expect([
      itineraryPage.status,
      itineraryPage.html.includes('Plán výletu'),
      itineraryPage.html.includes((await jana.api.get(`/events/${id}`)).body.data.title),
    ]).toEqual([200, true, false]);
    await jana.api.patch(`/events/${id}`, { is_public: true });
    await jana.api.put(`/events/${id}/itinerary`, { ...plan, is_public: false });
    expect((await openPage(url)).status).toBe(404);
    expect((await stranger().get(`/events/${id}`)).html).not.toContain('/itinerary');
  });

  // PAGE-11
  it('include the page of a group; the page of a private group is visible only to people with a relation to the group', async () => {
    const { id } = await buildGroup(server, jana, { name: 'Turisti', description: 'Jdeme <ven>' });
    const page = await openPage((await jana.api.get(`/groups/${id}`)).body.data.url);
    expect(page.status).toBe(200);
    expectStrict(page);
    expect(page.html).toContain('Jdeme &lt;ven&gt;');
    expect(page.html).toContain('1 member');
    expect(page.html).toContain(`<span><a href="/people/${jana.slug}">`);
    expect(page.html).not.toContain('noindex');
    const hidden = await buildGroup(server, jana, { name: 'Skrytá', is_public: false, with: [[petr, 'member']] });
    const { url } = (await jana.api.get(`/groups/${hidden.id}`)).body.data;
    expect((await openPage(url)).status).toBe(404);
    const { html } = await openPage(url, await browserOf(petr));
    expect(html).toContain('Skrytá');
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).not.toContain('property="og:');
  });

  // PAGE-13
  it('include the page of an invite link, which shows the group and its founder, and lets people join', async () => {
    const { jitka, ota } = await server.people('jitka', 'ota');
    const group = await buildGroup(server, jana, { name: 'Na pozvání', is_public: false, with: [[jitka, 'invited']] });
    const { url } = (await jana.api.post(`/groups/${group.id}/invite-link`)).body.data;
    const path = new URL(url).pathname;
    const page = await openPage(url);
    expect(page.html).toMatch(/>You are invited to this group<\/p>\s*<h1>\s*Na pozvání /);
    expect(page.html).toContain(`href="/people/${jana.slug}"`);
    expect(page.html).toContain(`href="/sign-in?next=${encodeURIComponent(path)}"`);
    expect(page.html).toContain('noindex');

    // An invited person becomes a member at once, and returns to the page.
    const invited = await browserOf(jitka);
    expect(await invited.submit(path, {})).toMatchObject({ status: 303, to: path });
    expect((await invited.get(path)).html).toContain('You are a member of this group.');
    expect((await jitka.api.get(`/groups/${group.id}`)).body.data.viewer.role).toBe('member');

    // Any other person sends a request, and the founder decides about the request.
    const other = await browserOf(ota);
    await other.submit(path, {});
    expect((await other.get(path)).html).toContain('Your request is waiting for approval.');
    expect((await jana.api.post(`/groups/${group.id}/members/${ota.slug}/approve`)).status).toBe(200);

    expect((await other.post(path, {})).status).toBe(403);
    await jana.api.delete(`/groups/${group.id}`);
    expect((await openPage(url)).status).toBe(404);
    for (const madeUp of ['made-up', 'a%00b'])
      expect((await stranger().get(`/groups/join/${madeUp}`)).status).toBe(404);
  });

  // PAGE-11
  it('include the page of a post; the page of a draft is visible only to its author', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Festival' });
    const post = {
      title: 'Cesta kolem',
      categories: ['evropa'],
      body: '<p>Tělo <em>zprávy</em></p>',
      status: 'published',
      event_id: id,
    };
    const { url } = (await jana.api.post('/posts', post)).body.data;
    const page = await openPage(url);
    expect(page.status).toBe(200);
    expectStrict(page);
    expect(page.html).toContain('<p>Tělo <em>zprávy</em></p>');
    expect(page.html).toContain(`href="/events/${id}">Festival</a>`);
    expect(openGraph(page, 'type')).toBe('article');
    expect(openGraph(page, 'description')).toBe('Tělo zprávy');
    const draft = (await jana.api.post('/posts', { ...post, title: 'Koncept', status: 'draft' })).body.data
      .url as string;
    expect((await openPage(draft)).status).toBe(404);
    expect((await openPage(draft, await browserOf(jana))).html).toContain('Draft, visible only to you');
  });

  // PAGE-34
  it('of people and groups do not show the posts of a person who blocks the reader, or whom the reader blocks', async () => {
    const { dana, hana } = await server.people('dana', 'hana');
    const group = await buildGroup(server, jana);
    const { id } = await buildEvent(server, jana, { group: group.id, is_public: true });
    await dana.api.post(`/events/${id}/join`);
    const post = { title: 'Zápisek odjinud', categories: ['mista'], body: 'Text', status: 'published', event_id: id };
    expect((await dana.api.post('/posts', post)).status).toBe(201);
    const visitors = [stranger(), await browserOf(hana), await browserOf(dana)];
    const shown = async () => {
      const pages = visitors.flatMap((visitor) =>
        [`/people/${dana.slug}`, `/groups/${group.id}`].map((path) => visitor.get(path)),
      );
      return (await Promise.all(pages)).map(({ html }) => html.includes('Zápisek odjinud'));
    };
    expect(await shown()).toEqual([true, true, true, true, true, true]);
    for (const [blocker, blocked] of [
      [hana, dana],
      [dana, hana],
    ] as const) {
      await blocker.api.put(`/blocks/${blocked.slug}`);
      expect(await shown()).toEqual([true, true, false, false, true, true]);
      await blocker.api.delete(`/blocks/${blocked.slug}`);
    }
  });

  // PAGE-14
  it('include the page of a person, which shows only the data that the API shows about people', async () => {
    const { dana, skryta } = await server.people('dana', 'skryta');
    await server.sql(
      `UPDATE users SET iban = 'CZ6508000000192000145399', birth_date = '1990-05-01', email = 'dana@example.org',
                        nickname = 'Dáda' WHERE slug = $1`,
      [dana.slug],
    );
    const page = await stranger().get(`/people/${dana.slug}`);
    expect(page.status).toBe(200);
    expectStrict(page);
    expect(page.html).toContain('Dáda');
    for (const secret of ['CZ65', '1990', 'dana@', dana.id]) expect(page.html).not.toContain(secret);

    for (const publish of [
      (person: Person) => person.api.post('/groups', { name: 'Veřejná', is_public: true }),
      (person: Person) =>
        person.api.post('/posts', { title: 'Zápisek', categories: ['mista'], body: 'Text', status: 'published' }),
    ]) {
      const unknown = await server.person('unknown', { searchable: false });
      expect((await stranger().get(`/people/${unknown.slug}`)).status).toBe(404);
      expect((await publish(unknown)).status).toBe(201);
      expect((await stranger().get(`/people/${unknown.slug}`)).status).toBe(200);
    }

    // The page of a person who is not searchable is visible to others only after a public object names the person.
    await server.sql('UPDATE users SET searchable = false WHERE slug = $1', [skryta.slug]);
    expect((await stranger().get(`/people/${skryta.slug}`)).status).toBe(404);
    expect((await (await browserOf(skryta)).get(`/people/${skryta.slug}`)).status).toBe(200);
    await buildEvent(server, skryta, {});
    expect((await stranger().get(`/people/${skryta.slug}`)).status).toBe(200);
    await server.sql('UPDATE users SET banned = true, searchable = true WHERE slug = $1', [skryta.slug]);
    expect((await stranger().get(`/people/${skryta.slug}`)).status).toBe(404);
  });

  // PAGE-10
  it('exist for every `url` of an object in the responses of the API', async () => {
    const { anna, boris } = await server.people('anna', 'boris');
    await buildEvent(server, boris);
    const titles: Record<string, string> = {};
    const rememberTitle = ({ body }: { body: { data: { url: string; title?: string; name?: string } } }) => {
      titles[body.data.url] = (body.data.title ?? body.data.name) as string;
    };
    const event = await anna.api.post('/events', { title: 'Vlastní akce', starts_at: soon() });
    rememberTitle(event);
    rememberTitle(await anna.api.post('/events', { title: 'Soukromá akce', starts_at: soon(), is_public: false }));
    rememberTitle(
      await anna.api.put(`/events/${event.body.data.id}/itinerary`, {
        title: 'Program akce',
        is_public: true,
        stops: [{ title: 'Start' }],
      }),
    );
    const group = await anna.api.post('/groups', { name: 'Vlastní skupina' });
    rememberTitle(group);
    titles[(await anna.api.post(`/groups/${group.body.data.id}/invite-link`)).body.data.url] = 'Vlastní skupina';
    for (const status of ['draft', 'published'])
      rememberTitle(
        await anna.api.post('/posts', { title: `Příspěvek ${status}`, categories: ['kolo'], body: 'Text', status }),
      );

    const browser = await browserOf(anna);
    const lists = ['/events', '/discover/events?per_page=100', '/groups', '/groups/discover', '/posts'];
    const found = new Set(Object.keys(titles));
    for (const list of lists)
      for (const [, url] of (await anna.api.get(list)).text.matchAll(/"url":"([^"]+)"/g)) found.add(url as string);
    expect(found.size).toBeGreaterThan(Object.keys(titles).length);
    for (const url of found) {
      const page = await browser.get(new URL(url).pathname);
      expect([url, page.status]).toEqual([url, 200]);
      if (titles[url]) expect(page.html).toContain(titles[url]);
    }
  });

  it('include a front page with a link to registration, and have a style sheet and scripts', async () => {
    const page = await stranger().get('/');
    expectStrict(page);
    expect(page.html).toContain('href="/register"');
    for (const asset of ['/web/style.css', '/web/copy.js', '/web/try.js']) {
      const answer = await stranger().get(asset);
      expect(answer.status).toBe(200);
      const etag = answer.headers.get('etag') as string;
      expect((await stranger().send('GET', asset, null, { 'if-none-match': etag })).status).toBe(304);
    }
    expect((await stranger().send('HEAD', '/')).status).toBe(200);
  });

  // PAGE-36
  it('have a style sheet that is compressed for browsers that accept compression, each encoding with its own ETag', async () => {
    const plain = await stranger().send('GET', '/web/style.css', null, { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    for (const coding of ['br', 'gzip']) {
      const answer = await rawGet(`${server.origin}/web/style.css`, coding);
      expect(answer.headers).toMatchObject({
        'content-encoding': coding,
        vary: 'Accept-Encoding',
        etag: plain.headers.get('etag')?.replace(/"$/, `-${coding}"`),
      });
      expect(answer.body.length).toBeLessThan(plain.html.length / 3);
      expect((coding === 'br' ? brotliDecompressSync : gunzipSync)(answer.body).toString()).toBe(plain.html);
    }
  });
});

/** Returns the response with its body still compressed. */
function rawGet(url: string, coding: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': coding } }, (answer) => {
      const chunks: Buffer[] = [];
      answer
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(chunks) }));
    }).on('error', reject);
  });
}
