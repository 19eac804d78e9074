import { buildEvent } from '#testing/builders';
import { formTo, filledIn } from '#testing/forms';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

const CREDENTIALS = { email: 'petr@example.org', password: 'correct horse' };

describe('the event page on a phone', () => {
  let server: TestServer;
  let jana: Person;
  let petrBrowser: Visitor;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
    await server.person('petr', CREDENTIALS);
    petrBrowser = new Visitor(server);
    await petrBrowser.submit('/sign-in', CREDENTIALS);
  });
  afterAll(() => server.stop());

  const joinBarOf = (html: string) => /<div class="join-bar">([^]*?)<\/div>/.exec(html)?.[1] ?? null;
  const submitForm = async (path: string, formSuffix: string, typed = {}) => {
    const form = formTo((await petrBrowser.get(path)).html, formSuffix);
    return petrBrowser.send('POST', form.action, filledIn(form, typed));
  };

  // PAGE-104
  it('has a bar with either a link to sign in or a form to join, and shows the check-in code above the title after joining', async () => {
    const { id } = await buildEvent(server, jana);
    const path = `/events/${id}`;
    const barForVisitor = joinBarOf((await new Visitor(server).get(path)).html);
    expect(barForVisitor).toContain(`href="/sign-in?next=${encodeURIComponent(path)}"`);
    expect(barForVisitor).not.toContain('<form');
    const barForPetr = joinBarOf((await petrBrowser.get(path)).html);
    expect(barForPetr).toContain(`action="${path}/join"`);
    expect(barForPetr).not.toContain('/sign-in');
    expect(await submitForm(path, '/join')).toMatchObject({ status: 303, to: path });
    const { html } = await petrBrowser.get(path);
    expect(joinBarOf(html)).toBeNull();
    // The card is the only confirmation: there is no message beside it.
    expect(html).not.toContain('role="status"');
    const positions = ['Jdete tam.', 'class="letters"', '<h1>', '<details class="leave">'].map((text) =>
      html.indexOf(text),
    );
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
    await submitForm(path, '/leave');
    expect((await petrBrowser.get(path)).html).toContain('Odhlásili jsme vás z akce.');
  });

  // PAGE-104
  it('asks visitors to sign in to join, to ask to join or to join the waitlist, and shows no link if none of these is possible', async () => {
    const open = await buildEvent(server, jana);
    const full = { max_participants: 1 } as const;
    const fullOpen = await buildEvent(server, jana, full);
    const byRequest = await buildEvent(server, jana, { join_mode: 'request' });
    const fullByRequest = await buildEvent(server, jana, { ...full, join_mode: 'request' });
    const bars = await Promise.all(
      [open, fullOpen, byRequest, fullByRequest].map(
        async ({ id }) =>
          joinBarOf((await new Visitor(server).get(`/events/${id}`)).html)?.match(/>\s*([^<]*?)\s*<\/a>/)?.[1],
      ),
    );
    expect(bars).toEqual(['Sign in to join', 'Sign in to join the waitlist', 'Sign in and ask to join', undefined]);
  });

  // PAGE-104
  it('confirms above the title that a join request was sent', async () => {
    const { id } = await buildEvent(server, jana, { join_mode: 'request' });
    await submitForm(`/events/${id}`, '/join');
    const { html } = await petrBrowser.get(`/events/${id}`);
    expect(html).toContain('Žádost je odeslaná.');
    expect(html.indexOf('Vaše žádost čeká')).toBeLessThan(html.indexOf('<h1>'));
    expect(html).not.toContain('class="letters"');
  });

  // PAGE-105
  it('is part of an installable web app, which contains the whole site', async () => {
    const { html } = await petrBrowser.get('/');
    const [, address = ''] = /<link rel="manifest" href="([^"]+)">/.exec(html) ?? [];
    const file = await petrBrowser.get(address);
    expect(file.headers.get('content-type')).toContain('application/manifest+json');
    const manifest = JSON.parse(file.html) as { icons: { src: string; sizes: string; purpose: string }[] };
    expect(manifest).toMatchObject({ name: 'Akce', lang: 'cs', start_url: '/', scope: '/', display: 'standalone' });
    expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
      '192x192 any',
      '512x512 any',
      '512x512 maskable',
    ]);
    for (const path of [...manifest.icons.map(({ src }) => src), '/apple-touch-icon.png']) {
      const { status, headers } = await petrBrowser.get(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'image/png']);
    }
    expect((await petrBrowser.get('/')).headers.get('content-security-policy')).toContain("manifest-src 'self'");
    const english = await petrBrowser.get('/manifest.webmanifest?locale=en');
    expect(JSON.parse(english.html)).toMatchObject({ name: 'Events' });
  });

  // PAGE-41
  it('offers a calendar file, a calendar subscription and a link to Google Calendar for a public event', async () => {
    const publicEvent = await buildEvent(server, jana);
    const { html } = await petrBrowser.get(`/events/${publicEvent.id}`);
    expect(html).toContain(`href="/events/${publicEvent.id}.ics"`);
    expect(html).toMatch(new RegExp(`href="webcal://[^"]+/events/${publicEvent.id}\\.ics"`));
    expect(html).toContain('https://calendar.google.com/');
  });
});
