import { LIMITS } from '#contract/limits';
import { browserOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { YEAR_AFTER_NEXT, inDays, soon } from '#testing/times';
import { Visitor, type Page } from '#testing/visitor';

/** Tests that the texts of the pages are plain words without technical names. */
describe('pages in plain words', () => {
  let server: TestServer;
  let jana: Person, petr: Person, marta: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr, marta } = await server.people('jana', 'petr', 'marta'));
  });
  afterAll(() => server.stop());
  // Each test moves the clock one window of sign-in attempts further than the test before it, so that attempts of
  // earlier tests do not count. The clock is reset after each test (libs/testing/jest/each-file.ts).
  let windowCount = 0;
  beforeEach(() => server.clock.forward(++windowCount * (LIMITS.sign_in.window * 1000 + 1)));

  const czech = () => new Visitor(server, { 'accept-language': 'cs' });
  const hasLeaveForm = ({ html }: Page) => /<form method="post" action="\/events\/\w+\/leave"/.test(html);
  const csrfOf = ({ html }: Page) => /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const unreadOf = async (person: Person) => (await person.api.get('/notices')).body.meta.unread as number;

  // PAGE-37
  it('show the price of an event, and who can join: anyone, or only invited people if the event is private', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Za dvě stovky', price_czk: 200, join_mode: 'open' });
    const { html } = await czech().get(`/events/${id}`);
    expect(html).toContain('200 Kč');
    expect(html).not.toMatch(/[Vv]olný|zdarma/);
    expect(html).toContain('Jak se přidat');
    expect(html).toContain('Může se přidat kdokoli.');

    const { id: privateId } = await buildEvent(server, jana, { is_public: false, with: [[petr, 'pending']] });
    const invited = (await (await browserOf(server, petr)).get(`/events/${privateId}`)).html;
    expect(invited).toContain('Only invited people can join.');
    expect(invited).not.toContain('Anyone can join.');
  });

  // PAGE-37
  it('use the past tense for ended events, and offer no calendar links for them', async () => {
    const { id } = await buildEvent(server, jana, {
      title: 'Minulá',
      starts_at: inDays(1),
      max_participants: 20,
      with: [[petr, 'confirmed']],
    });
    const visitor = await browserOf(server, petr);
    const upcoming = await visitor.get(`/events/${id}`);
    for (const text of [
      '2 of 20 going',
      `href="/events/${id}.ics"`,
      'https://calendar.google.com/calendar/render?action=TEMPLATE',
    ])
      expect(upcoming.html).toContain(text);
    expect(upcoming.html).not.toContain('How to join');
    const before = server.clock.now();
    server.clock.moveTo(new Date(before.getTime() + 2 * 86_400_000).toISOString());
    try {
      for (const past of [await visitor.get(`/events/${id}`), await visitor.get('/account/events?scope=past')]) {
        expect(past.html).toContain('2 went');
        expect(past.html).not.toMatch(/2 of 20|How to join/);
        expect(past.html).not.toContain(`href="/events/${id}.ics"`);
        expect(past.html).not.toContain('action=TEMPLATE');
      }
      expect((await czech().get(`/events/${id}`)).html).toContain('šli 2');
    } finally {
      server.clock.moveTo(before.toISOString());
    }
  });

  // CAL-6, PAGE-41
  it('offer a Google Calendar entry that ends when the event ends, or that ends at its own start if the event has no end', async () => {
    const datesOf = async (ends_at?: Date) => {
      const { id } = await buildEvent(server, jana, { starts_at: new Date('2031-06-01T17:00:00Z'), ends_at });
      return /action=TEMPLATE[^"]*dates=([^&]+)/.exec((await czech().get(`/events/${id}`)).html)?.[1];
    };
    expect(await datesOf(new Date('2031-06-01T19:30:00Z'))).toBe('20310601T170000Z%2F20310601T193000Z');
    expect(await datesOf()).toBe('20310601T170000Z%2F20310601T170000Z');
  });

  // PAGE-38
  it('ask for a confirmation before a participant leaves, and hide the form to leave after the check-in', async () => {
    const { id } = await buildEvent(server, jana, { title: 'U vchodu', with: [[petr, 'confirmed']] });
    const visitor = await browserOf(server, petr);
    const joined = await visitor.get(`/events/${id}`);
    expect(joined.html).toMatch(
      /<details class="leave"><summary>Leave the event<\/summary><form method="post" action="\/events\/\w+\/leave">/,
    );
    await jana.api.put(`/events/${id}/participants/${petr.slug}/check-in`);
    const checkedIn = await visitor.get(`/events/${id}`);
    expect(hasLeaveForm(checkedIn)).toBe(false);
    expect(checkedIn.html).toContain('You’re checked in.');
    await jana.api.delete(`/events/${id}/participants/${petr.slug}/check-in`);
    expect(hasLeaveForm(await visitor.get(`/events/${id}`))).toBe(true);
    // A request to leave that is sent without the form still works.
    await jana.api.put(`/events/${id}/participants/${petr.slug}/check-in`);
    expect((await visitor.post(`/events/${id}/leave`, { _csrf: csrfOf(checkedIn) })).status).toBe(303);
    expect((await petr.api.get(`/discover/events/${id}`)).body.data.viewer.participation).toBeNull();
  });

  // NOTE-9
  it('show notices without web addresses and with formatted dates', async () => {
    const { eva } = await server.people('eva');
    const moderator = await browserOf(server, marta);
    await server.sql('UPDATE users SET moderator = true WHERE id = $1', [marta.userId]);
    const startsAt = new Date(Date.UTC(YEAR_AFTER_NEXT, 5, 18, 18));
    const event = await buildEvent(server, eva, { title: 'Tombola', starts_at: startsAt });
    const report = (await petr.api.post('/reports', { subject_type: 'event', subject_id: event.id, reason: 'fraud' }))
      .body.data.id as string;
    expect(
      (await moderator.submit(`/moderation/reports/${report}`, { decision: 'warn', reason: 'Chybí pravidla.' })).status,
    ).toBe(303);
    const joined = await buildEvent(server, eva, { title: 'Společná', starts_at: startsAt });
    await petr.api.post(`/events/${joined.id}/join`);
    const invited = await buildEvent(server, jana, { title: 'Zahrada', starts_at: startsAt });
    await jana.api.post(`/events/${invited.id}/participants`, { user: eva.slug });
    const visitor = await browserOf(server, eva);
    const page = await visitor.get('/account/notices');
    const weekday = startsAt.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
    expect(page.html).toMatch(new RegExp(`\\(${weekday},? 18 June ${YEAR_AFTER_NEXT} at 20:00\\)`));
    expect(page.html).toContain('You can submit one objection, within');
    expect(page.html.replace(/<[^>]*>/g, '')).not.toMatch(/https?:/);
    const texts = (await eva.api.send('GET', '/notices', { headers: { 'accept-language': 'en' } })).body.data as {
      kind: string;
      text: string;
    }[];
    expect(texts.find(({ kind }) => kind === 'warning')?.text).toMatch(
      /within \d+ days: http\S+\/account\/decisions\/\w+$/,
    );

    // NOTE-10: opening the decision marks only its own notice as read.
    expect(await unreadOf(eva)).toBe(2);
    const decision = /href="(\/account\/decisions\/\w+)"/.exec(page.html)?.[1] ?? '';
    expect((await visitor.get(decision)).status).toBe(200);
    expect(await unreadOf(eva)).toBe(1);
  });

  // NOTE-10
  it('mark the notices about an event as read when its page is opened, but only for the reader who opened the page', async () => {
    const { ota, iva } = await server.people('ota', 'iva');
    const [event, other] = [
      await buildEvent(server, jana, { title: 'Otevřená' }),
      await buildEvent(server, jana, { title: 'Jiná' }),
    ];
    for (const { id } of [event, other])
      for (const { slug } of [ota, iva]) await jana.api.post(`/events/${id}/participants`, { user: slug });
    const since = (await ota.api.get('/changes')).body.meta.cursor as string;
    const visitor = await browserOf(server, ota);
    // Neither a 404 page nor an API request marks a notice as read.
    expect((await visitor.get('/events/nowhereatall')).status).toBe(404);
    await ota.api.get(`/discover/events/${event.id}`);
    expect(await unreadOf(ota)).toBe(2);
    const first = await visitor.get(`/events/${event.id}`);
    expect(first.html).toContain('aria-label="1 unread"');
    const notices = (await ota.api.get('/notices')).body.data as { subject: { id: string }; read_at: string | null }[];
    expect(notices.map(({ subject, read_at }) => [subject.id, read_at !== null])).toEqual([
      [other.id, false],
      [event.id, true],
    ]);
    expect([await unreadOf(ota), await unreadOf(iva)]).toEqual([1, 2]);
    server.clock.forward(60_000);
    await visitor.get(`/events/${event.id}`);
    expect((await ota.api.get('/notices')).body.data).toEqual(notices);
    const changes = (await ota.api.get(`/changes?cursor=${since}`)).body.data as { type: string }[];
    expect(changes.filter(({ type }) => type === 'notice.updated')).toHaveLength(1);
  });

  // PAGE-40
  it('show moderators the number of waiting reports, the authors, and the reported pictures', async () => {
    const event = await buildEvent(server, jana, { title: 'S obrázkem' });
    await jana.api.upload(`/events/${event.id}/images`, [['images[]', new Blob([await picture()])]]);
    const second = await buildEvent(server, jana, { title: 'Bez obrázku' });
    await server.sql('DELETE FROM reports');
    for (const { id } of [event, second])
      await petr.api.post('/reports', { subject_type: 'event', subject_id: id, reason: 'spam' });
    await server.sql('UPDATE users SET moderator = true WHERE id = $1', [marta.userId]);
    const moderator = await browserOf(server, marta);
    const { html } = await moderator.get('/account');
    const tabs = /<nav class="tabs"[^]*?<\/nav>/.exec(html)?.[0] ?? '';
    expect([...tabs.matchAll(/href="([^"]+)"/g)][0]?.[1]).toBe('/moderation');
    expect(tabs).toMatch(/<span class="count">.*?2<\/span>/);
    const queue = (await moderator.get('/moderation')).html;
    expect(queue).toContain('Author: Jana Nováková');
    expect(queue).not.toContain(jana.slug);
    const thumb = (await jana.api.get(`/events/${event.id}`)).body.data.images[0].thumb_url as string;
    expect([...queue.matchAll(/<li class="card with-picture"><img src="([^"]+)"/g)].map(([, src]) => src)).toEqual([
      thumb,
    ]);
    expect((await (await browserOf(server, petr)).get('/account')).html).not.toContain('href="/moderation"');
    await server.sql('DELETE FROM reports');
    expect((await moderator.get('/account')).html).not.toMatch(/<nav class="tabs"[^]*class="count"[^]*?<\/nav>/);
  });

  // PAGE-41
  it('offer calendar subscriptions, and can renew the address of the secret calendar', async () => {
    const group = await buildGroup(server, jana, { name: 'Kalendářníci' });
    await server.sql('UPDATE users SET searchable = true WHERE id = $1', [jana.userId]);
    const series = (
      await jana.api.post('/series', {
        title: 'Běh',
        starts_at: soon(3),
        frequency: 'weekly',
        interval: 1,
        occurrences_limit: 3,
        is_public: true,
      })
    ).body.data.id as string;
    const linksOf = (address: string) => {
      const webcal = address.replace(/^https?:/, 'webcal:');
      return [
        `href="${webcal}"`,
        `href="https://calendar.google.com/calendar/render?cid=${encodeURIComponent(webcal)}"`,
        `href="${address}"`,
      ];
    };
    for (const path of [`/groups/${group.id}`, `/people/${jana.slug}`, `/series/${series}`]) {
      const { html } = await new Visitor(server).get(path);
      const address = /<link rel="alternate" type="text\/calendar" href="([^"]+)"/.exec(html)?.[1] ?? '';
      for (const link of linksOf(address)) expect(html).toContain(link);
      // Only the feed of posts has a link “Subscribe to the posts”. Other alternate addresses (oEmbed) have none, and a
      // series has no feed of posts.
      expect(html.match(/>Subscribe to the posts</g)?.length ?? 0).toBe(path.startsWith('/series') ? 0 : 1);
    }
    const visitor = await browserOf(server, petr);
    const ownEventsPage = await visitor.get('/account/events');
    const { url } = (await petr.api.get('/user/calendar')).body.data as { url: string };
    for (const link of linksOf(url)) expect(ownEventsPage.html).toContain(link);
    expect((await visitor.post('/account/events/calendar/renew', {})).status).toBe(403);
    expect((await visitor.submit('/account/events', {}, '/account/events/calendar/renew')).to).toBe(
      '/account/events?renewed#calendar',
    );
    const renewed = (await petr.api.get('/user/calendar')).body.data.url as string;
    expect(renewed).not.toBe(url);
    expect((await visitor.get('/account/events?renewed')).html).toContain(`href="${renewed}"`);
    expect((await new Visitor(server).get(new URL(url).pathname)).status).toBe(404);
    expect((await new Visitor(server).get('/account/events')).html).not.toContain('/calendar/');
  });

  describe('errors of fields', () => {
    const API_FIELD_NAME = /\b[a-z]+(?:_[a-z]+)+\b/;
    /** The error texts of a page. */
    const errorTexts = ({ html }: Page) =>
      [...html.matchAll(/<(\w+)[^>]*(?:class="[^"]*\berror\b[^"]*"|role="alert")[^>]*>([^]*?)<\/\1>/g)].map(
        ([, , text]) => (text ?? '').replace(/<[^>]*>/g, '').trim(),
      );
    const INVALID_VALUES = ['', '-1', '1e9', 'x_y', '2026-13-45', '\u0001', 'ž'.repeat(5000)];

    // PAGE-42
    it.each(['cs', 'en'])('name fields by their labels, not by their API names (language: %s)', async (language) => {
      const visitor = new Visitor(server, { 'accept-language': language });
      const [from, longitude, page] =
        language === 'cs' ? ['„Od“', '„Zeměpisná délka“', 'Stránka: '] : ['“From”', '“Longitude”', 'Page: '];
      expect(errorTexts(await visitor.get('/?date_from=2026-12-30&date_to=2026-12-01')).join(' ')).toContain(from);
      expect(errorTexts(await visitor.get('/?lng=14')).join(' ')).not.toMatch(API_FIELD_NAME);
      expect(errorTexts(await visitor.get('/groups?lng=14')).join(' ')).toContain(longitude);
      expect(errorTexts(await visitor.get('/?page=0')).join(' ')).toContain(page);
      expect(errorTexts(await visitor.get('/?type=nonsense')).join(' ')).toContain(
        language === 'cs' ? 'Vyberte jednu z nabízených možností.' : 'Choose one of the options.',
      );
      expect(errorTexts(await visitor.get('/?seeking_company=2')).join(' ')).not.toMatch(/true|false/);
      expect(errorTexts(await visitor.get('/?date_from=1890-01-01')).join(' ')).toContain(
        language === 'cs' ? 'Zadejte platné datum od roku 1900' : 'Enter a valid date in or after 1900',
      );
      expect((await visitor.get('/?date_from=20.+11.+2026')).status).toBe(200);
    });

    // PAGE-42
    it('never contain names of API fields, in forms without files and in filters, for several invalid values', async () => {
      const event = await buildEvent(server, jana, {
        title: 'Na heslo',
        join_mode: 'password',
        join_password: 'sezam',
      });
      const group = await buildGroup(server, jana, { name: 'Spolek' });
      await server.sql('DELETE FROM reports');
      const report = (await petr.api.post('/reports', { subject_type: 'event', subject_id: event.id, reason: 'spam' }))
        .body.data.id as string;
      await server.sql('UPDATE users SET moderator = true, verified = true WHERE id = $1', [marta.userId]);
      const member = await browserOf(server, marta);
      const signedOutPaths = ['/register', '/sign-in', '/report', `/report?type=event&id=${event.id}`];
      const publicPaths = ['/', '/groups', '/posts', `/events/${event.id}`, `/groups/${group.id}`];
      const memberPaths = [
        '/account',
        '/account/events',
        '/account/notices',
        '/account/security',
        '/account/second-step',
        '/account/sessions',
        '/account/data',
        '/account/api',
        '/account/api/webhooks',
        '/puls',
        '/moderation',
        '/moderation/history',
        '/moderation/objections',
        `/moderation/reports/${report}`,
        `/report?type=event&id=${event.id}`,
      ];
      const forms = new Set<string>();
      const faults: string[] = [];
      let errorTextCount = 0;
      const checkAnswer = (what: string, answer: Page): void => {
        if (answer.status >= 500) faults.push(`${what}: ${answer.status}`);
        for (const text of errorTexts(answer)) {
          errorTextCount++;
          if (API_FIELD_NAME.test(text)) faults.push(`${what}: ${text}`);
        }
      };
      const tryAll = async (visitor: Visitor, paths: readonly string[]): Promise<void> => {
        const tried = new Set<string>();
        for (const path of paths) {
          const page = await visitor.get(path);
          expect([path, page.status]).toEqual([path, 200]);
          for (const [, attributes = '', inside = ''] of page.html.matchAll(/<form([^>]*)>([^]*?)<\/form>/g)) {
            const action = /action="([^"?]*)/.exec(attributes)?.[1] ?? path;
            // Some forms would end the session that the other forms need. Forms with files are not tested here.
            if (/sign-out|sessions/.test(action) || attributes.includes('multipart')) continue;
            const names = [...inside.matchAll(/<(?:input|select|textarea)[^>]*\bname="([^"]+)"/g)]
              .map(([, name = '']) => name)
              .filter((name) => name !== '_csrf' && name !== 'next');
            // Many pages have the same form, for example to choose the language.
            const form = `${action} ${names.join(' ')}`;
            if (tried.has(form)) continue;
            tried.add(form);
            forms.add(form);
            for (const invalidValue of INVALID_VALUES) {
              const fields = Object.fromEntries(names.map((name) => [name, invalidValue]));
              if (/method="post"/.test(attributes))
                checkAnswer(
                  `POST ${action} ${JSON.stringify(invalidValue).slice(0, 20)}`,
                  await visitor.post(action, { ...fields, _csrf: csrfOf(page) }),
                );
              else {
                if (invalidValue.length > 1000) continue;
                for (const invalidNames of [names, ...names.map((name) => [name])]) {
                  const query = new URLSearchParams(
                    Object.fromEntries(invalidNames.map((name) => [name, invalidValue])),
                  ).toString();
                  checkAnswer(`GET ${action}?${query}`.slice(0, 200), await visitor.get(`${action}?${query}`));
                }
              }
            }
          }
        }
      };
      await tryAll(new Visitor(server), [...signedOutPaths, ...publicPaths]);
      await tryAll(member, [...publicPaths, ...memberPaths]);
      expect(faults).toEqual([]);
      expect(forms.size).toBeGreaterThan(15);
      expect(errorTextCount).toBeGreaterThan(100);
    }, 60_000);
  });
});
