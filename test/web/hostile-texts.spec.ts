import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import type { MailServer } from '#testing/mail-server';
import type { Person } from '#testing/people';
import { startWithMail } from '#testing/server-with-mail';
import type { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

/**
 * Texts that could add an element, be executed as a template, or end the attribute, title, script, comment, CDATA
 * section or header that contains them.
 */
const TEXTS = [
  '"><x-evil>',
  `' x-evil='1`,
  '" x-evil="1',
  '</title><x-evil>',
  '</script><x-evil>',
  '</textarea><x-evil>',
  '--><x-evil>',
  ']]><x-evil/>',
  '&lt;x-evil&gt;<x-evil>',
  'a\r\nX-Evil: 1\r\n\r\n<x-evil>',
  '<%~ "<x-evil>" %>${1}{{1}}',
  '\u202e\u2028<x-evil>',
];
/**
 * Finds an element or attribute that a text has created. Pages and mails escape every quote and angle bracket. Feeds
 * and the site map escape only angle brackets: for them, `isHtml` is false, and only elements are searched.
 */
function findInjected(markup: string, isHtml = true): RegExpExecArray | null {
  // JSON-LD contains quotes as part of its syntax, so attributes are not searched there.
  const jsonLd = /(<script type="application\/ld\+json">).*?(<\/script>)/s;
  return /<x-evil/i.exec(markup) ?? (isHtml ? /["']\s*x-evil=/i.exec(markup.replace(jsonLd, '$1$2')) : null);
}
/** Matches a line that a text has created in a calendar. */
const INJECTED_LINE = /^X-Evil/im;

/**
 * Tests titles and names of people, events, groups and posts in pages, calendars, feeds, headers and mails. Other tests
 * parse the PDF, iCalendar and Atom files and compare the texts.
 */
describe('hostile input', () => {
  let server: TestServer;
  let mailServer: MailServer;
  let stop: () => Promise<void>;
  let guest: Person;
  let visitor: Visitor;
  beforeAll(async () => {
    ({ server, mailServer, stop } = await startWithMail());
  });
  afterAll(() => stop());

  const account = { email: 'guest@example.org', password: 'correct horse' };
  beforeAll(async () => {
    guest = await server.person('guest', account);
    visitor = new Visitor(server);
    await visitor.submit('/sign-in', account);
  });

  // PAGE-31, NOTE-7, CAL-8
  it.each(TEXTS.map((text, i) => [text, `host-${i}`] as const))(
    'is escaped wherever it is shown: %j',
    async (text, slug) => {
      const host = await server.person(slug, { name: text });
      const event = await buildEvent(server, host, {
        title: text,
        location_name: text,
        price_note: text,
        with: [[guest, 'confirmed']],
      });
      const group = await buildGroup(server, host, { name: text, location_name: text });
      const encoded = encodeURIComponent(text);
      const paths = [
        `/events/${event.id}`,
        `/events/${event.id}.ics`,
        `/?q=${encoded}`,
        '/',
        `/people/${slug}`,
        `/people/${slug}/calendar.ics`,
        `/people/${slug}/posts.atom`,
        `/groups/${group.id}`,
        `/groups/${group.id}/calendar.ics`,
        `/groups/${group.id}/posts.atom`,
        `/groups?q=${encoded}`,
        '/groups',
        `/posts?q=${encoded}`,
        '/account/events',
        '/sitemap.xml',
        `/sign-in?next=/${encoded}`,
        `/${encoded}`,
        `/events/${encoded}`,
        `/docs/errors/${encoded}`,
        `/unsubscribe/${encoded}/invitation`,
        `/confirm/${encoded}`,
        `/reset/${encoded}`,
      ];
      const written = await host.api.post('/posts', {
        title: text,
        excerpt: text,
        categories: ['evropa'],
        body: '<p>Text</p>',
        status: 'published',
      });
      // The API refuses control characters in posts. All other texts become a post.
      expect([201, 422]).toContain(written.status);
      if (written.status === 201) paths.push('/posts', new URL(written.body.data.url as string).pathname);

      for (const path of paths) {
        for (const who of [visitor, new Visitor(server)]) {
          const { html, headers } = await who.get(path);
          const [, kind = ''] = /(html|xml)/.exec(headers.get('content-type') ?? '') ?? [];
          expect([
            path,
            (kind ? findInjected(html, kind === 'html') : INJECTED_LINE.exec(html))?.[0],
            headers.get('x-evil'),
          ]).toEqual([path, undefined, null]);
        }
      }

      const before = mailServer.of(account.email).length;
      await host.api.patch(`/events/${event.id}`, { status: 'cancelled' });
      const mail = await mailServer.nth(account.email, before + 1);
      expect([mail.header('x-evil'), findInjected(mail.html)?.[0], /[\r\n]/.test(mail.subject)]).toEqual([
        undefined,
        undefined,
        false,
      ]);
      const { html } = await visitor.get('/account/notices');
      expect(findInjected(html)).toBeNull();
    },
  );

  // PAGE-4, PAGE-6
  it('cannot set the session of a person who signs in: signing in starts another session', async () => {
    const attacker = new Visitor(server);
    await attacker.get('/sign-in');
    const victim = new Visitor(server);
    if (attacker.session !== undefined) victim.session = attacker.session;
    await victim.submit('/sign-in', account);
    expect((await victim.get('/account')).status).toBe(200);
    expect(victim.session).not.toBe(attacker.session);
    expect((await attacker.get('/account')).status).toBe(303);
  });
});
