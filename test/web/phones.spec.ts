import { buildEvent } from '#testing/builders';
import { formTo, typedInto } from '#testing/forms';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

const SECRETS = { email: 'petr@example.org', password: 'correct horse' };

describe('the event page on a phone', () => {
  let server: TestServer;
  let jana: Person;
  let visitor: Visitor;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
    await server.person('petr', SECRETS);
    visitor = new Visitor(server);
    await visitor.submit('/sign-in', SECRETS);
  });
  afterAll(() => server.stop());

  const bar = (html: string) => /<div class="join-bar">([^]*?)<\/div>/.exec(html)?.[1] ?? null;
  const press = async (path: string, end: string, typed = {}) => {
    const form = formTo((await visitor.get(path)).html, end);
    return visitor.send('POST', form.action, typedInto(form, typed));
  };

  // PAGE-104
  it('has a single button to join in the bottom bar; after joining, the code is at the top of the page', async () => {
    const { id } = await buildEvent(server, jana);
    const path = `/events/${id}`;
    const stranger = bar((await new Visitor(server).get(path)).html);
    expect(stranger).toContain(`href="/sign-in?next=${encodeURIComponent(path)}"`);
    expect(stranger).not.toContain('<form');
    const member = bar((await visitor.get(path)).html);
    expect(member).toContain(`action="${path}/join"`);
    expect(member).not.toContain('/sign-in');
    expect(await press(path, '/join')).toMatchObject({ status: 303, to: path });
    const { html } = await visitor.get(path);
    expect(bar(html)).toBeNull();
    const places = ['Hotovo, jdete!', 'Jdete tam.', 'class="letters"', '<h1>', '<details class="leave">'].map((text) =>
      html.indexOf(text),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect((await visitor.get(path)).html).not.toContain('Hotovo, jdete!');
    await press(path, '/leave');
    expect((await visitor.get(path)).html).toContain('už vás nic nepojí');
  });

  // PAGE-104
  it('confirms that a join request was sent', async () => {
    const { id } = await buildEvent(server, jana, { join_mode: 'request' });
    await press(`/events/${id}`, '/join');
    const { html } = await visitor.get(`/events/${id}`);
    expect(html).toContain('Žádost je odeslaná.');
    expect(html.indexOf('Vaše žádost čeká')).toBeLessThan(html.indexOf('<h1>'));
    expect(html).not.toContain('class="letters"');
  });

  // PAGE-105
  it('is installable', async () => {
    const { html } = await visitor.get('/');
    const [, address = ''] = /<link rel="manifest" href="([^"]+)">/.exec(html) ?? [];
    const file = await visitor.get(address);
    expect(file.headers.get('content-type')).toContain('application/manifest+json');
    const manifest = JSON.parse(file.html) as { icons: { src: string; sizes: string; purpose: string }[] };
    expect(manifest).toMatchObject({ name: 'Akce', lang: 'cs', start_url: '/', scope: '/', display: 'standalone' });
    expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
      '192x192 any',
      '512x512 any',
      '512x512 maskable',
    ]);
    for (const path of [...manifest.icons.map(({ src }) => src), '/apple-touch-icon.png']) {
      const { status, headers } = await visitor.get(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'image/png']);
    }
    expect((await visitor.get('/')).headers.get('content-security-policy')).toContain("manifest-src 'self'");
    expect(JSON.parse((await visitor.get('/manifest.webmanifest?locale=en')).html)).toMatchObject({ name: 'Events' });
  });

  // PAGE-41
  it('offers calendar links for a public event, but only the calendar file for a private event', async () => {
    const open = await buildEvent(server, jana);
    const { html } = await visitor.get(`/events/${open.id}`);
    expect(html).toContain(`href="/events/${open.id}.ics"`);
    expect(html).toMatch(new RegExp(`href="webcal://[^"]+/events/${open.id}\\.ics"`));
    expect(html).toContain('https://calendar.google.com/');
  });
});
