import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

/** docs/rules/posts.md: the list of all published posts. */
describe('the list of all posts', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    await server.sql('DELETE FROM user_blocks');
    await server.sql('DELETE FROM posts');
  });

  async function write(author: Person, title: string, more: Record<string, unknown> = {}): Promise<void> {
    server.clock.forward(1000);
    const fields = { title, categories: ['mista'], body: 'Text', status: 'published', ...more };
    expect((await author.api.post('/posts', fields)).status).toBe(201);
  }
  async function titles(query = '', who = petr): Promise<string[]> {
    const { status, body } = await who.api.get(`/discover/posts?${query}`);
    expect(status).toBe(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ title }: { title: string }) => title);
  }

  // POST-10
  it('contains published posts, newest first, without posts of people who block the caller or are blocked by the caller', async () => {
    await write(jana, 'Janin');
    await write(petr, 'Petrův');
    await write(jana, 'Návrh', { status: 'draft' });
    await write(petr, 'Petrův návrh', { status: 'draft' });
    await write(eva, 'Evin');
    expect(await titles()).toEqual(['Evin', 'Petrův', 'Janin']);
    await eva.api.put(`/blocks/${petr.slug}`);
    expect([await titles(), await titles('', jana)]).toEqual([
      ['Petrův', 'Janin'],
      ['Evin', 'Petrův', 'Janin'],
    ]);
    await petr.api.put(`/blocks/${jana.slug}`);
    expect(await titles()).toEqual(['Petrův']);
  });

  // POST-11
  it('can be filtered by words, category, author and event', async () => {
    const event = await buildEvent(server, jana, {});
    const secret = await buildEvent(server, jana, { is_public: false });
    await write(jana, 'Příběh první', { categories: ['mista', 'kolo'], event_id: event.id });
    await write(petr, 'Příběh druhý', { categories: ['asie'], location: 'Žitná' });
    await write(jana, 'Tajný', { event_id: secret.id });
    expect(await titles('q=PRIBEH')).toEqual(['Příběh druhý', 'Příběh první']);
    expect(await titles('q=pribeh%20zit')).toEqual(['Příběh druhý']);
    for (const q of ['!!', '①②③④']) expect(await titles(`q=${q}&category=kolo`)).toEqual(['Příběh první']);
    expect(await titles('category=kolo')).toEqual(['Příběh první']);
    expect(await titles(`author=${jana.slug}&q=pribeh`)).toEqual(['Příběh první']);
    expect(await titles(`event=${event.id}`)).toEqual(['Příběh první']);
    expect(await titles(`event=${event.eventId}`)).toEqual(['Příběh první']);
    for (const query of ['author=nikdo', 'event=nikdonikdo', `event=${secret.id}`])
      expect(await titles(query)).toEqual([]);
    expect(await titles(`event=${secret.id}`, jana)).toEqual(['Tajný']);
    for (const query of ['category=marsik', `q=${'x'.repeat(101)}`])
      expect((await petr.api.get(`/discover/posts?${query}`)).status).toBe(422);
  });

  // POST-10
  it('is sorted by the last publication of each post, not by its creation or its last change', async () => {
    await write(jana, 'Dlouho psaný', { status: 'draft', excerpt: 'Společné' });
    await write(petr, 'Hned zveřejněný', { excerpt: 'Společné' });
    const [draft, other] = [(await jana.api.get('/posts')).body.data[0], (await petr.api.get('/posts')).body.data[0]];
    server.clock.forward(1000);
    await jana.api.patch(`/posts/${draft.slug}`, { status: 'published' });
    server.clock.forward(1000);
    await petr.api.patch(`/posts/${other.slug}`, { location: 'Brno' });
    for (const query of ['', 'category=mista', 'q=spolecne'])
      expect(await titles(query)).toEqual(['Dlouho psaný', 'Hned zveřejněný']);
  });

  // POST-11
  it('can be searched for words of the title, of the excerpt and of the place, but not of the body', async () => {
    await write(jana, 'Nadpis', { excerpt: 'Stručný výtah', location: 'Olomouc', body: 'Obsah' });
    for (const word of ['nadpis', 'vytah', 'olomouc', 'nadpis%20strucny%20olo'])
      expect(await titles(`q=${word}`)).toEqual(['Nadpis']);
    for (const word of ['obsah', 'nadpis%20obsah', 'adpis']) expect(await titles(`q=${word}`)).toEqual([]);
  });

  // POST-10
  it('shows the event of a post only to people who see the event', async () => {
    const secret = await buildEvent(server, jana, { is_public: false, with: [[eva, 'pending']] });
    await write(jana, 'Tajný', { event_id: secret.id });
    const eventFor = async (who: Person): Promise<unknown> => (await who.api.get('/discover/posts')).body.data[0].event;
    expect([await eventFor(petr), await eventFor(eva), await eventFor(jana)]).toEqual([null, secret.id, secret.id]);
  });
});
