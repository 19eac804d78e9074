import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Settings } from '#platform/config/settings';
import { browserOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import { formTo, filledIn } from '#testing/forms';
import { fillIn } from '#testing/sent-forms';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

/** Tests the language setting, the operator’s pages, the maps, and files that programs request, such as robots.txt. */
describe('the site', () => {
  let server: TestServer;
  /** A server without a security contact and without a tile server. */
  let serverWithLess: TestServer;
  beforeAll(async () => {
    server = await TestServer.start({
      securityContact: 'mailto:security@example.org',
      baseUrl: 'https://events.example.org',
    });
    serverWithLess = await TestServer.start({ mapTilesUrl: null });
  });
  afterAll(async () => {
    await server.stop();
    await serverWithLess.stop();
  });
  const visitor = () => new Visitor(server);

  // PAGE-32
  it('has a robots.txt that excludes search engines from personal pages', async () => {
    const { status, headers, html } = await visitor().get('/robots.txt');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(html.split('\n')).toEqual([
      'User-agent: *',
      'Disallow: /account',
      'Disallow: /api',
      'Disallow: /calendar',
      'Disallow: /groups/join',
      'Disallow: /sign-in',
      'Sitemap: https://events.example.org/sitemap.xml',
      '',
    ]);
  });

  // PAGE-32
  it('lists only public content in the site map, and no ended events', async () => {
    const { jana } = await server.people('jana');
    const [open, hidden] = [await buildEvent(server, jana, {}), await buildEvent(server, jana, { is_public: false })];
    const [group, secret] = [await buildGroup(server, jana, {}), await buildGroup(server, jana, { is_public: false })];
    const post = async (status: string) =>
      (await jana.api.post('/posts', { title: `Text ${status}`, categories: ['kolo'], body: 'Text', status })).body.data
        .url as string;
    const [published, draft] = [await post('published'), await post('draft')];
    const { headers, html } = await visitor().get('/sitemap.xml');
    expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
    for (const url of [
      `https://events.example.org/events/${open.id}`,
      `https://events.example.org/groups/${group.id}`,
      published,
    ])
      expect(html).toContain(`<loc>${url}</loc>`);
    for (const part of [hidden.id, secret.id, draft]) expect(html).not.toContain(part);
    // The event has ended, but the job discover-sweep has not run yet.
    server.clock.forward(60 * 86_400_000);
    expect((await visitor().get('/sitemap.xml')).html).not.toContain(open.id);
  });

  // PAGE-32
  it('has a security.txt with the contact for vulnerabilities, or no security.txt if no contact is configured', async () => {
    for (const path of ['/.well-known/security.txt', '/security.txt']) {
      const { status, html } = await visitor().get(path);
      expect(status).toBe(200);
      expect(html).toMatch(/^Contact: mailto:security@example\.org\nExpires: \d{4}-[^\n]+Z\n/);
    }
    expect((await new Visitor(serverWithLess).get('/.well-known/security.txt')).status).toBe(404);
  });

  // PAGE-6
  it('sets a session cookie with the attribute Secure if its address has https', async () => {
    expect((await visitor().get('/sign-in')).headers.get('set-cookie')).toMatch(/Secure/);
  });

  // PAGE-72
  it('remembers the language that a visitor chose, and stores it in the account of a signed-in person', async () => {
    const stranger = visitor();
    const english = await stranger.get('/');
    expect(english.html).toContain('<html lang="en"');
    expect(english.headers.get('vary')).toMatch(/Cookie, Accept-Language/);
    const { status, headers } = await stranger.post('/language', { locale: 'cs', next: '/?q=beh#events' });
    expect([status, headers.get('location')]).toEqual([303, '/?q=beh#events']);
    expect((await stranger.get('/')).html).toContain('<html lang="cs"');
    expect((await stranger.post('/language', { locale: 'de', next: '/' })).status).toBe(422);
    expect(
      (await stranger.post('/language', { locale: 'en', next: 'https://elsewhere.example/' })).headers.get('location'),
    ).toBe('/');
    const person = visitor();
    await person.register('olga@example.org', 'Olga');
    expect(await person.submit('/account', { locale: 'cs', next: '/' }, '/language')).toMatchObject({ status: 303 });
    const stored = await server.sql<{ locale: string }>("SELECT locale FROM users WHERE email = 'olga@example.org'");
    expect(stored).toEqual([{ locale: 'cs' }]);
    // A language that is saved in the profile replaces the language that was chosen in the browser.
    expect((await person.get('/account')).html).toContain('<html lang="cs"');
    expect((await fillIn(person, '/account', '/account', { locale: 'en' })).status).toBe(303);
    expect((await person.get('/account')).html).toContain('<html lang="en"');
  });

  // PAGE-72
  it('removes form tokens from `next`, the address to which a person returns, even if the sent form had them in its address', async () => {
    const person = visitor();
    await person.register('tokeny@example.org', 'Tokeny');
    const form = formTo((await person.get('/events/new')).html, '/events/new');
    expect(form.action).toMatch(/\?_csrf=.+&_by=/);
    const send = () => person.send('POST', form.action, filledIn(form, { title: '' }));
    const refused = await send();
    const unknown = await person.post(form.action.replace('/new', '/zzzz/join'), {});
    person.session = '';
    const expired = await send();
    expect([refused.status, unknown.status, expired.status]).toEqual([422, 404, 401]);
    for (const { html } of [refused, expired])
      expect(Object.fromEntries(formTo(html, '/language').fields).next).toBe('/events/new');
    expect(unknown.html).toContain('/sign-in?next=%2Fevents%2Fzzzz%2Fjoin"');
  });

  // PAGE-73
  it('shows HTML in the Markdown of the operator’s pages as text, and shows a page in the other language if a translation is missing', async () => {
    expect((await visitor().get('/terms')).status).toBe(404);
    const folder = join(server.app.get(Settings).dataDir, 'pages');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'terms.cs.md'), '# Podmínky\n\nPište na <script>alert(1)</script> **nás**.');
    const { status, html } = await visitor().get('/terms');
    expect(status).toBe(200);
    expect(html).toContain('<strong>nás</strong>');
    expect(html).not.toContain('<script>alert');
    expect(html.match(/<h1>[^<]*<\/h1>/g)).toEqual(['<h1>Podmínky</h1>']);
    await writeFile(join(folder, 'help.en.md'), 'Write to us.');
    expect((await visitor().get('/help')).html.match(/<h1>[^<]*<\/h1>/g)).toEqual(['<h1>Help</h1>']);
    expect((await visitor().get('/')).html).toContain('href="/terms"');
    for (const path of ['/privacy', '/privacy?from=/terms']) expect((await visitor().get(path)).status).toBe(404);
  });

  // PAGE-33
  it('has maps with tiles from a single other host, or no maps if no tile server is configured', async () => {
    const { jana } = await server.people('jana');
    const options = { latitude: 50.1, longitude: 14.4, location_name: 'Stromovka' };
    const page = await visitor().get(`/events/${(await buildEvent(server, jana, options)).id}`);
    expect(page.headers.get('content-security-policy')).toContain(
      "img-src 'self' https://events.example.org https://tile.openstreetmap.org;",
    );
    expect(page.html).toContain('data-tiles="https://tile.openstreetmap.org/{z}/{x}/{y}.png"');
    expect(page.html).toContain('href="https://www.openstreetmap.org/?mlat=50.1&mlon=14.4');
    for (const asset of ['/web/leaflet.js', '/web/leaflet.css', '/web/map.js', '/favicon.ico', '/favicon.svg'])
      expect((await visitor().get(asset)).status).toBe(200);
    const { eva } = await serverWithLess.people('eva');
    const pageWithoutMap = await new Visitor(serverWithLess).get(
      `/events/${(await buildEvent(serverWithLess, eva, options)).id}`,
    );
    expect(pageWithoutMap.html).not.toContain('data-map');
    // PAGE-112
    const browsers = [await browserOf(server, jana), await browserOf(serverWithLess, eva)];
    const forms = await Promise.all(browsers.map(async (browser) => (await browser.get('/events/new')).html));
    expect(forms.map((html) => html.includes('data-pick='))).toEqual([true, false]);
    expect(pageWithoutMap.html).toContain('href="https://www.openstreetmap.org/?mlat=50.1&mlon=14.4');
    expect(pageWithoutMap.headers.get('content-security-policy')).toMatch(/img-src 'self' http:\/\/127\.0\.0\.1:\d+;/);
  });
});
