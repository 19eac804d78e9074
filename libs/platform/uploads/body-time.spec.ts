import { multipartBody, RawConnection } from '#testing/raw-http';
import { UploadServer } from '#testing/upload-server';
import { limitBodyTime } from './body-time';

const LIMIT_MS = 150;
const pause = () => new Promise((resolve) => setTimeout(resolve, LIMIT_MS * 2));

describe('the time limit of a body', () => {
  const server = new UploadServer();

  beforeAll(() => {
    limitBodyTime(server.fastify, LIMIT_MS, LIMIT_MS);
    server.fastify.addHook('onRequest', async (request, reply) => {
      if (request.headers['x-refused'] !== undefined) await reply.code(401).send({});
    });
    return server.start();
  });
  afterAll(() => server.stop());

  // LIM-6
  it('ends a JSON request with an error if its body does not arrive completely in time', async () => {
    const slow = await RawConnection.to(server.origin);
    await slow.sendHeaders('/json', 100, { 'content-type': 'application/json' });
    await slow.send('{"a":');
    expect((await slow.answer()).status).toBeGreaterThanOrEqual(400);
  });

  // LIM-6
  it('does not end an upload that makes progress', async () => {
    const body = multipartBody([{ name: 'cover', filename: 'a', content: 'x'.repeat(100) }]);
    const slow = await RawConnection.to(server.origin);
    await slow.sendHeaders('/cover', body.length);
    await slow.send(body.subarray(0, 50));
    await pause();
    await slow.send(body.subarray(50));
    expect((await slow.answer()).status).toBe(200);
    slow.abort();
  });

  it('does not apply to a body that has arrived, and the connection stays open', async () => {
    const connection = await RawConnection.to(server.origin);
    await connection.sendHeaders('/json', 2, { 'content-type': 'application/json' });
    await connection.send('{}');
    expect((await connection.answer()).status).toBe(200);
    await pause();
    expect(connection.isOpen).toBe(true);
    connection.abort();
  });

  // LIM-6
  it.each(['/json', '/cover'])(
    'ends the connection if a request is refused before its body has arrived completely and the client then sends nothing more (%s)',
    async (path) => {
      const silent = await RawConnection.to(server.origin);
      await silent.sendHeaders(path, 100, { 'content-type': 'application/json', 'x-refused': 'yes' });
      await silent.send('{');
      expect((await silent.answer()).status).toBe(401);
      while (silent.isOpen) await pause();
    },
    30_000,
  );

  // LIM-6
  it('does not apply to a refused request whose whole body has arrived: the connection stays open', async () => {
    const connection = await RawConnection.to(server.origin);
    await connection.send(
      'POST /json HTTP/1.1\r\nhost: test\r\nx-refused: yes\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
    );
    expect((await connection.answer()).status).toBe(401);
    await pause();
    expect(connection.isOpen).toBe(true);
    connection.abort();
  });
});
