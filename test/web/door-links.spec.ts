import { StoredResponses } from '#platform/retries/stored-responses';
import { buildEvent } from '#testing/builders';
import { formTo, filledIn, type TypedValues } from '#testing/forms';
import { clientOf, type Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor, type Page } from '#testing/visitor';

const CREDENTIALS = { email: 'jana@example.org', password: 'correct horse' };

// DOOR-25
describe('the page of door links', () => {
  let server: TestServer;
  let jana: Person, petr: Person;
  let visitor: Visitor;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana', CREDENTIALS);
    petr = await server.person('petr');
    visitor = new Visitor(server);
    await visitor.submit('/sign-in', CREDENTIALS);
  });
  afterAll(() => server.stop());

  const submitForm = async (path: string, formSuffix: string, typed: TypedValues = {}): Promise<Page> => {
    const form = formTo((await visitor.get(path)).html, formSuffix);
    return visitor.send('POST', form.action, filledIn(form, typed));
  };
  const linksOf = async (id: string) => (await jana.api.get(`/events/${id}/door/links`)).body.data;

  it('creates a link, shows its address and QR code only once, and deletes the link', async () => {
    const { id } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const path = `/events/${id}/people/door-links`;
    expect((await visitor.get(`/events/${id}/people`)).html).toContain(`href="${path}"`);
    const created = await submitForm(path, '/door-links', { name: 'Hlavní vchod' });
    expect([created.status, created.to]).toEqual([303, path]);
    const first = (await visitor.get(path)).html;
    const [, token = ''] = /<pre id="door-link">[^<]*\/door\/\w+#(evd_\w+|\w+)<\/pre>/.exec(first) ?? [];
    expect(first).toMatch(/<div role="img"[^>]*><svg/);
    expect((await clientOf(server, token).get(`/events/${id}/door`)).status).toBe(200);
    const second = (await visitor.get(path)).html;
    expect(second).toContain('Hlavní vchod');
    expect(second).not.toContain(token);
    const ended = await submitForm(path, '/delete');
    expect([ended.status, ended.to, await linksOf(id)]).toEqual([303, path, []]);
    expect((await visitor.get(path)).html).toContain('role="status">Odkaz už neplatí.<');
    expect((await clientOf(server, token).get(`/events/${id}/door`)).status).toBe(401);
  });

  it('creates only one link when the same form is sent twice', async () => {
    const { id } = await buildEvent(server, jana);
    const path = `/events/${id}/people/door-links`;
    const form = formTo((await visitor.get(path)).html, '/door-links');
    for (let i = 0; i < 2; i++) {
      const { status, to } = await visitor.send('POST', form.action, filledIn(form, { name: 'Brána' }));
      expect([status, to]).toEqual([303, path]);
    }
    expect(await linksOf(id)).toHaveLength(1);
  });

  // PAGE-98
  it('shows no address if another request with the same key has created the link in the meantime', async () => {
    const { id } = await buildEvent(server, jana);
    const path = `/events/${id}/people/door-links`;
    const form = formTo((await visitor.get(path)).html, '/door-links');
    const send = () => visitor.send('POST', form.action, filledIn(form, { name: 'Brána' }));
    await send();
    await visitor.get(path);
    // As if the first request had stored its response only after this lookup of the second request.
    const lookup = jest.spyOn(server.app.get(StoredResponses), 'find').mockResolvedValueOnce(null);
    const { status, to } = await send();
    lookup.mockRestore();
    expect([status, to, (await linksOf(id)).length]).toEqual([303, path, 1]);
    expect((await visitor.get(path)).html).not.toContain('id="door-link"');
  });

  it('refuses a name that is too long with 422, and the 21st link with 409', async () => {
    const { id } = await buildEvent(server, jana);
    const path = `/events/${id}/people/door-links`;
    const refused = await submitForm(path, '/door-links', { name: 'x'.repeat(61) });
    expect([refused.status, refused.html.includes('x'.repeat(61))]).toEqual([422, true]);
    expect(refused.html).toContain('role="alert"');
    for (let i = 0; i < 20; i++) await jana.api.post(`/events/${id}/door/links`, { name: `Brána ${i}` });
    expect((await submitForm(path, '/door-links', { name: 'Další' })).status).toBe(409);
  });

  it('is visible only to the organizer', async () => {
    const { id } = await buildEvent(server, petr);
    const hidden = await buildEvent(server, petr, { is_public: false });
    expect((await visitor.get(`/events/${id}/people/door-links`)).status).toBe(403);
    expect((await visitor.get(`/events/${hidden.id}/people/door-links`)).status).toBe(404);
    const path = `/events/${id}/people/door-links`;
    const signedOut = await new Visitor(server).get(path);
    expect([signedOut.status, signedOut.to]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`]);
  });
});
