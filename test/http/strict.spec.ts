import { buildEvent, eventBody } from '#testing/builders';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

/** Tests `Prefer: handling=strict` (docs/rules/conventions.md). */
describe('strict handling', () => {
  let server: TestServer;
  let jana: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana');
  });
  afterAll(() => server.stop());

  const STRICT = { prefer: 'handling=strict' };
  const strict = (
    method: string,
    path: string,
    json?: Record<string, unknown>,
    headers: Record<string, string> = STRICT,
  ) => jana.api.send(method, path, { headers, ...(json && { json }) });
  const APPLIED_HEADER = 'preference-applied';

  // WIRE-53
  it.each([
    ['GET', '/discover/events?type=sport&colour=red', undefined, ['colour']],
    ['GET', '/user?colour=red&size=2', undefined, ['colour', 'size']],
    ['GET', '/limits?colour=red', undefined, ['colour']],
    ['POST', '/events?colour=red', eventBody({ shape: 1, id: 'x' }), ['colour', 'shape', 'id']],
    ['POST', '/groups', { name: 'Parta', owner: {} }, ['owner']],
  ])('refuses unknown names of parameters and fields: %s %s', async (method, path, json, names) => {
    const answer = await strict(method, path, json);
    expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
    expect(Object.keys(answer.body.errors as object)).toEqual(names);
    expect(answer.headers.get(APPLIED_HEADER)).toBe('handling=strict');
    expect((await jana.api.get('/groups')).body.meta.total).toBe(0);
  });

  // WIRE-53
  it('refuses unknown names in the items of lists and in multipart forms', async () => {
    const { body } = await jana.api.post('/events', eventBody());
    const path = `/events/${body.data.id as string}`;
    const plan = { title: 'Plán', stops: [{ title: 'a' }, { title: 'b', colour: 'red' }] };
    expect(Object.keys((await strict('PUT', `${path}/itinerary`, plan)).body.errors as object)).toEqual([
      'stops.1.colour',
    ]);
    const form = new FormData();
    form.append('images[]', new Blob([await picture()]), 'a.jpg');
    form.append('colour', 'red');
    const sent = await jana.api.send('POST', `${path}/images`, { body: form, headers: STRICT });
    expect([sent.status, Object.keys(sent.body.errors as object)]).toEqual([422, ['colour']]);
    expect((await jana.api.get(path)).body.data.images).toEqual([]);
  });

  // WIRE-53
  it('reports only the unknown names if a request also has invalid values', async () => {
    const { body } = await jana.api.post('/events', eventBody());
    const answer = await strict('PATCH', `/events/${body.data.id as string}`, { colour: 'red', title: '' });
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([422, ['colour']]);
  });

  // WIRE-53
  it('refuses a body only after the visibility of the resource was checked', async () => {
    const answer = await strict('PATCH', '/events/nikdonikdo', { colour: 'red' });
    expect([answer.status, answer.headers.get(APPLIED_HEADER)]).toEqual([404, 'handling=strict']);
  });

  // WIRE-53
  it('checks visibility and rights, then the query, then the state, in an operation that takes neither parameters nor a body', async () => {
    const petr = await server.person('petr');
    const strictAs = async (person: Person, method: string, path: string, headers: Record<string, string> = {}) => {
      const answer = await person.api.send(method, path, { headers: { ...STRICT, ...headers } });
      return [answer.status, Object.keys(answer.body?.errors ?? {})];
    };
    const hidden = `/events/${(await buildEvent(server, jana, { is_public: false })).id}`;
    const open = `/events/${(await buildEvent(server, jana)).id}`;
    expect(await strictAs(petr, 'GET', `${hidden}?x=1`)).toEqual([404, []]);
    expect(await strictAs(petr, 'DELETE', `${hidden}?x=1`)).toEqual([404, []]);
    expect(await strictAs(petr, 'DELETE', `${open}?x=1`)).toEqual([403, []]);
    expect(await strictAs(jana, 'GET', `${open}?x=1`)).toEqual([422, ['x']]);
    for (const headers of [
      {},
      { 'idempotency-key': 'strict-delete' },
      { prefer: 'handling=strict, dry-run' },
    ] as Record<string, string>[])
      expect(await strictAs(jana, 'DELETE', `${open}?x=1`, headers)).toEqual([422, ['x']]);
    await petr.api.post(`${open}/join`);
    expect((await jana.api.delete(open)).status).toBe(409);
    expect(await strictAs(jana, 'DELETE', `${open}?x=1`)).toEqual([422, ['x']]);
    expect((await jana.api.get(open)).body.data.current_participants).toBe(2);
    expect(await strictAs(petr, 'DELETE', `/comments/zzz?x=1`)).toEqual([404, []]);
  });

  // WIRE-53
  it('does not refuse known names, and is applied only if the first `handling` preference is `strict`', async () => {
    const known = await strict('GET', '/discover/events?type=sport&page=1');
    expect([known.status, known.headers.get(APPLIED_HEADER)]).toEqual([200, 'handling=strict']);
    for (const prefer of ['handling=lenient', 'respond-async', 'handling=lenient, handling=strict', 'strict']) {
      const answer = await strict('GET', '/discover/events?colour=red', undefined, { prefer });
      expect([answer.status, answer.headers.get(APPLIED_HEADER)]).toEqual([200, null]);
    }
    for (const prefer of ['wait=5, HANDLING=strict', 'handling="strict"', 'handling = strict; x=1'])
      expect((await strict('GET', '/discover/events?colour=red', undefined, { prefer })).status).toBe(422);
    expect((await jana.api.get('/discover/events?colour=red')).status).toBe(200);
  });

  // CMT-2, WIRE-53
  it('accepts and ignores the field of a file in a JSON body if the operation also accepts a form', async () => {
    const { id } = await buildEvent(server, jana);
    const comment = (fields: Record<string, unknown>) => strict('POST', `/events/${id}/comments`, fields);
    for (const image of ['not a picture', null]) {
      const answer = await comment({ body: 'Ahoj', image });
      expect([answer.status, answer.body.data?.image_url]).toEqual([201, null]);
    }
    const refused = await comment({ image: 'not a picture', colour: 'red' });
    expect([refused.status, Object.keys(refused.body.errors as object)]).toEqual([422, ['colour']]);
    expect(Object.keys((await comment({ image: 'not a picture' })).body.errors as object)).toEqual(['body']);
  });

  // WIRE-53
  it('can be used by web pages of other origins, because CORS allows Prefer and exposes Preference-Applied', async () => {
    const { headers } = await jana.api.send('OPTIONS', '/user');
    expect(headers.get('access-control-allow-headers')).toContain('Prefer');
    expect((await jana.api.get('/user')).headers.get('access-control-expose-headers')).toContain('Preference-Applied');
  });
});
