import { mintSecret } from '#areas/identity/token-secret.policy';
import { onStatement } from '#platform/database/statement-channel';
import { HttpClient } from '#testing/http-client';
import { TestServer } from '#testing/test-server';

/** LIM-1, LIM-2: the limits of requests per minute, for each token and for each IP address. */
describe('request limits', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start({ rateLimitTokenPerMinute: 60 })));
  afterAll(() => server.stop());

  // LIM-1, LIM-3
  it('accept exactly 60 of 200 parallel requests with one token', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const answers = await Promise.all(Array.from({ length: 200 }, () => jana.api.get('/user')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(140);
    for (const { body, headers } of refused) {
      expect(body.code).toBe('too_many_requests');
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['60', '0']);
    }
    // Requests with another token are counted separately. After a minute, the count of each token begins again.
    expect((await petr.api.get('/user')).headers.get('x-ratelimit-remaining')).toBe('59');
    server.clock.forward(61_000);
    expect((await jana.api.get('/user')).status).toBe(200);
  });

  // LIM-2, LIM-3
  it('count all requests of an IP address, including requests without a token, requests to an unknown path and CORS preflights', async () => {
    const strict = await TestServer.start({ rateLimitIpPerMinute: 5 });
    const jana = await strict.person('jana');
    const first = await strict.nobody.get('/user');
    expect([first.status, first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')]).toEqual([
      401,
      '5',
      '4',
    ]);
    expect((await strict.nobody.get('/nowhere')).status).toBe(401);
    expect((await strict.nobody.send('OPTIONS', '/events')).headers.get('x-ratelimit-remaining')).toBe('2');
    expect((await jana.api.get('/user')).status).toBe(200);
    expect((await strict.nobody.get('/user')).status).toBe(401);
    const refused = await jana.api.get('/user');
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
    await strict.stop();
  });

  // LIM-2
  it('look up an invalid token of an app only once', async () => {
    const lookups: string[] = [];
    const stopListening = onStatement(({ name }) => {
      if (name === 'identity_app_token_with_account') lookups.push(name);
    });
    const { status } = await new HttpClient(server.origin, { authorization: `Bearer ${mintSecret('app')}` }).get(
      '/user',
    );
    stopListening();
    expect([status, lookups.length]).toEqual([401, 1]);
  });
});
