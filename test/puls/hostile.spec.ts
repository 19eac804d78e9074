import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { Clips, readMp4 } from '#testing/clips';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { NOTHING_TO_DO, pathOf, scratchFiles, storedFiles, sweep } from '#testing/files-and-rows';
import * as media from '#testing/media';
import type { Person } from '#testing/people';
import { BOUNDARY, multipartBody } from '#testing/raw-http';
import { TestServer } from '#testing/test-server';

const SECRET = 'secret of a stranger';

/**
 * PULS-13: a malicious video is refused with 422 on its field, and no part of the file is stored. An unusual video that
 * can be played is converted instead (PULS-14). test/events/hostile-images.spec.ts tests malicious pictures (WIRE-46).
 */
describe('malicious and unusual uploads', () => {
  let server: TestServer;
  let jana: Person;
  let party: BuiltEvent;
  let clips: Clips;
  let clipFolder: string;
  /** The server to which some of the malicious files refer. It must never get a connection. */
  let forbiddenServer: Server;
  let forbiddenConnections = 0;
  beforeAll(async () => {
    forbiddenServer = createServer((socket) => socket.destroy(void forbiddenConnections++)).listen(0, '127.0.0.1');
    server = await TestServer.start();
    jana = await server.person('jana');
    party = await buildEvent(server, jana, { photos_enabled: true });
    clipFolder = mkdtempSync(join(tmpdir(), 'clips-'));
    clips = new Clips(clipFolder);
  });
  afterEach(async () => {
    expect([storedFiles(server), scratchFiles(server)]).toEqual([[], []]);
    expect(await sweep(server)).toEqual(NOTHING_TO_DO);
    expect(forbiddenConnections).toBe(0);
  });
  afterAll(async () => {
    await server.stop();
    forbiddenServer.close();
    rmSync(clipFolder, { recursive: true });
  });

  const uploadPuls = (field: string, sent: Buffer, name: string, who = jana) =>
    who.api.upload('/puls', [
      ['latitude', '50'],
      ['longitude', '14'],
      [field, new Blob([sent]), name],
    ]);
  const port = () => (forbiddenServer.address() as AddressInfo).port;
  const clip = async (...args: Parameters<Clips['make']>) => readFileSync(await clips.make(...args));
  const HOSTILE_VIDEOS: Record<string, () => Buffer | Promise<Buffer>> = {
    'an HLS playlist': () =>
      Buffer.from(
        `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\nconcat:http://127.0.0.1:${port()}/|file:///etc/passwd\n#EXT-X-ENDLIST\n`,
      ),
    'a concat script': () =>
      Buffer.from(`ffconcat version 1.0\nfile 'http://127.0.0.1:${port()}/'\nfile '/etc/passwd'\n`),
    'a session description': () =>
      Buffer.from(
        `v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${port()} TCP 96\na=rtpmap:96 H264/90000\n`,
      ),
    'a DASH manifest': () =>
      Buffer.from(
        `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><BaseURL>http://127.0.0.1:${port()}/</BaseURL></MPD>`,
      ),
    'an HTML page': () => Buffer.from('<html><video src="x"></video></html>'),
    'a picture': () => media.picture('jpeg'),
    'an animated picture': () => media.animatedGif(20),
    'sound only': async () => readFileSync(await clips.write('song.m4a', ['-f', 'lavfi', '-i', 'sine=duration=1'])),
    'a truncated clip': () => clip('cut.mp4', { seconds: 0.4 }).then((whole) => whole.subarray(0, -100)),
    'a truncated clip whose beginning can be played': () =>
      clip('begun.mp4', { seconds: 2, args: ['-movflags', '+faststart'] }).then((whole) => whole.subarray(0, -2000)),
    'a truncated MKV': () => clip('cut.mkv', { seconds: 0.4 }).then((whole) => whole.subarray(0, -2000)),
    'an AVI file': () => clip('clip.avi', { seconds: 0.4, args: ['-c:v', 'mpeg4'] }),
    'an MPEG transport stream': () => clip('clip.ts', { seconds: 0.4 }),
    'a codec that is not accepted': () => clip('lab.mkv', { seconds: 0.4, args: ['-c:v', 'ffv1'] }),
    'more than a hundred streams': () =>
      clip('streams.mkv', {
        width: 16,
        height: 16,
        seconds: 0.2,
        rate: 5,
        sound: false,
        args: ['-c:v', 'mpeg4', ...Array<string[]>(120).fill(['-map', '0:v']).flat()],
      }),
    'more pixels than 4K': () => clip('large.mp4', { width: 4128, height: 2320, seconds: 0.1, rate: 10, sound: false }),
    'a thousand frames per second': () =>
      clip('bomb.mp4', { width: 16, height: 16, rate: 1000, seconds: 3, sound: false }),
    'a clip with noise instead of frames': async () => {
      const noise = await clip('noise.mp4', { seconds: 0.4, sound: false });
      const at = noise.indexOf('mdat') + 4;
      return noise.fill(0x5a, at, at + noise.readUInt32BE(at - 8) - 8);
    },
  };
  // PULS-13
  it.each(Object.keys(HOSTILE_VIDEOS))('are refused as videos: %s', async (name) => {
    const answer = await uploadPuls('video', await HOSTILE_VIDEOS[name]!(), 'clip.mp4');
    expect([answer.status, answer.body.code, Object.keys(answer.body.errors as object)]).toEqual([
      422,
      'validation_failed',
      ['video'],
    ]);
  });

  const UNUSUAL_VIDEOS: Record<string, () => Promise<Buffer>> = {
    'a clip of ten seconds': () => clip('ten.mp4', { seconds: 10, width: 160, height: 120 }),
    'sound that continues after the picture': async () =>
      readFileSync(
        await clips.write('sound.mp4', [
          '-f',
          'lavfi',
          '-i',
          'testsrc=size=64x64:rate=25:duration=1',
          '-f',
          'lavfi',
          '-i',
          'sine=duration=9',
          '-pix_fmt',
          'yuv420p',
        ]),
      ),
    'sound that begins after the first six seconds': async () =>
      readFileSync(
        await clips.write('late.mp4', [
          '-f',
          'lavfi',
          '-i',
          'testsrc=size=64x64:rate=25:duration=10',
          '-itsoffset',
          '8',
          '-f',
          'lavfi',
          '-i',
          'sine=duration=2',
          '-pix_fmt',
          'yuv420p',
        ]),
      ),
    'twenty audio tracks': () =>
      clip('sounds.mp4', { seconds: 0.4, args: ['-map', '0:v', ...Array<string[]>(20).fill(['-map', '1:a']).flat()] }),
    'an attached file': async () => {
      await writeFile(join(clipFolder, 'secret.txt'), SECRET);
      return clip('attached.mkv', {
        seconds: 0.4,
        args: ['-attach', join(clipFolder, 'secret.txt'), '-metadata:s:t', 'mimetype=text/plain'],
      });
    },
    'subtitles, chapters and a title': async () => {
      await writeFile(join(clipFolder, 'secret.srt'), `1\n00:00:00,000 --> 00:00:01,000\n${SECRET}\n`);
      await writeFile(
        join(clipFolder, 'secret.txt'),
        `;FFMETADATA1\ntitle=${SECRET}\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=${SECRET}\n`,
      );
      const inputs = ['testsrc=size=64x64:rate=25:duration=1', 'sine=duration=1'].flatMap((source) => [
        '-f',
        'lavfi',
        '-i',
        source,
      ]);
      const texts = ['-i', join(clipFolder, 'secret.srt'), '-i', join(clipFolder, 'secret.txt')];
      return readFileSync(
        await clips.write('chapters.mp4', [
          ...inputs,
          ...texts,
          '-map',
          '0',
          '-map',
          '1',
          '-map',
          '2',
          '-map_metadata',
          '3',
          '-pix_fmt',
          'yuv420p',
          '-c:s',
          'mov_text',
        ]),
      );
    },
    HEVC: () => clip('hevc.mov', { seconds: 0.4, args: ['-c:v', 'libx265', '-tag:v', 'hvc1'] }),
    VP9: () =>
      clip('vp9.webm', { seconds: 0.4, args: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-c:a', 'libopus'] }),
    'ten bits per colour': () => clip('ten-bits.mp4', { seconds: 0.4, args: ['-pix_fmt', 'yuv444p10le'] }),
    'a picture rotated by 90 degrees': async () =>
      readFileSync(await clips.rotated('turned.mp4', await clips.make('straight.mp4', { seconds: 0.4 }), 90)),
    'a picture that is two pixels wide': () =>
      clip('column.mp4', { width: 2, height: 2000, seconds: 0.2, sound: false }),
  };
  // PULS-14
  it.each(Object.keys(UNUSUAL_VIDEOS))('are converted to harmless videos if they can be played: %s', async (name) => {
    const sent = await UNUSUAL_VIDEOS[name]!();
    const eva = await server.person('eva');
    const { status, body } = await uploadPuls('video', sent, 'clip.mp4', eva);
    expect(status).toBe(201);
    const path = pathOf(server, body.data.video_url);
    const mp4 = await readMp4(path);
    expect(mp4.boxes.indexOf('moov')).toBeLessThan(mp4.boxes.indexOf('mdat'));
    expect(mp4.tracks.map(({ codec, isRotated, encoder }) => [codec, isRotated, encoder])).toEqual(
      [
        ['avc1', false, ''],
        ['mp4a', false, ''],
      ].slice(0, mp4.tracks.length),
    );
    expect(mp4.duration).toBeLessThanOrEqual(6);
    const [video, poster] = [readFileSync(path), readFileSync(pathOf(server, body.data.video_poster_url))];
    for (const file of [video, poster])
      for (const text of [SECRET, 'Lavc', 'Lavf', 'x264']) expect(file.includes(text)).toBe(false);
    const [streamInfo = ''] = (await clips.describe(path)).split('Stream mapping');
    expect(streamInfo).not.toMatch(
      /error|invalid|title|Chapter|Subtitle|Attachment|Data|rotate|displaymatrix|creation/,
    );
    const { format, width, height } = await sharp(poster).metadata();
    expect([format, width, height]).toEqual(['jpeg', mp4.tracks[0]!.width, mp4.tracks[0]!.height]);
    expect((await eva.api.delete(`/puls/${body.data.id}`)).status).toBe(204);
  });

  // WIRE-46
  it('are refused as pictures, with the name of the field', async () => {
    const { status, body } = await uploadPuls('image', Buffer.from('no photo'), 'photo.png');
    expect([status, body.code, Object.keys(body.errors as object)]).toEqual([422, 'validation_failed', ['image']]);
  });

  // PULS-1
  it('are refused if they are too large', async () => {
    const image = await uploadPuls('image', Buffer.alloc(5 * 1024 * 1024 + 1), 'photo.jpg');
    expect([image.status, Object.keys(image.body.errors as object)]).toEqual([422, ['image']]);
    const video = await uploadPuls('video', Buffer.alloc(20 * 1024 * 1024 + 1), 'clip.mp4');
    expect([video.status, Object.keys(video.body.errors as object)]).toEqual([422, ['video']]);
    const flood = await uploadPuls('video', Buffer.alloc(60 * 1024 * 1024), 'clip.mp4');
    expect([flood.status, flood.body.code]).toEqual([413, 'payload_too_large']);
  });

  it('are refused with 422 if the multipart body is invalid, even if it contains an ordinary picture', async () => {
    const whole = multipartBody([
      { name: 'latitude', content: '50' },
      { name: 'image', filename: 'a.jpg', content: await media.picture() },
    ]);
    const broken = [whole.subarray(0, -20), whole.subarray(10), Buffer.from('--nothing'), Buffer.from('')];
    for (const path of ['/puls', `/events/${party.id}/photos`]) {
      for (const body of broken) {
        const answer = await jana.api.send('POST', path, {
          body,
          headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
        });
        expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
      }
      const withoutBoundary = await jana.api.send('POST', path, {
        body: whole,
        headers: { 'content-type': 'multipart/form-data' },
      });
      expect([withoutBoundary.status, withoutBoundary.body.code]).toEqual([422, 'validation_failed']);
    }
  });
});
