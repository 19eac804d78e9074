import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PulsCommands } from '#areas/puls/puls.commands';
import { PulsExpireJob } from '#areas/puls/puls-expire.job';
import { PublicIds } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { Clips } from '#testing/clips';
import { disagreements, NOTHING_TO_DO, storedFiles, sweep } from '#testing/files-and-rows';
import * as media from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

/** PULS-4, PULS-11, PULS-12: a person's own posts, their deletion and expiry. */
describe('a person’s own Puls posts', () => {
  let server: TestServer;
  let jana: Person, petr: Person;
  beforeAll(async () => (server = await TestServer.start()));
  beforeEach(async () => ({ jana, petr } = await server.people('jana', 'petr')));
  afterEach(async () => {
    server.clock.reset();
    for (const person of [jana, petr]) await deleteAll(person);
  });
  afterAll(() => server.stop());

  const publishPhoto = async (person: Person) =>
    (
      await person.api.upload('/puls', [
        ['latitude', '50'],
        ['longitude', '14'],
        ['image', new Blob([await media.phonePhoto()])],
      ])
    ).body.data;

  const deleteAll = async (person: Person) => {
    for (const { id } of (await person.api.get('/puls/mine')).body.data as { id: string }[])
      await person.api.delete(`/puls/${id}`);
  };

  // PULS-11
  it('are listed newest first, in pages', async () => {
    await server.database.transaction(async (tx) => {
      for (const hours of [3, 1, 2]) {
        const createdAt = new Date(Date.now() - hours * 3_600_000);
        await server.app
          .get(PulsCommands)
          .import(tx, jana.userId, { body: `před ${hours} h`, latitude: 50, longitude: 14, createdAt, paid: true });
      }
    });
    const { body } = await jana.api.get('/puls/mine?per_page=2');
    expect(body.data.map((one: { body: string }) => one.body)).toEqual(['před 1 h', 'před 2 h']);
    expect(body.data[0]).not.toHaveProperty('distance_km');
    expect(body.meta).toMatchObject({ total: 3, last_page: 2, per_page: 2 });
    expect((await petr.api.get('/puls/mine')).body.data).toEqual([]);
    expect((await jana.api.get('/puls/mine?page=0')).body.code).toBe('validation_failed');
  });

  // PULS-12, WIRE-48
  it('are deleted with their files, but only by their author', async () => {
    const { id } = await publishPhoto(jana);
    const refused = await petr.api.delete(`/puls/${id}`);
    expect([refused.status, refused.body.code]).toEqual([403, 'not_owner']);
    expect((await jana.api.delete(`/puls/${id}`)).status).toBe(204);
    expect(await disagreements(server)).toEqual([]);
    expect(await server.sql('SELECT 1 FROM puls_posts WHERE author_id = $1', [jana.userId])).toEqual([]);
    for (const gone of [id, 'nowhereatall', '1']) {
      const answer = await jana.api.delete(`/puls/${gone}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    }
    const list = await jana.api.delete('/puls/mine');
    expect([list.status, list.body.code]).toEqual([405, 'method_not_allowed']);
  });

  // PULS-4, PULS-8
  it('are shown, and count towards the limit of active posts, until the second that expires_at shows', async () => {
    const publicationSecond = new Date(Math.ceil(server.clock.now().getTime() / 1000) * 1000);
    server.clock.freezeAt(new Date(publicationSecond.getTime() + 700));
    const send = () =>
      jana.api.upload('/puls', [
        ['latitude', '50'],
        ['longitude', '14'],
        ['body', 'na den'],
      ]);
    const { id, expires_at } = (await send()).body.data;
    const listPostsAndSendAnother = async () => ({
      mine: (await jana.api.get('/puls/mine')).body.data.map((one: { id: string }) => one.id),
      feed: (await petr.api.get('/puls?lat=50&lng=14&radius_km=1')).body.data.map((one: { id: string }) => one.id),
      statusOfNewPost: (await send()).status,
    });
    expect(Date.parse(expires_at)).toBe(publicationSecond.getTime() + 86_400_000);
    server.clock.freezeAt(new Date(publicationSecond.getTime() + 86_399_999));
    expect(await listPostsAndSendAnother()).toEqual({ mine: [id], feed: [id], statusOfNewPost: 422 });
    const end = new Date(publicationSecond.getTime() + 86_400_000);
    server.clock.freezeAt(end);
    expect((await jana.api.delete(`/puls/${id}`)).status).toBe(404);
    expect(await server.app.get(PulsExpireJob).run({ now: end, signal: new AbortController().signal })).toEqual({
      puls_removed: 1,
    });
    expect(await listPostsAndSendAnother()).toEqual({ mine: [], feed: [], statusOfNewPost: 201 });
  });

  // PULS-4
  it('expire a day after publication, and are then deleted with their files', async () => {
    await publishPhoto(jana);
    const unexpired = await publishPhoto(petr);
    await server.sql(`UPDATE puls_posts SET expires_at = expires_at + interval '1 hour' WHERE author_id = $1`, [
      petr.userId,
    ]);
    server.clock.forward(86_401_000);
    const job = server.app.get(PulsExpireJob);
    const context = { now: server.clock.now(), signal: new AbortController().signal };
    expect(await job.run(context)).toEqual({ puls_removed: 1 });
    expect(await job.run(context)).toEqual({ puls_removed: 0 });
    expect(storedFiles(server)).toHaveLength(2);
    expect(await disagreements(server)).toEqual([]);
    server.clock.reset();
    expect((await petr.api.get('/puls/mine')).body.data).toEqual([expect.objectContaining({ id: unexpired.id })]);
  });

  // PULS-4, WIRE-48
  it('are deleted with their video and poster after they have expired', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'clips-'));
    const video = new Blob([readFileSync(await new Clips(folder).make('clip.mp4', { seconds: 0.4 }))]);
    rmSync(folder, { recursive: true });
    expect(
      (
        await jana.api.upload('/puls', [
          ['latitude', '50'],
          ['longitude', '14'],
          ['video', video],
        ])
      ).status,
    ).toBe(201);
    expect(storedFiles(server)).toHaveLength(2);
    server.clock.forward(86_401_000);
    expect(
      await server.app.get(PulsExpireJob).run({ now: server.clock.now(), signal: new AbortController().signal }),
    ).toEqual({ puls_removed: 1 });
    expect(storedFiles(server)).toEqual([]);
    expect(await disagreements(server)).toEqual([]);
  });

  it('are all deleted in one run of the job after they have expired, even if their number exceeds one batch', async () => {
    await server.sql(
      `INSERT INTO puls_posts (author_id, body, latitude, longitude, created_at, expires_at)
       SELECT $1, 'x', 50, 14, '2020-01-01', '2020-01-02' FROM generate_series(1, 450)`,
      [jana.userId],
    );
    const context = { now: new Date(), signal: new AbortController().signal };
    expect(await server.app.get(PulsExpireJob).run(context)).toEqual({ puls_removed: 450 });
  });

  // PULS-4, MOD-80
  it('are deleted after their expiry, even if the author is banned; posts that a moderator has removed stay stored until they are restored', async () => {
    const [removed, banned] = [await publishPhoto(jana), await publishPhoto(petr)];
    const idOf = ({ id }: { id: string }) => server.app.get(PublicIds).decode('puls', id);
    await server.sql('UPDATE all_puls_posts SET removed_at = now() WHERE id = $1', [idOf(removed)]);
    await server.sql('UPDATE users SET banned = true WHERE id = $1', [petr.userId]);
    server.clock.forward(86_401_000);
    expect(await server.job('puls-expire')).toEqual({ puls_removed: 1 });
    const remaining = await server.sql<{ id: string }>('SELECT id FROM all_puls_posts WHERE id = ANY($1)', [
      [idOf(removed), idOf(banned)],
    ]);
    expect(remaining.map(({ id }) => Number(id))).toEqual([idOf(removed)]);
    expect(await disagreements(server)).toEqual([]);
    expect(storedFiles(server)).toHaveLength(2);
    await server.sql('UPDATE users SET banned = false WHERE id = $1', [petr.userId]);
    await server.sql('UPDATE all_puls_posts SET removed_at = NULL WHERE id = $1', [idOf(removed)]);
    expect(await server.job('puls-expire')).toEqual({ puls_removed: 1 });
    expect(storedFiles(server)).toEqual([]);
  });

  it('are imported only if they have visible text', async () => {
    const importing = server.database.transaction((tx) =>
      server.app.get(PulsCommands).import(tx, jana.userId, { body: '<p></p>', latitude: 50, longitude: 14 }),
    );
    await expect(importing).rejects.toEqual(new Refusal('post_empty'));
  });

  it('leave no files that the job media-sweep has to delete', async () => {
    expect(await sweep(server)).toEqual(NOTHING_TO_DO);
  });
});
