import { RequestLog } from '#areas/requests/request-log';
import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly route: string | null;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly ms: number;
  readonly bytes: number;
  readonly dry_run: boolean;
  readonly token: { id: string; name: string } | null;
  readonly app: null;
  readonly user_agent: string | null;
  readonly request_id: string;
}

describe('the log of requests', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  /** The requests of the person that were made before this call, the newest first. */
  async function logged(who: Person, query = ''): Promise<Entry[]> {
    // The server ends a response after its client has read it.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await server.app.get(RequestLog).flush();
    const { status, body } = await who.api.get(`/requests?per_page=100${query}`);
    expect(status).toBe(200);
    return body.data as Entry[];
  }

  // LOG-1, LOG-2
  it('has every request with its route, status and code', async () => {
    const jana = await server.person('jana');
    const { id } = await buildEvent(server, jana);
    const sent = [
      await jana.api.get(`/events/${id}?secret=1`),
      await jana.api.patch(`/events/${id}`, { title: '' }),
      await jana.api.delete('/nothing/here'),
      await jana.api.put(`/events/${id}`),
      await jana.api.send('GET', '/%'),
      await jana.api.send('DELETE', `/events/${id}`, { headers: { prefer: 'dry-run', 'user-agent': 'Test/1.0' } }),
    ];
    const entries = await logged(jana);
    expect(
      entries.map(({ method, route, path, status, code, dry_run }) => [method, route, path, status, code, dry_run]),
    ).toEqual([
      ['DELETE', '/api/v1/events/{id}', `/api/v1/events/${id}`, 204, null, true],
      ['GET', null, '/api/v1/%', 404, 'not_found', false],
      ['PUT', null, `/api/v1/events/${id}`, 405, 'method_not_allowed', false],
      ['DELETE', null, '/api/v1/nothing/here', 404, 'not_found', false],
      ['PATCH', '/api/v1/events/{id}', `/api/v1/events/${id}`, 422, 'validation_failed', false],
      ['GET', '/api/v1/events/{id}', `/api/v1/events/${id}`, 200, null, false],
    ]);
    expect(entries.map(({ request_id }) => request_id)).toEqual(
      sent.map(({ headers }) => headers.get('x-request-id')).reverse(),
    );
    expect(entries.at(-1)?.bytes).toBe(Buffer.byteLength(sent[0]?.text ?? ''));
    expect([entries[0]?.user_agent, entries[0]?.bytes, entries[0]?.app]).toEqual(['Test/1.0', 0, null]);
  });
});
