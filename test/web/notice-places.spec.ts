import { buildEvent } from '#testing/builders';
import { formTo, filledIn } from '#testing/forms';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

const CREDENTIALS = { email: 'jana@example.org', password: 'correct horse' };

// NOTE-6
describe('a notice on the notices page', () => {
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

  /** Returns the address to which the newest notice links. */
  const linkOfNewestNotice = async () => {
    const [, to = ''] =
      /<ol class="notices"><li [^>]*>\s*<a href="([^"]+)"/.exec((await visitor.get('/account/notices')).html) ?? [];
    return to;
  };
  const submitForm = async (path: string, formSuffix: string) => {
    const form = formTo((await visitor.get(path)).html, formSuffix);
    return (await visitor.send('POST', form.action, filledIn(form, {}))).status;
  };

  it('about a join request links to the page of the event’s people, and is marked as read when the request is approved', async () => {
    const { id } = await buildEvent(server, jana, { join_mode: 'request' });
    await petr.api.post(`/events/${id}/join`);
    const to = await linkOfNewestNotice();
    expect(to).toBe(`/events/${id}/people`);
    expect(await submitForm(to, `/people/${petr.slug}/approve`)).toBe(303);
    expect((await petr.api.get(`/discover/events/${id}`)).body.data.viewer.participation).toBe('confirmed');
    expect((await jana.api.get('/notices')).body.meta.unread).toBe(0);
  });

  it('about a ban from an event has no link, because the reader does not see the event', async () => {
    const { id } = await buildEvent(server, petr, { title: 'Bowling', with: [[jana, 'confirmed']] });
    await petr.api.delete(`/events/${id}/participants/${jana.slug}?ban=1`);
    const { html } = await visitor.get('/account/notices');
    expect(html).toMatch(/<ol class="notices"><li [^>]*>\s*<span>[^<]*Bowling/);
    expect(html).not.toContain(`/events/${id}`);
    await jana.api.post('/notices/read', { up_to: (await jana.api.get('/notices')).body.data[0].id });
  });

  it('about a comment links to the comments of the event', async () => {
    const { id } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    expect((await petr.api.post(`/events/${id}/comments`, { body: 'Těším se!' })).status).toBe(201);
    expect(await linkOfNewestNotice()).toBe(`/events/${id}#comments`);
    expect((await visitor.get(`/events/${id}`)).html).toContain('<section id="comments">');
  });

  // NOTE-10
  it.each([true, false])(
    'about an invitation to a group (public: %s) links to the group page, and is marked as read when the invitation is accepted',
    async (is_public) => {
      const { id } = (await petr.api.post('/groups', { name: 'Turisté', is_public })).body.data;
      await petr.api.post(`/groups/${id as string}/members`, { user: jana.slug });
      const to = await linkOfNewestNotice();
      expect(to).toBe(`/groups/${id as string}`);
      expect(await submitForm(to, '/join')).toBe(303);
      expect((await jana.api.get(`/groups/${id as string}`)).body.data.viewer.role).toBe('member');
      expect((await jana.api.get('/notices')).body.meta.unread).toBe(0);
    },
  );
});
