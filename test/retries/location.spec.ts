import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import type { Answer } from '#testing/http-client';
import type { Person } from '#testing/people';
import { seriesBody } from '#testing/series';
import { TestServer } from '#testing/test-server';

describe('the Location header', () => {
  let server: TestServer;
  let jana: Person;
  let petr: Person;

  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr } = await server.people('jana', 'petr'));
  });
  afterAll(() => server.stop());

  const locationPath = (answer: Answer): string | undefined =>
    answer.headers.get('location')?.replace(/^https?:\/\/[^/]+\/api\/v1/, '');

  // RETRY-25
  it('contains the address of the created resource, also in a replayed response', async () => {
    const article = { title: 'Výlet & zpět', categories: ['mista'], body: '<p>Text</p>', status: 'published' };
    for (const [path, json] of [
      ['/events?x=1', { title: 'Piknik', starts_at: '2035-01-01T10:00:00Z' }],
      ['/series', seriesBody()],
      ['/groups', { name: 'Parta' }],
      ['/posts', article],
    ] as const) {
      const send = () => jana.api.send('POST', path, { json, headers: { 'idempotency-key': `location${path}` } });
      const [first, again] = [await send(), await send()];
      expect([path, first.status, again.headers.get('idempotency-replayed')]).toEqual([path, 201, 'true']);
      const { id, slug } = first.body.data;
      expect(locationPath(first)).toBe(`${path.split('?', 1)[0] ?? ''}/${path === '/posts' ? slug : id}`);
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
      const found = await jana.api.get(locationPath(first) ?? '');
      expect(found.body).toEqual(first.body);
      expect(found.headers.get('etag')).toBe(first.headers.get('etag'));
    }
  });

  // RETRY-25
  it('is missing when nothing is created, several resources are created, or the resource has no GET of its own', async () => {
    const { id } = await buildEvent(server, jana, { join_mode: 'tickets', max_participants: 5 });
    const group = await buildGroup(server, petr);
    const comment = await jana.api.post(`/events/${id}/comments`, { body: 'Ahoj' });
    const expense = await jana.api.post(`/events/${id}/expenses`, { title: 'Led', amount: 5 });
    const invitation = await jana.api.post(`/events/${id}/participants`, { user: petr.slug });
    await petr.api.post(`/events/${id}/join`);
    const payment = await jana.api.post(`/events/${id}/expenses/payments`, { to: petr.slug, amount: 2 });
    const member = await petr.api.post(`/groups/${group.id}/members`, { user: jana.slug });
    const [tickets, link] = [
      await jana.api.post(`/events/${id}/tickets`, { count: 2 }),
      await petr.api.post(`/groups/${group.id}/invite-link`),
    ];
    expect(
      [comment, expense, invitation, payment, member, tickets, link].map((answer) => [
        answer.status,
        locationPath(answer),
      ]),
    ).toEqual([
      ...[comment, expense, invitation, payment, member, tickets].map(() => [201, undefined]),
      [200, undefined],
    ]);
  });
});
