import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Settings } from '#platform/config/settings';
import { buildEvent } from '#testing/builders';
import { Clips } from '#testing/clips';
import { disagreements, NOTHING_TO_DO, scratchFiles, storedFiles, sweep } from '#testing/files-and-rows';
import { buildGroup } from '#testing/groups';
import { HttpClient, type Answer } from '#testing/http-client';
import * as media from '#testing/media';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { ServerProcess } from '#testing/server-process';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { waitUntil } from '#testing/wait-until';

/** An action with files, which may succeed or be refused. */
type Action = (who: HttpClient, organizer: HttpClient) => Promise<Answer>;

const ACTIONS = repetitions('random_uploads');
/** The statuses of a creation, a deletion and a refusal. If one of them never occurs, a test proves nothing. */
const OUTCOMES = [201, 204, 422];
const POST = { title: 'Cesta', categories: ['mista'], body: 'Text', status: 'published' };
const OTHER_TRANSACTIONS = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND (state LIKE '%transaction%' OR state = 'active')`;
const WAITING_FOR_MEDIA_FILES = `SELECT 1 FROM pg_locks WHERE relation = 'media_files'::regclass AND NOT granted`;

/**
 * Each stored file has a row in the database, and each row has a file. If the server was killed, this is true only
 * after the sweep (the job `media-sweep`).
 */
// WIRE-48
describe('stored files and their rows', () => {
  let server: TestServer;
  let people: Person[];
  let actions: readonly Action[];
  let statuses: Map<number, number>;

  beforeAll(async () => {
    server = await TestServer.start();
    people = Object.values(await server.people('jana', 'petr', 'eva', 'ota', 'ben', 'ida', 'max', 'zoe'));
    const [jana, ...guests] = people as [Person, ...Person[]];
    const party = await buildEvent(server, jana, {
      photos_enabled: true,
      with: guests.map((guest) => [guest, 'confirmed'] as const),
    });
    actions = actionsAt(`/events/${party.id}`, `/groups/${(await buildGroup(server, jana)).id}`, await files());
  });
  beforeEach(() => (statuses = new Map()));
  afterAll(() => server.stop());

  const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

  const clientFor = (origin: string, { token }: Person) => new HttpClient(origin, { authorization: `Bearer ${token}` });

  /** Runs a random action of a random person. The status is 0 if the server was killed before its response. */
  const randomAction = async (origin: string): Promise<void> => {
    const status = await anyOf(actions)(clientFor(origin, anyOf(people)), clientFor(origin, people[0]!)).then(
      (answer) => answer.status,
      () => 0,
    );
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };

  const hasAllOutcomes = () => OUTCOMES.every((status) => statuses.has(status));

  const resetLimits = async () => {
    await server.sql('DELETE FROM daily_counters');
    await server.sql('DELETE FROM comment_rates');
  };

  const untilNoTransactionRuns = () => waitUntil(async () => (await server.sql(OTHER_TRANSACTIONS)).length === 0);

  it('agree after random actions, and the sweep has nothing to delete', async () => {
    for (let batch = 0; batch < ACTIONS / 10 || !hasAllOutcomes(); batch++) {
      await resetLimits();
      await Promise.all(Array.from({ length: 5 }, () => randomAction(server.origin)));
    }
    expect([...statuses.keys()].filter((status) => status === 0 || status >= 500)).toEqual([]);
    expect(await disagreements(server)).toEqual([]);
    expect(await sweep(server)).toEqual(NOTHING_TO_DO);
  }, 120_000);

  it(`agree after the sweep, although the server was killed during at least ${ACTIONS} actions`, async () => {
    let kills = 0;
    // If no kill left anything behind, the test would prove nothing.
    let leftovers = 0;
    for (let startedActions = 0; startedActions < ACTIONS || leftovers === 0 || !hasAllOutcomes(); kills++) {
      await resetLimits();
      const serverProcess = await ServerProcess.start(settingsFor(server));
      let isRunning = true;
      const client = async () => {
        for (; isRunning; startedActions++) await randomAction(serverProcess.origin);
      };
      const killAfter = startedActions + 30 + Math.random() * 10;
      const deletions = () => statuses.get(204) ?? 0;
      const deletionsBefore = deletions();
      const fourClients = Promise.all(Array.from({ length: 4 }, client));
      // The kill waits for the response to a deletion, because a slow machine may not have completed any deletion yet.
      await waitUntil(() => startedActions >= killAfter && deletions() > deletionsBefore);
      await pause(Math.random() * 100);
      isRunning = false;
      await serverProcess.kill();
      await fourClients;
      await untilNoTransactionRuns();
      const found = await disagreements(server);
      leftovers = found.length + scratchFiles(server).length;
      // Even before the sweep, no row of another table refers to a missing file.
      expect(found.filter((line) => line.startsWith('missing'))).toEqual([]);
    }
    // If no request was interrupted, the test would prove nothing.
    expect(statuses.get(0)).toBeGreaterThan(kills);
    expect(Object.values(await sweep(server))).not.toEqual([0, 0, 0, 0]);
    expect(await disagreements(server)).toEqual([]);
    expect(scratchFiles(server)).toEqual([]);
    expect(await sweep(server)).toEqual(NOTHING_TO_DO);
    expect(storedFiles(server).length).toBeGreaterThan(0);
  }, 240_000);

  it('agree after the sweep, although the server was killed while it waited to write the rows of new and of deleted files', async () => {
    await resetLimits();
    const [jana, petr, eva, ota] = people as [Person, Person, Person, Person];
    const party = `/events/${
      (
        await buildEvent(server, jana, {
          photos_enabled: true,
          with: [
            [petr, 'confirmed'],
            [eva, 'confirmed'],
            [ota, 'confirmed'],
          ],
        })
      ).id
    }`;
    const { photo } = await files();
    const id = async (answer: Promise<Answer>) => [(await answer).body.data].flat()[0].id as string;
    const [post, other] = [
      `/posts/${(await ota.api.post('/posts', POST)).body.data.slug}`,
      `/posts/${(await ota.api.post('/posts', POST)).body.data.slug}`,
    ];
    await ota.api.upload(`${post}/cover`, [['cover', photo]]);
    const deletions = [
      [petr, `${party}/photos/${await id(petr.api.upload(`${party}/photos`, [['photos[]', photo]]))}`],
      [eva, `/comments/${await id(eva.api.upload(`${other}/comments`, [['image', photo]]))}`],
      [jana, `${party}/images/${await id(jana.api.upload(`${party}/images`, [['images[]', photo]]))}`],
      [ota, post],
    ] as const;
    expect(await disagreements(server)).toEqual([]);
    const stored = storedFiles(server);

    const serverProcess = await ServerProcess.start(settingsFor(server));
    await server.sql('BEGIN');
    await server.sql('LOCK TABLE media_files IN SHARE ROW EXCLUSIVE MODE');
    const answers = [
      ...deletions.map(([who, path]) => clientFor(serverProcess.origin, who).delete(path)),
      clientFor(serverProcess.origin, petr).upload(`${party}/photos`, [['photos[]', photo]]),
      clientFor(serverProcess.origin, eva).upload(`${party}/comments`, [['image', photo]]),
    ].map((answer) => answer.catch(() => null));
    await waitUntil(async () => (await server.sql(WAITING_FOR_MEDIA_FILES)).length >= answers.length);
    await serverProcess.kill();
    expect(storedFiles(server)).toEqual(stored);
    await server.sql('COMMIT');
    expect(await Promise.all(answers)).toEqual(Array(answers.length).fill(null));
    await untilNoTransactionRuns();
    // The deletions were rolled back, so their files stay. The uploads have left two pending rows without files
    // (`abandoned`, then `removed`) and two work folders (`scratch`).
    expect(await sweep(server)).toEqual({ abandoned: 2, removed: 2, orphans: 0, scratch: 2 });
    expect(await disagreements(server)).toEqual([]);
  });
});

interface Files {
  readonly photo: Blob;
  readonly video: Blob;
  readonly garbage: Blob;
}

async function files(): Promise<Files> {
  const folder = mkdtempSync(join(tmpdir(), 'clips-'));
  const video = new Blob([readFileSync(await new Clips(folder).make('clip.mp4', { seconds: 0.4 }))]);
  rmSync(folder, { recursive: true });
  return { photo: new Blob([await media.phonePhoto()]), video, garbage: new Blob(['no picture']) };
}

/** The settings of a second server process that uses the database and files of `server`. */
function settingsFor(server: TestServer): Record<string, string> {
  const { databaseUrl, appSecret, dataDir } = server.app.get(Settings);
  return {
    DATABASE_URL: databaseUrl ?? '',
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    RATE_LIMIT_TOKEN_PER_MINUTE: '1000000',
    RATE_LIMIT_IP_PER_MINUTE: '1000000',
  };
}

/**
 * Actions that create, replace and delete files, or that are refused, on every API route that accepts files. Deletions
 * are frequent, so that the limit of photos per person does not refuse all uploads.
 */
function actionsAt(party: string, group: string, { photo, video, garbage }: Files): readonly Action[] {
  const uploadPuls = (who: HttpClient, ...parts: (readonly [string, Blob])[]) =>
    who.upload('/puls', [['latitude', '50'], ['longitude', '14'], ...parts]);
  const uploadPhotos = (who: HttpClient, ...sent: Blob[]) =>
    who.upload(
      `${party}/photos`,
      sent.map((one) => ['photos[]', one] as const),
    );
  const createdId = async (answer: Promise<Answer>, key: 'id' | 'slug' = 'id') =>
    String((await answer).body?.data?.[key]);
  const lastId = async (who: HttpClient, path: string, key: 'data' | 'images' = 'data') => {
    const { body } = await who.get(path);
    return (
      ((key === 'data' ? body?.data : body?.data?.images) as { id: string }[] | undefined)?.at(-1)?.id ?? 'nothing'
    );
  };
  const deletePuls: Action = async (who) => who.delete(`/puls/${await lastId(who, '/puls/mine')}`);
  const deletePhoto: Action = async (who) => who.delete(`${party}/photos/${await lastId(who, `${party}/photos`)}`);
  const pulsActions: Action[] = [
    (who) => uploadPuls(who, ['image', photo]),
    (who) => uploadPuls(who, ['video', video]),
    (who) => uploadPuls(who, ['image', photo], ['video', video]),
    (who) => uploadPuls(who, ['image', garbage]),
    (who) => uploadPuls(who, ['video', video.slice(0, video.size - 50)]),
    deletePuls,
    deletePuls,
  ];
  const galleryActions: Action[] = [
    (who) => uploadPhotos(who, photo),
    (who) => uploadPhotos(who, photo, photo),
    (who) => uploadPhotos(who, photo, garbage),
    (who) => uploadPhotos(who, ...Array<Blob>(10).fill(photo)),
    deletePhoto,
    deletePhoto,
  ];
  const organizerActions: Action[] = [
    (_, organizer) =>
      organizer.upload(`${party}/images`, [
        ['images[]', photo],
        ['images[]', photo],
      ]),
    (_, organizer) =>
      organizer.upload(`${party}/images`, [
        ['images[]', photo],
        ['images[]', garbage],
      ]),
    async (_, organizer) => organizer.delete(`${party}/images/${await lastId(organizer, party, 'images')}`),
    (_, organizer) => organizer.upload(`${group}/avatar`, [['avatar', photo]]),
    (_, organizer) => organizer.upload(`${group}/cover`, [['cover', photo]]),
    (_, organizer) => organizer.delete(`${group}/cover`),
  ];
  const commentActions: Action[] = [
    (who) => who.upload(`${party}/comments`, [['image', photo]]),
    (who) => who.upload(`${party}/comments`, [['image', garbage]]),
    (who) =>
      who.upload(`${party}/comments`, [
        ['image', photo],
        ['parent', 'nobody'],
      ]),
    async (who) => who.delete(`/comments/${await createdId(who.upload(`${party}/comments`, [['image', photo]]))}`),
  ];
  const postAndEventActions: Action[] = [
    async (who) => who.upload(`/posts/${await createdId(who.post('/posts', POST), 'slug')}/cover`, [['cover', photo]]),
    async (who) => {
      const path = `/posts/${await createdId(who.post('/posts', POST), 'slug')}`;
      await who.upload(`${path}/cover`, [['cover', photo]]);
      await who.upload(`${path}/comments`, [['image', photo]]);
      return who.delete(path);
    },
    async (who) => {
      const event = `/events/${await createdId(who.post('/events', { title: 'Piknik', starts_at: inDays(7).toISOString(), photos_enabled: true }))}`;
      await who.upload(`${event}/photos`, [['photos[]', photo]]);
      await who.upload(`${event}/images`, [['images[]', photo]]);
      return who.delete(event);
    },
  ];
  return [...pulsActions, ...galleryActions, ...organizerActions, ...commentActions, ...postAndEventActions];
}
