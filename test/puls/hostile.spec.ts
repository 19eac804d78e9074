import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clips } from '#testing/clips';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { NOTHING_TO_DO, scratchFiles, storedFiles, sweep } from '#testing/files-and-rows';
import * as media from '#testing/media';
import type { Person } from '#testing/people';
import { BOUNDARY, multipartBody } from '#testing/raw-http';
import { TestServer } from '#testing/test-server';

/** decisions, section 8: what nobody should send is a 422 on its field, and nothing of it stays on the disk. */
describe('hostile files', () => {
  let server: TestServer;
  let jana: Person;
  let party: BuiltEvent;
  let clips: Clips;
  let clipFolder: string;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
    party = await buildEvent(server, jana, { photos_enabled: true });
    clipFolder = mkdtempSync(join(tmpdir(), 'clips-'));
    clips = new Clips(clipFolder);
  });
  afterEach(async () => {
    expect([storedFiles(server), scratchFiles(server)]).toEqual([[], []]);
    expect(await sweep(server)).toEqual(NOTHING_TO_DO);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(clipFolder, { recursive: true });
  });

  const puls = (field: string, sent: Buffer, name: string) => jana.api.upload('/puls', [['latitude', '50'], ['longitude', '14'], [field, new Blob([sent]), name]]);
  const photo = (sent: Buffer, name: string) => jana.api.upload(`/events/${party.id}/photos`, [['photos[]', new Blob([sent]), name]]);

  const HOSTILE_PICTURES: Record<string, () => Buffer | Promise<Buffer>> = {
    ...Object.fromEntries(Object.entries(media.NOT_PICTURES).map(([name, sent]) => [name, () => sent])),
    'a header bomb': () => media.headerBomb(),
    'a truncated photo': async () => (await media.phonePhoto()).subarray(0, 400),
  };
  it.each(Object.keys(HOSTILE_PICTURES))('as pictures: %s', async (name) => {
    const sent = await HOSTILE_PICTURES[name]!();
    for (const [answer, field] of [[await puls('image', sent, 'photo.png'), 'image'], [await photo(sent, '../../../etc/photo.jpg'), 'photos.0']] as const) {
      expect([answer.status, answer.body.code, Object.keys(answer.body.errors as object)]).toEqual([422, 'validation_failed', [field]]);
    }
  });

  const HOSTILE_VIDEOS: Record<string, () => Buffer | Promise<Buffer>> = {
    'an HLS playlist': () => Buffer.from('#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\nconcat:http://127.0.0.1:1/|file:///etc/passwd\n#EXT-X-ENDLIST\n'),
    'a concat script': () => Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n"),
    'a page': () => Buffer.from('<html><video src="x"></video></html>'),
    'a picture': () => media.picture('jpeg'),
    'an animated picture': () => media.animatedGif(20),
    'sound only': async () => readFileSync(await clips.write('song.m4a', ['-f', 'lavfi', '-i', 'sine=duration=1'])),
    'a truncated clip': async () => readFileSync(await clips.make('cut.mp4', { seconds: 0.4 })).subarray(0, -100),
    'a frame bomb': async () => readFileSync(await clips.make('bomb.mp4', { width: 16, height: 16, rate: 1000, seconds: 3, sound: false })),
    'a clip with noise for frames': async () => {
      const clip = readFileSync(await clips.make('noise.mp4', { seconds: 0.4, sound: false }));
      const at = clip.indexOf('mdat') + 4;
      return clip.fill(0x5a, at, at + clip.readUInt32BE(at - 8) - 8);
    },
  };
  it.each(Object.keys(HOSTILE_VIDEOS))('as videos: %s', async (name) => {
    const answer = await puls('video', await HOSTILE_VIDEOS[name]!(), 'clip.mp4');
    expect([answer.status, answer.body.code, Object.keys(answer.body.errors as object)]).toEqual([422, 'validation_failed', ['video']]);
  });

  it('too large', async () => {
    const image = await puls('image', Buffer.alloc(5 * 1024 * 1024 + 1), 'photo.jpg');
    expect([image.status, Object.keys(image.body.errors as object)]).toEqual([422, ['image']]);
    const video = await puls('video', Buffer.alloc(20 * 1024 * 1024 + 1), 'clip.mp4');
    expect([video.status, Object.keys(video.body.errors as object)]).toEqual([422, ['video']]);
    const flood = await puls('video', Buffer.alloc(60 * 1024 * 1024), 'clip.mp4');
    expect([flood.status, flood.body.code]).toEqual([413, 'payload_too_large']);
  });

  it('in multipart bodies that are broken', async () => {
    const whole = multipartBody([{ name: 'latitude', content: '50' }, { name: 'image', filename: 'a.jpg', content: await media.picture() }]);
    const broken = [whole.subarray(0, -20), whole.subarray(10), Buffer.from('--nothing'), Buffer.from('')];
    for (const path of ['/puls', `/events/${party.id}/photos`]) {
      for (const body of broken) {
        const answer = await jana.api.send('POST', path, { body, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } });
        expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
      }
      const unbounded = await jana.api.send('POST', path, { body: whole, headers: { 'content-type': 'multipart/form-data' } });
      expect([unbounded.status, unbounded.body.code]).toEqual([422, 'validation_failed']);
    }
  });
});
