import { buildEvent } from '#testing/builders';
import * as media from '#testing/media';
import { multipartBody, RawConnection } from '#testing/raw-http';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';

/** LIM-9, LIM-10: an upload that arrives too slowly is answered with 408, and does not delay other requests. */
describe('slow uploads', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterEach(() => jest.useRealTimers());
  afterAll(() => server.stop());

  it('do not delay other requests, and end with 408 request_timeout', async () => {
    const [jana, petr] = [await server.person('jana'), await server.person('petr')];
    const [petrsEvent, janasEvent] = [await buildEvent(server, petr), await buildEvent(server, jana)];
    const photo = await media.phonePhoto();
    // Fakes `setInterval`, with which the server checks the speed of each upload (LIM-10).
    jest.useFakeTimers({
      doNotFake: [
        'Date',
        'hrtime',
        'nextTick',
        'performance',
        'queueMicrotask',
        'setImmediate',
        'clearImmediate',
        'setTimeout',
        'clearTimeout',
      ],
    });

    const form = multipartBody([{ name: 'images[]', filename: 'a.jpg', content: photo }]);
    const slowConnections = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const connection = await RawConnection.to(server.origin);
        await connection.sendHeaders(`/api/v1/events/${petrsEvent.id}/images`, form.length, {
          authorization: `Bearer ${petr.token}`,
        });
        await connection.send(form.subarray(0, 500));
        return connection;
      }),
    );
    await waitUntil(() => jest.getTimerCount() >= slowConnections.length);

    const answers = await Promise.all(
      Array.from({ length: 3 }, () =>
        jana.api.upload(`/events/${janasEvent.id}/images`, [['images[]', new Blob([new Uint8Array(photo)])]]),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);

    jest.advanceTimersByTime(15_000);
    for (const connection of slowConnections) {
      expect(await connection.answer()).toEqual({
        status: 408,
        body: { message: 'Požadavek nedorazil včas.', code: 'request_timeout' },
      });
    }
    await waitUntil(() => slowConnections.every(({ isOpen }) => !isOpen));
  });
});

// LIM-6, WIRE-43
describe('a slow JSON body', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start({ bodyTimeoutSeconds: 0.5 })));
  afterAll(() => server.stop());

  it.each([
    ['with a content length', 100],
    ['sent in chunks', null],
  ])('%s gets 408 request_timeout, and the server closes the connection', async (_, length) => {
    const jana = await server.person('jana');
    const slow = await RawConnection.to(server.origin);
    await slow.sendHeaders('/api/v1/events', length, {
      authorization: `Bearer ${jana.token}`,
      'content-type': 'application/json',
    });
    if (length === null) await slow.sendChunk(Buffer.from('{"title":'));
    else await slow.send('{"title":');
    expect(await slow.answer()).toEqual({
      status: 408,
      body: { message: expect.any(String), code: 'request_timeout' },
    });
    await waitUntil(() => !slow.isOpen);
    expect(await server.sql('SELECT 1 FROM events')).toEqual([]);
  });
});
