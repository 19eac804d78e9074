import { randomBytes } from 'node:crypto';
import { buildEvent, COMMON_FIELDS } from '#testing/builders';
import { crowd } from '#testing/crowd';
import { formTo, filledIn, type TypedValues } from '#testing/forms';
import { buildGroup } from '#testing/groups';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { buildSeries, occurrencesOf } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { Visitor, type Page } from '#testing/visitor';
import { SignInAttempts } from '#web/account/sign-in-attempts';

/** The limit of 60 KB in PAGE-36, minus 14 KB for the style sheets and scripts. */
const MAX_PAGE_BYTES = 46_000;
const CREDENTIALS = { email: 'jana@example.org', password: 'correct horse' };

describe('the forms of an organizer', () => {
  let server: TestServer;
  let jana: Person;
  let visitor: Visitor;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana', CREDENTIALS);
    visitor = new Visitor(server);
    await visitor.submit('/sign-in', CREDENTIALS);
  });
  afterAll(() => server.stop());

  const submitForm = async (path: string, typed: TypedValues, formSuffix = path.split('?', 1)[0]!): Promise<Page> => {
    const { html, status } = await visitor.get(path);
    expect(status).toBe(200);
    const form = formTo(html, formSuffix);
    return visitor.send('POST', form.action, filledIn(form, typed));
  };
  /** Creates another account, and a browser in which this account is signed in. */
  const member = async (name: string): Promise<{ person: Person; browser: Visitor }> => {
    const credentials = { email: `${name}@example.org`, password: 'correct horse' };
    const person = await server.person(name, credentials);
    const browser = new Visitor(server);
    await browser.submit('/sign-in', credentials);
    return { person, browser };
  };
  /** Presses the button of the form whose address ends with `formSuffix`. */
  const press = async (browser: Visitor, path: string, formSuffix: string, typed: TypedValues = {}): Promise<Page> => {
    const form = formTo((await browser.get(path)).html, formSuffix);
    return browser.send('POST', form.action, filledIn(form, typed));
  };
  const readEvent = async (id: string) => (await jana.api.get(`/events/${id}`)).body.data;

  // PAGE-92, PAGE-96
  it('create an event with the typed values', async () => {
    expect((await visitor.get('/events/new')).html).toContain('Včetně vašeho místa, tedy nejméně 2.');
    const sent = await submitForm('/events/new', {
      title: 'Piknik',
      starts_at: '2030-06-01T15:00',
      price_czk: '1 234,50',
    });
    expect([sent.status, sent.to]).toEqual([303, expect.stringMatching(/^\/events\/\w+$/)]);
    const event = await readEvent(sent.to!.split('/').at(-1)!);
    expect(event).toMatchObject({ title: 'Piknik', starts_at: '2030-06-01T13:00:00Z', price_czk: 1234.5 });
    const created = (await visitor.get(sent.to!)).html;
    expect([created.includes('Akce je na světě'), created.includes('1\u00a0234,50 Kč')]).toEqual([true, true]);
    const invite = `href="${sent.to!}/people#invite"`;
    expect(created).toContain(invite);
    const editForm = formTo((await visitor.get(`${sent.to!}/edit`)).html, '/edit');
    expect(new Map(editForm.fields).get('price_czk')).toBe('1234,50');
    const later = (await visitor.get(sent.to!)).html;
    expect([later.includes('Akce je na světě'), later.includes(invite)]).toEqual([false, false]);
  });

  // PAGE-42
  it('refuse an impossible time with an error that does not mention the time format of the API', async () => {
    const refused = await submitForm('/events/new', { title: 'Piknik', starts_at: '2030-02-31T15:00' });
    expect([refused.status, refused.html.includes('00Z')]).toEqual([422, false]);
    expect(refused.html).toContain('Toto není platné datum a čas.');
    const times = { starts_at: '2030-06-01T15:00', ends_at: '2030-06-01T14:00' };
    expect((await submitForm('/events/new', { title: 'Piknik', ...times })).html).toContain(
      'Musí to být později než „Začátek“.',
    );
  });

  // PAGE-107
  it('have closed sections for the coordinates and for the restrictions of age and gender; an error, or a set restriction, opens the section', async () => {
    const foldableParts = ({ html }: Page) =>
      [...html.matchAll(/<details class="more"([^>]*)>\s*<summary>([^<]+)/g)].map(([, state, title]) => [
        title,
        state?.trim(),
      ]);
    const folded = [
      ['Přesný bod na mapě', ''],
      ['Omezení věku a pohlaví', ''],
    ];
    const empty = await visitor.get('/events/new');
    expect(foldableParts(empty)).toEqual(folded);
    /** The names of the fields whose labels end with a note, and these notes (PAGE-119). */
    const labelNotes = ({ html }: Page) =>
      [...html.matchAll(/<label for="field-(\w+)">[^<]*<span class="note">\(([^)]*)\)/g)].map(([, ...one]) => one);
    expect(labelNotes(empty)).toEqual([
      ['title', 'povinné'],
      ['starts_at', 'povinné'],
    ]);
    expect(labelNotes(await visitor.get('/events/import'))).toEqual([]);
    expect(empty.html).toMatch(/name="join_password"[^>]*autocomplete="new-password"/);
    const event = await buildEvent(server, jana, { gender_restriction: 'female' });
    expect(foldableParts(await visitor.get(`/events/${event.id}/edit`))).toEqual([folded[0], [folded[1]![0], 'open']]);
    const stops = [{ title: 'Sraz', latitude: 50, longitude: 14 }, { title: 'Rozhledna' }];
    await jana.api.put(`/events/${event.id}/itinerary`, { title: 'Plán', stops });
    const itinerary = await visitor.get(`/events/${event.id}/itinerary/edit`);
    expect(labelNotes(itinerary)).toEqual([['title', 'povinné']]);
    const stopParts = foldableParts(itinerary);
    // The form offers two more rows for new stops.
    expect(stopParts).toEqual([['Bod na mapě: zadán', ''], folded[0], folded[0], folded[0]]);
    const refused = await submitForm('/events/new', { latitude: '91', longitude: '14' });
    expect(foldableParts(refused)).toEqual([['Bod na mapě: zadán', 'open'], folded[1]]);
    const wrongAge = await submitForm('/events/new', { title: 'x', age_min: 'dvacet' });
    expect(foldableParts(wrongAge)).toEqual([folded[0], [folded[1]![0], 'open']]);
  });

  // PAGE-97
  it('do not change an event when they are sent unchanged', async () => {
    const event = await buildEvent(server, jana, {
      starts_at: new Date('2030-10-27T01:30:33Z'),
      description: '<p>a</p>\n<p>b</p>',
    });
    const before = await jana.api.get(`/events/${event.id}`);
    const sent = await submitForm(`/events/${event.id}/edit`, {});
    expect([sent.status, sent.to]).toEqual([303, `/events/${event.id}`]);
    const after = await jana.api.get(`/events/${event.id}`);
    expect([after.headers.get('etag'), after.body.data]).toEqual([before.headers.get('etag'), before.body.data]);
  });

  // PAGE-97
  it('change nothing when they are sent unchanged, even if the title or the place contains a line break', async () => {
    const texts = { title: 'Piknik\nve Stromovce', location_name: 'Stromovka\nu rybníka' };
    const event = await buildEvent(server, jana, texts);
    const before = (await jana.api.get(`/events/${event.id}`)).headers.get('etag');
    expect((await submitForm(`/events/${event.id}/edit`, {})).status).toBe(303);
    expect(await readEvent(event.id)).toMatchObject(texts);
    expect((await jana.api.get(`/events/${event.id}`)).headers.get('etag')).toBe(before);
  });

  it('read times in the time zone in which they were shown, even after the time zone of the account was changed', async () => {
    const { person, browser } = await member('cestovatelka');
    const [startsAt, endsAt] = ['2030-06-01T13:00:00Z', '2030-06-01T15:00:00Z'];
    const times = { starts_at: new Date(startsAt), ends_at: new Date(endsAt) };
    const timesOf = async (id: string) => {
      const { starts_at, ends_at } = (await person.api.get(`/events/${id}`)).body.data;
      return [starts_at, ends_at];
    };
    const event = await buildEvent(server, person, times);
    const path = `/events/${event.id}/edit`;
    const form = formTo((await browser.get(path)).html, '/edit');
    await server.sql(`UPDATE users SET timezone = 'America/New_York' WHERE id = $1`, [person.userId]);
    const send = async (opened: typeof form, typed: TypedValues) =>
      browser.send('POST', opened.action, filledIn(opened, typed));
    expect((await send(form, {})).status).toBe(303);
    expect(await timesOf(event.id)).toEqual([startsAt, endsAt]);
    // A form that is shown again after a refusal keeps the time zone in which it was opened.
    const refused = await send(form, { title: '' });
    expect(refused.status).toBe(422);
    expect((await send(formTo(refused.html, '/edit'), { title: 'Jiný', ends_at: '2030-06-01T18:00' })).status).toBe(
      303,
    );
    expect(await timesOf(event.id)).toEqual([startsAt, '2030-06-01T16:00:00Z']);
  });

  // PAGE-97
  it('do not move a time when the time zone and another field were changed after the form was opened', async () => {
    const { person, browser } = await member('poutnice');
    const startsAt = '2030-06-01T13:00:00Z';
    const event = await buildEvent(server, person, { title: 'První', starts_at: new Date(startsAt) });
    const form = formTo((await browser.get(`/events/${event.id}/edit`)).html, '/edit');
    await server.sql(`UPDATE users SET timezone = 'America/New_York' WHERE id = $1`, [person.userId]);
    await person.api.patch(`/events/${event.id}`, { title: 'Druhý' });
    const refused = await browser.send('POST', form.action, filledIn(form, { title: 'Třetí' }));
    expect(refused.status).toBe(412);
    const again = formTo(refused.html, '/edit');
    expect((await browser.send('POST', again.action, filledIn(again, {}))).status).toBe(303);
    const { title, starts_at } = (await person.api.get(`/events/${event.id}`)).body.data;
    expect([title, starts_at]).toEqual(['Třetí', startsAt]);
  });

  // PAGE-97
  it('are refused with 412 and show the old, the current and the typed value when a field was changed after the form was opened', async () => {
    const event = await buildEvent(server, jana, { title: 'První', price_czk: 1000 });
    const { html } = await visitor.get(`/events/${event.id}/edit`);
    const form = formTo(html, '/edit');
    await jana.api.patch(`/events/${event.id}`, { title: 'Druhý', price_czk: 1200.5 });
    const refused = await visitor.send('POST', form.action, filledIn(form, { title: 'Třetí' }));
    expect(refused.status).toBe(412);
    for (const text of ['První', 'Druhý', 'Třetí']) expect(refused.html).toContain(text);
    expect(refused.html).toContain('Původně: „1\u00a0000“. Teď: „1\u00a0200,50“.');
    expect((await readEvent(event.id)).title).toBe('Druhý');
    const again = formTo(refused.html, '/edit');
    expect((await visitor.send('POST', again.action, filledIn(again, {}))).status).toBe(303);
    expect((await readEvent(event.id)).title).toBe('Třetí');
  });

  // PAGE-97
  it('are refused with 412 when a checkbox was not ticked in the opened form, and another request has ticked it since then', async () => {
    const event = await buildEvent(server, jana, { title: 'Tajný', is_public: false });
    const form = formTo((await visitor.get(`/events/${event.id}/edit`)).html, '/edit');
    expect(form.fields.map(([name]) => name)).not.toContain('is_public');
    await jana.api.patch(`/events/${event.id}`, { is_public: true });
    const sent = await visitor.send('POST', form.action, filledIn(form, { title: 'Jiný' }));
    expect(sent.status).toBe(412);
    expect(await readEvent(event.id)).toMatchObject({ is_public: true, title: 'Tajný' });
  });

  // PAGE-96
  it('keep typed values after a refusal', async () => {
    const refused = await submitForm('/events/new', {
      title: 'X',
      starts_at: '2030-06-01T15:00',
      location_name: 'Letná & spol.',
    });
    expect([refused.status, refused.html.includes('value="Letná &amp; spol."')]).toEqual([422, true]);
    expect(refused.html).toMatch(/role="alert"[\s\S]*Název/);
    const several = await submitForm('/events/new', { title: '', starts_at: '', price_czk: '-1', offer_hours: '0' });
    const ids = [...several.html.matchAll(/<a href="#(field-\w+)">/g)].map(([, id = '']) => id);
    expect(ids).toHaveLength(4);
    // The summary of the errors lists the fields in the order of the form.
    const positionOf = (id: string): number => several.html.indexOf(` id="${id}"`);
    expect(ids).toEqual(ids.toSorted((one, other) => positionOf(one) - positionOf(other)));
    for (const [page, field, length, limit] of [
      ['/events/new', 'description', 140_000, 5000],
      ['/posts/new', 'body', 140_000, 20_000],
      ['/posts/new', 'body', 300_000, 256 * 1024],
    ] as const) {
      const long = await submitForm(page, { [field]: 'x'.repeat(length) });
      expect([page, long.status]).toEqual([page, 422]);
      const shownLimit = limit.toLocaleString('cs');
      expect(long.html).toMatch(new RegExp(`id="field-${field}-error">[^<]* ${shownLimit} `));
      expect(long.html).toContain('x'.repeat(Math.min(length, 256 * 1024)));
    }
  });

  // PAGE-21
  it('are answered with an error page that gives the reason if their body is too large', async () => {
    const { id } = await buildEvent(server, jana);
    const large = await submitForm(`/events/${id}/edit`, { description: 'x'.repeat(600_000) });
    expect(large.status).toBe(413);
    expect(large.html).toMatch(/>413<\/p><h1>Formulář je příliš velký</);
  });

  // PAGE-97
  it('ignore unreadable values in the field `_shown`, which contains the values that the form showed', async () => {
    const event = await buildEvent(server, jana, { title: 'Beze změny' });
    const values = [{ starts_at: 'never' }, { title: {} }, { ends_at: [] }, null];
    for (const one of values) {
      const _shown = JSON.stringify({ version: 1, timezone: 'Europe/Prague', values: one });
      const sent = await submitForm(`/events/${event.id}/edit`, { _shown, title: `Nový název ${values.indexOf(one)}` });
      expect(sent.status).toBe(303);
    }
    expect((await readEvent(event.id)).title).toBe('Nový název 3');
  });

  // PAGE-98
  it('create only one event when the same form is sent twice', async () => {
    const { html } = await visitor.get('/events/new');
    const form = formTo(html, '/events/new');
    const typed = { title: 'Jednou', starts_at: '2030-06-01T15:00' };
    const first = await visitor.send('POST', form.action, filledIn(form, typed));
    const second = await visitor.send('POST', form.action, filledIn(form, typed));
    expect([first.status, second.status, second.to]).toEqual([303, 303, first.to]);
    const { html: nextPage } = await visitor.get('/events/new');
    expect(nextPage).toContain('_key');
  });

  // PAGE-98
  it('lead to the first event, and not to a new event, when the same form is sent again with other values', async () => {
    const { person, browser } = await member('dvakrat');
    const form = formTo((await browser.get('/events/new')).html, '/events/new');
    const send = (title: string) =>
      browser.send('POST', form.action, filledIn(form, { title, starts_at: '2030-06-01T15:00' }));
    const first = await send('První');
    await browser.get(first.to!);
    const second = await send('Druhá');
    expect([second.status, second.to]).toEqual([303, first.to]);
    const { html } = await browser.get(first.to!);
    expect(html).toContain('Tenhle formulář už jste odeslali');
    expect(html).not.toContain('Akce je na světě');
    const { data } = (await person.api.get('/events')).body;
    expect(data.map(({ title }: { title: string }) => title)).toEqual(['První']);
  });

  // PAGE-92
  it('are not filled with the values of an event of another person', async () => {
    const { person } = await member('majitelka');
    const [open, hidden] = [await buildEvent(server, person), await buildEvent(server, person, { is_public: false })];
    expect((await visitor.get(`/events/new?from=${open.id}`)).status).toBe(403);
    for (const id of [hidden.id, 'nowhereatall'])
      expect((await visitor.get(`/events/new?from=${id}`)).status).toBe(404);
  });

  // PAGE-98
  it('create an event together with its pictures, or create nothing', async () => {
    const { person, browser } = await member('obrazek');
    const { html } = await browser.get('/events/new');
    const form = formTo(html, '/events/new');
    const body = (title: string, file: Buffer | string): FormData => {
      const typed = filledIn(form, { title, starts_at: '2030-06-01T15:00' }) as FormData;
      typed.append('images[]', new Blob([file]), 'a.jpg');
      return typed;
    };
    const broken = await browser.send('POST', form.action, body('S obrázkem', 'no picture'));
    expect([broken.status, broken.html.includes('value="S obrázkem"'), broken.html.includes('vybrat znovu')]).toEqual([
      422,
      true,
      true,
    ]);
    const refused = await browser.send('POST', form.action, body('X', await picture()));
    expect(refused.status).toBe(422);
    const sent = await browser.send('POST', form.action, body('S obrázkem', await picture()));
    expect(sent.status).toBe(303);
    expect((await person.api.get(`/events/${sent.to!.split('/').at(-1)!}`)).body.data.images).toHaveLength(1);
  });

  // PAGE-99
  it('keep typed values when the session has ended, and can be sent again after signing in', async () => {
    const event = await buildEvent(server, jana, { title: 'Před vypršením' });
    const otherBrowser = new Visitor(server);
    await otherBrowser.submit('/sign-in', CREDENTIALS);
    const { html } = await otherBrowser.get(`/events/${event.id}/edit`);
    const form = formTo(html, '/edit');
    otherBrowser.session = '';
    const expired = await otherBrowser.send('POST', form.action, filledIn(form, { title: 'Po vypršení' }));
    expect([expired.status, expired.html.includes('value="Po vypršení"')]).toEqual([401, true]);
    const firstSignIn = formTo(expired.html, '/sign-in');
    const refused = await otherBrowser.send(
      'POST',
      firstSignIn.action,
      filledIn(firstSignIn, { password: 'wrong password' }),
    );
    expect([refused.status, refused.html.includes('value="Po vypršení"')]).toEqual([422, true]);
    expect(refused.html).toContain('Wrong e-mail or password.');
    const signIn = formTo(refused.html, '/sign-in');
    const resumed = await otherBrowser.send(
      'POST',
      signIn.action,
      filledIn(signIn, { password: CREDENTIALS.password }),
    );
    expect(resumed.status).toBe(200);
    expect([resumed.html.includes('action="/sign-out"'), resumed.html.includes('href="/register')]).toEqual([
      true,
      false,
    ]);
    const again = formTo(resumed.html, '/edit');
    const sent = await otherBrowser.send('POST', again.action, filledIn(again, {}));
    expect([sent.status, sent.to]).toEqual([303, `/events/${event.id}`]);
    expect((await readEvent(event.id)).title).toBe('Po vypršení');
  });

  // PAGE-18, PAGE-99
  it('keep typed values when the session has ended and too many sign-ins are attempted', async () => {
    const event = await buildEvent(server, jana);
    const otherBrowser = new Visitor(server);
    await otherBrowser.submit('/sign-in', CREDENTIALS);
    const form = formTo((await otherBrowser.get(`/events/${event.id}/edit`)).html, '/edit');
    otherBrowser.session = '';
    const expired = await otherBrowser.send('POST', form.action, filledIn(form, { title: 'Po vypršení' }));
    const signIn = formTo(expired.html, '/sign-in');
    const full = { refused: true, retryAfterSeconds: 7, limit: 1, remaining: 0 };
    const attempt = jest.spyOn(server.app.get(SignInAttempts), 'hit').mockResolvedValue(full);
    const refused = await otherBrowser.send(
      'POST',
      signIn.action,
      filledIn(signIn, { password: CREDENTIALS.password }),
    );
    attempt.mockRestore();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
    expect(refused.html).toContain('value="Po vypršení"');
    const again = formTo(refused.html, '/sign-in');
    const resumed = await otherBrowser.send('POST', again.action, filledIn(again, { password: CREDENTIALS.password }));
    expect(resumed.status).toBe(200);
  });

  // PAGE-99
  it('are answered with a sign-in form after the session has ended; its field `next` is the path of the page that contained the sent form', async () => {
    const { person: petr } = await member('zpet');
    const event = await buildEvent(server, jana, { join_mode: 'tickets', with: [[petr, 'confirmed']] });
    const series = await buildSeries(server, jana);
    // PAGE-87
    const plan = `/events/${event.id}/itinerary/edit`;
    const addStop = { 'stops.0.title': 'Sraz', _add_stop: '1' };
    const forms: (readonly [string, string, string, string, TypedValues?])[] = [
      [plan, '/itinerary/edit', plan, 'Odeslat', addStop],
      [`/events/${event.id}/edit`, '/edit/cancel', `/events/${event.id}/edit`, 'Zrušit akci'],
      [`/events/${event.id}/people`, '/remove', `/events/${event.id}/people`, `Odebrat: ${petr.name}`],
      [`/events/${event.id}/people`, '/people/invite', `/events/${event.id}/people`, 'Odeslat'],
      [`/series/${series.id}/edit`, '/edit/cancel', `/series/${series.id}/edit`, 'Ukončit sérii'],
    ];
    // One browser for all forms, because the number of sign-ins from unknown devices is limited.
    const otherBrowser = new Visitor(server);
    await otherBrowser.submit('/sign-in', CREDENTIALS);
    for (const [page, suffix, back, button, typed = {}] of forms) {
      const form = formTo((await otherBrowser.get(page)).html, suffix);
      otherBrowser.session = '';
      const { html } = await otherBrowser.send('POST', form.action, filledIn(form, typed));
      // A form with only a button contains nothing that the person has typed.
      expect([suffix, html.includes('Nothing that you typed is lost.')]).toEqual([suffix, button === 'Odeslat']);
      const signIn = formTo(html, '/sign-in');
      expect([suffix, Object.fromEntries(signIn.fields)]).toEqual([suffix, expect.objectContaining({ next: back })]);
      const resumed = await otherBrowser.send(
        'POST',
        signIn.action,
        filledIn(signIn, { password: CREDENTIALS.password }),
      );
      const again = formTo(resumed.html, suffix);
      expect(again.html).toContain(`<button>${button}</button>`);
      expect([suffix, Object.fromEntries(again.fields)]).toEqual([suffix, expect.objectContaining(typed)]);
    }
  });

  // PAGE-93
  it('approve, check in, remove, ban and invite people', async () => {
    const { person: petr } = await member('petr');
    const event = await buildEvent(server, jana, { join_mode: 'request', with: [[petr, 'requested']] });
    const people = `/events/${event.id}/people`;
    const statusOf = async (): Promise<string | undefined> =>
      ((await jana.api.get(`/events/${event.id}/participants`)).body.data as { status: string }[])[0]?.status;
    expect((await visitor.get(`/events/${event.id}`)).html).toContain('<span class="unseen">Žádosti </span>1');
    const approved = await press(visitor, people, `/${petr.slug}/approve`);
    expect([approved.status, approved.to, await statusOf()]).toEqual([303, `${people}#requested`, 'confirmed']);
    const { html } = await visitor.get(people);
    expect(html).toContain(`Žádost je schválená: ${petr.name}`);
    expect(html).toContain('Vy se tu jako pořadatel nepočítáte.');
    // Removing and banning take two clicks: their buttons are in a closed `details`.
    const [all, open] = [html, html.replace(/<details[^>]*>[^]*?<\/details>/g, '')].map((text) =>
      ['check-in', 'remove', 'ban'].filter((button) => text.includes(`/${petr.slug}/${button}"`)),
    );
    expect([all, open]).toEqual([['check-in', 'remove', 'ban'], ['check-in']]);
    expect((await press(visitor, people, `/${petr.slug}/check-in`)).status).toBe(303);
    const message = async () => /role="status">([^<]*)/.exec((await visitor.get(people)).html)?.[1];
    for (const [button, after, text] of [
      ['undo', 'confirmed', 'Odbavení je zrušené'],
      ['remove', undefined, 'Odebráno z akce'],
    ] as const) {
      expect((await press(visitor, people, `/${petr.slug}/${button}`)).status).toBe(303);
      expect([await statusOf(), await message()]).toEqual([after, `${text}: ${petr.name}`]);
    }
    const search = `${people}?q=${encodeURIComponent(petr.name)}`;
    const invitation = formTo((await visitor.get(search)).html, '/invite');
    // A second click leads to the same page (PAGE-98).
    for (const _click of ['first', 'second'])
      expect((await visitor.send('POST', invitation.action, filledIn(invitation, {}))).to).toBe(`${search}#invite`);
    expect(await statusOf()).toBe('pending');
    expect((await press(visitor, people, `/${petr.slug}/ban`)).status).toBe(303);
    expect([await statusOf(), await message()]).toEqual(['banned', `Účast je zakázaná: ${petr.name}`]);
    expect((await press(visitor, people, `/${petr.slug}/unban`)).status).toBe(303);
    expect([await statusOf(), await message()]).toEqual([undefined, `Zákaz je zrušený: ${petr.name}`]);
    expect((await visitor.get(`${people}/print`)).status).toBe(200);
    // JOIN-37
    const unknown = await press(visitor, people, '/check-in', { code: '0000-0000-0000-0000' });
    expect([unknown.status, unknown.html.includes('value="0000-0000-0000-0000"')]).toEqual([404, true]);
    expect(unknown.html).toContain('Tento kód na této akci nikdo nemá');
    const attended = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const code = (await petr.api.get(`/discover/events/${attended.id}`)).body.data.viewer.check_in_code as string;
    const messages: string[] = [];
    for (const _time of ['first', 'second']) {
      const inside = await press(visitor, `/events/${attended.id}/people`, '/people/check-in', { code });
      messages.push(/role="status">([^<]*)/.exec((await visitor.get(inside.to!)).html)?.[1] ?? '');
    }
    expect(messages).toEqual([`Odbaveno: ${petr.name}`, expect.stringContaining(`${petr.name} už je uvnitř od `)]);
    // JOIN-38
    const ticketed = await buildEvent(server, jana, { join_mode: 'tickets' });
    const tickets = await jana.api.post(`/events/${ticketed.id}/tickets`, { count: 1 });
    const unused = await press(visitor, `/events/${ticketed.id}/people`, '/people/check-in', {
      code: (tickets.body.data as { code: string }[])[0]!.code,
    });
    expect([unused.status, unused.html.includes('S tímto kódem vstupenky na akci nikdo nejde.')]).toEqual([409, true]);
    // PAGE-96
    for (const [button, field, value] of [
      ['check-in', 'code', 'nikdo'],
      ['invite', 'user', 'nikdo'],
      ['invite', 'user', jana.slug],
    ] as const) {
      const { html } = await press(visitor, `/events/${ticketed.id}/people`, `/people/${button}`, { [field]: value });
      expect([value, html]).toEqual([
        value,
        expect.stringMatching(
          new RegExp(`id="field-${field}"[^>]*aria-invalid="true".*id="field-${field}-error">[^<]`),
        ),
      ]);
    }
    const full = await buildEvent(server, jana, {
      join_mode: 'request',
      max_participants: 1,
      with: [[petr, 'requested']],
    });
    const refused = await press(visitor, `/events/${full.id}/people`, `/${petr.slug}/approve`);
    expect([refused.status, /role="alert"/.test(refused.html)]).toEqual([409, true]);
  });

  // PAGE-117
  it.each([
    ['decline', 'requested', 'confirmed'],
    ['decline', 'requested', null],
    ['unban', 'banned', 'requested'],
    ['unban', 'banned', null],
    ['remove', 'confirmed', 'banned'],
    ['remove', 'pending', 'requested'],
  ] as const)(
    'have a button “%s” that changes nothing after the person’s status has changed from %s to %s (null: no status)',
    async (button, before, now) => {
      const petr = await server.person(`zmena-${button}-${before}-${now}`);
      const event = await buildEvent(server, jana, { join_mode: 'request', with: [[petr, before]] });
      const people = `/events/${event.id}/people`;
      const form = formTo((await visitor.get(people)).html, `/${petr.slug}/${button}`);
      const key = [event.eventId, petr.userId];
      if (now === null) await server.sql('DELETE FROM participations WHERE event_id = $1 AND user_id = $2', key);
      else
        await server.sql('UPDATE participations SET status = $3 WHERE event_id = $1 AND user_id = $2', [...key, now]);
      const refused = await visitor.send('POST', form.action, filledIn(form, {}));
      const { data } = (await jana.api.get(`/events/${event.id}/participants`)).body as { data: { status: string }[] };
      expect([refused.status, data.map(({ status }) => status)]).toEqual([409, now === null ? [] : [now]]);
      expect(refused.html).toContain('role="alert">Stav tohoto člověka se mezitím změnil');
      if (now !== null) expect(refused.html).toMatch(new RegExp(`id="${now}">.*${petr.slug}`));
    },
  );

  /** Returns the number of bytes that a browser receives for a page, without its style sheets and scripts. */
  const transferredBytes = async (path: string): Promise<number> => {
    const headers = { cookie: visitor.cookie, accept: 'text/html', 'accept-encoding': 'br' };
    const { status, headers: sent } = await fetch(server.origin + path, { headers });
    expect([path, status, sent.get('content-encoding')]).toEqual([path, 200, 'br']);
    return Number(sent.get('content-length'));
  };

  // PAGE-36, PAGE-93
  it('are on small pages even if the event has many people; short lists are shown completely', async () => {
    const people = await crowd(server, 45);
    const { id } = await buildEvent(server, jana, {
      with: people.map((one, i) => [one, i < 3 ? 'pending' : i < 33 ? 'confirmed' : 'requested'] as const),
    });
    const path = `/events/${id}/people`;
    const { html } = await visitor.get(path);
    expect(await transferredBytes(path)).toBeLessThan(MAX_PAGE_BYTES);
    const shown = (state: string) =>
      html.split(`id="${state}"`)[1]!.split('</section>', 1)[0]!.split('<p class="person">').length - 1;
    expect([shown('requested'), shown('confirmed'), shown('pending')]).toEqual([10, 12, 3]);
    expect(html).toContain(`href="${path}?status=confirmed"`);
    expect(html).not.toContain(`href="${path}?status=pending"`);
    const pages = ['', '&page=2'].map(async (page) => (await visitor.get(`${path}?status=confirmed${page}`)).html);
    const all = (await Promise.all(pages)).join('');
    expect(people.slice(3, 33).filter(({ slug }) => !all.includes(`/people/${slug}"`))).toEqual([]);
    const list = `${path}?status=confirmed&page=2`;
    expect((await press(visitor, list, '/check-in')).to).toBe(`${list}#confirmed`);
  });

  // PAGE-36
  it('are on small pages even if the lists of members, tickets and comments are full', async () => {
    const people = await crowd(server, 50);
    const group = await buildGroup(server, jana, { with: people.map((one) => [one, 'member'] as const) });
    const { id } = await buildEvent(server, jana, {
      join_mode: 'tickets',
      with: people.map((one) => [one, 'confirmed'] as const),
    });
    await jana.api.post(`/events/${id}/tickets`, { count: 100 });
    for (const { api } of people.slice(0, 30))
      await api.post(`/events/${id}/comments`, { body: randomBytes(750).toString('base64') });
    for (const path of [`/groups/${group.id}/members?q=dav`, `/events/${id}/tickets`, `/events/${id}`]) {
      const { html } = await visitor.get(path);
      const bytes = await transferredBytes(path);
      expect([path, html.length > 40_000, bytes < MAX_PAGE_BYTES]).toEqual([path, true, true]);
    }
  });

  // PAGE-92
  it('are on pages whose titles contain the title of the event', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Ranní káva', join_mode: 'tickets' });
    const pages = [
      'edit',
      'people',
      'people/print',
      'people/message',
      'people/door-links',
      'tickets',
      'expenses',
      'stats',
    ];
    for (const page of pages) {
      const { html } = await visitor.get(`/events/${id}/${page}`);
      expect([page, /<title>[^<]*: Ranní káva ·/.test(html)]).toEqual([page, true]);
      // The printed list has no links, so the title of the event is its heading.
      if (page === 'people/print') continue;
      expect(html).toMatch(/<p class="back"><a href="\/events\/\w+">Ranní káva<\/a>.*<h1>[^<]+<\/h1>/);
      expect(html).not.toMatch(/<h1>[^<]*Ranní káva/);
    }
  });

  // PAGE-96
  it('move the focus to the reason of a refusal', async () => {
    const refused = await submitForm('/events/new', { title: 'ab' });
    expect(refused.html).toMatch(/role="alert" tabindex="-1" autofocus/);
  });

  // PAGE-94
  it('create and delete ticket codes', async () => {
    const event = await buildEvent(server, jana, { join_mode: 'tickets' });
    const path = `/events/${event.id}/tickets`;
    const created = await submitForm(path, { count: '2' });
    expect([created.status, created.to]).toEqual([303, path]);
    const codes = async (): Promise<{ code: string }[]> =>
      (await jana.api.get(`/events/${event.id}/tickets`)).body.data;
    const [first] = await codes();
    expect((await visitor.get(path)).html).toContain(
      `<details class="ask"><summary aria-label="Smazat: ${first!.code}">Smazat</summary>`,
    );
    expect((await press(visitor, path, `/${first!.code}/delete`)).status).toBe(303);
    expect(await codes()).toHaveLength(1);
    const invalid = await submitForm(path, { count: 'mnoho' });
    expect([invalid.status, invalid.html.includes('value="mnoho"')]).toEqual([422, true]);
  });

  // PAGE-95
  it('create, change and end a series', async () => {
    const { person, browser } = await member('serie');
    const form = formTo((await browser.get('/series/new')).html, '/series/new');
    const typed = { title: 'Běhání', starts_at: '2030-06-01T15:00', occurrences_limit: '3' };
    const created = await browser.send('POST', form.action, filledIn(form, typed));
    expect([created.status, created.to]).toEqual([303, expect.stringMatching(/^\/series\/\w+$/)]);
    const edit = `${created.to}/edit`;
    expect((await press(browser, edit, edit, { title: 'Běhání v parku' })).status).toBe(303);
    expect((await browser.get(edit)).html).toMatch(/Uloženo\. Změny platí pro 1 termín\.\s*</);
    // PAGE-97: the form is sent unchanged.
    expect((await press(browser, edit, edit)).status).toBe(303);
    expect((await browser.get(edit)).html).toMatch(/role="status"[^>]*>\s*Uloženo\.\s*</);
    const series = (await person.api.get(created.to!)).body.data as object;
    expect(series).toMatchObject({ title: 'Běhání v parku', occurrences_limit: 3, starts_at: '2030-06-01T13:00:00Z' });
    expect((await browser.get(created.to!)).html).toMatch(/opakuje se[^]*Upravit sérii[^]*webcal:/);
    expect((await press(browser, edit, '/cancel')).status).toBe(303);
    expect((await person.api.get(created.to!)).body.data).toMatchObject({ active: false });
    const ended = await browser.get(created.to!);
    expect(ended.html).toContain('Série skončila, další termíny už nebudou.');
    expect(ended.html).not.toMatch(/opakuje se|Upravit sérii|webcal:/);
    expect((await browser.get(edit)).html).toContain('Změny už se neprojeví na žádném termínu.');

    const past = await buildSeries(server, person, { occurrencesLimit: 2 });
    await server.sql(
      `UPDATE all_events SET starts_at = now() - interval '9 days', ends_at = NULL WHERE series_id = $1`,
      [past.seriesId],
    );
    expect((await person.api.get(`/series/${past.id}`)).body.data).toMatchObject({ active: false, cancelled_at: null });
    expect((await browser.get(`/series/${past.id}/edit`)).html).not.toContain('/cancel"');
  });

  // PAGE-95
  it('are linked from the page of a series, for its organizer only', async () => {
    const { id } = await buildSeries(server, jana, { occurrencesLimit: 2, is_public: true });
    const { browser } = await member('navstevnik');
    const links = await Promise.all([visitor, browser].map((one) => one.get(`/series/${id}`)));
    expect(links.map(({ html }) => html.includes(`href="/series/${id}/edit"`))).toEqual([true, false]);
    // PAGE-92
    const [occurrence] = await occurrencesOf(jana, id);
    expect((await visitor.get(`/events/${occurrence!.id}/edit`)).html).toMatch(
      new RegExp(`Změny platí jen pro tento termín\\.\\s*<a href="/series/${id}/edit">`),
    );
  });

  // PAGE-34, PAGE-95
  it('lead to the page of the series, even if the series is private and has no upcoming date', async () => {
    const { person, browser } = await member('zalozitelka');
    const created = await press(browser, '/series/new', '/series/new', {
      title: 'Až za rok',
      starts_at: '2035-06-01T15:00',
      is_public: '',
    });
    expect(created.status).toBe(303);
    const page = await browser.get(created.to!);
    expect([page.status, page.html.includes('Až za rok')]).toEqual([200, true]);
    expect((await visitor.get(created.to!)).status).toBe(404);
    const { id } = await buildSeries(server, person, { is_public: false, occurrencesLimit: 2 });
    expect((await press(browser, `/series/${id}/edit`, '/cancel')).status).toBe(303);
    expect((await browser.get(`/series/${id}`)).status).toBe(200);
  });

  // PAGE-95, SER-18, SER-19
  it('offer to end a series only if it is active or has upcoming occurrences', async () => {
    const offers = async (startsAt: Date, occurrencesLimit: number | null): Promise<boolean> => {
      const { id } = await buildSeries(server, jana, { startsAt, frequency: 'daily', occurrencesLimit });
      return (await visitor.get(`/series/${id}/edit`)).html.includes(`/series/${id}/edit/cancel`);
    };
    expect(await offers(inDays(-10.5), 5)).toBe(false);
    expect(await offers(inDays(-2.5), 5)).toBe(true);
    expect(await offers(inDays(-2.5), null)).toBe(true);
  });

  // PAGE-96
  it('answer 403 to people who see the event but do not organize it, and 404 to people who do not see it, and redirect people without a session', async () => {
    const { browser, person } = await member('cizi');
    const publicEvent = await buildEvent(server, jana);
    const banning = await buildEvent(server, jana, { with: [[person, 'banned']] });
    const refused = await browser.get(`/events/${banning.id}/edit`);
    expect([refused.status, refused.html.includes('Pořadatel vám zakázal účast na této akci.')]).toEqual([403, true]);
    const hidden = await buildEvent(server, jana, { is_public: false });
    for (const page of ['edit', 'people', 'people/print', 'tickets']) {
      expect((await browser.get(`/events/${publicEvent.id}/${page}`)).status).toBe(403);
      expect((await browser.get(`/events/${hidden.id}/${page}`)).status).toBe(404);
      for (const id of [publicEvent.id, hidden.id, 'nowhereatall']) {
        const path = `/events/${id}/${page}`;
        expect((await new Visitor(server).get(path)).to).toBe(`/sign-in?next=${encodeURIComponent(path)}`);
      }
    }
  });

  // PAGE-92, PAGE-98
  it('cancel an event, and delete an event without confirmed participants', async () => {
    const event = await buildEvent(server, jana);
    const edit = `/events/${event.id}/edit`;
    expect((await press(visitor, edit, '/cancel')).to).toBe(`/events/${event.id}`);
    expect((await visitor.get(`/events/${event.id}`)).html).toContain('Pokud se na ni někdo přihlásil, dáme mu vědět.');
    expect((await readEvent(event.id)).status).toBe('cancelled');
    const form = formTo((await visitor.get(edit)).html, '/delete');
    for (const _press of ['first', 'second']) {
      const { to } = await visitor.send('POST', form.action, filledIn(form, {}));
      expect(to).toBe('/account/events?relation=organizing');
      expect((await visitor.get(to!)).html).toContain('Akce je smazaná.');
    }
    expect((await jana.api.get(`/events/${event.id}`)).status).toBe(404);
    // EVT-21, PAGE-96: a person joins after the form was opened.
    const { person } = await member('pozdni');
    const joined = await buildEvent(server, jana);
    const opened = formTo((await visitor.get(`/events/${joined.id}/edit`)).html, '/delete');
    await person.api.post(`/events/${joined.id}/join`);
    const refused = await visitor.send('POST', opened.action, filledIn(opened, {}));
    expect([refused.status, refused.html]).toEqual([
      409,
      expect.stringContaining('role="alert">Akci s potvrzenými účastníky nejde smazat'),
    ]);
  });

  // PAGE-92, PAGE-95, PAGE-96
  it('answer a click on a button with the status and reason of the API if the API refuses the action', async () => {
    const { person: petr } = await member('ucastnik');
    const event = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const edit = await visitor.get(`/events/${event.id}/edit`);
    expect(edit.html).not.toContain(`/events/${event.id}/edit/delete"`);
    expect(edit.html).toContain('Akci s potvrzenými účastníky nejde smazat.');
    const fields = { _csrf: formTo(edit.html, '/cancel').fields.find(([name]) => name === '_csrf')![1] };
    const refused = await visitor.post(`/events/${event.id}/edit/delete`, fields);
    expect([refused.status, /role="alert"/.test(refused.html)]).toEqual([409, true]);
    expect((await readEvent(event.id)).status).toBe('active');
    const { id } = await buildSeries(server, jana, { occurrencesLimit: 2 });
    const form = formTo((await visitor.get(`/series/${id}/edit`)).html, '/cancel');
    const end = () => visitor.send('POST', form.action, filledIn(form, {}));
    expect((await end()).status).toBe(303);
    const again = await end();
    expect([again.status, /role="alert"/.test(again.html)]).toEqual([409, true]);
  });

  // PAGE-95, PAGE-97
  it('are refused with 412 when a field of a series was changed after the form was opened', async () => {
    const { id } = await buildSeries(server, jana, { title: 'První', occurrencesLimit: 2 });
    const form = formTo((await visitor.get(`/series/${id}/edit`)).html, '/edit');
    await jana.api.patch(`/series/${id}`, { title: 'Druhá' });
    const refused = await visitor.send('POST', form.action, filledIn(form, { title: 'Třetí' }));
    expect(refused.status).toBe(412);
    for (const text of ['První', 'Druhá', 'Třetí']) expect(refused.html).toContain(text);
    expect((await jana.api.get(`/series/${id}`)).body.data.title).toBe('Druhá');
  });

  // PAGE-94
  it('change the pictures of an event', async () => {
    const event = await buildEvent(server, jana);
    const edit = `/events/${event.id}/edit`;
    const form = formTo((await visitor.get(edit)).html, '/images');
    const body = filledIn(form, {}) as FormData;
    for (const name of ['a.jpg', 'b.jpg']) body.append('images[]', new Blob([await picture()]), name);
    // A form that is sent twice adds the pictures once (PAGE-98).
    for (const _sending of ['first', 'second'])
      expect((await visitor.send('POST', form.action, body)).to).toBe(`${edit}#pictures`);
    expect((await readEvent(event.id)).images).toHaveLength(2);
    const [first, second] = (await readEvent(event.id)).images;
    expect((await press(visitor, edit, `/${second.id}/primary`)).status).toBe(303);
    const folded = /<details class="ask">(?:(?!<\/details>)[^])*images\/\w+\/delete"/;
    expect((await visitor.get(edit)).html).toMatch(folded);
    expect((await press(visitor, edit, `/${first.id}/delete`)).status).toBe(303);
    expect((await readEvent(event.id)).images).toEqual([expect.objectContaining({ id: second.id, is_primary: true })]);
  });

  // PAGE-92
  it('contain the values of a copied event, except its times and pictures', async () => {
    const { person, browser } = await member('kopie');
    const { id: group } = await buildGroup(server, person);
    const event = await buildEvent(server, person, {
      ...COMMON_FIELDS,
      title: 'Předloha',
      description: '<p>Popis</p>',
      group,
      starts_at: inDays(7),
      ends_at: inDays(8),
    });
    const image = new Blob([await picture()]);
    expect((await person.api.upload(`/events/${event.id}/images`, [['images[]', image, 'a.jpg']])).status).toBe(201);
    const { html } = await browser.get(`/events/new?from=${event.id}`);
    expect(html).toContain('Údaje jsou z akce „Předloha“. Doplňte, kdy se koná.');
    const form = formTo(html, '/events/new');
    expect(Object.fromEntries(form.fields)).toMatchObject({ title: 'Předloha', starts_at: '', ends_at: '' });
    const sent = await browser.send('POST', form.action, filledIn(form, { starts_at: '2030-06-01T15:00' }));
    expect(sent.status).toBe(303);
    const readOwn = async (id: string) => (await person.api.get(`/events/${id}`)).body.data as Record<string, unknown>;
    const original = await readOwn(event.id);
    const copy = await readOwn(sent.to!.split('/').at(-1)!);
    const { id, url, created_at, updated_at } = copy;
    const times = { starts_at: '2030-06-01T13:00:00Z', ends_at: null };
    expect(copy).toEqual({ ...original, id, url, created_at, updated_at, ...times, images: [] });
  });

  // PAGE-92, GRP-19
  it('do not offer the group of a copied event to a person who has left the group', async () => {
    const { person, browser } = await member('byvalaclenka');
    const group = await buildGroup(server, jana, { is_public: true, with: [[person, 'member']] });
    const event = await buildEvent(server, person, { group: group.id });
    await person.api.delete(`/groups/${group.id}/join`);
    const copy = await press(browser, `/events/new?from=${event.id}`, '/events/new', { starts_at: '2030-06-01T15:00' });
    expect([copy.status, copy.html.includes(group.id)]).toEqual([303, false]);
  });

  // PAGE-93
  it('offer only the buttons that the state of the event permits', async () => {
    const [{ person: asking }, { person: inside }] = [await member('zadatelka'), await member('hoste')];
    const offered = async (change: string) => {
      const event = await buildEvent(server, jana, {
        join_mode: 'request',
        with: [
          [asking, 'requested'],
          [inside, 'confirmed'],
        ],
      });
      await server.sql(`UPDATE all_events SET ${change} WHERE id = $1`, [event.eventId]);
      const { html } = await visitor.get(`/events/${event.id}/people?q=nikdo`);
      expect(html.includes('proto na ni nejde zvát')).toBe(!html.includes('Pozvat lidi'));
      const buttons = [...html.matchAll(/action="\/events\/\w+\/people\/(?:[^/"]+\/)?([\w-]+)"/g)];
      expect(html.includes('Pozvat lidi')).toBe(buttons.some(([, button]) => button === 'invite'));
      return [...new Set(buttons.map(([, button]) => button))].sort();
    };
    expect(await offered(`title = 'Budoucí'`)).toEqual(['approve', 'ban', 'check-in', 'decline', 'invite', 'remove']);
    expect(await offered(`status = 'cancelled'`)).toEqual(['ban', 'decline', 'remove']);
    const over = `starts_at = now() - interval '2 days', ends_at = now() - interval '1 day'`;
    expect(await offered(over)).toEqual(['ban', 'check-in', 'decline', 'remove']);
    expect(await offered('ticket_price_credits = 5')).toEqual(['ban', 'check-in', 'decline', 'invite', 'remove']);
  });

  // PAGE-93, JOIN-35
  it('do not offer to undo a check-in by which the organizer got the credits of the participant', async () => {
    const [{ person: paying }, { person: free }] = [await member('platici'), await member('zdarma')];
    const event = await buildEvent(server, jana, {
      with: [
        [paying, 'confirmed'],
        [free, 'confirmed'],
      ],
    });
    await server.sql(
      `WITH hold AS (INSERT INTO credit_holds (event_id, user_id, amount, status, created_at, settled_at)
         VALUES ($1, $2, 5, 'released', now(), now()) RETURNING id)
       UPDATE participations SET credit_hold_id = CASE WHEN user_id = $2 THEN (SELECT id FROM hold) END,
              checked_in_at = now() WHERE event_id = $1`,
      [event.eventId, paying.userId],
    );
    expect((await jana.api.delete(`/events/${event.id}/participants/${paying.slug}/check-in`)).status).toBe(409);
    const { html } = await visitor.get(`/events/${event.id}/people`);
    expect([...html.matchAll(/\/people\/([^/"]+)\/undo"/g)].map(([, slug]) => slug)).toEqual([free.slug]);
  });

  // PAGE-93, JOIN-27
  it('have no button to invite people who already have a relation to the event, and show this relation', async () => {
    const [{ person }, { person: other }] = [await member('uzpozvany'), await member('uzpozvany-zatim-ne')];
    const event = await buildEvent(server, jana, { with: [[person, 'pending']] });
    const { html } = await visitor.get(`/events/${event.id}/people?q=uzpozvany`);
    expect(html).not.toContain(`name="user" value="${person.slug}"`);
    const search = html.split('id="invite"')[1]!;
    expect(search).toMatch(new RegExp(`/people/${other.slug}"[^]*/people/${person.slug}"[^]*už má pozvání`));
    expect([...search.matchAll(/([^/"]+)\/ban"/g)].map(([, slug]) => slug)).toEqual([other.slug, person.slug]);
  });

  // PAGE-115, MSG-3
  it('include the form for a message until exactly 7 days after the end of the event', async () => {
    const event = await buildEvent(server, jana, { join_mode: 'open' });
    const end = new Date(Math.floor(server.clock.now().getTime() / 1000) * 1000 - 6 * 86_400_000);
    await server.sql(`UPDATE all_events SET starts_at = $2, ends_at = $3 WHERE id = $1`, [
      event.eventId,
      new Date(end.getTime() - 3_600_000),
      end,
    ]);
    const path = `/events/${event.id}/people/message`;
    const offered = async (secondsAfterEnd: number) => {
      server.clock.freezeAt(new Date(end.getTime() + secondsAfterEnd * 1000));
      return (await visitor.get(path)).html.includes(`action="${path}"`);
    };
    const week = 7 * 86_400;
    expect([await offered(week), await offered(week + 1)]).toEqual([true, false]);
  });

  // PAGE-115
  it('are absent when the API would refuse every message, door link or ticket code', async () => {
    const event = await buildEvent(server, jana, { join_mode: 'open' });
    const offered = async (hoursAfterEnd: number) => {
      await server.sql(
        `UPDATE all_events SET starts_at = now() - interval '20 days', ends_at = now() - $2 * interval '1 hour'
          WHERE id = $1`,
        [event.eventId, hoursAfterEnd],
      );
      const paths = ['people/message', 'people/door-links'];
      const pages = await Promise.all(paths.map((path) => visitor.get(`/events/${event.id}/${path}`)));
      return pages.map(({ html }, i) => html.includes(`action="/events/${event.id}/${paths[i]}"`));
    };
    expect(await offered(11)).toEqual([true, true]);
    expect(await offered(13)).toEqual([true, false]);
    expect(await offered(7 * 24 - 1)).toEqual([true, false]);
    expect(await offered(7 * 24 + 1)).toEqual([false, false]);
    const message = await visitor.get(`/events/${event.id}/people/message`);
    expect(message.html).toContain('nejpozději 7 dní po konci akce');
    expect((await visitor.get(`/events/${event.id}/tickets`)).html).not.toContain(
      `action="/events/${event.id}/tickets"`,
    );
  });

  // PAGE-90
  it('send a message to the people of an event', async () => {
    const { person: eva, browser } = await member('eva');
    const event = await buildEvent(server, jana, { with: [[eva, 'confirmed']] });
    const path = `/events/${event.id}/people/message`;
    const sent = await submitForm(path, { text: 'Sejdeme se u vchodu', to: 'confirmed' });
    expect([sent.status, sent.to]).toEqual([303, path]);
    // MSG-4, MOD-70: the recipient reports the message with a link next to the notice. The link is absent while the
    // message is hidden.
    const link = async (): Promise<string | undefined> =>
      /class="small soft report"[^>]*href="([^"]+)"/.exec((await browser.get('/account/notices')).html)?.[1];
    const report = (await link())?.replace('&amp;', '&') ?? '';
    expect(report).toMatch(/^\/report\?type=message&id=\w+$/);
    expect((await browser.get(report)).html).toContain('Zpráva pořadatele');
    const hide = (at: Date | null) =>
      server.sql("UPDATE all_event_messages SET removed_at = $1 WHERE text = 'Sejdeme se u vchodu'", [at]);
    await hide(new Date());
    expect([await link(), (await browser.get(report)).status]).toEqual([undefined, 404]);
    await hide(null);
    expect((await visitor.get(path)).html).toContain('Sejdeme se u vchodu');
    const nobody = await submitForm(path, { text: 'Nikdo', to: 'waitlisted' });
    expect([nobody.status, nobody.html.includes('Nikdo')]).toEqual([409, true]);
    expect(nobody.html).toContain('protože by ji nikdo nedostal');
    for (const text of ['Druhá', 'Třetí']) await submitForm(path, { text, to: 'confirmed' });
    const { status, headers, html } = await submitForm(path, { text: 'Čtvrtá', to: 'confirmed' });
    expect([status, Number(headers.get('retry-after')) > 0, html.includes('Čtvrtá')]).toEqual([429, true, true]);
    expect((await visitor.get(`/events/${event.id}/people.csv`)).html).toContain(eva.slug);
  });

  // PAGE-99
  it('are refused if the account that sends a form is not the account that opened the form', async () => {
    const event = await buildEvent(server, jana, { title: 'Cizí formulář' });
    const form = formTo((await visitor.get(`/events/${event.id}/edit`)).html, '/edit');
    const { browser } = await member('druhy');
    const answer = await browser.send('POST', form.action, filledIn(form, { title: 'Změněno' }));
    expect([answer.status, (await readEvent(event.id)).title]).toEqual([401, 'Cizí formulář']);
  });
});
