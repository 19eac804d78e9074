import { thumbOf } from '#platform/storage/media-key';
import { Storage } from '#platform/storage/storage';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

type Image = { id: string; url: string; thumb_url: string; width: number; height: number; is_primary: boolean };

/** EVT-28, EVT-29, EVT-30: the three operations for images below /events/{id}/images. */
describe('event images', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;
  let event: BuiltEvent;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
  });
  afterAll(() => server.stop());
  beforeEach(async () => (event = await buildEvent(server, jana)));

  async function photo(width = 64): Promise<readonly [string, Blob]> {
    return ['images[]', new Blob([new Uint8Array(await picture('png', { width }))])];
  }
  const images = async (id = event.id): Promise<Image[]> => (await jana.api.get(`/events/${id}`)).body.data.images;
  async function storedFiles(): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of server.app.get(Storage).list()) names.push(name);
    return names;
  }
  const widths = (list: Image[], onlyPrimary = false): number[] =>
    list.filter((one) => !onlyPrimary || one.is_primary).map(({ width }) => width);

  // EVT-28, EVT-29, WIRE-27
  it('are stored and shown to everybody, and the first becomes the primary image', async () => {
    const answer = await jana.api.upload(`/events/${event.id}/images`, [await photo(30), await photo(31)]);
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual([
      {
        id: expect.stringMatching(/^[A-Za-z]{8,}$/),
        url: expect.stringMatching(/\/media\/[0-9a-f]{40}\.jpg$/),
        thumb_url: expect.stringMatching(/-thumb\.jpg$/),
        width: 30,
        height: 48,
        is_primary: true,
      },
      expect.objectContaining({ width: 31, is_primary: false }),
    ]);
    const later = await jana.api.upload(`/events/${event.id}/images`, [await photo(32)]);
    expect(widths(later.body.data)).toEqual([32]);
    const imagesForOrganizer = await images();
    expect([widths(imagesForOrganizer), widths(imagesForOrganizer, true)]).toEqual([[30, 31, 32], [30]]);
    expect((await petr.api.get(`/discover/events/${event.id}`)).body.data.images).toEqual(imagesForOrganizer);
    const listed = (await petr.api.get('/discover/events')).body.data.find(({ id }: { id: string }) => id === event.id);
    expect(listed.images).toEqual(imagesForOrganizer);
  });

  // EVT-28
  it('change updated_at of the event when they are uploaded', async () => {
    server.clock.forward(90_000);
    await jana.api.upload(`/events/${event.id}/images`, [await photo()]);
    const { updated_at, created_at } = (await jana.api.get(`/events/${event.id}`)).body.data;
    expect(Date.parse(updated_at) - Date.parse(created_at)).toBeGreaterThanOrEqual(90_000);
  });

  // EVT-29, EVT-30
  it('include exactly one primary image whenever the event has images', async () => {
    await jana.api.upload(`/events/${event.id}/images`, [await photo(30), await photo(31), await photo(32)]);
    const [a, b, c] = (await images()) as [Image, Image, Image];
    const primary = await jana.api.post(`/events/${event.id}/images/${c.id}/primary`);
    expect([primary.status, primary.body.data]).toEqual([200, { ...c, is_primary: true }]);
    expect((await jana.api.post(`/events/${event.id}/images/${c.id}/primary`)).body).toEqual(primary.body);
    expect(widths(await images(), true)).toEqual([32]);
    const removed = await jana.api.delete(`/events/${event.id}/images/${c.id}`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect(widths(await images(), true)).toEqual([30]);
    await jana.api.delete(`/events/${event.id}/images/${b.id}`);
    await jana.api.delete(`/events/${event.id}/images/${a.id}`);
    expect(await images()).toEqual([]);
    await jana.api.upload(`/events/${event.id}/images`, [await photo(33)]);
    expect(widths(await images(), true)).toEqual([33]);
  });

  // WIRE-48
  it('are deleted together with their files when a request deletes them or the event', async () => {
    await jana.api.upload(`/events/${event.id}/images`, [await photo(), await photo()]);
    const [a, b] = (await images()) as [Image, Image];
    const fileOf = ({ url }: Image): string => url.slice(url.lastIndexOf('/') + 1);
    expect(await storedFiles()).toEqual(
      expect.arrayContaining([fileOf(a), thumbOf(fileOf(a)), fileOf(b), thumbOf(fileOf(b))]),
    );
    await jana.api.delete(`/events/${event.id}/images/${a.id}`);
    expect(await storedFiles()).not.toEqual(expect.arrayContaining([fileOf(a)]));
    expect((await jana.api.delete(`/events/${event.id}/images/${a.id}`)).body.code).toBe('not_found');
    await jana.api.delete(`/events/${event.id}`);
    for (const file of [fileOf(a), thumbOf(fileOf(a)), fileOf(b), thumbOf(fileOf(b))])
      expect(await storedFiles()).not.toContain(file);
  });

  // EVT-28
  it('are all refused when one file of the request is invalid', async () => {
    const before = (await storedFiles()).length;
    const answer = await jana.api.upload(`/events/${event.id}/images`, [
      await photo(),
      ['images[]', new Blob(['no picture'])],
    ]);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['images.1']]);
    expect([await images(), (await storedFiles()).length]).toEqual([[], before]);
  });

  it.each<[string, () => Promise<readonly (readonly [string, string | Blob])[]>, string]>([
    ['a request without a file', async () => [['note', 'x']], 'images'],
    ['eleven files', () => Promise.all(Array.from({ length: 11 }, () => photo(8))), 'images'],
    ['a text instead of a file', async () => [['images[]', 'text']], 'images.0'],
    [
      'a file above 5 MB',
      async () => [await photo(), ['images[]', new Blob([new Uint8Array(5 * 1024 * 1024 + 1)])]],
      'images.1',
    ],
  ])('are not stored, and the response is 422, for %s', async (_, parts, field) => {
    const answer = await jana.api.upload(`/events/${event.id}/images`, await parts());
    expect([answer.status, answer.body.code, Object.keys(answer.body.errors)]).toEqual([
      422,
      'validation_failed',
      [field],
    ]);
    expect(await images()).toEqual([]);
  });

  // EVT-28
  it('can be uploaded in requests of up to ten files', async () => {
    const answer = await jana.api.upload(
      `/events/${event.id}/images`,
      await Promise.all(Array.from({ length: 10 }, () => photo(8))),
    );
    expect([answer.status, answer.body.data.length]).toEqual([201, 10]);
  });

  // WIRE-37, WIRE-4
  it('can be changed only by the organizer and only through the path of their event; other people get 403 (404 for a private event), even for an invalid request, and a path of another event gets 404', async () => {
    const [image] = (await jana.api.upload(`/events/${event.id}/images`, [await photo()])).body.data as [Image];
    const privateEvent = await buildEvent(server, jana, { is_public: false });
    const attempts = (id: string, imageId: string) => [
      petr.api.upload(`/events/${id}/images`, [['note', 'nothing that could be stored']]),
      petr.api.delete(`/events/${id}/images/${imageId}`),
      petr.api.post(`/events/${id}/images/${imageId}/primary`),
    ];
    for (const answer of await Promise.all(attempts(event.id, image.id)))
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    for (const answer of await Promise.all(attempts(event.id, 'nonsense'))) expect(answer.body.code).toBe('forbidden');
    for (const answer of await Promise.all(attempts(privateEvent.id, image.id)))
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    const other = await buildEvent(server, jana);
    for (const imageId of [image.id, '1', 'nonsense']) {
      expect((await jana.api.delete(`/events/${other.id}/images/${imageId}`)).body.code).toBe('not_found');
      expect((await jana.api.post(`/events/${other.id}/images/${imageId}/primary`)).body.code).toBe('not_found');
    }
    expect(await images()).toHaveLength(1);
  });

  // EVT-28
  it('are limited to a hundred per event, and only one of them is primary, even if several requests arrive in parallel', async () => {
    const small = await photo(8);
    const ten = () => jana.api.upload(`/events/${event.id}/images`, Array<typeof small>(10).fill(small));
    const first = await Promise.all([ten(), ten()]);
    expect(first.map(({ status }) => status)).toEqual([201, 201]);
    // Adds copies of an image, so that the event has 80 images after the next upload.
    await server.sql(
      `INSERT INTO event_images (event_id, key, width, height, is_primary, created_at)
       SELECT event_id, key, width, height, false, created_at FROM event_images, generate_series(1, 59)
        WHERE event_id = $1 AND is_primary`,
      [event.eventId],
    );
    await jana.api.upload(`/events/${event.id}/images`, [small]);
    const answers = await Promise.all([ten(), ten(), ten()]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.filter(({ body }) => body.code === 'conflict')).toHaveLength(1);
    const all = await images();
    expect([all.length, widths(all, true).length, new Set(all.map(({ id }) => id)).size]).toEqual([100, 1, 100]);
    const [row] = await server.sql<{ n: number }>(`SELECT count(*)::int AS n FROM media_files WHERE state = 'pending'`);
    expect(row?.n).toBe(0);
    await jana.api.delete(`/events/${event.id}/images/${all.at(-1)!.id}`);
    const two = await jana.api.upload(`/events/${event.id}/images`, [await photo(8), await photo(8)]);
    expect([two.body.code, (await images()).length]).toEqual(['conflict', 99]);
  });
});
