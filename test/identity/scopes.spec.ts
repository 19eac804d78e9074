import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  allows,
  NARROW_SCOPES,
  SCOPE_OF_OPERATION,
  SCOPES,
  type NarrowScope,
  type OperationId,
  type Scope,
} from '#contract/scopes';
import { WebhookSending } from '#areas/webhooks/webhook-sending';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import type { HttpClient } from '#testing/http-client';
import { InjectingClient } from '#testing/injected-get';
import { clientOf, type Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

interface Document {
  readonly paths: Record<string, Record<string, { operationId: OperationId; security: Record<string, string[]>[] }>>;
}

const DOCUMENT = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as Document;
const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, security }]) => ({
    id: operationId,
    method: method.toUpperCase(),
    path: path.replace('/api/v1', '').replaceAll(/\{[^}]+\}/g, 'nowhereatall'),
    declared: security.flatMap((one) => Object.values(one)).flat(),
  })),
);

/** docs/rules/scopes.md */
describe('scopes', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start({ webhooksAllowPrivate: true })));
  afterAll(() => server.stop());

  /** Returns a client whose token belongs to this person and has only these scopes. */
  async function clientWithScopes(person: Person, scopes: readonly Scope[]) {
    const other = await server.person('other', { scopes });
    await server.sql('UPDATE tokens SET user_id = $1 WHERE user_id = $2', [person.userId, other.userId]);
    return clientOf(server, other.token);
  }

  // SCOPE-2
  it('are the same in the OpenAPI document as in SCOPE_OF_OPERATION', () => {
    expect(OPERATIONS.map(({ id }) => id).sort()).toEqual(Object.keys(SCOPE_OF_OPERATION).sort());
    for (const { id, declared } of OPERATIONS) {
      const scope = SCOPE_OF_OPERATION[id];
      expect([id, declared]).toEqual([id, scope === null ? [] : [scope]]);
    }
  });

  /**
   * Sends a request to every operation for which `scopesFor` returns scopes, with a token that has exactly these
   * scopes. `isAllowed`: whether these tokens must be accepted. Returns the responses that contradict `isAllowed`, and
   * the challenges that do not name the required scope.
   */
  async function wrongAnswers(
    isAllowed: boolean,
    scopesFor: (requiredScope: NarrowScope | null, reads: boolean) => readonly Scope[],
  ): Promise<unknown[]> {
    const clients = new Map<string, HttpClient>();
    const wrong: unknown[] = [];
    let tested = 0;
    for (const { id, method, path } of OPERATIONS) {
      const requiredScope = SCOPE_OF_OPERATION[id];
      const scopes = scopesFor(requiredScope, method === 'GET');
      if (scopes.length === 0) continue;
      tested++;
      const key = scopes.join();
      if (!clients.has(key))
        clients.set(key, new InjectingClient(server, (await server.person('eva', { scopes })).token));
      const query = id === 'listChanges' ? '?cursor=nonsense' : '';
      const { status, body, headers } = await (clients.get(key) as HttpClient).send(
        method,
        path + query,
        method === 'GET' || method === 'DELETE' ? {} : { json: {} },
      );
      const isRefused = status === 403 && body?.code === 'insufficient_scope';
      const challenge = headers.get('www-authenticate');
      if (isRefused === isAllowed) wrong.push([id, status, body?.code]);
      if (isRefused && challenge !== `Bearer error="insufficient_scope", scope="${requiredScope}"`)
        wrong.push([id, challenge]);
    }
    expect(tested).toBeGreaterThan(0);
    return wrong;
  }
  const includes = (scope: Scope, requiredScope: NarrowScope | null, reads: boolean): boolean =>
    requiredScope === null || allows([scope], requiredScope, { reads });

  // SCOPE-1, SCOPE-2
  it('each give access to the operations that require them, and to the operations that need no scope', async () => {
    expect(await wrongAnswers(true, (requiredScope) => [requiredScope ?? 'join'])).toEqual([]);
    expect(await wrongAnswers(true, () => ['write'])).toEqual([]);
    const writing = (scope: NarrowScope | null): Scope[] =>
      SCOPES.filter((other) => other === scope?.replace(/:read$/, ':write'));
    expect(await wrongAnswers(true, writing)).toEqual([]);
    expect(
      await wrongAnswers(true, (requiredScope, reads) => (includes('read', requiredScope, reads) ? ['read'] : [])),
    ).toEqual([]);
  });

  // SCOPE-1, SCOPE-2
  it('give no access to an operation whose required scope they do not include, even if a token has all of them', async () => {
    expect(
      await wrongAnswers(false, (requiredScope, reads) =>
        SCOPES.filter((scope) => !includes(scope, requiredScope, reads)),
      ),
    ).toEqual([]);
  });

  // SCOPE-1
  it('can include other scopes: `write` includes everything, and `read` includes reading', () => {
    for (const requiredScope of NARROW_SCOPES) {
      expect(allows(['write'], requiredScope, { reads: false })).toBe(true);
      expect(allows(['read'], requiredScope, { reads: true })).toBe(true);
      expect(allows(['read'], requiredScope, { reads: false })).toBe(false);
    }
    expect(allows(['posts:write'], 'posts:read', { reads: true })).toBe(true);
    expect(allows(['posts:read'], 'posts:write', { reads: true })).toBe(false);
  });

  // SCOPE-2
  it('are checked before the id in the path, which may have any length', async () => {
    const { api } = await server.person('eva', { scopes: ['posts:read'] });
    for (const length of [10, 101, 2000])
      expect((await api.get(`/events/${'x'.repeat(length)}`)).body.code).toBe('insufficient_scope');
  });

  // SCOPE-2, SCOPE-3
  it('are checked after the token, and are the same for HEAD and GET', async () => {
    const eva = await server.person('eva', { scopes: ['join', 'posts:read'] });
    expect((await eva.api.get('/user')).body.data.token).toEqual({
      abilities: ['join', 'posts:read'],
      expires_at: null,
      app: null,
    });
    expect((await eva.api.send('HEAD', '/posts')).status).toBe(200);
    expect((await eva.api.send('HEAD', '/groups')).status).toBe(403);
    expect((await eva.api.get('/nowhere')).status).toBe(404);
    expect((await clientOf(server, `${eva.token}x`).get('/groups')).status).toBe(401);
  });

  // SCOPE-2, WIRE-37
  it('that only allow reading cause 403 for write requests with an unknown path or an unsupported method; other scopes cause 404 or 405', async () => {
    const { api: reads } = await server.person('eva', { scopes: ['posts:read', 'groups:read'] });
    for (const path of ['/nowhere', '/user']) expect((await reads.post(path, {})).body.code).toBe('insufficient_scope');
    for (const scopes of [
      ['posts:read', 'join'],
      ['posts:write', 'groups:read'],
    ] as const) {
      const { api: writes } = await server.person('petr', { scopes });
      expect([
        (await writes.post('/nowhere', {})).body.code,
        (await writes.post('/user', {})).body.code,
        (await writes.get('/nowhere')).body.code,
      ]).toEqual(['not_found', 'method_not_allowed', 'not_found']);
    }
  });

  // SCOPE-8
  it('that a token lacks are named in WWW-Authenticate; without a valid token, this header contains the address of the metadata', async () => {
    const challenge = async (path: string, headers: Record<string, string> = {}) =>
      (await server.nobody.send('GET', path, { headers })).headers.get('www-authenticate');
    const metadata = `${server.origin}/.well-known/oauth-protected-resource`;
    expect((await challenge('/user'))?.replace(/https?:\/\/[^/]+/, server.origin)).toBe(
      `Bearer resource_metadata="${metadata}/api/v1"`,
    );
    expect(await challenge('/user', { authorization: 'Bearer evt_x' })).toMatch(/\/api\/v1", error="invalid_token"$/);
    expect(await challenge('~/mcp')).toMatch(/oauth-protected-resource\/mcp"$/);
    const reader = await server.person('petr', { scopes: ['posts:read'] });
    const answer = await reader.api.send('POST', '~/mcp', {
      json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'my_events', arguments: {} } },
      headers: { accept: 'application/json, text/event-stream' },
    });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="events:read"',
    ]);
  });

  // SCOPE-4
  it('that include neither `join` nor `read` hide the person’s own check-in code and the ticket codes of participants', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { id } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const codeFor = async (scopes: readonly Scope[]) =>
      (await (await clientWithScopes(petr, scopes)).get(`/discover/events/${id}`)).body.data.viewer.check_in_code;
    expect(await codeFor(['discover:read'])).toBeNull();
    expect(await codeFor(['discover:read', 'join'])).toEqual(expect.any(String));
    expect(await codeFor(['read'])).toEqual(expect.any(String));
    await server.sql("UPDATE participations SET ticket_code = 'ABC' WHERE user_id = $1", [petr.userId]);
    const ticketFor = async (scopes: readonly Scope[]) =>
      (await (await clientWithScopes(jana, scopes)).get(`/events/${id}/participants`)).body.data[0].ticket_code;
    expect(await ticketFor(['participants:read'])).toBeNull();
    expect(await ticketFor(['participants:read', 'join'])).toBe('ABC');
  });

  // SCOPE-5
  it('limit changes and notices to subjects that the token can read', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const commentsClient = await clientWithScopes(jana, ['changes:read', 'comments:read', 'notices:write']);
    const eventsClient = await clientWithScopes(jana, ['changes:read', 'events:read', 'notices:write']);
    const group = await buildGroup(server, jana);
    await petr.api.post(`/groups/${group.id}/join`, {});
    const { cursor } = (await commentsClient.get('/changes')).body.meta;
    const { id } = await buildEvent(server, jana, { join_mode: 'request' });
    await petr.api.post(`/events/${id}/join`, {});
    await jana.api.post(`/events/${id}/comments`, { body: 'Ahoj' });
    const typesFor = async (api: typeof eventsClient): Promise<string[]> => {
      const { body } = await api.get(`/changes?cursor=${cursor as string}`);
      return [...new Set<string>(body.data.map(({ type }: { type: string }) => type.split('.')[0]))].sort();
    };
    expect(await typesFor(jana.api)).toEqual(['comment', 'event', 'notice', 'participant']);
    expect(await typesFor(commentsClient)).not.toContain('event');
    expect(await typesFor(commentsClient)).toContain('comment');
    expect(await typesFor(eventsClient)).toEqual(['event', 'notice']);
    const noticesOf = async (api: typeof eventsClient): Promise<string[]> =>
      (await api.get('/notices')).body.data.map(({ subject }: { subject: { type: string } }) => subject.type);
    expect(await noticesOf(eventsClient)).toContain('event');
    expect(await noticesOf(commentsClient)).not.toContain('event');
    const { length } = await noticesOf(commentsClient);
    expect((await commentsClient.get('/notices?per_page=1')).body.meta).toMatchObject({
      unread: length,
      total: length,
    });
    const [first] = (await eventsClient.get('/notices')).body.data;
    expect((await commentsClient.post('/notices/read', { up_to: first.id })).status).toBe(422);
    expect((await eventsClient.post('/notices/read', { up_to: first.id })).body.data).toEqual({ unread: 0 });
    const unread = (await jana.api.get('/notices')).body.data.filter(({ read_at }: { read_at: unknown }) => !read_at);
    expect(unread.map(({ subject }: { subject: { type: string } }) => subject.type)).toEqual(['group']);
  });

  // SCOPE-5
  it('that include `changes:read` and `discover:read` show people the changes of their own participation', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const { id } = await buildEvent(server, jana);
    const eventsClient = await clientWithScopes(petr, ['changes:read', 'discover:read']);
    const { cursor } = (await eventsClient.get('/changes')).body.meta;
    for (const { api } of [petr, eva]) await api.post(`/events/${id}/join`);
    const { body } = await eventsClient.get(`/changes?cursor=${cursor as string}`);
    expect(
      body.data.map(({ type, subject }: { type: string; subject: { id: string } }) => `${type} ${subject.id}`),
    ).toEqual([`participant.joined ${petr.slug}`, `event.updated ${id}`]);
  });

  // SCOPE-5
  it('that do not include `participants:read` report to the organizer that the number of participants has changed, but not who joined', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const { id } = await buildEvent(server, jana, { with: [[eva, 'requested']] });
    const eventsClient = await clientWithScopes(jana, ['changes:read', 'events:read']);
    const { cursor } = (await eventsClient.get('/changes')).body.meta;
    await petr.api.post(`/events/${id}/join`);
    await eva.api.delete(`/events/${id}/join`);
    const { body } = await eventsClient.get(`/changes?cursor=${cursor as string}`);
    expect(body.data).toEqual([
      expect.objectContaining({
        type: 'event.updated',
        subject: expect.objectContaining({ id, url: `http://127.0.0.1:3000/api/v1/events/${id}`, user: null }),
        by: null,
      }),
    ]);
  });

  // SCOPE-5
  it('that do not include `events:read` give the caller’s own events in changes and notices the address and fields of Discover', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const discoverClient = await clientWithScopes(jana, [
      'changes:read',
      'discover:read',
      'participants:read',
      'comments:read',
      'notices:read',
    ]);
    const eventsClient = await clientWithScopes(jana, ['changes:read', 'events:read', 'notices:read']);
    const { cursor } = (await jana.api.get('/changes')).body.meta;
    const { id } = await buildEvent(server, jana, { join_mode: 'password', join_password: 'tajne', is_public: false });
    const { id: requestedId } = await buildEvent(server, jana, { join_mode: 'request' });
    await petr.api.post(`/events/${requestedId}/join`);
    await jana.api.post(`/events/${id}/comments`, { body: 'Ahoj' });
    const other = await buildEvent(server, petr, { is_public: false, with: [[jana, 'confirmed']] });
    const { id: deletedId } = await buildEvent(server, jana);
    await jana.api.delete(`/events/${deletedId}`);
    const base = 'http://127.0.0.1:3000/api/v1';
    const [ownUrl, discoverUrl] = [`${base}/events`, `${base}/discover/events`];
    interface Entry {
      readonly type: string;
      readonly subject: { readonly url: string };
      readonly object: Record<string, unknown>;
    }
    const entriesFor = async (api: typeof eventsClient): Promise<Entry[]> =>
      (await api.get(`/changes?include=subject&cursor=${cursor as string}`)).body.data;
    const urlsFor = async (api: typeof eventsClient): Promise<string[]> => [
      ...new Set((await entriesFor(api)).map(({ type, subject }) => `${type.split('.')[0]} ${subject.url}`)),
    ];
    expect((await urlsFor(discoverClient)).filter((url) => !url.startsWith('notice'))).toEqual([
      `event ${discoverUrl}/${id}`,
      `event ${discoverUrl}/${requestedId}`,
      `participant ${ownUrl}/${requestedId}/participants`,
      `comment ${ownUrl}/${id}/comments`,
      `event ${discoverUrl}/${other.id}`,
      `participant ${discoverUrl}/${other.id}`,
      `event ${discoverUrl}/${deletedId}`,
    ]);
    expect((await urlsFor(eventsClient)).filter((url) => !url.startsWith('notice'))).toEqual([
      `event ${ownUrl}/${id}`,
      `event ${ownUrl}/${requestedId}`,
      `event ${discoverUrl}/${other.id}`,
      `participant ${discoverUrl}/${other.id}`,
      `event ${ownUrl}/${deletedId}`,
    ]);
    const objectFor = async (api: typeof eventsClient, url: string) =>
      (await entriesFor(api)).find(({ subject }) => subject.url === url)?.object;
    const shown = await objectFor(discoverClient, `${discoverUrl}/${id}`);
    expect(shown).toEqual((await discoverClient.get(`/discover/events/${id}`)).body.data);
    expect(shown).not.toHaveProperty('join_password');
    expect(await objectFor(eventsClient, `${ownUrl}/${id}`)).toEqual(
      (await eventsClient.get(`/events/${id}`)).body.data,
    );
    const [listed] = (await eventsClient.get('/events?relation=joined')).body.data;
    expect(listed).toEqual({ ...(await objectFor(eventsClient, `${discoverUrl}/${other.id}`)), kind: 'discover' });
    for (const [api, url] of [
      [discoverClient, `${discoverUrl}/${requestedId}`],
      [eventsClient, `${ownUrl}/${requestedId}`],
    ] as const) {
      expect((await api.get('/notices')).body.data[0].subject.url).toBe(url);
      expect(await objectFor(api, `${base}/notices`)).toMatchObject({ subject: { url } });
    }
  });

  // SCOPE-6
  it('limit the changes that a webhook sends, and limit which webhooks a token can see and change', async () => {
    const jana = await server.person('jana');
    const narrow = await clientWithScopes(jana, ['webhooks:write', 'groups:read']);
    const broader = await clientWithScopes(jana, ['webhooks:write', 'groups:read', 'events:read']);
    const create = async (api: typeof narrow) =>
      (await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.data.id as string;
    const [fullWebhook, broaderWebhook, narrowWebhook] = [
      await create(jana.api),
      await create(broader),
      await create(narrow),
    ];
    const listed = async (api: typeof narrow) =>
      (await api.get('/webhooks')).body.data.map(({ id }: { id: string }) => id);
    expect(await listed(narrow)).toEqual([narrowWebhook]);
    expect(await listed(jana.api)).toEqual([fullWebhook, broaderWebhook, narrowWebhook]);
    expect(await listed(broader)).toEqual([broaderWebhook, narrowWebhook]);
    expect((await broader.get('/webhooks?per_page=1')).body.meta.total).toBe(2);
    for (const other of [fullWebhook, broaderWebhook]) {
      for (const refused of [
        await narrow.get(`/webhooks/${other}`),
        await narrow.patch(`/webhooks/${other}`, { url: 'http://127.0.0.1:8/' }),
        await narrow.post(`/webhooks/${other}/rotate`),
        await narrow.get(`/webhooks/${other}/deliveries`),
        await narrow.delete(`/webhooks/${other}`),
      ])
        expect(refused.status).toBe(404);
    }
    await buildEvent(server, jana);
    await jana.api.post('/groups', { name: 'Otužilci' });
    await server.app.get(WebhookSending).drain();
    const deliveries = (await jana.api.get(`/webhooks/${narrowWebhook}/deliveries`)).body.data;
    expect(deliveries.map(({ change }: { change: { subject: { type: string } } }) => change.subject.type)).toEqual([
      'group',
    ]);
  });
});
