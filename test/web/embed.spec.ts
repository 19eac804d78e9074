import { VisibleEvents } from '#web/public/visible-events';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

interface EventLink {
  readonly id: string;
  readonly url: string;
  readonly title: string;
}

/** EMB-1 to EMB-5: other sites can show public objects in frames. */
describe('frames for other sites', () => {
  let server: TestServer;
  let jana: Person;
  let publicEvent: EventLink;
  let privateEvent: EventLink;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana } = await server.people('jana'));
    publicEvent = await createEvent({ title: 'Veřejný piknik' });
    privateEvent = await createEvent({ title: 'Tajná oslava', is_public: false });
  });
  afterAll(() => server.stop());

  const createEvent = async (options: { title: string; is_public?: boolean }): Promise<EventLink> => {
    const { id } = await buildEvent(server, jana, options);
    return (await jana.api.get(`/events/${id}`)).body.data as EventLink;
  };
  const get = (path: string) => new Visitor(server).get(path);
  const oembed = async (url: string, more: Record<string, string> = {}) => {
    const answer = await fetch(`${server.origin}/oembed?${new URLSearchParams({ url, ...more }).toString()}`);
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
  };

  // EMB-1
  it('can be embedded by every site, are cached for a minute, set no cookie, and contain no form or inline script', async () => {
    const { status, headers, html } = await get(`/embed/events/${publicEvent.id}`);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain('frame-ancestors *');
    expect(headers.get('content-security-policy')).toContain("form-action 'none'");
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('cross-origin-opener-policy')).toBeNull();
    expect(html).not.toMatch(/<form|<script>|\sstyle=/);
    expect(html).toContain(publicEvent.title);
    for (const [link] of html.matchAll(/<a\b[^>]*>/g)) expect(link).toContain('target="_blank"');
  });

  // EMB-2
  it('use the language and the theme from the address; instead of an unknown theme, they use `auto`', async () => {
    const czech = await get(`/embed/events/${publicEvent.id}?locale=cs&theme=dark`);
    expect(czech.html).toContain('lang="cs" data-theme="dark"');
    expect(czech.html).toContain('Zobrazit a přidat se');
    expect((await get(`/embed/events/${publicEvent.id}?locale=en&theme=pink`)).html).toContain(
      'lang="en" data-theme="auto"',
    );
  });

  // EMB-1
  it('name the action that is possible on the page of the event, and mark a full event', async () => {
    const full = await buildEvent(server, jana, { max_participants: 1 });
    const approval = await buildEvent(server, jana, { join_mode: 'request' });
    const htmlOf = async ({ id }: { id: string }) => (await get(`/embed/events/${id}?locale=en`)).html;
    expect(await htmlOf(full)).toMatch(/>full<\/span>.*>\s*View\s*<\/a>/s);
    expect(await htmlOf(approval)).toMatch(/>\s*View and ask to join\s*<\/a>/);
  });

  // EMB-3
  it('show only public objects; every other address has the same 404 page', async () => {
    const group = await buildGroup(server, jana, { is_public: false, name: 'Tajný spolek' });
    const answers = await Promise.all(
      [`events/${privateEvent.id}`, `groups/${group.id}`, 'events/zzzzzzzz', 'people/nobody', 'posts/x'].map((path) =>
        get(`/embed/${path}?locale=en`),
      ),
    );
    for (const { status, headers, html } of answers) {
      expect(status).toBe(404);
      expect(headers.get('content-security-policy')).toContain('frame-ancestors *');
      expect(html).toBe(answers[0]!.html);
    }
    const person = await get(`/embed/people/${jana.slug}?locale=en`);
    expect(person.html).toContain(publicEvent.title);
    expect(person.html).not.toContain(privateEvent.title);
  });

  // EMB-1
  it('are not cached if the service fails; the same applies to responses of oEmbed', async () => {
    const events = server.app.get(VisibleEvents);
    for (const accept of ['text/html', '*/*']) {
      for (const [method, path] of [
        ['stateFor', `/embed/events/${publicEvent.id}`],
        ['title', `/oembed?url=${encodeURIComponent(publicEvent.url)}`],
      ] as const) {
        const failure = jest.spyOn(events, method).mockRejectedValue(new Error('the test fails this request'));
        const { status, headers } = await new Visitor(server, { accept }).get(path);
        failure.mockRestore();
        expect([accept, path, status, headers.get('cache-control')]).toEqual([accept, path, 500, 'no-store']);
      }
    }
  });

  // EMB-4
  it('can be added with a small script; the event’s own page cannot be shown in a frame', async () => {
    const script = await fetch(`${server.origin}/embed.js`);
    expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const text = await script.text();
    expect(text.length).toBeLessThan(8 * 1024);
    expect(text).toContain("customElements.define('events-embed'");
    expect((await get(`/events/${publicEvent.id}`)).headers.get('content-security-policy')).toContain(
      "frame-ancestors 'none'",
    );
  });

  describe('oEmbed', () => {
    // EMB-5
    it('is linked on a public page, its response has the requested size, and a `format` other than `json` gets 501', async () => {
      const page = await get(`/events/${publicEvent.id}`);
      const href = /type="application\/json\+oembed" href="([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&');
      expect(href).toContain(encodeURIComponent(publicEvent.url));
      const { status, headers, body } = await oembed(publicEvent.url, { maxwidth: '240', maxheight: '200' });
      expect(status).toBe(200);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(body).toMatchObject({ version: '1.0', type: 'rich', title: publicEvent.title, width: 240, height: 200 });
      expect(body.html).toContain(`/embed/events/${publicEvent.id}"`);
      expect((await oembed(publicEvent.url, { maxwidth: '-3' })).body.width).toBe(600);
      expect((await oembed(publicEvent.url, { format: 'xml' })).status).toBe(501);
    });

    it('answers 404 for private objects, other pages, other hosts and invalid addresses; a private page has no link to oEmbed', async () => {
      const addresses = [
        privateEvent.url,
        'https://elsewhere.example/events/abc',
        publicEvent.url.replace('://', '://jana@'),
        publicEvent.url.replace('http:', 'ftp:'),
        new URL('/account', publicEvent.url).href,
        'nonsense',
      ];
      expect(await Promise.all(addresses.map(async (address) => (await oembed(address)).status))).toEqual(
        addresses.map(() => 404),
      );
      expect((await get(`/events/${privateEvent.id}`)).html).not.toContain('oembed');
    });

    it('escapes a title that looks like HTML', async () => {
      const hostile = await createEvent({ title: '"><img src=x onerror=alert(1)>' });
      const { body } = await oembed(hostile.url);
      expect(body.html).not.toContain('<img');
    });
  });
});
