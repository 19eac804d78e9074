import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { Clips } from '#testing/clips';
import { disagreements, NOTHING_TO_DO, scratchFiles, storedFiles, sweep } from '#testing/files-and-rows';
import { HttpClient } from '#testing/http-client';
import * as media from '#testing/media';
import { MortalServer } from '#testing/mortal-server';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const REFERENCES = `SELECT image_key AS key FROM puls_posts WHERE image_key IS NOT NULL
  UNION ALL SELECT video_key FROM puls_posts WHERE video_key IS NOT NULL UNION ALL SELECT key FROM gallery_photos`;
const OPEN = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE '%transaction%'`;
const SECRET = 'secret of the tests, and of nothing else';

/** Files belong to their row (decisions, section 8), whatever happens to the server. */
describe('rows and files', () => {
  let server: TestServer;
  let people: Person[];
  let party: BuiltEvent;
  let photo: Blob;
  let video: Blob;
  let clipFolder: string;

  beforeAll(async () => {
    server = await TestServer.start({ appSecret: SECRET });
    people = Object.values(await server.people('jana', 'petr', 'eva', 'ota', 'ben', 'ida', 'max', 'zoe'));
    party = await buildEvent(server, people[0]!, { photos_enabled: true, with: people.slice(1).map((one) => [one, 'confirmed'] as const) });
    clipFolder = mkdtempSync(join(tmpdir(), 'clips-'));
    photo = new Blob([await media.phonePhoto()]);
    video = new Blob([readFileSync(await new Clips(clipFolder).make('clip.mp4', { seconds: 0.4 }))]);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(clipFolder, { recursive: true });
  });

  const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

  /** One thing somebody does; whether it is refused, and whether anybody is left to answer, is not its business. */
  const something = async (origin: string): Promise<number> => {
    const person = anyOf(people);
    const api = new HttpClient(origin, { authorization: `Bearer ${person.token}` });
    const puls = (...parts: (readonly [string, string | Blob])[]) => api.upload('/puls', [['latitude', '50'], ['longitude', '14'], ...parts]);
    const photos = `/events/${party.id}/photos`;
    const first = async (path: string) => ((await api.get(path)).body?.data as { id: string }[] | undefined)?.at(-1)?.id ?? 'nothing';
    const deeds: (() => Promise<{ status: number }>)[] = [
      () => puls(['image', photo]),
      () => puls(['video', video]),
      () => puls(['image', photo], ['video', video]),
      () => puls(['image', new Blob(['no picture'])]),
      () => puls(['video', video.slice(0, video.size - 50)]),
      async () => api.delete(`/puls/${await first('/puls/mine')}`),
      async () => api.delete(`/puls/${await first('/puls/mine')}`),
      () => api.upload(photos, [['photos[]', photo], ['photos[]', photo]]),
      () => api.upload(photos, [['photos[]', photo], ['photos[]', new Blob(['no picture'])]]),
      async () => api.delete(`${photos}/${await first(photos)}`),
      () => api.upload(photos, [['photos[]', photo]]),
    ];
    return (await anyOf(deeds)()).status;
  };

  const nobodyWorks = async () => {
    while ((await server.sql(OPEN)).length > 0) await pause(20);
  };

  it('agree after a hundred random deeds, and the sweep finds nothing to do', async () => {
    const statuses = new Map<number, number>();
    for (let batch = 0; batch < 20; batch++) {
      await server.sql('DELETE FROM daily_counters');
      for (const status of await Promise.all(Array.from({ length: 5 }, () => something(server.origin)))) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([]);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([201, 204, 422]));
    expect(await disagreements(server, REFERENCES)).toEqual([]);
    expect(await sweep(server)).toEqual(NOTHING_TO_DO);
  }, 120_000);

  it('agree after a hundred more with the server killed among them, once they are swept', async () => {
    const mortal = await MortalServer.beside(server, { APP_SECRET: SECRET });
    for (let life = 0; life < 5; life++) {
      await server.sql('DELETE FROM daily_counters');
      await mortal.start();
      let killed = false;
      const deeds = Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 5 && !killed; i++) await something(mortal.origin).catch(() => 0);
      });
      await pause(100 + Math.random() * 900);
      killed = true;
      await mortal.kill();
      await Promise.all(deeds);
      await nobodyWorks();
      // No row that is shown points to a missing file, not even now.
      expect((await disagreements(server, REFERENCES)).filter((line) => line.startsWith('missing'))).toEqual([]);
    }
    await sweep(server);
    expect(await disagreements(server, REFERENCES)).toEqual([]);
    expect(scratchFiles(server)).toEqual([]);
    expect(await sweep(server)).toEqual(NOTHING_TO_DO);
    expect(storedFiles(server).length).toBeGreaterThan(0);
  }, 180_000);
});
