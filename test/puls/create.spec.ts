import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { DataSource } from 'typeorm';
import { ContentDecisions } from '#areas/moderation/content-decisions';
import { contentOf } from '#areas/moderation/contents';
import { PublicIds } from '#platform/http/public-ids';
import { Clips, readMp4 } from '#testing/clips';
import { filesBehind, pathOf, storedFiles } from '#testing/files-and-rows';
import * as media from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { warmConnections } from '#testing/warm';

type Part = readonly [string, string | Blob];
const PRAGUE: readonly Part[] = [
  ['latitude', '50.0874'],
  ['longitude', '14.4213'],
];

describe('POST /puls', () => {
  let server: TestServer;
  let jana: Person;
  let clipFolder: string;
  let clips: Clips;
  beforeAll(async () => {
    server = await TestServer.start();
    clipFolder = mkdtempSync(join(tmpdir(), 'clips-'));
    clips = new Clips(clipFolder);
  });
  // Each test needs a new person: a person may have only one active post and may publish only three posts a day.
  beforeEach(async () => (jana = await server.person('jana')));
  afterAll(async () => {
    await server.stop();
    rmSync(clipFolder, { recursive: true });
  });

  const post = (person: Person, ...parts: Part[]) => person.api.upload('/puls', [...PRAGUE, ...parts]);
  const clip = async (name: string, options: Parameters<Clips['make']>[1] = {}) =>
    new Blob([readFileSync(await clips.phoneClip(name, { seconds: 0.6, ...options }))]);
  const photo = async () => new Blob([await media.phonePhoto()]);

  // PULS-3, PULS-4
  it('publishes a text for 24 hours', async () => {
    const answer = await post(
      jana,
      ['body', ' <b>Kdo</b> jde <script>x()</script>na <i onclick="x()">kafe</i>? '],
      ['location_name', 'Kampa'],
    );
    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(data).toEqual({
      id: expect.stringMatching(/^[A-Za-z]{8,}$/),
      body: '<b>Kdo</b> jde na <i>kafe</i>?',
      image_url: null,
      image_thumb_url: null,
      video_url: null,
      video_poster_url: null,
      latitude: 50.0874,
      longitude: 14.4213,
      location_name: 'Kampa',
      likes_count: 0,
      author: { name: jana.name, nickname: null, slug: jana.slug, avatar_url: null },
      viewer: { is_mine: true },
      expires_at: expect.any(String),
      created_at: expect.any(String),
    });
    expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(86_400_000);
    expect((await jana.api.get('/puls/mine')).body.data).toEqual([data]);
  });

  // PULS-3, WIRE-47
  it('publishes a photo in upright orientation and without metadata', async () => {
    const { status, body } = await post(jana, ['image', await photo()]);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ body: null, video_url: null });
    for (const file of filesBehind(server, body.data.image_url, body.data.image_thumb_url)) {
      const metadata = await sharp(file).metadata();
      expect(metadata).toMatchObject({ format: 'jpeg', width: 48, height: 64 });
      expect(metadata).not.toHaveProperty('exif');
      expect(file.includes('SecretCam')).toBe(false);
    }
  });

  // PULS-14
  it('publishes the first six seconds of a video, with a poster', async () => {
    const { status, body } = await post(jana, [
      'video',
      await clip('long.mov', { seconds: 7, width: 1440, height: 810, rate: 5 }),
    ]);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ body: null, image_url: null, image_thumb_url: null });
    const [video, poster] = filesBehind(server, body.data.video_url, body.data.video_poster_url);
    expect(video.includes('SecretCam') || video.includes('+50.0867')).toBe(false);
    const mp4 = await readMp4(pathOf(server, body.data.video_url));
    expect(mp4.tracks.map(({ codec }) => codec).sort()).toEqual(['avc1', 'mp4a']);
    expect(mp4.duration).toBeLessThanOrEqual(6);
    expect(mp4.boxes.indexOf('moov')).toBeLessThan(mp4.boxes.indexOf('mdat'));
    expect(await sharp(poster).metadata()).toMatchObject({ format: 'jpeg', width: 1280, height: 720 });
  });

  // MOD-5
  it('publishes a video with a poster; neither file is served after the post has been removed', async () => {
    const { data } = (await post(jana, ['video', await clip('short.mp4')])).body;
    const served = () =>
      Promise.all(
        [data.video_url, data.video_poster_url].map(
          async (url: string) => (await server.nobody.get(`~${new URL(url).pathname}`)).status,
        ),
      );
    expect(await served()).toEqual([200, 200]);
    await server.database.transaction(async (tx) => {
      const content = (await contentOf(tx, server.app.get(PublicIds), 'puls', data.id as string))!;
      await server.app
        .get(ContentDecisions)
        .remove(tx, content, { publicId: data.id as string, reason: 'spam', actorId: null });
    });
    expect(await served()).toEqual([404, 404]);
  });

  // PULS-13
  it.each<[name: string, encoderArgs: string[]]>([
    ['clip.webm', ['-c:v', 'libvpx', '-c:a', 'libopus', '-deadline', 'realtime']],
    ['clip.mkv', []],
    ['clip.3gp', ['-c:v', 'h263', '-s', '176x144', '-an']],
    ['clip.mp4', []],
  ])('accepts the video %s under any file name', async (name, args) => {
    const video = new Blob([readFileSync(await clips.make(name, { seconds: 0.6, args }))]);
    const form = new FormData();
    for (const [field, value] of PRAGUE) form.append(field, value);
    form.append('video', video, '../../../../tmp/evil.php\0.svg');
    expect((await jana.api.send('POST', '/puls', { body: form })).status).toBe(201);
  });

  const invalid: [string, readonly Part[], string][] = [
    [
      'a form without a latitude',
      [
        ['longitude', '14'],
        ['body', 'x'],
      ],
      'latitude',
    ],
    [
      'a form without a longitude',
      [
        ['latitude', '50'],
        ['body', 'x'],
      ],
      'longitude',
    ],
    [
      'a latitude above 90 degrees',
      [
        ['latitude', '90.1'],
        ['longitude', '14'],
        ['body', 'x'],
      ],
      'latitude',
    ],
    [
      'a longitude in exponential notation',
      [
        ['latitude', '50'],
        ['longitude', '1e1'],
        ['body', 'x'],
      ],
      'longitude',
    ],
    ['a body of 501 characters', [...PRAGUE, ['body', 'x'.repeat(501)]], 'body'],
    [
      'a location name of 101 characters',
      [...PRAGUE, ['body', 'x'], ['location_name', 'x'.repeat(101)]],
      'location_name',
    ],
    ['a text instead of an image', [...PRAGUE, ['image', 'x']], 'image'],
  ];
  it.each(invalid)('refuses %s', async (_name, parts, field) => {
    const { status, body } = await jana.api.upload('/puls', parts);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'validation_failed', [field]]);
  });

  // PULS-1
  it('refuses an image and a video together', async () => {
    const { status, body } = await post(jana, ['image', await photo()], ['video', await clip('both.mp4')]);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'validation_failed', ['video']]);
  });

  it('refuses a JSON body', async () => {
    expect((await jana.api.post('/puls', { latitude: 50, longitude: 14, body: 'x' })).status).toBe(422);
  });

  // PULS-2
  it.each([
    [[]],
    [[['body', '  ']]],
    [[['body', '<p> </p><script>x</script>']]],
    [[['body', '<b>&nbsp;</b><br>']]],
  ] as Part[][][])('refuses a post without visible content: %j', async (parts) => {
    const { status, body } = await post(jana, ...parts);
    expect([status, body.code, 'errors' in body]).toEqual([422, 'post_empty', false]);
  });

  it('limits a text to 500 characters, counted before its HTML is removed', async () => {
    expect((await post(jana, ['body', '🎈'.repeat(500)])).status).toBe(201);
    const petr = await server.person('petr');
    expect((await post(petr, ['body', `${'<p>'.repeat(200)}x`])).body.errors).toHaveProperty('body');
  });

  describe('the limit of one active post', () => {
    // PULS-5, PULS-6
    it('refuses a new post with 422 while one post is active, and with 409 while two posts are active', async () => {
      expect((await post(jana, ['body', 'první'])).status).toBe(201);
      expect((await post(jana, ['body', 'druhý'])).body.code).toBe('paid_post_unsupported');
      await server.sql(
        `INSERT INTO puls_posts (author_id, body, latitude, longitude, paid, created_at, expires_at)
         SELECT author_id, body, 50, 14, true, created_at, expires_at FROM puls_posts WHERE author_id = $1`,
        [jana.userId],
      );
      const refused = await post(jana, ['body', 'třetí']);
      expect([refused.status, refused.body.code]).toEqual([409, 'active_limit_reached']);
    });

    it('allows a new post when the active post has expired', async () => {
      await post(jana, ['body', 'první']);
      server.clock.forward(86_399_000);
      expect((await post(jana, ['body', 'druhý'])).status).toBe(422);
      server.clock.forward(2_000);
      expect((await post(jana, ['body', 'druhý'])).status).toBe(201);
    });

    // PULS-6, LIM-5
    it('is exact when posts are sent in parallel', async () => {
      await warmConnections(server.app.get(DataSource));
      const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => post(jana, ['body', `č. ${i}`])));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)]);
      expect(answers.filter(({ status }) => status === 422).map(({ body }) => body.code)).toEqual(
        Array(9).fill('paid_post_unsupported'),
      );
      expect(await server.sql('SELECT taken FROM daily_counters WHERE user_id = $1', [jana.userId])).toEqual([
        { taken: 1 },
      ]);
    });

    it('is exact when photos are sent in parallel, and refused posts leave no files', async () => {
      const before = storedFiles(server).length;
      const image = await photo();
      const answers = await Promise.all(Array.from({ length: 6 }, () => post(jana, ['image', image])));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(5).fill(422)]);
      expect(storedFiles(server)).toHaveLength(before + 2);
    });

    // PULS-6
    it('is exact when videos are sent in parallel', async () => {
      const video = await clip('many.mp4');
      const answers = await Promise.all(Array.from({ length: 6 }, () => post(jana, ['video', video])));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(5).fill(422)]);
      expect(new Set(answers.filter(({ status }) => status === 422).map(({ body }) => body.code))).toEqual(
        new Set(['paid_post_unsupported']),
      );
    });
  });

  describe('the limit of three posts a day', () => {
    const publishAndDelete = async (person: Person) => {
      const { status, body } = await post(person, ['body', 'x']);
      expect(status).toBe(201);
      expect((await person.api.delete(`/puls/${body.data.id}`)).status).toBe(204);
    };

    // PULS-7, PULS-5
    it('refuses further posts with 429 until midnight in Prague, and counts deleted posts too', async () => {
      server.clock.moveTo('2031-06-01T20:00:00Z');
      const eva = await server.person('eva', { premium_until: new Date('2040-01-01') });
      for (let i = 0; i < 3; i++) await publishAndDelete(eva);
      const refused = await post(eva, ['body', 'x']);
      expect([refused.status, refused.body.code]).toEqual([429, 'daily_puls_limit']);
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(7100);
      expect(seconds).toBeLessThanOrEqual(7200);
      server.clock.moveTo('2031-06-01T22:00:01Z');
      await publishAndDelete(eva);
    });

    // PULS-5, PULS-7
    it('is checked before the limit of active posts, whether one or two posts are active', async () => {
      for (let i = 0; i < 2; i++) await publishAndDelete(jana);
      expect((await post(jana, ['body', 'třetí'])).status).toBe(201);
      expect((await post(jana, ['body', 'čtvrtý'])).body.code).toBe('daily_puls_limit');
      expect((await post(jana, ['image', await photo()])).body.code).toBe('daily_puls_limit');
      await server.sql(
        `INSERT INTO puls_posts (author_id, body, latitude, longitude, paid, created_at, expires_at)
         SELECT author_id, body, 50, 14, true, created_at, expires_at FROM puls_posts WHERE author_id = $1`,
        [jana.userId],
      );
      expect((await post(jana, ['body', 'čtvrtý'])).body.code).toBe('daily_puls_limit');
    });

    // PULS-7, PULS-5
    it('counts only published posts, and is checked after the validation', async () => {
      for (let i = 0; i < 4; i++) {
        expect((await post(jana, ['image', new Blob(['no picture'])])).status).toBe(422);
        expect((await post(jana)).body.code).toBe('post_empty');
      }
      for (let i = 0; i < 3; i++) await publishAndDelete(jana);
      expect((await post(jana)).body.code).toBe('post_empty');
      expect((await post(jana, ['image', new Blob(['no picture'])])).body.code).toBe('validation_failed');
      expect((await post(jana, ['video', new Blob(['no video'])])).body.code).toBe('validation_failed');
      expect((await post(jana, ['image', await photo()])).body.code).toBe('daily_puls_limit');
      expect((await post(jana, ['video', await clip('limit.mp4')])).body.code).toBe('daily_puls_limit');
    });
  });
});

describe('POST /puls without ffmpeg', () => {
  // PULS-16
  it('refuses videos with a clear message, and accepts pictures', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'clips-'));
    const server = await TestServer.start({ ffmpegPath: '/nowhere/ffmpeg' });
    const jana = await server.person('jana');
    const video = new Blob([readFileSync(await new Clips(folder).make('clip.mp4', { seconds: 0.4 }))]);
    const refused = await jana.api.send('POST', '/puls', {
      body: formOf([...PRAGUE, ['video', video]]),
      headers: { 'accept-language': 'en' },
    });
    expect([refused.status, refused.body]).toEqual([
      503,
      { code: 'server_error', message: 'Videos cannot be uploaded at the moment. Everything else works.' },
    ]);
    expect(refused.headers.get('retry-after')).toBe('600');
    expect((await jana.api.upload('/puls', [...PRAGUE, ['video', new Blob(['no video'])]])).status).toBe(422);
    expect((await jana.api.upload('/puls', [...PRAGUE, ['image', new Blob([await media.picture()])]])).status).toBe(
      201,
    );
    await server.stop();
    rmSync(folder, { recursive: true });
  });
});

function formOf(parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return form;
}
