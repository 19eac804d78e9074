import { Settings } from '#platform/config/settings';
import { buildEvent } from '#testing/builders';
import { CommandLine } from '#testing/command-line';
import { OAuthApp, signedInPerson } from '#testing/oauth-app';
import { clientOf, type Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

const HOUR_MS = 3_600_000;

/** docs/rules/door.md: links for helpers without an account. */
describe('door links', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  let id: string, door: string;
  beforeAll(async () => (server = await TestServer.start()));
  beforeEach(async () => {
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
    ({ id } = await buildEvent(server, jana, {
      with: [
        [petr, 'confirmed'],
        [eva, 'confirmed'],
      ],
    }));
    door = `/events/${id}/door`;
  });
  afterAll(() => server.stop());

  const createLink = async (name = 'Brána') => (await jana.api.post(`${door}/links`, { name })).body.data;
  const doorStatus = async (token: string) => (await clientOf(server, token).get(door)).status;
  const ago = (seconds: number) => new Date(server.clock.now().getTime() - seconds * 1000).toISOString();
  const scan = (token: string, user: string, secondsAgo: number, more: object = {}) =>
    clientOf(server, token).post(`${door}/scans`, {
      device: 'x',
      scans: [{ user, scanned_at: ago(secondsAgo), ...more }],
    });
  /** The name of the link with which the person was checked in; null if no link was used (DOOR-24). */
  const originOf = async (who: Person) =>
    (await jana.api.get(`/events/${id}/participants`)).body.data.find(
      ({ user }: { user: { slug: string } }) => user.slug === who.slug,
    ).checked_in_by;

  // DOOR-18, DOOR-19
  it('show their secret only once, are listed, and can be deleted', async () => {
    const { token, url, ...link } = await createLink('  Vchod ');
    expect(link).toMatchObject({ name: 'Vchod', last_used_at: null });
    expect(url).toBe(`${new URL(url as string).origin}/door/${id}#${token as string}`);
    expect((await jana.api.get(`${door}/links`)).body.data).toEqual([link]);
    expect(await server.sql('SELECT 1 FROM door_links WHERE hash = $1', [token])).toEqual([]);
    expect((await petr.api.get(`${door}/links`)).status).toBe(403);
    expect(await doorStatus(token)).toBe(200);
    expect((await jana.api.get(`${door}/links`)).body.data[0].last_used_at).not.toBeNull();
    const other = await buildEvent(server, jana);
    expect((await jana.api.delete(`/events/${other.id}/door/links/${link.id as string}`)).status).toBe(404);
    expect(await doorStatus(token)).toBe(200);
    expect((await jana.api.delete(`${door}/links/${link.id as string}`)).status).toBe(204);
    expect((await jana.api.delete(`${door}/links/${link.id as string}`)).status).toBe(404);
    expect(await doorStatus(token)).toBe(401);
  });

  // DOOR-19, DOOR-20, DOOR-22
  it('are listed in the order of their creation, expire twelve hours after the end of the event, and do not count towards the limit of another event', async () => {
    const other = await buildEvent(server, jana, { ends_at: inDays(8) });
    for (let n = 0; n < 20; n++) await createLink('Brána');
    for (const name of ['Západ', 'Sever', 'Východ'])
      expect((await jana.api.post(`/events/${other.id}/door/links`, { name })).status).toBe(201);
    const links = (await jana.api.get(`/events/${other.id}/door/links`)).body.data as Record<string, string>[];
    expect(links.map(({ name }) => name)).toEqual(['Západ', 'Sever', 'Východ']);
    const { ends_at } = (await jana.api.get(`/events/${other.id}`)).body.data;
    const end = new Date(Date.parse(ends_at as string) + 12 * HOUR_MS);
    for (const { expires_at } of links) expect(new Date(expires_at ?? '')).toEqual(end);
  });

  // DOOR-18
  it('show the last use, accurate to five minutes', async () => {
    const { token } = await createLink();
    const lastUse = async () => (await jana.api.get(`${door}/links`)).body.data[0].last_used_at;
    server.clock.freezeAt(new Date(Math.floor(server.clock.now().getTime() / 1000) * 1000));
    const start = server.clock.now().getTime();
    await doorStatus(token);
    const first = await lastUse();
    expect(Date.parse(first as string)).toBe(start);
    server.clock.freezeAt(new Date(start + 299_000));
    await doorStatus(token);
    expect(await lastUse()).toBe(first);
    server.clock.freezeAt(new Date(start + 301_000));
    await scan(token, petr.slug, 0);
    expect(Date.parse((await lastUse()) as string)).toBe(start + 301_000);
  });

  // DOOR-23
  it('give access to the door of their event and to nothing else', async () => {
    const { token } = await createLink();
    const other = await buildEvent(server, jana);
    const helper = clientOf(server, token);
    for (const path of [`/events/${other.id}/door`, `/events/${id}`, '/user', '/limits', '/nowhere', '~/mcp']) {
      const { status, body, headers } = await helper.get(path);
      expect([path, status, body.code, headers.get('www-authenticate')]).toEqual([
        path,
        403,
        'insufficient_scope',
        'Bearer error="insufficient_scope"',
      ]);
    }
    expect((await helper.post(`${door}/links`, { name: 'x' })).status).toBe(403);
    expect((await helper.get(door)).body.data.people).toEqual((await jana.api.get(door)).body.data.people);
  });

  // DOOR-20
  it('are at most twenty per event, even with parallel requests, and cannot be created more than twelve hours after the end of the event', async () => {
    const all = await Promise.all(Array.from({ length: 24 }, () => jana.api.post(`${door}/links`, { name: 'x' })));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(all.find(({ status }) => status === 409)?.body.code).toBe('door_link_limit_reached');
    const { expires_at } = (await jana.api.get(`${door}/links`)).body.data[0];
    server.clock.freezeAt(new Date(Date.parse(expires_at as string) + 1000));
    expect((await jana.api.post(`${door}/links`, { name: 'x' })).body.code).toBe('conflict');
    expect((await jana.api.get(`${door}/links`)).body.data).toEqual([]);
  });

  // DOOR-22, WIRE-10
  it('end at the latest at the end of the year 9999 in Prague', async () => {
    const { id } = await buildEvent(server, jana, {
      starts_at: new Date('9999-12-31T20:00:00Z'),
      ends_at: new Date('9999-12-31T22:00:00Z'),
    });
    const made = await jana.api.post(`/events/${id}/door/links`, { name: 'x' });
    expect([made.status, made.body.data.expires_at]).toEqual([201, '9999-12-31T22:59:59Z']);
  });

  // DOOR-21, DOOR-22
  it('are valid until twelve hours after the end of the event (even if the organizer loses Premium), become valid again if the event gets a later end, and are deleted when the organizer’s account is banned', async () => {
    const { token, expires_at } = await createLink();
    await server.sql('UPDATE users SET premium_until = NULL WHERE id = $1', [jana.userId]);
    server.clock.freezeAt(new Date(Date.parse(expires_at as string) - 1000));
    expect(await doorStatus(token)).toBe(200);
    server.clock.freezeAt(new Date(Date.parse(expires_at as string) + 1000));
    expect(await doorStatus(token)).toBe(401);
    await server.sql('UPDATE all_events SET ends_at = $2 WHERE id = $1', [
      (await server.sql<{ id: string }>('SELECT id FROM all_events WHERE organizer_id = $1', [jana.userId]))[0]?.id,
      new Date(Date.parse(expires_at as string) + HOUR_MS),
    ]);
    expect(await doorStatus(token)).toBe(200);
    await server.sql('UPDATE users SET banned = true WHERE id = $1', [jana.userId]);
    expect(await doorStatus(token)).toBe(401);
    await server.sql('UPDATE users SET banned = false WHERE id = $1', [jana.userId]);
    expect(await doorStatus(token)).toBe(401);
  });

  // DOOR-22, APP-20
  it('that an app has created are refused while the app is suspended', async () => {
    const { person, browser } = await signedInPerson(server, 'organizatorka');
    const app = await OAuthApp.register(server);
    const { api } = await app.connect(browser, 'write');
    ({ id } = await buildEvent(server, person));
    door = `/events/${id}/door`;
    const { token } = (await api.post(`${door}/links`, { name: 'Brána' })).body.data as { token: string };
    const cli = CommandLine.forDatabaseOf(server.app.get(Settings));
    expect(await doorStatus(token)).toBe(200);
    await cli.answer('app', 'suspend', app.clientId);
    expect(await doorStatus(token)).toBe(401);
    await cli.answer('app', 'resume', app.clientId);
    expect(await doorStatus(token)).toBe(200);
  });

  // DOOR-24
  it('are shown as the origin of each check-in that was made with them', async () => {
    const [west, east] = [await createLink('West'), await createLink('East')];
    expect((await scan(west.token, petr.slug, 30)).body.data[0].result).toBe('checked_in');
    expect(await originOf(petr)).toBe('West');
    // The earlier scan counts, although it arrives later.
    await scan(east.token, petr.slug, 60);
    expect(await originOf(petr)).toBe('East');
    await jana.api.delete(`${door}/links/${east.id as string}`);
    expect(await originOf(petr)).toBe('East');
    await jana.api.delete(`/events/${id}/participants/${petr.slug}/check-in`);
    expect(await originOf(petr)).toBeNull();
    await jana.api.put(`/events/${id}/participants/${eva.slug}/check-in`);
    expect(await originOf(eva)).toBeNull();
  });

  // DOOR-24
  it('give a check-in an origin that does not depend on the order of scans of the same second, and no origin if the organizer scanned in this second', async () => {
    const [west, east] = [await createLink('West'), await createLink('East')];
    const scanned_at = ago(30);
    for (const [who, order] of [
      [petr, [west, east]],
      [eva, [east, west]],
    ] as const) {
      for (const { token } of order) await scan(token, who.slug, 0, { scanned_at });
      expect(await originOf(who)).toBe('East');
      // The origin is calculated again when another scan arrives.
      await scan(west.token, who.slug, 10);
      expect(await originOf(who)).toBe('East');
      const scans = [{ user: who.slug, scanned_at }];
      expect((await jana.api.post(`${door}/scans`, { device: 'x', scans })).status).toBe(200);
      expect(await originOf(who)).toBeNull();
      await scan(east.token, who.slug, 5);
      expect(await originOf(who)).toBeNull();
    }
  });

  // DOOR-23
  it('have a page that needs no account and shows no data of the event', async () => {
    const { url } = await createLink();
    const { pathname } = new URL(url as string);
    const { status, text, headers } = await server.nobody.get(`~${pathname}`);
    expect([status, headers.get('x-robots-tag'), headers.get('referrer-policy')]).toEqual([
      200,
      'noindex',
      'no-referrer',
    ]);
    expect(text).not.toContain(petr.name);
    expect((await server.nobody.get(`~${pathname}/worker.js`)).headers.get('service-worker-allowed')).toBe(pathname);
    expect((await server.nobody.get('~/door/nowhere')).status).toBe(404);
  });
});
