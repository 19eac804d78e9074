import { buildEvent } from '#testing/builders';
import { formTo, typedInto, type Typed } from '#testing/forms';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor, type Page } from '#testing/visitor';

const SECRETS = { email: 'jana@example.org', password: 'correct horse' };

describe('the forms of an event', () => {
  let server: TestServer;
  let jana: Person;
  let visitor: Visitor;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana', SECRETS);
    visitor = new Visitor(server);
    await visitor.submit('/sign-in', SECRETS);
  });
  afterAll(() => server.stop());

  const fill = async (path: string, typed: Typed, end = path.split('?', 1)[0]!): Promise<Page> => {
    const { html, status } = await visitor.get(path);
    expect(status).toBe(200);
    const form = formTo(html, end);
    return visitor.send('POST', form.action, typedInto(form, typed));
  };
  const read = async (id: string) => (await jana.api.get(`/events/${id}`)).body.data;

  it('creates an event with everything typed', async () => {
    const sent = await fill('/events/new', { title: 'Piknik', starts_at: '2030-06-01T15:00', price_czk: '1 234,50' });
    expect([sent.status, sent.to]).toEqual([303, expect.stringMatching(/^\/events\/\w+$/)]);
    const event = await read(sent.to!.split('/').at(-1)!);
    expect(event).toMatchObject({ title: 'Piknik', starts_at: '2030-06-01T13:00:00Z', price_czk: 1234.5 });
    expect((await visitor.get(sent.to!)).html).toContain('Akce je na světě');
    expect((await visitor.get(sent.to!)).html).not.toContain('Akce je na světě');
  });

  it('is unchanged by a form that is sent as it came', async () => {
    const event = await buildEvent(server, jana, {
      starts_at: new Date('2030-10-27T01:30:33Z'),
      description: '<p>a</p>\n<p>b</p>',
    });
    const before = await jana.api.get(`/events/${event.id}`);
    const sent = await fill(`/events/${event.id}/edit`, {});
    expect([sent.status, sent.to]).toEqual([303, `/events/${event.id}`]);
    const after = await jana.api.get(`/events/${event.id}`);
    expect([after.headers.get('etag'), after.body.data]).toEqual([before.headers.get('etag'), before.body.data]);
  });

  it('is 412 with both values when a field was changed meanwhile', async () => {
    const event = await buildEvent(server, jana, { title: 'První' });
    const { html } = await visitor.get(`/events/${event.id}/edit`);
    const form = formTo(html, '/edit');
    await jana.api.patch(`/events/${event.id}`, { title: 'Druhý' });
    const refused = await visitor.send('POST', form.action, typedInto(form, { title: 'Třetí' }));
    expect(refused.status).toBe(412);
    for (const text of ['První', 'Druhý', 'Třetí']) expect(refused.html).toContain(text);
    expect((await read(event.id)).title).toBe('Druhý');
    const again = formTo(refused.html, '/edit');
    expect((await visitor.send('POST', again.action, typedInto(again, {}))).status).toBe(303);
    expect((await read(event.id)).title).toBe('Třetí');
  });

  it('keeps what was typed after a refusal', async () => {
    const refused = await fill('/events/new', {
      title: 'X',
      starts_at: '2030-06-01T15:00',
      location_name: 'Letná & spol.',
    });
    expect([refused.status, refused.html.includes('value="Letná &amp; spol."')]).toEqual([422, true]);
    expect(refused.html).toMatch(/role="alert"[\s\S]*Název/);
  });

  it('creates one event when it is sent twice', async () => {
    const { html } = await visitor.get('/events/new');
    const form = formTo(html, '/events/new');
    const typed = { title: 'Jednou', starts_at: '2030-06-01T15:00' };
    const first = await visitor.send('POST', form.action, typedInto(form, typed));
    const second = await visitor.send('POST', form.action, typedInto(form, typed));
    expect([first.status, second.status, second.to]).toEqual([303, 303, first.to]);
    const { html: back } = await visitor.get('/events/new');
    expect(back).toContain('_key');
  });

  it('creates an event with its pictures, or neither', async () => {
    const { html } = await visitor.get('/events/new');
    const form = formTo(html, '/events/new');
    const body = (title: string, file: Buffer | string): FormData => {
      const typed = typedInto(form, { title, starts_at: '2030-06-01T15:00' }) as FormData;
      typed.append('images', new Blob([file]), 'a.jpg');
      return typed;
    };
    const broken = await visitor.send('POST', form.action, body('S obrázkem', 'no picture'));
    expect([broken.status, broken.html.includes('value="S obrázkem"'), broken.html.includes('vybrat znovu')]).toEqual([
      422,
      true,
      true,
    ]);
    const refused = await visitor.send('POST', form.action, body('X', await picture()));
    expect(refused.status).toBe(422);
    const sent = await visitor.send('POST', form.action, body('S obrázkem', await picture()));
    expect(sent.status).toBe(303);
    expect((await read(sent.to!.split('/').at(-1)!)).images).toHaveLength(1);
  });

  it('is kept when the session has ended, and sent after signing in', async () => {
    const event = await buildEvent(server, jana, { title: 'Před vypršením' });
    const guest = new Visitor(server);
    await guest.submit('/sign-in', SECRETS);
    const { html } = await guest.get(`/events/${event.id}/edit`);
    const form = formTo(html, '/edit');
    guest.session = '';
    const expired = await guest.send('POST', form.action, typedInto(form, { title: 'Po vypršení' }));
    expect([expired.status, expired.html.includes('value="Po vypršení"')]).toEqual([401, true]);
    const signIn = formTo(expired.html, '/sign-in');
    const resumed = await guest.send('POST', signIn.action, typedInto(signIn, { password: SECRETS.password }));
    expect(resumed.status).toBe(200);
    const again = formTo(resumed.html, '/edit');
    const sent = await guest.send('POST', again.action, typedInto(again, {}));
    expect([sent.status, sent.to]).toEqual([303, `/events/${event.id}`]);
    expect((await read(event.id)).title).toBe('Po vypršení');
  });
});
