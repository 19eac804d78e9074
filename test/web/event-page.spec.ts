import { EventAccessPolicy } from '#areas/events/event-access.policy';
import { browserOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { formTo, filledIn } from '#testing/forms';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { buildSeries, occurrencesOf } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { inDays, soon } from '#testing/times';
import { Visitor, type Page } from '#testing/visitor';

/** Tests the content and the forms of the event page. */
describe('the event page', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  let eva: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
  });
  afterAll(() => server.stop());

  const stranger = () => new Visitor(server);
  const forms = ({ html }: Page) =>
    [...html.matchAll(/<form method="post" action="\/events\/[^/"]+\/(\w+)"/g)].map(([, name]) => name);
  const alertOf = ({ html }: Page) => {
    const [, , content = ''] = /<(div|p) class="card refusal" role="alert"[^>]*>(.*?)<\/\1>/.exec(html) ?? [];
    return content
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .replace(' :', ':')
      .trim();
  };
  const participation = async (person: Person, id: string) =>
    (await person.api.get(`/discover/events/${id}`)).body.data.viewer.participation as string | null;

  async function submitForm(
    visitor: Visitor,
    id: string,
    name: 'join' | 'leave' | 'waitlist',
    fields: Record<string, string> = {},
  ): Promise<Page> {
    return visitor.submit(`/events/${id}`, fields, `/events/${id}/${name}`);
  }

  /** Sends the form of the page twice at the same time. Returns where the two responses lead (PAGE-98). */
  async function clickTwice(visitor: Visitor, id: string, name: 'join' | 'waitlist'): Promise<(string | null)[]> {
    const form = formTo((await visitor.get(`/events/${id}`)).html, `/${name}`);
    const click = () => visitor.send('POST', form.action, filledIn(form, {}));
    return (await Promise.all([click(), click()])).map(({ to }) => to);
  }

  // EVT-23
  it('answers 404 to a stranger if the event becomes private while the server reads it', async () => {
    const { id, eventId } = await buildEvent(server, jana, { is_public: true });
    const access = server.app.get(EventAccessPolicy);
    const visible = access.visible.bind(access);
    const spy = jest.spyOn(access, 'visible').mockImplementationOnce(async (...values) => {
      const relation = await visible(...values);
      await server.sql('UPDATE all_events SET is_public = false WHERE id = $1', [eventId]);
      return relation;
    });
    expect((await stranger().get(`/events/${id}`)).status).toBe(404);
    spy.mockRestore();
  });

  // PAGE-23
  it('shows price, participants, conditions, how to join, and the public content', async () => {
    const group = (await jana.api.post('/groups', { name: 'Turisti', is_public: true })).body.data.id as string;
    const { id } = await buildEvent(server, jana, {
      title: 'Výlet',
      group,
      is_public: true,
      type: 'walk',
      price_czk: 0,
      price_note: 'vlak zvlášť',
      age_min: 18,
      gender_restriction: 'female',
      join_mode: 'request',
      max_participants: 5,
      seeking_company: true,
      photos_enabled: true,
    });
    await jana.api.post(`/events/${id}/comments`, { body: 'Sraz je v 9 & hned jdeme.' });
    await jana.api.upload(`/events/${id}/photos`, [['photos[]', new Blob([await picture()])]]);
    await jana.api.put(`/events/${id}/itinerary`, { title: 'Trasa', is_public: false, stops: [{ title: 'Rozcestí' }] });
    const { html } = await stranger().get(`/events/${id}`);
    for (const text of [
      'walk',
      'free',
      'vlak zvlášť',
      '1 of 5 going',
      'aged 18 and over, women only',
      'The organizer approves requests to join.',
      'looking for company',
      `href="/groups/${group}">Turisti</a>`,
      'Sraz je v 9 &amp; hned jdeme.',
      'alt="Photo by Jana',
    ])
      expect(html).toContain(text);
    expect(html).toContain(`href="/sign-in?next=${encodeURIComponent(`/events/${id}`)}"`);
    // An itinerary that is not public is visible only to people with an account, as in the API.
    expect(html).not.toContain('Rozcestí');
    expect((await (await browserOf(server, petr)).get(`/events/${id}`)).html).toContain('Rozcestí');
  });

  // PAGE-23
  it.each([
    [{ age_min: 18, age_max: 30 }, 'aged 18–30'],
    [{ age_max: 30 }, 'aged up to 30'],
    [{ age_min: 18, gender_restriction: 'male' as const }, 'aged 18 and over, men only'],
    [{ gender_restriction: 'female' as const }, 'women only'],
  ])('shows for whom the event is: %j', async (conditions, text) => {
    const { id } = await buildEvent(server, jana, conditions);
    const { html } = await stranger().get(`/events/${id}`);
    expect(html).toContain(`${text}<`);
    expect(html).toContain('Anyone who meets the conditions can join.');
  });

  // PAGE-23
  it('links to at most six other dates of a series', async () => {
    const { id } = await buildSeries(server, jana, { occurrencesLimit: 8 });
    const [first, ...others] = await occurrencesOf(jana, id);
    const linked = async () => {
      const { html } = await stranger().get(`/events/${first?.id}`);
      return others.map((event) => html.includes(`href="/events/${event.id}"`));
    };
    const sixOfSeven = [...Array<boolean>(6).fill(true), false];
    expect(await linked()).toEqual(sixOfSeven);
    await jana.api.patch(`/events/${first?.id}`, { status: 'cancelled' });
    expect(await linked()).toEqual(sixOfSeven);
  });

  // PAGE-104
  it('begins with the reader’s relation to the event, unless the event is over, the reader organizes it, or the reader’s request was declined', async () => {
    const createEvent = (status: 'confirmed' | 'pending' | 'declined', days = 3) =>
      buildEvent(server, jana, { starts_at: inDays(days), with: [[petr, status]] });
    const cancelled = await createEvent('confirmed');
    await jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
    const events = [
      await createEvent('confirmed'),
      await createEvent('pending'),
      await createEvent('declined'),
      cancelled,
    ];
    events.push(await createEvent('confirmed', -3), await buildEvent(server, petr));
    const visitor = await browserOf(server, petr);
    const begins: boolean[] = [];
    for (const { id } of events) begins.push((await visitor.get(`/events/${id}`)).html.includes('class="card mine'));
    expect(begins).toEqual([true, true, false, true, false, false]);
  });

  // PAGE-104
  it('begins with the cancellation for a participant, mentions the refund of credits and the shop of tickets, and shows no check-in code', async () => {
    const { id, eventId } = await buildEvent(server, jana, {
      ticket_url: 'https://tickets.example/concert',
      with: [[petr, 'confirmed']],
    });
    const visitor = await browserOf(server, petr);
    expect((await visitor.get(`/events/${id}`)).html).toMatch(
      /<section class="card mine">[^]*?href="https:\/\/tickets\.example\/concert">\s*Tickets: tickets\.example\s*<[^]*?<\/section>/,
    );
    await jana.api.patch(`/events/${id}`, { status: 'cancelled' });
    const before = (await visitor.get(`/events/${id}`)).html;
    await server.sql('UPDATE all_events SET ticket_price_credits = 5 WHERE id = $1', [eventId]);
    const { html } = await visitor.get(`/events/${id}`);
    const card = /<section class="card mine ended">([^]*?)<\/section>/.exec(html)?.[1];
    expect(card).toContain('Your seat is no longer valid.');
    expect(card).toMatch(/ask for a refund there:\s*<a [^>]*href="https:\/\/tickets\.example\/concert"/);
    expect(card).not.toContain('class="letters"');
    expect(html.split('This event is cancelled')).toHaveLength(2);
    expect([before, html].map((page) => page.includes('Any credits that you paid'))).toEqual([false, true]);
    const invited = (await (await browserOf(server, eva)).get(`/events/${id}`)).html;
    expect([invited.includes('Joining is closed'), invited.includes('class="card mine')]).toEqual([true, false]);
  });

  // PAGE-37
  it('offers a calendar entry only for an event that is active and not over', async () => {
    const cancelled = await buildEvent(server, jana);
    await jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
    const events = [
      await buildEvent(server, jana),
      cancelled,
      await buildEvent(server, jana, { starts_at: inDays(-3) }),
    ];
    const offers: boolean[] = [];
    for (const { id } of events)
      offers.push((await stranger().get(`/events/${id}`)).html.includes('calendar.google.com/'));
    expect(offers).toEqual([true, false, false]);
  });

  // PAGE-23
  it('links to the other dates of a public series, but not to the shown date', async () => {
    const series = (
      await jana.api.post('/series', {
        title: 'Běhání',
        starts_at: soon(3),
        frequency: 'weekly',
        interval: 1,
        occurrences_limit: 3,
        is_public: true,
      })
    ).body.data;
    const [first, second] = (await jana.api.get(`/series/${series.id}/events`)).body.data as { id: string }[];
    const { html } = await stranger().get(`/events/${first?.id}`);
    expect(html).toContain('Other dates');
    expect(html).toContain(`href="/events/${second?.id}"`);
    expect(html).not.toContain(`<a href="/events/${first?.id}"`);
  });

  // PAGE-34
  it('links to a page with all dates of the series, even if the series is daily', async () => {
    const { id } = await buildSeries(server, jana, { frequency: 'daily' });
    const dates = await occurrencesOf(jana, id);
    expect(dates.length).toBeGreaterThan(50);
    const first = await stranger().get(`/events/${dates[0]?.id}`);
    expect(first.html).toContain(`<a href="/series/${id}">All dates</a>`);
    const { html } = await stranger().get(`/series/${id}`);
    expect(dates.filter((date) => !html.includes(`href="/events/${date.id}"`))).toEqual([]);
  });

  // PAGE-24
  it('lets people join and leave an open event', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Otevřená' });
    const visitor = await browserOf(server, petr);
    expect(forms(await visitor.get(`/events/${id}`))).toEqual(['join']);
    expect(await clickTwice(visitor, id, 'join')).toEqual([`/events/${id}`, `/events/${id}`]);
    expect(await participation(petr, id)).toBe('confirmed');
    const page = await visitor.get(`/events/${id}`);
    expect(page.html).toContain('You are going.');
    expect(forms(page)).toEqual(['leave']);
    expect(await submitForm(visitor, id, 'leave')).toMatchObject({ status: 303, to: `/events/${id}` });
    expect(await participation(petr, id)).toBeNull();
  });

  // PAGE-24
  it('asks for the password, and reports a missing or wrong password', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Na heslo', join_mode: 'password', join_password: 'sezam' });
    const visitor = await browserOf(server, petr);
    expect((await visitor.get(`/events/${id}`)).html).toMatch(
      /<input id="password" name="password" autocomplete="one-time-code"/,
    );
    for (const [password, reason] of [
      ['', 'The password is missing or wrong.'],
      ['jiné', 'The password is missing or wrong.'],
      ['x'.repeat(300), 'The password is missing or wrong.'],
    ] as const) {
      const refused = await submitForm(visitor, id, 'join', { password });
      expect(refused.status).toBe(422);
      // PAGE-96, PAGE-56
      expect(alertOf(refused)).toBe('');
      expect(refused.html).toMatch(
        /id="password"[^>]* autofocus\s+aria-invalid="true" aria-describedby="password-error">/,
      );
      expect(refused.html).toContain(`<p class="error" role="alert" id="password-error">${reason}`);
      expect(forms(refused)).toEqual(['join']);
      expect(refused.html).not.toContain('sezam');
    }
    expect((await submitForm(visitor, id, 'join', { password: 'sezam' })).status).toBe(303);
    expect(await participation(petr, id)).toBe('confirmed');
  });

  // PAGE-24
  it('accepts a ticket code only once', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Na vstupenky', join_mode: 'tickets' });
    const code = (await jana.api.post(`/events/${id}/tickets`, { count: 1 })).body.data[0].code as string;
    const visitor = await browserOf(server, petr);
    expect((await submitForm(visitor, id, 'join', { ticket_code: 'N'.repeat(300) })).html).toContain(
      'missing, unknown or already used',
    );
    const refused = await submitForm(visitor, id, 'join', { ticket_code: 'NIC' });
    expect([refused.status, refused.html.includes('name="ticket_code" value="NIC"')]).toEqual([422, true]);
    expect(refused.html).toMatch(/id="ticket_code"[^>]*aria-describedby="ticket_code-error">/);
    expect((await submitForm(visitor, id, 'join', { ticket_code: code })).status).toBe(303);
    expect((await submitForm(await browserOf(server, eva), id, 'join', { ticket_code: code })).status).toBe(422);
  });

  // PAGE-24
  it('lets people send and withdraw a join request', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Na žádost', join_mode: 'request' });
    const visitor = await browserOf(server, petr);
    expect((await visitor.get(`/events/${id}`)).html).toContain('Ask to join');
    expect((await submitForm(visitor, id, 'join')).status).toBe(303);
    expect(await participation(petr, id)).toBe('requested');
    const page = await visitor.get(`/events/${id}`);
    expect(page.html).toContain('Withdraw the request');
    expect(forms(page)).toEqual(['leave']);
    expect((await submitForm(visitor, id, 'leave')).status).toBe(303);
    expect(await participation(petr, id)).toBeNull();
  });

  // PAGE-24
  it('lets people accept or decline an invitation to a private event, and does not ask for the password', async () => {
    const { id } = await buildEvent(server, jana, {
      title: 'Soukromá',
      is_public: false,
      join_mode: 'password',
      join_password: 'sezam',
      with: [
        [petr, 'pending'],
        [eva, 'pending'],
      ],
    });
    const [one, other] = [await browserOf(server, petr), await browserOf(server, eva)];
    const page = await one.get(`/events/${id}`);
    expect(forms(page)).toEqual(['join', 'leave']);
    expect(page.html).not.toContain('name="password"');
    expect((await submitForm(one, id, 'join')).status).toBe(303);
    expect(await participation(petr, id)).toBe('confirmed');
    // The reader can no longer see the event, so another page confirms that the reader declined.
    expect(await submitForm(other, id, 'leave')).toMatchObject({ status: 303, to: '/account/events' });
    expect((await other.get('/account/events')).html).toContain('You have declined the invitation.');
    expect((await other.get(`/events/${id}`)).status).toBe(404);
  });

  // PAGE-24
  it('offers the waitlist if the event is full, and only the form to leave if the event is cancelled', async () => {
    const { id } = await buildEvent(server, jana, {
      title: 'Plná',
      max_participants: 2,
      seeking_company: true,
      with: [[eva, 'confirmed']],
    });
    const visitor = await browserOf(server, petr);
    const page = await visitor.get(`/events/${id}`);
    expect(forms(page)).toEqual(['waitlist']);
    expect(page.html).toContain('>full</span>');
    const refused = await visitor.post(`/events/${id}/join`, { _csrf: csrfOf(page) });
    expect([refused.status, alertOf(refused)]).toEqual([409, 'The event is full.']);
    expect(await clickTwice(visitor, id, 'waitlist')).toEqual([`/events/${id}`, `/events/${id}`]);
    expect(await participation(petr, id)).toBe('waitlisted');
    expect(forms(await visitor.get(`/events/${id}`))).toEqual(['leave']);
    await jana.api.patch(`/events/${id}`, { status: 'cancelled' });
    const cancelled = await (await browserOf(server, eva)).get(`/events/${id}`);
    expect(cancelled.html).toContain('This event is cancelled');
    expect(cancelled.html).not.toContain('Anyone can join');
    expect([page, cancelled].map(({ html }) => html.includes('looking for company'))).toEqual([true, false]);
    const own = await (await browserOf(server, eva)).get('/account/events?scope=past');
    expect([own.html.includes('Plná'), own.html.includes('looking for company')]).toEqual([true, false]);
    expect([cancelled.html.includes('2 signed up'), cancelled.html.includes('Who signed up')]).toEqual([true, true]);
    expect(cancelled.html).not.toMatch(/2 (?:of 2 )?going/);
    expect(forms(cancelled)).toEqual(['leave']);
    expect((await stranger().get(`/events/${id}`)).html).not.toContain('Sign in to join');
  });

  // PAGE-23
  it('shows that an event has ended', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Bývalá', starts_at: inDays(1) });
    const before = server.clock.now();
    server.clock.moveTo(new Date(before.getTime() + 10 * 86_400_000).toISOString());
    const { html } = await stranger().get(`/events/${id}`);
    expect(html).toContain('>over</span>');
    expect(html).toContain('This event is over.');
    expect(html).not.toContain('Sign in to join');
    server.clock.moveTo(before.toISOString());
  });

  // PAGE-57
  it('names the profile fields that the reader must fill in before joining, and links to the profile', async () => {
    const visitor = await browserOf(server, petr);
    const [aged, women] = [
      await buildEvent(server, jana, { age_min: 18 }),
      await buildEvent(server, jana, { gender_restriction: 'female' }),
    ];
    await server.sql('UPDATE users SET birth_date = NULL, gender = NULL WHERE id = $1', [petr.userId]);
    const pages = [await visitor.get(`/events/${aged.id}`), await visitor.get(`/events/${women.id}`)];
    await server.sql(`UPDATE users SET birth_date = '2020-01-01', gender = 'male' WHERE id = $1`, [petr.userId]);
    expect(pages[0]?.html).toMatch(/your profile has no date of birth\.<\/strong> <a href="\/account">/);
    expect(pages[1]?.html).toMatch(/your profile has no gender\.<\/strong> <a href="\/account">/);
    for (const { id } of [aged, women])
      expect((await visitor.get(`/events/${id}`)).html).toContain('This event is not open to you');
  });

  // PAGE-24
  it('shows each reader exactly the forms that the API would accept', async () => {
    const { ota } = await server.people('ota');
    const events = await Promise.all([
      buildEvent(server, jana, {}),
      buildEvent(server, jana, { age_min: 90 }),
      buildEvent(server, jana, { join_mode: 'request', max_participants: 2, with: [[eva, 'confirmed']] }),
      buildEvent(server, jana, { max_participants: 2, with: [[eva, 'confirmed']] }),
      buildEvent(server, jana, { with: [[petr, 'declined']] }),
      buildEvent(server, petr, {}),
      buildEvent(server, jana, {
        with: [
          [eva, 'waitlisted'],
          [petr, 'requested'],
        ],
      }),
    ]);
    const everAccepted = new Set<string>();
    for (const person of [jana, petr, eva, ota]) {
      const visitor = await browserOf(server, person);
      for (const { id } of events) {
        const accepted: string[] = [];
        for (const [name, method, path] of [
          ['join', 'POST', 'join'],
          ['leave', 'DELETE', 'join'],
          ['waitlist', 'POST', 'waitlist'],
        ] as const) {
          const answer = await person.api.send(method, `/events/${id}/${path}`, { headers: { prefer: 'dry-run' } });
          if (answer.status < 300) accepted.push(name);
        }
        expect([id, forms(await visitor.get(`/events/${id}`)).sort()]).toEqual([id, accepted]);
        for (const name of accepted) everAccepted.add(name);
      }
    }
    expect([...everAccepted].sort()).toEqual(['join', 'leave', 'waitlist']);
  });

  // PAGE-24
  it('refuses forms, with the status and text of the API, if the reader cannot join or cannot see the event', async () => {
    const { karel } = await server.people('karel');
    const { id } = await buildEvent(server, jana, { title: 'Skrytá', is_public: false });
    const { id: banned } = await buildEvent(server, jana, { title: 'Bez něj', with: [[karel, 'banned']] });
    const visitor = await browserOf(server, karel);
    const _csrf = csrfOf(await visitor.get('/account'));
    for (const [eventId, name] of [
      [id, 'join'],
      [banned, 'join'],
      [banned, 'waitlist'],
      [banned, 'leave'],
    ] as const) {
      const api = await (name === 'leave'
        ? karel.api.delete(`/events/${eventId}/join`)
        : karel.api.post(`/events/${eventId}/${name}`));
      const page = await visitor.post(`/events/${eventId}/${name}`, { _csrf });
      expect([name, page.status, alertOf(page)]).toEqual([name, api.status, api.body.message]);
      expect(page.html).not.toMatch(/Skrytá|Bez něj/);
    }
    for (const unknown of ['nowhereatall', '1'])
      expect((await visitor.post(`/events/${unknown}/join`, { _csrf })).status).toBe(404);
  });

  // PAGE-121
  it('is named on the pages for signing in and registering that lead back to it, if the reader may see it', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Čaj & sušenky' });
    const { id: secretId } = await buildEvent(server, jana, { title: 'Tajný večírek', is_public: false });
    const pageWith = async (page: string, next: string) =>
      (await stranger().get(`/${page}?next=${encodeURIComponent(next)}`)).html;
    for (const next of [`/events/${id}`, `/events/${id}?comments=2`, `/events/${id}/expenses`]) {
      expect(await pageWith('sign-in', next)).toContain('Sign in to continue to “Čaj &amp; sušenky”.');
      expect(await pageWith('register', next)).toContain('Register to continue to “Čaj &amp; sušenky”.');
    }
    for (const next of [`/events/${secretId}`, `/events/${id}x`, `/events/${id}.ics`, '/events/new', '/groups'])
      expect(await pageWith('sign-in', next)).toContain('<p>Sign in to continue.</p>');
    expect(await pageWith('register', `/events/${secretId}`)).not.toContain('Register to continue');
    const refused = await stranger().submit('/sign-in', {
      email: 'x@example.org',
      password: 'y',
      next: `/events/${id}`,
    });
    expect([refused.status, refused.html.includes('“Čaj &amp; sušenky”')]).toEqual([422, true]);
  });

  // PAGE-4, PAGE-24
  it('accepts only forms with a valid CSRF token, and redirects visitors to the sign-in page, which leads back to the event', async () => {
    const { id } = await buildEvent(server, jana, {});
    const visitor = await browserOf(server, petr);
    for (const name of ['join', 'leave', 'waitlist']) {
      expect((await visitor.post(`/events/${id}/${name}`, {})).status).toBe(403);
      expect((await visitor.post(`/events/${id}/${name}`, { _csrf: 'made-up' })).status).toBe(403);
      // PAGE-116
      expect(await visitor.get(`/events/${id}/${name}`)).toMatchObject({ status: 303, to: `/events/${id}` });
    }
    expect(await participation(petr, id)).toBeNull();
    const signedOut = stranger();
    const _csrf = csrfOf(await signedOut.get('/sign-in'));
    expect(await signedOut.post(`/events/${id}/join`, { _csrf })).toMatchObject({
      status: 303,
      to: `/sign-in?next=${encodeURIComponent(`/events/${id}`)}`,
    });
  });

  // PAGE-31
  it('contains metadata for other sites only if the event is public, and escapes titles', async () => {
    const title = '"><script>alert(1)</script> \'</script> & \u2028';
    const { id } = await buildEvent(server, jana, {
      title,
      description: '<p>Text</p>',
      location_name: '</script><b>',
      price_czk: 120,
    });
    await jana.api.upload(`/events/${id}/images`, [
      ['images[]', new Blob([await picture('jpeg', { width: 640, height: 480 })])],
    ]);
    const page = await stranger().get(`/events/${id}`);
    expect(page.html).not.toContain('<script>');
    expect(page.html).not.toContain('</script><b>');
    expect(page.html).toContain('<meta property="og:image:width" content="640">');
    expect(page.html).toContain('<meta property="og:image:height" content="480">');
    expect(page.html).toMatch(/<link rel="canonical" href="http[^"]+\/events\/\w+">/);
    const data = JSON.parse(
      /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page.html)?.[1] ?? '',
    ) as Record<string, unknown>;
    const eventInDiscover = (await petr.api.get(`/discover/events/${id}`)).body.data;
    expect(data).toMatchObject({
      '@type': 'Event',
      name: eventInDiscover.title,
      startDate: eventInDiscover.starts_at,
      url: eventInDiscover.url,
      offers: { price: 120, priceCurrency: 'CZK' },
    });
    await jana.api.patch(`/events/${id}`, { is_public: false });
    const { html } = await (await browserOf(server, jana)).get(`/events/${id}`);
    expect(html).not.toMatch(/ld\+json|property="og:|rel="canonical"/);
    expect(html).toContain('content="noindex"');
  });

  function csrfOf({ html }: Page): string {
    return /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  }
});
