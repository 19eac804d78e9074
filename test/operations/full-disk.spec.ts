import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildEvent } from '#testing/builders';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { multipartBody, RawConnection } from '#testing/raw-http';
import { describeWith } from '#testing/requirements';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';

const MB = 2 ** 20;
/** The mount point of a separate disk, which is small enough to be filled. */
const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));

describeWith('mount', 'a full disk', () => {
  let server: TestServer;
  let jana: Person;

  beforeAll(async () => {
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'none', folder]);
    server = await TestServer.start({ dataDir: folder });
    jana = await server.person('jana');
  });
  afterAll(async () => {
    await server.stop();
    spawnSync('umount', [folder]);
  });

  /** Fills the disk until only `freeBytes` bytes are free. Returns a function that frees the space again. */
  function fill(freeBytes: number): () => void {
    const path = join(folder, 'ballast');
    const file = openSync(path, 'w');
    const { bavail, bsize } = statfsSync(folder);
    for (let rest = bavail * bsize - freeBytes; rest > 0; rest -= MB) writeSync(file, Buffer.alloc(Math.min(rest, MB)));
    closeSync(file);
    return () => rmSync(path);
  }
  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.name !== 'ballast',
    ).length;

  // WIRE-44
  it('causes a 503 for an upload, while an event can still be changed', async () => {
    const event = await buildEvent(server, jana);
    const photo = new Blob([new Uint8Array(await picture('jpeg'))]);
    const upload = () => jana.api.upload(`/events/${event.id}/images`, [['images[]', photo]]);
    const before = files();
    const free = fill(60 * MB);
    const refused = await upload();
    expect(refused).toMatchObject({
      status: 503,
      body: { code: 'server_error', message: 'Soubory teď nelze uložit. Všechno ostatní funguje.' },
    });
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(files()).toBe(before);
    expect((await jana.api.patch(`/events/${event.id}`, { title: 'Still here' })).status).toBe(200);
    free();
    expect((await upload()).status).toBe(201);
    expect(files()).toBe(before + 2);
  });

  // WIRE-51
  it('makes the server not ready while less than 16 MiB are free', async () => {
    const ready = async () => {
      const { status, text } = await server.nobody.get('~/health/ready');
      return [status, text];
    };
    let free = fill(17 * MB);
    expect(await ready()).toEqual([200, '{"status":"ok"}']);
    free();
    free = fill(15 * MB);
    expect(await ready()).toEqual([503, '{"status":"unavailable"}']);
    expect((await server.nobody.get('~/health/live')).status).toBe(200);
    free();
    expect(await ready()).toEqual([200, '{"status":"ok"}']);
  });

  // WIRE-44
  it('is not caused by parallel uploads: 64 MiB stay free, because the Content-Length of uploads in progress counts as used space', async () => {
    const event = await buildEvent(server, jana);
    const upload = () =>
      jana.api.upload(`/events/${event.id}/images`, [['images[]', new Blob([new Uint8Array(2 * MB)])]]);
    const free = fill(70 * MB);
    const slow = await RawConnection.to(server.origin);
    const whole = multipartBody([{ name: 'images[]', filename: 'a.jpg', content: Buffer.alloc(5 * MB) }]);
    const before = files();
    await slow.sendHeaders(`/api/v1/events/${event.id}/images`, whole.length, {
      authorization: `Bearer ${jana.token}`,
    });
    await slow.send(whole.subarray(0, 500));
    // When the slow upload has created its file, the Content-Length of this upload counts as used space.
    await waitUntil(() => files() !== before);
    expect(await upload()).toMatchObject({
      status: 503,
      body: { message: 'Soubory teď nelze uložit. Všechno ostatní funguje.' },
    });
    slow.abort();
    let answer = await upload();
    while (answer.status === 503) answer = await upload();
    expect(answer.status).toBe(422); // the upload was received completely, but is not a picture
    free();
  });

  it('is not reported too early: bytes that an upload in progress has already written are counted only once', async () => {
    const event = await buildEvent(server, jana);
    const photo = new Blob([new Uint8Array(await picture('jpeg'))]);
    const free = fill(72 * MB);
    const slow = await RawConnection.to(server.origin);
    const whole = multipartBody([{ name: 'images[]', filename: 'a.jpg', content: Buffer.alloc(6 * MB) }]);
    await slow.sendHeaders(`/api/v1/events/${event.id}/images`, whole.length, {
      authorization: `Bearer ${jana.token}`,
    });
    await slow.send(whole.subarray(0, 5 * MB));
    await waitUntil(() => statfsSync(folder).bavail * statfsSync(folder).bsize <= 68 * MB);
    expect((await jana.api.upload(`/events/${event.id}/images`, [['images[]', photo]])).status).toBe(201);
    slow.abort();
    await waitUntil(() => statfsSync(folder).bavail * statfsSync(folder).bsize >= 71 * MB);
    free();
  });

  it('causes a 503, not an error about an invalid file, if there is too little space for all files of an upload', async () => {
    const event = await buildEvent(server, jana);
    const before = files();
    const free = fill(66 * MB);
    const zeros = new Blob([new Uint8Array(4 * MB)]);
    const upload = () =>
      jana.api.upload(`/events/${event.id}/images`, [
        ['images[]', zeros],
        ['images[]', zeros],
      ]);
    expect((await upload()).status).toBe(503);
    free();
    expect((await upload()).status).toBe(422);
    expect(files()).toBe(before);
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));
