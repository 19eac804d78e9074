import { buildEvent } from '#testing/builders';
import { formTo, filledIn, type TypedValues } from '#testing/forms';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor, type Page } from '#testing/visitor';

const CREDENTIALS = { email: 'jana@example.org', password: 'correct horse' };
const BRNO = { latitude: 49.1952, longitude: 16.608 };

describe('places by name', () => {
  let server: TestServer;
  let jana: Person;
  let browser: Visitor;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana', CREDENTIALS);
    await buildEvent(server, jana, { title: 'V Brně', ...BRNO });
    await buildEvent(server, jana, { title: 'V Plzni', latitude: 49.7475, longitude: 13.3776 });
    browser = new Visitor(server);
    await browser.submit('/sign-in', CREDENTIALS);
  });
  afterAll(() => server.stop());

  const submitForm = async (path: string, typed: TypedValues): Promise<Page> => {
    const form = formTo((await browser.get(path)).html, path);
    return browser.send('POST', form.action, filledIn(form, typed));
  };
  const radiosOf = ({ html }: Page) =>
    [...html.matchAll(/type="radio" name="place" value="([^"]+)"/g)].map(([, v]) => v!);

  // PLACE-1
  it('are suggested even to people who are not signed in', async () => {
    const response = await fetch(`${server.origin}/places?q=brno`);
    const { data } = (await response.json()) as { data: object[] };
    expect([response.status, response.headers.get('cache-control'), data[0]]).toEqual([
      200,
      'public, max-age=86400',
      { name: 'Brno', region: 'Jihomoravský kraj', country: 'CZ', ...BRNO },
    ]);
    expect(data.length).toBe(10);
    for (const query of ['', '?q=b', `?q=${'b'.repeat(61)}`, '?q=a&q=b'])
      expect(await (await fetch(`${server.origin}/places${query}`)).json()).toEqual({ data: [] });
  });

  // PLACE-3, PLACE-2
  it('set the coordinates of a new event', async () => {
    const typed = { title: 'Piknik', starts_at: '2030-06-01T15:00' };
    const several = await submitForm('/events/new', { ...typed, place: 'Nová Ves' });
    expect([several.status, radiosOf(several).length > 1]).toEqual([422, true]);
    const [first] = radiosOf(await submitForm('/events/new', { ...typed, place: 'Lhota' }));
    expect(first).toMatch(/^Lhota, /);
    const none = await submitForm('/events/new', { ...typed, place: 'Nikde nad Ničím' });
    expect([none.status, none.html.includes('id="field-place-error"')]).toEqual([422, true]);
    const form = formTo(several.html, '/events/new');
    const [selectedPlace] = radiosOf(several);
    // The field keeps the typed text, which is sent together with the chosen radio button.
    expect(form.fields.filter(([name]) => name === 'place')).toEqual([
      ['place', ''],
      ['place', 'Nová Ves'],
    ]);
    const chosen = { place: [selectedPlace!, 'Nová Ves'] };
    const created = await browser.send('POST', form.action, filledIn(form, chosen));
    expect(created.status).toBe(303);
    const withoutChoice = await browser.send('POST', form.action, filledIn(form, { _key: 'again' }));
    expect([withoutChoice.status, radiosOf(withoutChoice)]).toEqual([422, radiosOf(several)]);
    const { data } = (await jana.api.get(`/events/${created.to!.split('/').at(-1)}`)).body;
    expect([typeof data.latitude, typeof data.longitude]).toEqual(['number', 'number']);
  });

  // PLACE-3
  it('change the coordinates of an event, unless other coordinates are typed', async () => {
    const event = await buildEvent(server, jana, { title: 'Stěhuje se', latitude: 50, longitude: 14 });
    const coordinates = async () => {
      const { latitude, longitude } = (await jana.api.get(`/events/${event.id}`)).body.data;
      return { latitude, longitude };
    };
    const placeName = async () => (await jana.api.get(`/events/${event.id}`)).body.data.location_name as unknown;
    expect(
      (await submitForm(`/events/${event.id}/edit`, { place: 'Plzeň', latitude: '51', longitude: '15' })).status,
    ).toBe(303);
    expect(await coordinates()).toEqual({ latitude: 51, longitude: 15 });
    expect((await submitForm(`/events/${event.id}/edit`, { place: 'brno' })).status).toBe(303);
    expect(await coordinates()).toEqual(BRNO);
    expect(await placeName()).toBe('Brno');
    expect((await submitForm(`/events/${event.id}/edit`, { place: 'Plzeň' })).status).toBe(303);
    expect(await placeName()).toBe('Plzeň');
    // Several places are named "Nová Ves".
    expect((await submitForm(`/events/${event.id}/edit`, { place: 'Nová Ves, Středočeský kraj' })).status).toBe(303);
    expect(await placeName()).toBe('Nová Ves');
    expect((await submitForm(`/events/${event.id}/edit`, { place: 'brno' })).status).toBe(303);
    expect(await placeName()).toBe('Brno');
    const named = { location_name: 'Špilberk', place: 'brno' };
    expect((await submitForm(`/events/${event.id}/edit`, named)).status).toBe(303);
    expect(await placeName()).toBe('Špilberk');
    expect((await submitForm(`/events/${event.id}/edit`, { place: 'brno' })).status).toBe(303);
    expect((await submitForm(`/events/${event.id}/edit`, {})).status).toBe(303);
    expect(await coordinates()).toEqual(BRNO);
  });

  // PLACE-3
  it('set the coordinates of groups and Puls posts', async () => {
    const group = await submitForm('/groups/new', { name: 'Parta', place: 'Brno' });
    expect(group.status).toBe(303);
    expect((await jana.api.get(group.to!)).body.data).toMatchObject({ ...BRNO, location_name: 'Brno' });
    const refused = await submitForm('/puls/new', { body: 'Ahoj', place: 'Nikde nad Ničím' });
    expect([refused.status, refused.html.includes('id="field-latitude-error"')]).toEqual([422, false]);
    // PAGE-89
    const empty = await submitForm('/puls/new', {});
    expect(empty.status).toBe(422);
    expect([...empty.html.matchAll(/<a href="#(field-\w+)">/g)].map(([, id]) => id)).toEqual([
      'field-body',
      'field-place',
    ]);
    expect(empty.html).toContain('id="field-body-error">Je potřeba alespoň jedno z: „Text“, „Fotka“, „Video“.');
    expect(empty.html).toContain('id="field-place-error">Toto pole je povinné.');
    const blank = await submitForm('/puls/new', { place: 'Brno' });
    expect([blank.status, blank.html.match(/<a href="#field-\w+">/g)]).toEqual([422, ['<a href="#field-body">']]);
    expect((await submitForm('/puls/new', { body: 'Ahoj', place: 'Brno' })).status).toBe(303);
    expect((await browser.get('/puls?place=brno')).html).toContain('Ahoj');
  });

  // PLACE-4
  it('set the centre of a list that is filtered by distance', async () => {
    const visitor = new Visitor(server);
    const brno = await visitor.get('/?place=brno');
    expect([brno.status, brno.html.includes('V Brně'), brno.html.includes('V Plzni')]).toEqual([200, true, false]);
    const plzen = await visitor.get('/?place=brno&lat=49.7475&lng=13.3776');
    expect([plzen.html.includes('V Brně'), plzen.html.includes('V Plzni')]).toEqual([false, true]);
    const several = await visitor.get('/?place=Nov%C3%A1+Ves');
    expect([several.status, radiosOf(several).length > 1]).toEqual([200, true]);
    expect(several.html).toMatch(/id="place"[^>]* value="Nová Ves"/);
    const chosen = new URLSearchParams(
      [radiosOf(several)[0]!, 'Nová Ves'].map((place) => ['place', place] as [string, string]),
    );
    expect(radiosOf(await visitor.get(`/?${chosen.toString()}`))).toEqual([]);
    const none = await visitor.get('/?place=nikde');
    expect([none.status, none.html.includes('id="place-error"')]).toEqual([200, true]);
    for (const path of ['/groups', '/puls'])
      for (const place of ['Nov%C3%A1+Ves', 'nikde'])
        expect((await browser.get(`${path}?place=${place}`)).status).toBe(422);
    await jana.api.post('/groups', { name: 'Brňáci', is_public: true, ...BRNO });
    expect((await visitor.get('/groups?place=brno')).html).toContain('Brňáci');
    expect((await visitor.get('/groups?place=plzen')).html).not.toContain('Brňáci');
  });

  // PLACE-5
  it('are stored at registration, are the default of Explore, and can be removed in the profile', async () => {
    const newcomer = new Visitor(server);
    const about = { name: 'Nová', email: 'nova@example.org', password: 'correct horse' };
    const several = await newcomer.submit('/register', { ...about, place: 'Nová Ves' });
    expect([several.status, radiosOf(several).length > 1]).toEqual([422, true]);
    expect(several.html).toMatch(/<a href="#place">Where you live<\/a>:\s*[^]*<p class="error" +id="place-error">/);
    // PAGE-42: the text does not mention coordinates, because these forms do not have them.
    const unknown = /id="place-error">\s*We do not know a place of this name\.[^<]*larger place/;
    expect((await newcomer.submit('/register', { ...about, place: 'nikde' })).html).toMatch(unknown);
    expect((await newcomer.submit('/register', { ...about, place: 'brno' })).status).toBe(303);
    const place = async () =>
      (await server.sql<{ place: object | null }>("SELECT place FROM users WHERE email = 'nova@example.org'"))[0]
        ?.place;
    expect(await place()).toEqual({ name: 'Brno', ...BRNO });
    const explore = async (path: string) => {
      const { html } = await newcomer.get(path);
      return [html.includes('V Brně'), html.includes('V Plzni')];
    };
    expect(await explore('/')).toEqual([true, false]);
    expect(await explore('/?place=')).toEqual([true, true]);
    expect(await explore('/?place=plzen')).toEqual([false, true]);
    expect(await explore('/?bbox=-180,-90,180,90')).toEqual([true, true]);
    const profile = formTo((await newcomer.get('/account')).html, '/account');
    expect(Object.fromEntries(profile.fields)['place']).toBe('Brno');
    const refused = await newcomer.send('POST', '/account', filledIn(profile, { place: 'nikde' }));
    expect([refused.status, refused.html]).toEqual([422, expect.stringMatching(unknown)]);
    expect((await newcomer.send('POST', '/account', filledIn(profile, {}))).status).toBe(303);
    expect(await place()).toEqual({ name: 'Brno', ...BRNO });
    const [novaVes] = radiosOf(several);
    const chosen = filledIn(profile, { place: [novaVes!, 'Nová Ves'] });
    expect((await newcomer.send('POST', '/account', chosen)).status).toBe(303);
    expect(await place()).toMatchObject({ name: 'Nová Ves' });
    // PAGE-97: the form was opened before the place was changed.
    expect((await newcomer.send('POST', '/account', filledIn(profile, { place: '' }))).status).toBe(412);
    const current = formTo((await newcomer.get('/account')).html, '/account');
    expect((await newcomer.send('POST', '/account', filledIn(current, { place: '' }))).status).toBe(303);
    expect(await place()).toBeNull();
  });
});
