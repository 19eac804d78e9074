import sharp from 'sharp';
import { DERIVED } from '#platform/storage/media-key';
import { Storage } from '#platform/storage/storage';
import { buildEvent } from '#testing/builders';
import { sweep } from '#testing/files-and-rows';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { Visitor } from '#testing/visitor';

describe('generated pictures of events without a picture', () => {
  let server: TestServer;
  let jana: Person;
  let publicEventId: string;
  let privateEventId: string;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana } = await server.people('jana'));
    ({ id: publicEventId } = await buildEvent(server, jana, { title: 'Příliš žluťoučký <kůň>' }));
    ({ id: privateEventId } = await buildEvent(server, jana, { is_public: false }));
  });
  afterAll(() => server.stop());

  const get = (path: string, headers: Record<string, string> = {}) => fetch(server.origin + path, { headers });

  // PAGE-70
  it('include an SVG drawing, which is 404 for readers who cannot see the event', async () => {
    const answer = await get(`/events/${publicEventId}/drawing.svg`);
    expect(answer.headers.get('content-type')).toContain('image/svg+xml');
    const drawing = await answer.text();
    expect(drawing.length).toBeLessThan(3 * 1024);
    expect(await (await get(`/events/${publicEventId}/drawing.svg`)).text()).toBe(drawing);
    expect((await get(`/events/${privateEventId}/drawing.svg`)).status).toBe(404);
    const { html } = await new Visitor(server).get(`/events/${publicEventId}`);
    expect(html).toContain(`/events/${publicEventId}/drawing.svg`);
    expect(html).toMatch(new RegExp(`og:image" content="[^"]*/events/${publicEventId}/card.png"`));
  });

  // PAGE-70
  it.each([
    ['groups', { name: 'Chodci', is_public: true }, { name: 'Skrytí', is_public: false }],
    [
      'posts',
      { title: 'Jak bylo', body: '<p>Krásně.</p>', status: 'published' },
      { title: 'Koncept', body: '<p>x</p>' },
    ],
  ])('include drawings of %s, which are 404 for readers who cannot see them', async (collection, shown, hidden) => {
    const pathOf = async (fields: object) => {
      const { id, slug } = (await jana.api.post(`/${collection}`, { categories: ['kultura_umeni'], ...fields })).body
        .data as { id: string; slug?: string };
      return `/${collection}/${slug ?? id}`;
    };
    const [page, hiddenPage] = [await pathOf(shown), await pathOf(hidden)];
    expect((await new Visitor(server).get(page)).html).toMatch(new RegExp(`<img [^>]*src="${page}/drawing.svg"`));
    const list = await new Visitor(server).get(`/${collection}`);
    expect(list.html).toMatch(new RegExp(`<img class="look" src="${page}/drawing.svg"`));
    const answer = await get(`${page}/drawing.svg`);
    expect(answer.headers.get('content-type')).toContain('image/svg+xml');
    expect((await answer.text()).length).toBeLessThan(3 * 1024);
    expect((await get(`${hiddenPage}/drawing.svg`)).status).toBe(404);
  });

  // PAGE-71
  it('include a stored PNG card of 1200 x 630 pixels, which differs by language and changes with the title of the event', async () => {
    const first = await get(`/events/${publicEventId}/card.png`);
    expect(first.headers.get('content-type')).toBe('image/png');
    expect(first.headers.get('cache-control')).toBe('public, max-age=86400');
    const png = Buffer.from(await first.arrayBuffer());
    // Without a palette, the colours of a drawing are not dithered.
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630, isPalette: false });
    const etag = first.headers.get('etag')!;
    expect((await get(`/events/${publicEventId}/card.png`, { 'if-none-match': etag })).status).toBe(304);
    expect(Buffer.from(await (await get(`/events/${publicEventId}/card.png`)).arrayBuffer()).equals(png)).toBe(true);
    expect((await get(`/events/${publicEventId}/card.png?locale=en`)).headers.get('etag')).not.toBe(etag);
    await jana.api.patch(`/events/${publicEventId}`, { title: 'Jiný název' });
    expect((await get(`/events/${publicEventId}/card.png`)).headers.get('etag')).not.toBe(etag);
    expect((await get(`/events/${privateEventId}/card.png`)).status).toBe(404);
  });

  // PAGE-71
  it('include a card that is drawn only once if several readers request it at the same time', async () => {
    const { id } = await buildEvent(server, jana);
    const write = jest.spyOn(server.app.get(Storage), 'write');
    const answers = await Promise.all([1, 2, 3].map(() => get(`/events/${id}/card.png`)));
    expect([answers.map(({ status }) => status), write.mock.calls.length]).toEqual([[200, 200, 200], 1]);
    write.mockRestore();
  });

  // PAGE-71
  it.each<[string, Record<string, unknown>]>([
    ['status', { status: 'cancelled' }],
    ['start', { starts_at: inDays(3).toISOString() }],
    ['end', { ends_at: inDays(9).toISOString() }],
    ['type', { type: 'sport' }],
  ])('include a card that changes with the %s of the event', async (_field, change) => {
    const { id } = await buildEvent(server, jana);
    const former = await get(`/events/${id}/card.png`);
    const headers = { 'if-none-match': former.headers.get('etag')! };
    expect((await jana.api.patch(`/events/${id}`, change)).status).toBe(200);
    const changed = await get(`/events/${id}/card.png`, headers);
    expect([changed.status, changed.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(changed.headers.get('etag')).not.toBe(headers['if-none-match']);
  });

  // PAGE-71
  it.each([
    ['many words', 'Weekend '.repeat(12).trim()],
    ['one long word', 'W'.repeat(100)],
  ])('include a card on which a title of %s has at most three lines', async (_, title) => {
    const { id } = await buildEvent(server, jana, { title });
    const card = Buffer.from(await (await get(`/events/${id}/card.png`)).arrayBuffer());
    // This area is below the name of the service and above a title of three lines. A fourth line would be white text in
    // this area.
    const { data, info } = await sharp(card)
      .extract({ left: 0, top: 120, width: 1200, height: 130 })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const white = data.filter((value, i) => i % info.channels === 0 && value > 240);
    expect(white).toHaveLength(0);
  });

  // PAGE-71
  it('include cards that are deleted from the storage a day after they were created', async () => {
    const stored = async () => {
      const names: string[] = [];
      for await (const { name } of server.app.get(Storage).list()) if (name.startsWith(DERIVED)) names.push(name);
      return names;
    };
    await get(`/events/${publicEventId}/card.png`);
    expect((await stored()).length).toBeGreaterThan(0);
    await sweep(server, 23);
    expect((await stored()).length).toBeGreaterThan(0);
    await sweep(server, 25);
    expect(await stored()).toEqual([]);
  });
});
