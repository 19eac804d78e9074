import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { GalleryUploadService } from '#areas/gallery/gallery-upload.service';
import type { Caller } from '#areas/identity/caller.reader';
import { MediaFiles } from '#platform/media/media-files';
import { UsersCommands } from '#areas/identity/users.commands';
import { Pictures } from '#platform/media/pictures';
import { Scratch } from '#platform/media/scratch';
import { buildEvent, type BuiltEvent, type EventOptions } from '#testing/builders';
import { disagreements, filesBehind, NOTHING_TO_DO, scratchFiles, storedFiles, sweep } from '#testing/files-and-rows';
import * as media from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { waitUntil } from '#testing/wait-until';

const pathOf = ({ id }: BuiltEvent) => `/events/${id}/photos`;

describe('the gallery of an event', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  let party: BuiltEvent;
  let photoFile: Blob;
  beforeAll(async () => {
    server = await TestServer.start();
    photoFile = new Blob([await media.phonePhoto()]);
  });
  beforeEach(async () => {
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
    party = await buildParty({
      with: [
        [petr, 'confirmed'],
        [eva, 'pending'],
      ],
    });
  });
  afterAll(() => server.stop());

  const buildParty = (options: EventOptions) => buildEvent(server, jana, { photos_enabled: true, ...options });
  const send = (person: Person, photos: readonly Blob[], event = party, name = 'photos[]') =>
    person.api.upload(
      pathOf(event),
      photos.map((photo) => [name, photo] as const),
    );
  const refusalOf = async (answer: Promise<{ status: number; body: { code: string } }>) => {
    const { status, body } = await answer;
    return `${status} ${body.code}`;
  };

  // GAL-1, GAL-3, WIRE-27
  it('accepts one to ten photos from the organizer and from confirmed participants', async () => {
    const first = await send(petr, [photoFile]);
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      data: [
        {
          id: expect.stringMatching(/^[A-Za-z]{8,}$/),
          url: expect.stringMatching(/\/media\/[0-9a-f]{40}\.jpg$/),
          thumb_url: expect.stringMatching(/-thumb\.jpg$/),
          width: 48,
          height: 64,
          author: { name: petr.name, nickname: null, slug: petr.slug, avatar_url: null },
          viewer: { can_delete: true },
          created_at: expect.any(String),
        },
      ],
    });
    expect((await send(jana, Array<Blob>(10).fill(photoFile))).body.data).toHaveLength(10);
    expect((await send(petr, [photoFile], party, 'photos')).status).toBe(201);
  });

  it('serves photos upright and without the metadata of the camera', async () => {
    const { url, thumb_url } = (await send(petr, [photoFile])).body.data[0];
    const [picture] = filesBehind(server, url, thumb_url);
    expect(picture.includes('SecretCam')).toBe(false);
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 48, height: 64 });
    const served = await server.nobody.send('GET', `~${new URL(url).pathname}`);
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  // GAL-2
  it('lists the newest photo first, and shows whether the caller can upload photos and which photos the caller can delete', async () => {
    const [a, b] = (await send(petr, [photoFile, photoFile])).body.data;
    const [c] = (await send(jana, [photoFile])).body.data;
    const seenBy = async (person: Person, query = '') => (await person.api.get(pathOf(party) + query)).body;
    const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
    const mayDelete = ({ data }: { data: { viewer: { can_delete: boolean } }[] }) =>
      data.map(({ viewer }) => viewer.can_delete);

    const [pageForPetr, pageForJana, pageForEva] = [await seenBy(petr), await seenBy(jana), await seenBy(eva)];
    expect(ids(pageForPetr)).toEqual([c.id, b.id, a.id]);
    expect(pageForPetr.data[1]).toEqual(b);
    expect([mayDelete(pageForPetr), mayDelete(pageForJana), mayDelete(pageForEva)]).toEqual([
      [false, true, true],
      [true, true, true],
      [false, false, false],
    ]);
    expect(pageForPetr.meta).toEqual({
      current_page: 1,
      from: 1,
      last_page: 1,
      path: expect.any(String),
      per_page: 20,
      to: 3,
      total: 3,
      can_upload: true,
      my_photos: 2,
      max_per_user: 10,
    });
    expect(pageForJana.meta).toMatchObject({ can_upload: true, my_photos: 1 });
    expect(pageForEva.meta).toMatchObject({ can_upload: false, my_photos: 0 });
    expect(ids(await seenBy(petr, '?per_page=2&page=2'))).toEqual([a.id]);
    expect((await petr.api.get(`${pathOf(party)}?per_page=101`)).status).toBe(422);
  });

  // GAL-4
  it('refuses photos from people who are not confirmed, and from everybody while the gallery is switched off', async () => {
    const stranger = await server.person('stranger');
    for (const person of [eva, stranger]) {
      expect(await refusalOf(send(person, [photoFile]))).toBe('403 upload_forbidden');
      // The right to upload is checked before the file is read.
      expect(await refusalOf(send(person, [new Blob(['no photo'])]))).toBe('403 upload_forbidden');
    }
    const partyWithoutGallery = await buildParty({ photos_enabled: false, with: [[petr, 'confirmed']] });
    for (const person of [jana, petr]) {
      expect(await refusalOf(send(person, [photoFile], partyWithoutGallery))).toBe('403 upload_forbidden');
      expect((await person.api.get(pathOf(partyWithoutGallery))).body.meta.can_upload).toBe(false);
    }
  });

  // GAL-4
  it('accepts photos for a cancelled event and for a past event', async () => {
    const past = await buildParty({ starts_at: inDays(-20), ends_at: inDays(-19), with: [[petr, 'confirmed']] });
    expect((await jana.api.patch(`/events/${party.id}`, { status: 'cancelled' })).status).toBe(200);
    for (const event of [past, party])
      for (const person of [jana, petr]) {
        expect((await send(person, [photoFile], event)).status).toBe(201);
        expect((await person.api.get(pathOf(event))).body.meta.can_upload).toBe(true);
      }
  });

  // GAL-2, GAL-6
  it('can still be seen while it is switched off, and its photos can be deleted', async () => {
    const [a, b] = (await send(petr, [photoFile, photoFile])).body.data;
    await jana.api.patch(`/events/${party.id}`, { photos_enabled: false });
    const { data, meta } = (await eva.api.get(pathOf(party))).body;
    expect([data.map(({ id }: { id: string }) => id), meta.total]).toEqual([[b.id, a.id], 2]);
    expect((await petr.api.delete(`${pathOf(party)}/${a.id}`)).status).toBe(204);
    expect((await jana.api.delete(`${pathOf(party)}/${b.id}`)).status).toBe(204);
  });

  // GAL-6
  it('lets authors who left an event delete their photos if they still see the event; moderators and admins cannot delete the photos', async () => {
    const [photo] = (await send(petr, [photoFile])).body.data;
    for (const rank of [{ moderator: true }, { admin: true }]) {
      const person = await server.person('rank', rank);
      expect((await person.api.get(pathOf(party))).body.data[0].viewer).toEqual({ can_delete: false });
      expect(await refusalOf(person.api.delete(`${pathOf(party)}/${photo.id}`))).toBe('403 photo_forbidden');
    }
    expect((await petr.api.delete(`/events/${party.id}/join`)).status).toBe(204);
    expect((await petr.api.get(pathOf(party))).body.data[0].viewer).toEqual({ can_delete: true });
    expect((await petr.api.delete(`${pathOf(party)}/${photo.id}`)).status).toBe(204);

    const secret = await buildParty({ is_public: false, with: [[petr, 'confirmed']] });
    const [other] = (await send(petr, [photoFile], secret)).body.data;
    await petr.api.delete(`/events/${secret.id}/join`);
    expect(await refusalOf(petr.api.delete(`${pathOf(secret)}/${other.id}`))).toBe('404 not_found');
  });

  // GAL-4, GAL-5
  it('has can_upload true even for a person with ten photos, and refuses an invalid file before it checks the limit', async () => {
    await send(petr, Array<Blob>(10).fill(photoFile));
    expect((await petr.api.get(pathOf(party))).body.meta).toMatchObject({ can_upload: true, my_photos: 10 });
    expect(await refusalOf(send(petr, [new Blob(['no photo'])]))).toBe('422 validation_failed');
    expect(await refusalOf(send(petr, [photoFile]))).toBe('409 photo_limit_reached');
  });

  // GAL-7, MOD-7
  it('is deleted with its event, including the files of photos that moderators removed', async () => {
    const walk = await buildParty({});
    await send(jana, [photoFile, photoFile], walk);
    await server.sql('UPDATE all_gallery_photos SET removed_at = now() WHERE event_id = $1', [walk.eventId]);
    expect((await jana.api.delete(`/events/${walk.id}`)).status).toBe(204);
    expect(await disagreements(server)).toEqual([]);
    expect(await sweep(server)).toEqual(NOTHING_TO_DO);
  });

  // GAL-4
  it('refuses photos from a person who stops being confirmed while the request waits for the lock of the event', async () => {
    await server.sql('BEGIN');
    await server.sql('SELECT id FROM events WHERE id = $1 FOR UPDATE', [party.eventId]);
    const answer = refusalOf(send(petr, [photoFile]));
    const lockWaits = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await waitUntil(async () => (await server.sql(lockWaits)).length > 0);
    await server.sql(`UPDATE participations SET status = 'waitlisted' WHERE event_id = $1 AND user_id = $2`, [
      party.eventId,
      petr.userId,
    ]);
    await server.sql('COMMIT');
    expect(await answer).toBe('403 upload_forbidden');
  });

  // GAL-4
  it('refuses photos from a person whom the organizer blocks', async () => {
    await server.database.transaction((tx) => server.app.get(UsersCommands).setBlocked(tx, jana.userId, [petr.userId]));
    expect(await refusalOf(send(petr, [photoFile]))).toBe('403 upload_forbidden');
    expect((await petr.api.get(pathOf(party))).body.meta.can_upload).toBe(false);
  });

  // GAL-2
  it('looks like the gallery of an unknown event (404) to people who may not see the event; people banned from a public event get 403', async () => {
    const stranger = await server.person('stranger');
    const secret = await buildParty({
      is_public: false,
      with: [
        [petr, 'confirmed'],
        [eva, 'banned'],
      ],
    });
    const publicParty = await buildParty({ with: [[eva, 'banned']] });
    const [photo] = (await send(petr, [photoFile], secret)).body.data;
    const unknown = (await stranger.api.get('/events/999999999/photos')).text;
    for (const person of [stranger, eva]) {
      expect((await person.api.get(pathOf(secret))).text).toBe(unknown);
      expect((await send(person, [photoFile], secret)).text).toBe(unknown);
      expect((await person.api.delete(`${pathOf(secret)}/${photo.id}`)).text).toBe(unknown);
    }
    for (const answer of [eva.api.get(pathOf(publicParty)), send(eva, [photoFile], publicParty)])
      expect(await refusalOf(answer)).toBe('403 banned');
  });

  // GAL-5
  it('refuses a request that exceeds the limit of ten photos per person, and stores none of its photos', async () => {
    await send(petr, Array<Blob>(8).fill(photoFile));
    const before = storedFiles(server).length;
    expect(await refusalOf(send(petr, [photoFile, photoFile, photoFile]))).toBe('409 photo_limit_reached');
    expect(storedFiles(server)).toHaveLength(before);
    expect((await send(petr, [photoFile, photoFile])).status).toBe(201);
    expect(await refusalOf(send(petr, [photoFile]))).toBe('409 photo_limit_reached');
    expect((await send(jana, [photoFile])).status).toBe(201);
    const another = await buildParty({ with: [[petr, 'confirmed']] });
    expect((await send(petr, [photoFile], another)).status).toBe(201);
  });

  // GAL-5, LIM-5
  it('contains at most ten photos from each person, even if many requests are sent in parallel', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(petr, [photoFile, photoFile, photoFile])));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array(5).fill(409)]);
    expect((await petr.api.get(pathOf(party))).body.meta).toMatchObject({ total: 9, my_photos: 9 });
    const more = await Promise.all(Array.from({ length: 4 }, () => send(petr, [photoFile])));
    expect(more.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await disagreements(server)).toEqual([]);
  });

  it('contains at most ten photos from each person when transactions add photos at the same time', async () => {
    const uploads = await server.app.get(Scratch).during(async (folder) => {
      await writeFile(join(folder, 'photo'), Buffer.from(await photoFile.arrayBuffer()));
      const picture = await server.app.get(Pictures).make({ field: 'photos.0', path: join(folder, 'photo') });
      const addTwoPhotos = () =>
        server.app
          .get(MediaFiles)
          .withStored([picture, picture], (stored) =>
            server.app.get(GalleryUploadService).addStored({ id: petr.userId } as Caller, party.eventId, stored),
          );
      return Promise.allSettled(Array.from({ length: 9 }, addTwoPhotos));
    });
    expect(uploads.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect((await petr.api.get(pathOf(party))).body.meta.my_photos).toBe(10);
    expect(await disagreements(server)).toEqual([]);
  });

  // GAL-1
  it('refuses a request with an invalid file, with too many files or without a file', async () => {
    const before = storedFiles(server).length;
    const statusAndFields = async (answer: Promise<{ status: number; body: { errors?: object } }>) => {
      const { status, body } = await answer;
      return [status, ...Object.keys(body.errors ?? {})];
    };
    expect(await statusAndFields(send(petr, [photoFile, new Blob(['no photo']), photoFile]))).toEqual([
      422,
      'photos.1',
    ]);
    expect(await statusAndFields(send(petr, Array<Blob>(11).fill(photoFile)))).toEqual([422, 'photos']);
    expect(await statusAndFields(petr.api.upload(pathOf(party), [['other', 'x']]))).toEqual([422, 'photos']);
    expect(await statusAndFields(petr.api.post(pathOf(party), { photos: [] }))).toEqual([422, 'photos']);
    expect(await statusAndFields(send(petr, [new Blob([Buffer.alloc(15 * 1024 * 1024 + 1)])]))).toEqual([
      422,
      'photos.0',
    ]);
    expect([storedFiles(server).length, scratchFiles(server)]).toEqual([before, []]);
  });

  // GAL-6
  it('lets the author and the organizer delete a photo with its files', async () => {
    const [a, b] = (await send(petr, [photoFile, photoFile])).body.data;
    expect(await refusalOf(eva.api.delete(`${pathOf(party)}/${a.id}`))).toBe('403 photo_forbidden');
    expect((await petr.api.delete(`${pathOf(party)}/${a.id}`)).status).toBe(204);
    expect((await jana.api.delete(`${pathOf(party)}/${b.id}`)).status).toBe(204);
    for (const missingId of [a.id, 'nowhereatall', '1'])
      expect(await refusalOf(petr.api.delete(`${pathOf(party)}/${missingId}`))).toBe('404 photo_not_found');
    const otherParty = await buildParty({ with: [[petr, 'confirmed']] });
    const [c] = (await send(petr, [photoFile], otherParty)).body.data;
    expect(await refusalOf(petr.api.delete(`${pathOf(party)}/${c.id}`))).toBe('404 photo_not_found');
    expect(await disagreements(server)).toEqual([]);
  });

  // GAL-7
  it('is deleted with its event, including all files', async () => {
    const walk = await buildParty({});
    await send(jana, [photoFile, photoFile], walk);
    const before = storedFiles(server).length;
    expect((await jana.api.delete(`/events/${walk.id}`)).status).toBe(204);
    expect(storedFiles(server)).toHaveLength(before - 4);
    expect(await disagreements(server)).toEqual([]);
    expect(await sweep(server)).toEqual(NOTHING_TO_DO);
  });
});
