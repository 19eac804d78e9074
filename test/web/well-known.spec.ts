import { TestServer } from '#testing/test-server';

/** Addresses that programs request from every site (REF-12, REF-13). */
describe('well-known addresses', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start({ baseUrl: 'https://events.example' })));
  afterAll(() => server.stop());

  // REF-12
  it.each(['GET', 'HEAD'])('include a catalog of the API and of its documents, for %s requests', async (method) => {
    const answer = await fetch(`${server.origin}/.well-known/api-catalog`, { method });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('link')).toBe('<https://events.example/.well-known/api-catalog>; rel="api-catalog"');
    expect(answer.headers.get('content-type')).toMatch(/^application\/linkset\+json/);
    if (method === 'HEAD') return;
    const { linkset } = (await answer.json()) as { linkset: Record<string, { href: string }[]>[] };
    expect(linkset[0]).toMatchObject({ anchor: 'https://events.example/api/v1' });
    const documents = [...(linkset[0]?.['service-desc'] ?? []), ...(linkset[0]?.['service-doc'] ?? [])];
    expect(documents.length).toBeGreaterThan(1);
    for (const { href } of documents)
      expect((await fetch(href.replace('https://events.example', server.origin))).status).toBe(200);
  });

  // REF-12
  it('allow scripts of any origin to read the catalog, also after a preflight, but not the redirect to the password form', async () => {
    const corsOf = async (path: string, method: string): Promise<unknown> => {
      const { status, headers } = await fetch(`${server.origin}/.well-known/${path}`, { method, redirect: 'manual' });
      return [status, headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];
    };
    expect(await corsOf('api-catalog', 'GET')).toEqual([200, '*', null]);
    expect(await corsOf('api-catalog', 'OPTIONS')).toEqual([204, '*', null]);
    expect(await corsOf('change-password', 'GET')).toEqual([303, null, null]);
  });

  // REF-13
  it('include an address that redirects to the form for a new password', async () => {
    const { status, headers } = await fetch(`${server.origin}/.well-known/change-password`, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([303, '/account/security']);
  });
});
