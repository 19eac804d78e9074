import { buildEvent, eventBody } from '#testing/builders';
import { picture } from '#testing/media';
import { TestServer } from '#testing/test-server';

const DRY = { prefer: 'dry-run' };
const APPLIED = 'preference-applied';

describe('a dry run', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ rateLimitTokenPerMinute: 60 });
  });
  afterAll(() => server.stop());

  // TRY-2
  it('is confirmed in every response to a write request with a valid token, and in no other response', async () => {
    const jana = await server.person('jana');
    const { id } = await buildEvent(server, jana);
    const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
      jana.api.send(method, path, { headers: { ...DRY, ...headers }, ...(body !== undefined && { body }) });
    const answers = [
      await send('POST', '/nothing/here'),
      await send('PUT', '/user'),
      await send('POST', '/%'),
      await send('POST', '/events', { 'content-type': 'application/json' }, '{broken'),
      await send(
        'PATCH',
        `/events/${id}`,
        { 'content-type': 'application/json', 'if-match': '"0.old"' },
        '{"title":"Jinak"}',
      ),
      await send('POST', '/events', { 'idempotency-key': '' }, ''),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get(APPLIED), headers.get('etag')])).toEqual([
      [404, 'dry-run', null],
      [405, 'dry-run', null],
      [404, 'dry-run', null],
      [422, 'dry-run', null],
      [412, 'dry-run', null],
      [422, 'dry-run', null],
    ]);
    for (let n = 0; n < 60; n++) await jana.api.get('/user');
    const limited = await send('POST', '/events');
    expect([limited.status, limited.headers.get(APPLIED)]).toEqual([429, 'dry-run']);
    const nobody = await server.nobody.send('POST', '/events', { headers: DRY });
    expect([nobody.status, nobody.headers.get(APPLIED)]).toEqual([401, null]);
    const petr = await server.person('petr');
    expect((await petr.api.send('GET', '/user', { headers: DRY })).headers.get(APPLIED)).toBeNull();
  });

  // TRY-2, WIRE-53
  it('can be combined with strict handling', async () => {
    const jana = await server.person('jana');
    const headers = { prefer: 'handling=strict; wait=1, dry-run' };
    const refused = await jana.api.send('POST', '/events', { headers, json: { ...eventBody(), colour: 'red' } });
    expect([refused.status, refused.headers.get(APPLIED)]).toEqual([422, 'dry-run, handling=strict']);
    const accepted = await jana.api.send('POST', '/events', { headers, json: eventBody() });
    expect([accepted.status, accepted.headers.get(APPLIED)]).toEqual([201, 'dry-run, handling=strict']);
  });

  // TRY-4
  it.each([
    'dryrun',
    'dry_run',
    'DryRun',
    'dry run',
    'DRY RUN; wait=1',
    'handling=strict, dry  run=true',
    'dry.run',
    '"dry-run"',
    'dry-run=1',
    'dry-run="yes"',
    'handling=strict, dry--run',
    'dry-run, dryrun',
  ])('is refused with 422 if the preference is misspelt: %s', async (prefer) => {
    const jana = await server.person('jana');
    const answer = await jana.api.send('POST', '/events', { headers: { prefer }, json: eventBody() });
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([422, ['Prefer']]);
    expect((await jana.api.get('/events?relation=organizing')).body.meta.total).toBe(0);
  });

  // TRY-4
  it.each([
    'Dry-Run',
    'dry-run; because="a, dryrun"',
    'x="dryrun", dry-run',
    'dry-run=""',
    'dry, run, dry-runner, dry-run',
  ])('is accepted with this spelling of the preference: %s', async (prefer) => {
    const jana = await server.person('jana');
    const answer = await jana.api.send('POST', '/events', { headers: { prefer }, json: eventBody() });
    expect([answer.status, answer.headers.get(APPLIED)]).toEqual([201, 'dry-run']);
    expect((await jana.api.get('/events?relation=organizing')).body.meta.total).toBe(0);
  });

  // TRY-3
  it('returns an invented id and an invented slug, which no post has; the next real post gets the slug made from its title', async () => {
    const jana = await server.person('jana');
    const json = { title: 'Jednou nanečisto', categories: ['mista'], body: '<p>x</p>', status: 'published' };
    const dry = (await jana.api.send('POST', '/posts', { headers: DRY, json })).body.data as {
      id: string;
      slug: string;
    };
    expect((await jana.api.get(`/posts/${dry.slug}`)).status).toBe(404);
    const real = (await jana.api.post('/posts', json)).body.data as { id: string; slug: string };
    expect(real.slug).toBe('jednou-nanecisto');
    expect([dry.id, dry.slug]).not.toEqual(expect.arrayContaining([real.id]));
    expect(dry.slug).not.toBe(real.slug);
  });

  // TRY-1
  it('counts wrong passwords, and takes no seats from real requests that are sent at the same time', async () => {
    const jana = await server.person('jana');
    const guests = await Promise.all(['petr', 'eva', 'ota'].map((name) => server.person(name)));
    const secret = await buildEvent(server, jana, { join_mode: 'password', join_password: 'tajemstvi' });
    const guest = guests[0]!;
    const tryPassword = () =>
      guest.api.send('POST', `/events/${secret.id}/join`, { headers: DRY, json: { password: 'x' } });
    for (let n = 0; n < 10; n++) expect((await tryPassword()).body.code).toBe('wrong_password');
    expect((await guest.api.post(`/events/${secret.id}/join`, { password: 'tajemstvi' })).body.code).toBe(
      'too_many_requests',
    );

    // The organizer has one of the three seats, so two seats are free.
    const { id } = await buildEvent(server, jana, { max_participants: 3 });
    const dry = () =>
      Promise.all(guests.map((one) => one.api.send('POST', `/events/${id}/join`, { headers: DRY, json: {} })));
    const [dryAnswers, realAnswers] = await Promise.all([
      dry(),
      Promise.all(guests.map((one) => one.api.post(`/events/${id}/join`, {}))),
      dry(),
    ]);
    expect(dryAnswers.every(({ headers }) => headers.get(APPLIED) === 'dry-run')).toBe(true);
    expect(realAnswers.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
    expect((await jana.api.get(`/events/${id}`)).body.data.current_participants).toBe(3);
  });

  // TRY-5
  it('validates an upload like the real request, and stores no file', async () => {
    const jana = await server.person('jana');
    const { id } = await buildEvent(server, jana);
    const send = (data: Buffer) => {
      const body = new FormData();
      body.append('images[]', new Blob([new Uint8Array(data)]), 'a.png');
      return jana.api.send('POST', `/events/${id}/images`, { headers: DRY, body });
    };
    const bad = await send(Buffer.from('no picture'));
    expect([bad.status, bad.headers.get(APPLIED), Object.keys(bad.body.errors as object)]).toEqual([
      422,
      'dry-run',
      ['images.0'],
    ]);
    const good = await send(await picture('png', { width: 40, height: 30 }));
    expect(good.status).toBe(201);
    expect((await jana.api.get(`/events/${id}`)).body.data.images).toEqual([]);
    expect(await server.sql('SELECT 1 FROM media_files')).toEqual([]);
  });

  // WIRE-29
  it('can be requested by pages of other origins (CORS allows and exposes the headers)', async () => {
    const { headers } = await server.nobody.send('OPTIONS', '/events');
    expect(headers.get('access-control-allow-headers')).toContain('Prefer');
    expect(headers.get('access-control-expose-headers')).toContain('Preference-Applied');
  });
});
