import { setTimeout as sleep } from 'node:timers/promises';
import { BOUNDARY, multipartBody, RawConnection } from '#testing/raw-http';
import { form, UploadServer } from '#testing/upload-server';
import { waitUntil } from '#testing/wait-until';

const KB = 1024;
const file = (kilobytes = 1) => Buffer.alloc(kilobytes * KB, 7);
const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

describe('uploads', () => {
  let server: UploadServer;

  beforeAll(async () => {
    server = new UploadServer();
    await server.start();
  });
  afterEach(async () => {
    server.waitBeforeProcessing = null;
    // The server notices an aborted request a moment later.
    for (let i = 0; i < 2000 && (await server.spooledFiles()).length > 0; i++) await sleep(10);
    expect(await server.spooledFiles()).toEqual([]);
  });
  afterAll(() => server.stop());

  const invalid = (errors: Record<string, unknown>) => ({
    status: 422,
    body: {
      code: 'validation_failed',
      message: expect.any(String),
      errors: Object.fromEntries(Object.keys(errors).map((field) => [field, [errors[field]]])),
    },
  });
  const unreadable = invalid({ body: 'The body cannot be read.' });
  const tooLarge = { status: 413, body: { code: 'payload_too_large', message: expect.any(String) } };

  /** Sends the headers and then the whole body at once, without changes. */
  async function post(path: string, body: Buffer, headers: Record<string, string> = {}) {
    const connection = await RawConnection.to(server.origin);
    await connection.sendHeaders(path, body.length, headers);
    await connection.send(body);
    const answer = await connection.answer();
    connection.abort();
    return answer;
  }

  describe('accept', () => {
    it.each([['images[]'], ['images'], ['images[0]']])('files sent as %s', async (name) => {
      expect(await server.send('/images', form([name, file(3)], [name, file(64)]))).toEqual({
        status: 200,
        body: {
          files: [
            { name: 'images', field: 'images.0', bytes: 3 * KB, isComplete: true },
            { name: 'images', field: 'images.1', bytes: 64 * KB, isComplete: true },
          ],
          fields: {},
        },
      });
    });

    it('fields together with files, in any order', async () => {
      const { body } = await server.send(
        '/puls',
        form(['caption', 'Ahoj'], ['video', file(100)], ['later', 'unknown']),
      );
      expect(body).toEqual({
        files: [{ name: 'video', field: 'video', bytes: 100 * KB, isComplete: true }],
        fields: { caption: 'Ahoj' },
      });
    });

    // WIRE-22
    it('undeclared files, which are ignored', async () => {
      const sent = form(['other', file(200)], ['cover', file(2)], ['constructors', 'x']);
      expect(await server.send('/cover', sent)).toMatchObject({ status: 200, body: { files: [{ bytes: 2 * KB }] } });
    });

    // WIRE-22
    it('undeclared texts with any content, which are ignored', async () => {
      const sent = multipartBody([
        { name: 'later', content: 'x'.repeat(129 * KB) },
        { name: 'later', type: 'application/json', content: '{"a": 1}' },
        { name: 'caption', content: 'Ahoj' },
      ]);
      expect(await post('/comments', sent)).toEqual({ status: 200, body: { files: [], fields: { caption: 'Ahoj' } } });
      expect(await server.send('/images', form(['title', 'x'.repeat(129 * KB)], ['images', file()]))).toMatchObject({
        status: 200,
      });
    });

    it('JSON instead of a form, if the route allows it', async () => {
      const sent = JSON.stringify({ caption: 'Ahoj' });
      expect(await server.send('/comments', sent, { 'content-type': 'application/json' })).toEqual({
        status: 200,
        body: { files: [], fields: { caption: 'Ahoj' } },
      });
      expect(await server.send('/comments', form(['caption', 'Ahoj'], ['image', file()]))).toMatchObject({
        status: 200,
        body: { fields: { caption: 'Ahoj' } },
      });
    });

    it('the empty part that browsers send for a file input without a file, and count it as no file', async () => {
      const notChosen = multipartBody([
        { name: 'image', filename: '', type: 'application/octet-stream', content: '' },
        { name: 'video', content: '' },
      ]);
      expect(await post('/puls', notChosen)).toEqual({ status: 200, body: { files: [], fields: {} } });
    });

    it('a content type with upper-case letters', async () => {
      const sent = multipartBody([{ name: 'cover', filename: 'a.jpg', content: 'x' }]);
      expect(
        await post('/cover', sent, { 'content-type': `Multipart/Form-Data; boundary="${BOUNDARY}"` }),
      ).toMatchObject({ status: 200 });
    });

    it('a text part with a JSON content type', async () => {
      const sent = multipartBody([{ name: 'caption', type: 'application/json', content: '"Ahoj"' }]);
      expect(await post('/comments', sent)).toEqual({ status: 200, body: { files: [], fields: { caption: 'Ahoj' } } });
    });

    it('file names that contain a path', async () => {
      const sent = multipartBody([
        { name: 'images[]', filename: '../../../etc/passwd', content: 'x' },
        { name: 'images[]', filename: '/etc/cron.d/evil', content: 'x' },
        { name: 'images[]', filename: 'a\0.jpg', content: 'x' },
      ]);
      expect(await post('/images', sent)).toMatchObject({
        status: 200,
        body: { files: [{ bytes: 1 }, { bytes: 1 }, { bytes: 1 }] },
      });
    });

    it('bytes that arrive slowly', async () => {
      const sent = multipartBody([{ name: 'cover', filename: 'a.jpg', content: file(2) }]);
      const slow = await RawConnection.to(server.origin);
      await slow.sendHeaders('/cover', null);
      for (let i = 0; i < sent.length; i += 200) await slow.sendChunk(sent.subarray(i, i + 200));
      await slow.send('0\r\n\r\n');
      expect(await slow.answer()).toMatchObject({ status: 200, body: { files: [{ bytes: 2 * KB }] } });
      slow.abort();
    });
  });

  describe('refuse, with an error for the field,', () => {
    it.each([
      ['/images', 'images', 'Please send at least 1 file.'],
      ['/cover', 'cover', 'This is required.'],
    ])('a form without a file for %s', async (path, field, text) => {
      expect(await server.send(path, form(['other', 'x']))).toEqual(invalid({ [field]: text }));
      expect(await post(path, Buffer.from(`--${BOUNDARY}--\r\n`))).toEqual(invalid({ [field]: text }));
      expect(await post(path, Buffer.alloc(0))).toEqual(invalid({ [field]: text }));
    });

    // WIRE-41
    it('more files than allowed', async () => {
      const four = form(...Array.from({ length: 4 }, () => ['images[]', file()] as const));
      expect(await server.send('/images', four)).toEqual(invalid({ images: 'Please send at most 3 files.' }));
      expect(await server.send('/cover', form(['cover', file()], ['cover', file()]))).toEqual(
        invalid({ cover: 'Please send at most 1 file.' }),
      );
    });

    // WIRE-41, LIM-6
    it('a file above the maximum size, with the number of the file in the error', async () => {
      const sent = form(['images[]', file()], ['images[]', file(64)], ['images[]', Buffer.alloc(64 * KB + 1)]);
      expect(await server.send('/images', sent)).toEqual(
        invalid({ 'images.2': 'The file must not be larger than 0.0625 MB.' }),
      );
    });

    // WIRE-41
    it('an empty file', async () => {
      expect(await server.send('/images', form(['images[]', file()], ['images[]', Buffer.alloc(0)]))).toEqual(
        invalid({ 'images.1': 'The file is empty.' }),
      );
    });

    it('a text for a file field', async () => {
      expect(await server.send('/images', form(['images[]', 'hello']))).toEqual(
        invalid({ 'images.0': 'This must be a file.' }),
      );
      expect(await server.send('/cover', form(['cover', 'https://example.org/a.jpg']))).toEqual(
        invalid({ cover: 'This must be a file.' }),
      );
    });

    // WIRE-40
    it('JSON, or a body without any bytes, for a route that requires a file', async () => {
      expect(await server.send('/images', '{}', { 'content-type': 'application/json' })).toEqual(
        invalid({ images: 'This must be a file.' }),
      );
      expect(await post('/cover', Buffer.alloc(0), { 'content-type': 'application/json' })).toEqual(
        invalid({ cover: 'This must be a file.' }),
      );
    });

    it('a text that is sent twice, is too long, cannot be stored or is an object', async () => {
      expect(await server.send('/comments', form(['caption', 'a'], ['caption', 'b']))).toEqual(
        invalid({ caption: 'This must be a text.' }),
      );
      expect(await server.send('/comments', form(['caption', ' '.repeat(128 * KB) + 'x']))).toEqual(
        invalid({ caption: 'This must have at most 131072 characters.' }),
      );
      expect(await server.send('/comments', form(['caption', 'a\0b']))).toMatchObject(
        invalid({ caption: 'This contains characters that cannot be stored.' }),
      );
      const sent = multipartBody([{ name: 'caption', type: 'application/json', content: '{"a":1}' }]);
      expect(await post('/comments', sent)).toEqual(invalid({ caption: 'This must be a text.' }));
    });
  });

  // WIRE-40
  describe('refuse, with an error for the body,', () => {
    const wholeBody = multipartBody([{ name: 'cover', filename: 'a.jpg', content: file(20) }]);

    it.each<[string, Buffer, Record<string, string>]>([
      ['a missing boundary', wholeBody, { 'content-type': 'multipart/form-data' }],
      ['an empty boundary', wholeBody, { 'content-type': 'multipart/form-data; boundary=' }],
      [
        'a boundary that the body does not contain',
        wholeBody,
        { 'content-type': 'multipart/form-data; boundary=other' },
      ],
      ['another kind of multipart', wholeBody, { 'content-type': `multipart/mixed; boundary=${BOUNDARY}` }],
      ['a body that ends within a file', wholeBody.subarray(0, 15 * KB), {}],
      ['a body that ends within a header', wholeBody.subarray(0, 40), {}],
      ['a body without its last boundary', multipartBody([{ name: 'cover', filename: 'a', content: 'x' }], ''), {}],
      ['a body that is not multipart', Buffer.from('\x00\xff\xfe nothing of the kind', 'latin1'), {}],
      ['too many parts', multipartBody(Array.from({ length: 150 }, (_, i) => ({ name: `f${i}`, content: 'x' }))), {}],
      ['the name __proto__', multipartBody([{ name: '__proto__', content: 'x' }]), {}],
      ['a broken JSON part', multipartBody([{ name: 'caption', type: 'application/json', content: '{' }]), {}],
    ])('%s', async (_name, body, headers) => {
      const answer = await post('/cover', body, { ...MULTIPART, ...headers });
      expect(answer).toEqual(unreadable);
    });

    it('JSON for a route that requires no file, and a body with another content type', async () => {
      expect(await server.send('/puls', '{"caption":"x"}', { 'content-type': 'application/json' })).toEqual(unreadable);
      expect(await server.send('/cover', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })).toEqual(
        unreadable,
      );
    });

    it('a field with a very long name, and a very long header (which never gets a 5xx)', async () => {
      const name = multipartBody([{ name: 'n'.repeat(100_000), content: 'x' }]);
      expect(await post('/cover', name)).toMatchObject({ status: 422 });
      const header = multipartBody([{ name: 'cover', filename: 'x'.repeat(500_000), content: 'x' }]);
      expect((await post('/cover', header)).status).toBeLessThan(500);
    });

    it('a multipart body for a route that accepts only JSON', async () => {
      expect(await post('/json', wholeBody)).toEqual(unreadable);
    });

    it('a multipart body only if the path is known; an unknown path gets 404', async () => {
      expect((await post('/unknown', wholeBody)).status).toBe(404);
    });
  });

  // WIRE-42. A body for /cover has at most 17 MiB: 1 MiB for the file, and EXTRA_BYTES.
  describe('refuse bodies that are too large', () => {
    it('and have a Content-Length above the maximum', async () => {
      const sent = form(['cover', file(18_000)]);
      expect(await server.send('/cover', sent)).toEqual(tooLarge);
    });

    it('and are sent in chunks, without a length', async () => {
      const connection = await RawConnection.to(server.origin);
      await connection.sendHeaders('/cover', null);
      await connection.sendChunk(
        Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="other"; filename="a"\r\n\r\n`),
      );
      for (let i = 0; i < 280; i++) await connection.sendChunk(file(64));
      expect(await connection.answer()).toEqual(tooLarge);
      connection.abort();
    });

    it('even before their first part begins', async () => {
      const connection = await RawConnection.to(server.origin);
      await connection.sendHeaders('/cover', null);
      for (let i = 0; i < 280; i++) await connection.sendChunk(file(64));
      expect(await connection.answer()).toEqual(tooLarge);
      connection.abort();
    });

    it('and answer a client that never stops sending a file', async () => {
      const connection = await RawConnection.to(server.origin);
      await connection.sendHeaders('/images', null);
      await connection.sendChunk(
        Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="images[]"; filename="a"\r\n\r\n`),
      );
      let sending = true;
      const endless = (async () => {
        while (sending) await Promise.race([connection.sendChunk(file(64)), sleep(100)]);
      })();
      const answer = await connection.answer();
      sending = false;
      await endless;
      expect(answer).toEqual(invalid({ 'images.0': 'The file must not be larger than 0.0625 MB.' }));
      connection.abort();
    });

    it('and answer a client that has sent `Connection: close` and reads only after sending everything', async () => {
      const connection = await RawConnection.to(server.origin);
      const body = multipartBody([{ name: 'images[]', filename: 'a', content: file(12_000) }]);
      connection.stopReading();
      await connection.sendHeaders('/images', body.length, { connection: 'close' });
      await connection.send(body);
      expect(await connection.answer()).toEqual(invalid({ 'images.0': 'The file must not be larger than 0.0625 MB.' }));
      connection.abort();
    });
  });

  describe('leave no files behind', () => {
    it.each([[0], [100], [10 * KB]])('when the client disconnects after %i bytes', async (bytes) => {
      const wholeBody = multipartBody([{ name: 'cover', filename: 'a.jpg', content: file(20) }]);
      const connection = await RawConnection.to(server.origin);
      await connection.sendHeaders('/cover', wholeBody.length);
      await connection.send(wholeBody.subarray(0, bytes));
      await sleep(30);
      connection.abort();
      await sleep(30);
    });

    it('when the client ends the connection in the middle of a file', async () => {
      const connection = await RawConnection.to(server.origin);
      await connection.sendHeaders('/cover', 50_000);
      await connection.send(
        multipartBody([{ name: 'cover', filename: 'a.jpg', content: file(20) }], '').subarray(0, 10_000),
      );
      connection.end();
      await sleep(30);
      connection.abort();
    });

    it('when the client disconnects while the files are processed', async () => {
      let release: () => void = () => undefined;
      server.waitBeforeProcessing = new Promise((resolve) => (release = resolve));
      const wholeBody = multipartBody([{ name: 'cover', filename: 'a.jpg', content: file(20) }]);
      const connection = await RawConnection.to(server.origin);
      await connection.sendHeaders('/cover', wholeBody.length);
      await connection.send(wholeBody);
      while ((await server.spooledFiles()).length < 2) await sleep(5);
      connection.abort();
      await sleep(20);
      expect(await server.spooledFiles()).toHaveLength(2);
      release();
    });
  });

  // LIM-9
  describe('the queue', () => {
    const wholeBody = multipartBody([{ name: 'cover', filename: 'a.jpg', content: file(20) }]);
    const begin = (count: number, account: number) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const connection = await RawConnection.to(server.origin);
          await connection.sendHeaders('/cover', wholeBody.length, { 'x-account': String(account) });
          await connection.send(wholeBody.subarray(0, 10_000));
          return connection;
        }),
      );
    const finish = async (connections: readonly RawConnection[]) => {
      for (const connection of connections) await connection.send(wholeBody.subarray(10_000));
      for (const connection of connections) expect(await connection.answer()).toMatchObject({ status: 200 });
      connections.forEach((connection) => connection.abort());
    };
    const countReceiving = async () => (await server.spooledFiles()).filter((name) => name.includes('/')).length;
    const untilReceiving = async (count: number) => {
      await waitUntil(async () => (await countReceiving()) >= count);
      await sleep(50);
      expect(await countReceiving()).toBe(count);
    };

    it('receives four bodies of an account at a time, and then the others', async () => {
      const connections = await begin(6, 1);
      await untilReceiving(4);
      await finish(connections);
    });

    it('does not let a slow sender delay others', async () => {
      const slowSenders = await begin(8, 1);
      await untilReceiving(4);
      for (const account of [2, 3, 4]) {
        expect(await server.send('/cover', form(['cover', file(20)]), { 'x-account': String(account) })).toMatchObject({
          status: 200,
        });
      }
      // The four bodies of the slow sender are still being received, so the other bodies did not have to wait for them.
      expect(await countReceiving()).toBe(4);
      await finish(slowSenders);
    });

    it('receives sixteen bodies per address at a time, even if they come from different accounts', async () => {
      const connections = (await Promise.all([1, 2, 3, 4, 5].map((account) => begin(4, account)))).flat();
      await untilReceiving(16);
      await finish(connections);
    });

    it('removes a sender that disconnects while its body waits', async () => {
      const four = await begin(4, 1);
      await untilReceiving(4);
      const waiting = await begin(4, 1);
      while ((await server.spooledFiles()).length < 12) await sleep(5);
      waiting.forEach((connection) => connection.abort());
      // The queue entries and folders of the senders that disconnected are released at once, before any of the four
      // bodies has arrived completely.
      while ((await server.spooledFiles()).length > 8) await sleep(5);
      await finish(four);
      await finish(await begin(4, 1));
    });
  });
});
