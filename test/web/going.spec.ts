import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

const CREDENTIALS = { email: 'petr@example.org', password: 'correct horse' };

/** Returns the people in the section "who is going", with the links to their pages, and the number of other people. */
const goingSection = (html: string) => {
  const section = /<section class="card going">[^]*?<\/section>/.exec(html)?.[0] ?? '';
  const people = [
    ...section.matchAll(
      /<li>(<a href="([^"]+)"[^>]*>)?<span class="blank"[^>]*>.<\/span><span class="unseen">([^<]+)/g,
    ),
  ];
  const more = /(?:a další: |Celkem )(\d+)/.exec(section)?.[1];
  return { shown: people.map(([, , page, name]) => [name, page ?? null]), more: more === undefined ? 0 : Number(more) };
};

// PAGE-102
describe('the section "who is going"', () => {
  let server: TestServer;
  let petr: Person;
  let visitor: Visitor;
  beforeAll(async () => {
    server = await TestServer.start();
    petr = await server.person('petr', CREDENTIALS);
    visitor = new Visitor(server);
    await visitor.submit('/sign-in', CREDENTIALS);
  });
  afterAll(() => server.stop());

  const allow = (...people: Person[]) =>
    server.sql('UPDATE users SET show_participation = true WHERE id = ANY($1)', [people.map(({ userId }) => userId)]);
  const goingOnPage = async (id: string, browser = visitor) => goingSection((await browser.get(`/events/${id}`)).html);
  const entry = ({ name, slug }: Person) => [name, `/people/${slug}`];

  it('shows signed-in readers the people who allow their participation to be shown, and the number of all other people', async () => {
    const { jana, eva, otto, iva } = await server.people('jana', 'eva', 'otto', 'iva');
    const { id } = await buildEvent(server, jana, {
      with: [
        [eva, 'confirmed'],
        [otto, 'confirmed'],
        [iva, 'pending'],
      ],
    });
    expect(await goingOnPage(id)).toEqual({ shown: [], more: 3 });
    await allow(eva, iva);
    expect(await goingOnPage(id)).toEqual({ shown: [entry(eva)], more: 2 });
    await allow(jana);
    expect(await goingOnPage(id)).toEqual({ shown: [entry(jana), entry(eva)], more: 1 });
    const { html } = await visitor.get(`/events/${id}`);
    expect(html).toContain(`</ul><p class="soft small"><span aria-hidden="true">${jana.name}, ${eva.name}</span>`);
    expect((await new Visitor(server).get(`/events/${id}`)).html).not.toContain('card going');
    expect(JSON.stringify((await petr.api.get(`/discover/events/${id}`)).body)).not.toMatch(/participation":true|eva-/);
    expect((await petr.api.get('/user')).body.data).not.toHaveProperty('show_participation');
  });

  it('shows the organizer first, and then the people in the order in which they joined', async () => {
    const { eva, otto, jana } = await server.people('eva', 'otto', 'jana');
    const { id, eventId } = await buildEvent(server, jana, {
      with: [
        [eva, 'confirmed'],
        [otto, 'confirmed'],
      ],
    });
    await server.sql(
      "UPDATE participations SET joined_at = joined_at - interval '1 hour' WHERE event_id = $1 AND user_id = $2",
      [eventId, otto.userId],
    );
    await allow(jana, eva, otto);
    expect(await goingOnPage(id)).toEqual({ shown: [entry(jana), entry(otto), entry(eva)], more: 0 });
  });

  it('shows at most eight people', async () => {
    const jana = await server.person('jana');
    const guests: Person[] = [];
    for (let i = 0; i < 9; i++) guests.push(await server.person(`guest${i}`));
    const { id } = await buildEvent(server, jana, { with: guests.map((guest) => [guest, 'confirmed'] as const) });
    await allow(...guests);
    const { shown, more } = await goingOnPage(id);
    expect([shown.length, more]).toEqual([8, 2]);
  });

  it('counts, but does not show, people with a banned account, people who block the reader and people whom the reader blocks; links only to public pages of people', async () => {
    const { jana, eva, otto, iva, ema } = await server.people('jana', 'eva', 'otto', 'iva', 'ema');
    const guests = [eva, otto, iva, ema];
    const { id } = await buildEvent(server, jana, { with: guests.map((guest) => [guest, 'confirmed'] as const) });
    await allow(...guests);
    await eva.api.put(`/blocks/${petr.slug}`);
    await petr.api.put(`/blocks/${otto.slug}`);
    await server.sql('UPDATE users SET banned = true WHERE id = $1', [iva.userId]);
    await server.sql('UPDATE users SET searchable = false WHERE id = $1', [ema.userId]);
    expect(await goingOnPage(id)).toEqual({ shown: [[ema.name, null]], more: 4 });
  });

  // PAGE-103
  it('may show a new person only if the person ticked the checkbox in the registration form', async () => {
    const fields = { name: 'Nová', password: 'correct horse' };
    const stored = (email: string) =>
      server.sql(`SELECT birth_date::text, gender, show_participation AS shown FROM users WHERE email = $1`, [email]);
    const box = /<input type="checkbox" name="show_participation" value="1"\s*>/;
    expect((await new Visitor(server).get('/register')).html).toMatch(box);
    const withoutConsent = await new Visitor(server).submit('/register', { ...fields, email: 'silent@example.org' });
    expect([withoutConsent.status, withoutConsent.to]).toEqual([303, '/account/events']);
    expect(await stored('silent@example.org')).toEqual([{ birth_date: null, gender: null, shown: false }]);
    const more = { birth_date: '1990-05-01', gender: 'female', show_participation: '1' };
    const withConsent = { ...fields, ...more, email: 'open@example.org', next: '/groups' };
    expect((await new Visitor(server).submit('/register', withConsent)).to).toBe('/groups');
    expect(await stored('open@example.org')).toEqual([{ birth_date: '1990-05-01', gender: 'female', shown: true }]);
    const futureBirthDate = { ...fields, ...more, email: 'late@example.org', birth_date: '2190-05-01' };
    const refused = await new Visitor(server).submit('/register', futureBirthDate);
    expect([refused.status, refused.html.includes('id="birth_date-error"')]).toEqual([422, true]);
    expect(refused.html).toContain('value="2190-05-01"');
    expect(refused.html).toMatch(/name="show_participation" value="1" checked/);
  });
});
