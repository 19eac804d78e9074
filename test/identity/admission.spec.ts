import { clientOf, type Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays, WIRE_TIME } from '#testing/times';
import { waitUntil } from '#testing/wait-until';

let server: TestServer;
beforeAll(async () => (server = await TestServer.start()));
afterAll(() => server.stop());

/** WIRE-37 and docs/rules/accounts.md. */
describe('admission of API requests', () => {
  // ACC-1, WIRE-38
  it('refuses requests without a valid token, on known and unknown paths, and ignores the case of the word Bearer', async () => {
    const jana = await server.person('jana');
    const [first, ...rest] = jana.token;
    for (const authorization of [
      undefined,
      'Bearer',
      `Basic ${jana.token}`,
      jana.token,
      `Bearer ${first === 'e' ? 'x' : 'e'}${rest.join('')}`,
      `Bearer ${jana.token}a`,
    ]) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      for (const [method, path] of [
        ['GET', '/user'],
        ['GET', '/nowhere'],
        ['PUT', '/user'],
        ['POST', '/events'],
      ] as const) {
        const answer = await server.nobody.send(method, path, { headers });
        expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
      }
    }
    expect((await jana.api.get('/user')).status).toBe(200);
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${jana.token}` };
      expect((await server.nobody.send('GET', '/user', { headers })).status).toBe(200);
    }
  });

  it('refuses requests without a token even if characters of the path are percent-encoded', async () => {
    for (const path of ['~/%61pi/v1/user', '~/api/v1/%75ser', '~/api/%761/events', '~/%61pi/v1/nothing?q=%']) {
      expect((await server.nobody.get(path)).status).toBe(401);
    }
  });

  // ACC-1, ACC-8
  it('refuses the first request after its token has expired or was deleted', async () => {
    const expiry = inDays(1);
    const petr = await server.person('petr', { expiresAt: expiry });
    expect((await petr.api.get('/user')).status).toBe(200);
    server.clock.freezeAt(new Date(expiry.getTime() - 1000));
    expect((await petr.api.get('/user')).status).toBe(200);
    server.clock.freezeAt(expiry);
    expect((await petr.api.get('/user')).status).toBe(401);
    server.clock.reset();
    await server.sql('DELETE FROM tokens WHERE user_id = $1', [petr.userId]);
    expect((await petr.api.get('/user')).status).toBe(401);
  });

  // ACC-1
  it('refuses a token at the exact time when it expires', async () => {
    const expiresAt = inDays(1);
    const petr = await server.person('petr', { expiresAt });
    server.clock.freezeAt(new Date(expiresAt.getTime() - 1));
    expect((await petr.api.get('/user')).status).toBe(200);
    server.clock.freezeAt(expiresAt);
    expect((await petr.api.get('/user')).status).toBe(401);
  });

  // ACC-6
  it('allows HEAD like GET with a read-only token', async () => {
    const eva = await server.person('eva', { access: 'read' });
    expect((await eva.api.send('HEAD', '/user')).status).toBe(200);
    expect((await eva.api.send('DELETE', '/user')).status).toBe(403);
  });

  // WIRE-37, ACC-5, ACC-6, ACC-7
  it('checks in this order: ban, Premium, scope, route', async () => {
    const eva = await server.person('eva', { access: 'read' });
    const attempts = async (): Promise<unknown[]> => [
      (await eva.api.post('/events', {})).body.code,
      (await eva.api.post('/nowhere', {})).body.code,
      (await eva.api.put('/user')).body.code,
      (await eva.api.get('/nowhere')).body.code,
    ];
    expect(await attempts()).toEqual(['insufficient_scope', 'insufficient_scope', 'insufficient_scope', 'not_found']);
    await server.sql("UPDATE users SET premium_until = now() - interval '1 minute' WHERE id = $1", [eva.userId]);
    expect(new Set(await attempts())).toEqual(new Set(['premium_required']));
    await server.sql('UPDATE users SET banned = true WHERE id = $1', [eva.userId]);
    expect(new Set(await attempts())).toEqual(new Set(['banned']));
  });

  // ACC-5
  it('allows verified people and admins without Premium', async () => {
    for (const options of [{ verified: true }, { admin: true }]) {
      const person = await server.person('vera', { premium_until: null, ...options });
      expect((await person.api.get('/user')).status).toBe(200);
    }
    const ordinary = await server.person('plain', { premium_until: null });
    expect((await ordinary.api.get('/user')).body.code).toBe('premium_required');
  });

  // ACC-5, ACC-8, ACC-10
  it('refuses a person from the exact time when Premium ends, but not a verified person', async () => {
    const { eva, vera } = { eva: await server.person('eva'), vera: await server.person('vera', { verified: true }) };
    const end = new Date(Math.ceil(server.clock.now().getTime() / 1000) * 1000 + 60_000);
    await server.sql('UPDATE users SET premium_until = $1 WHERE id IN ($2, $3)', [end, eva.userId, vera.userId]);
    server.clock.freezeAt(new Date(end.getTime() - 1));
    expect((await eva.api.get('/user')).status).toBe(200);
    expect((await vera.api.get('/user')).body.data.premium_until).toMatch(WIRE_TIME);
    server.clock.freezeAt(end);
    expect((await eva.api.get('/user')).body.code).toBe('premium_required');
    expect((await vera.api.get('/user')).body.data.premium_until).toBeNull();
  });

  // ACC-9
  it('does not update last_used_at again within five minutes', async () => {
    const { ota, eva } = await server.people('ota', 'eva');
    const lastUsed = async ({ userId }: Person): Promise<number> =>
      Number(
        (
          await server.sql<{ last_used_at: Date | null }>('SELECT last_used_at FROM tokens WHERE user_id = $1', [
            userId,
          ])
        )[0]?.last_used_at,
      );
    /** Uses the token once, and waits until a new last_used_at is stored, which happens in the background. */
    const useToken = async (person: Person, before = 0): Promise<number> => {
      await person.api.get('/user');
      await waitUntil(async () => (await lastUsed(person)) > before);
      return lastUsed(person);
    };
    const first = await useToken(ota);
    server.clock.forward(60_000);
    await ota.api.get('/user');
    await useToken(eva);
    expect(await lastUsed(ota)).toBe(first);
    server.clock.forward(5 * 60_000);
    expect(await useToken(ota, first)).toBeGreaterThanOrEqual(first + 6 * 60_000);
  });
});

describe('GET /user', () => {
  // ACC-10
  it('shows the account and the token', async () => {
    const jana = await server.person('jana', {
      nickname: 'Janička',
      locale: 'cs',
      expiresAt: inDays(30),
      access: 'read',
    });
    const answer = await jana.api.get('/user');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        id: jana.id,
        name: 'Jana Nováková',
        nickname: 'Janička',
        slug: jana.slug,
        locale: 'cs',
        timezone: 'Europe/Prague',
        premium_until: expect.stringMatching(WIRE_TIME),
        token: { abilities: ['read'], expires_at: expect.stringMatching(WIRE_TIME), app: null },
      },
    });
  });

  // ACC-10
  it('shows the end of Premium, or null if Premium has ended', async () => {
    const eva = await server.person('eva');
    const until = async (value: string | null) => {
      await server.sql('UPDATE users SET verified = true, premium_until = $2 WHERE slug = $1', [eva.slug, value]);
      return (await eva.api.get('/user')).body.data.premium_until as unknown;
    };
    expect([await until('2099-01-02T03:04:05Z'), await until('2001-01-02T03:04:05Z'), await until(null)]).toEqual([
      '2099-01-02T03:04:05Z',
      null,
      null,
    ]);
  });

  // ACC-6, ACC-10
  it('shows that a legacy token has read and write access and never expires', async () => {
    const petr = await server.person('petr', { access: 'legacy' });
    expect((await petr.api.get('/user')).body.data.token).toEqual({
      abilities: ['read', 'write'],
      expires_at: null,
      app: null,
    });
    expect((await clientOf(server, petr.token).post('/events', {})).status).toBe(422);
  });
});
