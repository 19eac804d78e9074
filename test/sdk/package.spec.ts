import { picture } from '#testing/media';
import { SdkPackage } from '#testing/sdk-package';
import { TestServer } from '#testing/test-server';

// DOC-8
describe('the packed SDK in an empty folder', () => {
  let server: TestServer;
  let sdk: SdkPackage;
  let env: Record<string, string>;

  beforeAll(async () => {
    sdk = SdkPackage.install();
    server = await TestServer.start();
    const { jana, petr, eva, host } = await server.people('jana', 'petr', 'eva', 'host');
    for (const title of ['Tea at five in the park', 'Tea at five at home']) await host.api.post('/events', { title, starts_at: '2035-05-01T16:00:00Z' });
    env = { CAST: JSON.stringify({ baseUrl: server.origin, jana: jana.token, petr: petr.token, eva: eva.token }), PICTURE: (await picture('jpeg')).toString('base64') };
  });
  afterAll(async () => {
    await server.stop();
    sdk.remove();
  });

  it('compiles as strictly as can be with the types of Node alone, and of browsers alone', () => {
    expect(sdk.compile(['story.ts', 'mistakes.ts'], 'browser')).toBe('');
    expect(sdk.compile(['story.ts', 'main.ts'], 'node')).toBe('');
  });

  it('tells a whole story, from an event to its settlement', async () => {
    expect(sdk.compile(['story.ts', 'main.ts'], 'node')).toBe('');
    const told = JSON.parse(await sdk.run('main.js', env));
    expect(told).toEqual({
      id: expect.any(String),
      images: 3,
      full: 'event_full',
      found: expect.arrayContaining(['Tea at five', 'Tea at five in the park', 'Tea at five at home']),
      comments: 2,
      settlement: ['petr 120.25'],
      afterPaying: [],
      csv: expect.stringContaining('Cakes'),
      stale: expect.stringMatching(/^404 not_found http.*\/docs\/errors\/not_found$/),
      left: 204,
    });
  });
});
