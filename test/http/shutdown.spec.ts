import { eventBody } from '#testing/builders';
import { RawConnection } from '#testing/raw-http';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';

describe('a server that is stopping', () => {
  // OPS-3
  it('answers requests that have begun to arrive on open connections, but accepts no new connections', async () => {
    const server = await TestServer.start();
    const jana = await server.person('jana');
    const body = Buffer.from(JSON.stringify(eventBody({ title: 'Poslední' })));
    const incompleteBody = await RawConnection.to(server.origin);
    await incompleteBody.sendHeaders('/api/v1/events', body.length, {
      authorization: `Bearer ${jana.token}`,
      'content-type': 'application/json',
    });
    await incompleteBody.send(body.subarray(0, 10));
    const incompleteHead = await RawConnection.to(server.origin);
    await incompleteHead.send(`GET /api/v1/user HTTP/1.1\r\nauthorization: Bearer ${jana.token}\r\n`);

    const stopped = server.stop();
    await waitUntilConnectionsAreRefused(server.origin);
    await incompleteHead.send('\r\n');
    expect(await incompleteHead.answer()).toMatchObject({ status: 200, body: { data: { slug: jana.slug } } });
    await incompleteBody.send(body.subarray(10));
    expect(await incompleteBody.answer()).toMatchObject({ status: 201, body: { data: { title: 'Poslední' } } });
    await stopped;
  });

  async function waitUntilConnectionsAreRefused(origin: string): Promise<void> {
    await waitUntil(async () => {
      const connection = await RawConnection.to(origin).catch(() => null);
      connection?.abort();
      return connection === null;
    });
  }
});
