import { RouteTable } from '#platform/http/routes';
import { buildEvent } from '#testing/builders';
import { formTo, filledIn } from '#testing/forms';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

/**
 * Beginnings of the paths that need no CSRF token, because programs send requests to them. `/unsubscribe/` also has a
 * form for people.
 */
const NO_CSRF_TOKEN = [
  '/api/',
  '/unsubscribe/',
  '/mcp',
  '/oauth/device_authorization',
  '/oauth/register',
  '/oauth/revoke',
  '/oauth/token',
];

/** Tests error responses for people and for programs. */
describe('an error response', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  const browserVisitor = () => new Visitor(server);
  const programVisitor = (accept: string) => new Visitor(server, { accept });
  const UNKNOWN = [
    ['GET', '/nowhere'],
    ['POST', '/'],
    ['PUT', '/events/x'],
    ['GET', '/%'],
    ['GET', '/events/%zz'],
    ['GET', '/media/none'],
    ['GET', '/events/nowhereatall'],
    ['GET', '/a%00b'],
    ['GET', '/oauth/token'],
    ['DELETE', '/docs'],
  ] as const;

  // PAGE-21
  it.each(UNKNOWN)('is a page for browsers and JSON for programs: %s %s', async (method, path) => {
    const page = await browserVisitor().send(method, path);
    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('vary')).toContain('Accept');
    expect(page.html).toContain('Page not found');
    expect(page.html).toContain(`href="/sign-in?next=${encodeURIComponent(path)}"`);
    for (const accept of ['*/*', 'application/json', 'text/html;q=0']) {
      const answer = await programVisitor(accept).send(method, path);
      expect([accept, answer.status, answer.headers.get('content-type')]).toEqual([
        accept,
        404,
        'application/json; charset=utf-8',
      ]);
      expect(JSON.parse(answer.html)).toMatchObject({ code: 'not_found' });
    }
  });

  // PAGE-116
  it.each([
    ['/events/x/join', '/events/x'],
    ['/account/notices/push/x/remove?a=b', '/account/notices'],
    ['/sign-out', '/'],
  ])(
    'is a redirect to the nearest page above the path if a browser opens a path that only accepts forms: %s',
    async (path, page) => {
      const { status, to } = await browserVisitor().get(path);
      expect([status, to]).toEqual([303, page]);
      expect((await programVisitor('*/*').get(path)).status).toBe(404);
    },
  );

  // PAGE-116
  it('contains, on the page of a refused form, a language switch that leads back to the address of this form', async () => {
    const { jana } = await server.people('jana');
    const { id } = await buildEvent(server, jana, { join_mode: 'password', join_password: 'sezam' });
    const guest = await signedIn();
    const refused = await guest.submit(`/events/${id}`, { password: 'wrong' }, `/events/${id}/join`);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain(`name="next" value="/events/${id}/join"`);
  });

  // PAGE-21
  it.each(['/api', '/api/v1/nothing', '/%61pi/v1/nothing', '/api/%'])('is always JSON below /api: %s', async (path) => {
    const { headers } = await browserVisitor().get(path);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  // PAGE-21
  it.each([
    ['/?price=x', 422, 'validation_failed'],
    ['/groups?page=0', 422, 'validation_failed'],
    ['/confirm/x', 410, 'not_found'],
    ['/reset/x', 410, 'not_found'],
  ])(
    'is JSON with `code` and `message`, and not a page, if `Accept` does not contain text/html: %s',
    async (path, status, code) => {
      for (const accept of ['application/json', '*/*']) {
        const answer = await programVisitor(accept).get(path);
        expect([answer.status, answer.headers.get('content-type'), answer.headers.get('vary')]).toEqual([
          status,
          'application/json; charset=utf-8',
          'Accept, Cookie, Accept-Language',
        ]);
        expect(JSON.parse(answer.html)).toMatchObject({ code, message: expect.any(String) });
      }
      const page = await browserVisitor().get(path);
      expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
      expect(page.html).toContain('role="alert"');
    },
  );

  // PAGE-22
  it('does not reveal a private event: the page equals the page of an unknown event', async () => {
    const { jana } = await server.people('jana');
    const { id } = await buildEvent(server, jana, { title: 'Tajná', is_public: false });
    for (const visitor of [browserVisitor(), await signedIn()]) {
      const [hidden, unknown] = [await visitor.get(`/events/${id}`), await visitor.get('/events/nowhereatall')];
      expect(hidden.status).toBe(404);
      expect(withoutSecrets(hidden.html.replaceAll(id, 'nowhereatall'))).toBe(withoutSecrets(unknown.html));
      const again = await visitor.get('/events/nowhereatall');
      expect(again.html).toHaveLength(unknown.html.length);
    }
  });

  // PAGE-22
  it.each([403, 404])(
    'with status %s has the language form and the button to sign out, for a signed-in reader',
    async (status) => {
      const { jana } = await server.people('jana');
      const { id } = await buildEvent(server, jana);
      const visitor = await signedIn();
      const page = await visitor.get(status === 403 ? `/events/${id}/edit` : '/events/nowhereatall');
      expect(page.status).toBe(status);
      const language = formTo(page.html, '/language');
      expect((await visitor.send('POST', language.action, filledIn(language, { locale: 'cs' }))).status).toBe(303);
      const signOut = formTo(page.html, '/sign-out');
      expect((await visitor.send('POST', signOut.action, filledIn(signOut, {}))).to).toBe('/');
      expect((await visitor.get('/account')).to).toContain('/sign-in');
    },
  );

  // PAGE-22
  it('shows that the reader is signed in, even on an unknown path', async () => {
    const visitor = await signedIn();
    for (const path of ['/nowhere', '/events/nowhereatall', '/%'])
      expect((await visitor.get(path)).html).toMatch(
        /href="\/account"[^]*You may be able to see it with another account/,
      );
    visitor.session = 'broken';
    expect((await visitor.get('/nowhere')).html).not.toContain('href="/account"');
  });

  // PAGE-21
  it('explains that a form without a CSRF token has expired', async () => {
    const page = await browserVisitor().post('/sign-in', { email: 'a@example.org', password: 'x' });
    expect(page.status).toBe(403);
    expect(page.html).toContain('The form has expired');
    const answer = await programVisitor('application/json').post('/sign-in', {});
    expect([answer.status, JSON.parse(answer.html)]).toMatchObject([403, { code: 'forbidden' }]);
  });

  // PAGE-21
  it('is the page about an expired form for every form that a member sends without a CSRF token', async () => {
    const forms = server.app
      .get(RouteTable)
      .list()
      .filter(({ method, url }) => method === 'POST' && !NO_CSRF_TOKEN.some((path) => url.startsWith(path)))
      .map(({ url }) => url.replace(/:\w+/g, 'x'));
    expect(forms.length).toBeGreaterThan(40);
    const member = await signedIn();
    for (const path of forms) {
      const { status, html } = await member.post(path, {});
      expect([path, status]).toEqual([path, 403]);
      expect(html).toContain('The form has expired');
    }
  });

  // PAGE-21
  it('has the status 403 if the CSRF token of a member’s form is missing or invalid', async () => {
    const credentials = { email: 'organizatorka@example.org', password: 'correct horse' };
    const jana = await server.person('jana', credentials);
    const petr = await server.person('petr');
    const { id } = await buildEvent(server, jana, { with: [[petr, 'requested']], join_mode: 'request' });
    const member = browserVisitor();
    await member.submit('/sign-in', credentials);
    const form = formTo((await member.get(`/events/${id}/people`)).html, '/approve');
    expect(form.fields.map(([name]) => name)).toContain('_by');
    const send = async (_csrf: string | null) =>
      (await member.send('POST', form.action, filledIn(form, { _csrf }))).status;
    expect([await send(null), await send('x')]).toEqual([403, 403]);
    expect((await member.send('POST', form.action, filledIn(form, {}))).status).toBe(303);
  });

  /** Returns the HTML without the random CSRF tokens. */
  function withoutSecrets(html: string): string {
    return html.replace(/name="_csrf" value="[^"]*"/g, '');
  }

  async function signedIn(): Promise<Visitor> {
    const visitor = browserVisitor();
    await visitor.register(
      `ztracena-${server.clock.now().getTime()}-${Math.floor(performance.now() * 1000)}@example.org`,
    );
    return visitor;
  }
});
