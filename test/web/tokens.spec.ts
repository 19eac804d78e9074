import { UsersReader } from '#areas/identity/users.reader';
import { LIMITS } from '#contract/limits';
import { filledIn, formTo } from '#testing/forms';
import { clientOf } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { Visitor, type Page } from '#testing/visitor';

const TOKEN = /<pre id="fresh-token"[^>]*>(evt_\w+)<\/pre>/;

/** ACC-2, ACC-4, PAGE-8 */
describe('the tab “For developers” of the account pages', () => {
  let server: TestServer;
  let accountCount = 0;
  beforeAll(async () => (server = await TestServer.start({ demoData: true })));
  afterAll(() => server.stop());
  // Each test starts a new window of sign-in attempts, so attempts of other tests do not count. The clock is reset
  // after each test, so each test must move the clock further than the test before.
  let windowCount = 0;
  beforeEach(() => server.clock.forward(++windowCount * (LIMITS.sign_in.window * 1000 + 1)));

  async function member(): Promise<{ jana: Visitor; email: string }> {
    const jana = new Visitor(server);
    const email = `member${++accountCount}@example.org`;
    await jana.register(email);
    return { jana, email };
  }

  const user = (email: string) => server.app.get(UsersReader).byEmail(email);
  const secretOf = ({ html }: Page) => TOKEN.exec(html)?.[1] ?? '';
  const revokeLink = ({ html }: Page) => /href="(\/account\/api\/\w+\/revoke)"/.exec(html)?.[1] as string;

  // ACC-2, PAGE-8
  it('creates a token that works, shows the token only once, and revokes it', async () => {
    const { jana } = await member();
    // PAGE-119
    expect((await jana.get('/account/api')).html).toMatch(
      /<label for="expires_on">[^<]*<span class="note">\(optional\)/,
    );
    const created = await jana.submit('/account/api', { name: 'phone', access: 'read', expires_on: '' });
    expect(created.status).toBe(200);
    const secret = secretOf(created);
    expect(created.headers.get('cache-control')).toBe('no-store');
    expect(created.html).toContain('/api/v1/user -H &#39;Accept: application/json&#39; -H &#39;Authorization: Bearer ');
    const api = clientOf(server, secret);
    const me = await api.get('/user');
    expect(me.status).toBe(200);
    expect(me.body.data.token).toEqual({ abilities: ['read'], expires_at: null, app: null });
    expect((await api.post('/groups', { name: 'Klub' })).body.code).toBe('insufficient_scope');

    const lastUse = ({ html }: Page) => /data-label="Last used">([^<]+)</.exec(html)?.[1];
    for (let i = 0; i < 250 && lastUse(await jana.get('/account/api')) === 'never'; i++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const listed = await jana.get('/account/api');
    expect(lastUse(listed)).toMatch(/\d:\d\d$/);
    expect(listed.html).toContain(`<td>phone <code class="soft">…${secret.slice(-4)}</code></td>`);
    expect(listed.html).not.toContain(secret);
    // PAGE-29
    const confirmation = await jana.get(revokeLink(listed));
    expect([confirmation.status, confirmation.html.includes('<strong>phone</strong>')]).toEqual([200, true]);
    expect((await api.get('/user')).status).toBe(200);
    expect(await jana.submit(revokeLink(listed), {})).toMatchObject({ status: 303, to: '/account/api?revoked' });
    expect((await api.get('/user')).status).toBe(401);
  });

  // SCOPE-7
  it('creates a token with the selected scopes, and requires at least one scope', async () => {
    const { jana } = await member();
    const withoutScopes = await jana.submit('/account/api', { name: 'bot', access: 'narrow' });
    expect([withoutScopes.status, withoutScopes.html.includes('role="alert"')]).toEqual([422, true]);
    const fields: [string, string][] = [
      ['name', 'bot'],
      ['access', 'narrow'],
      ['scopes', 'posts:read'],
      ['scopes', 'join'],
    ];
    const send = async () => {
      const { html } = await jana.get('/account/api');
      const _csrf = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
      return jana.send('POST', '/account/api', new URLSearchParams([...fields, ['form', form], ['_csrf', _csrf]]));
    };
    const form = /name="form" value="([^"]+)"/.exec((await jana.get('/account/api')).html)?.[1] ?? '';
    const secret = secretOf(await send());
    // PAGE-30: the same form, sent again, shows the same secret.
    expect(secretOf(await send())).toBe(secret);
    const api = clientOf(server, secret);
    expect((await api.get('/user')).body.data.token.abilities).toEqual(['join', 'posts:read']);
    expect((await api.get('/posts')).status).toBe(200);
    expect((await api.get('/groups')).body.code).toBe('insufficient_scope');
    expect((await jana.get('/account/api')).html).toMatch(/<td>bot .*<td data-label="[^"]*">[^<]*; [^<]*<\/td>/);
  });

  // PAGE-8
  it('lets a token expire at the end of a day in Prague', async () => {
    server.clock.moveTo('2026-11-20T12:00:00Z');
    const { jana } = await member();
    const secret = secretOf(
      await jana.submit('/account/api', { name: 'short', access: 'write', expires_on: '2026-11-20' }),
    );
    const api = clientOf(server, secret);
    expect((await api.get('/user')).body.data.token).toEqual({
      abilities: ['read', 'write'],
      expires_at: '2026-11-20T23:00:00Z',
      app: null,
    });
    server.clock.moveTo('2026-11-20T22:59:59Z');
    expect((await api.get('/user')).status).toBe(200);
    server.clock.moveTo('2026-11-20T23:00:00Z');
    expect((await api.get('/user')).status).toBe(401);
    const past = await jana.submit('/account/api', { name: 'late', access: 'read', expires_on: '2026-11-20' });
    expect(past.status).toBe(422);
    expect(past.html).toContain('id="expires_on-error"');
    // WIRE-10: 9999-12-31 is refused, because this day ends in the year 10000.
    const beyond = await jana.submit('/account/api', { name: 'far', access: 'read', expires_on: '9999-12-31' });
    expect(beyond.status).toBe(422);
    expect(beyond.html).toContain('id="expires_on-error"');
    const last = secretOf(
      await jana.submit('/account/api', { name: 'last', access: 'read', expires_on: '9999-12-30' }),
    );
    expect((await clientOf(server, last).get('/user')).body.data.token.expires_at).toBe('9999-12-30T23:00:00Z');
  });

  it('reports errors, and creates no token with an unknown access level', async () => {
    const { jana } = await member();
    expect((await jana.submit('/account/api', { name: '', access: 'read' })).html).toContain('id="name-error"');
    for (const access of ['legacy', 'admin', ''])
      expect((await jana.submit('/account/api', { name: 'x', access })).status).toBe(422);
    expect((await jana.get('/account/api')).html).toContain('No tokens yet.');
  });

  // ACC-5, PAGE-9, PAGE-21
  it('are refused to an account without Premium: on the page with the reason, to a program with the code of the API', async () => {
    const { jana, email } = await member();
    const form = formTo((await jana.get('/account/api')).html, '/account/api');
    await server.sql('UPDATE users SET premium_until = NULL, verified = false WHERE email = $1', [email]);
    const body = filledIn(form, { name: 'phone', access: 'read' });
    const page = await jana.send('POST', '/account/api', body);
    expect([page.status, page.html.includes('To get Premium, contact the operator')]).toEqual([403, true]);
    const refused = await jana.send('POST', '/account/api', body, { accept: 'application/json' });
    expect([refused.status, JSON.parse(refused.html)]).toMatchObject([403, { code: 'premium_required' }]);
  });

  // ACC-4, PAGE-8
  it('allows at most ten tokens for each account', async () => {
    const { jana } = await member();
    for (let i = 0; i < LIMITS.tokens.per_account; i++)
      expect(secretOf(await jana.submit('/account/api', { name: `t${i}`, access: 'read' }))).not.toBe('');
    const refused = await jana.submit('/account/api', { name: 'eleventh', access: 'read' });
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('An account has at most 10 tokens.');
    expect(refused.html).not.toContain('<td>eleventh');
  });

  // ACC-4, PAGE-8
  it('allows at most ten tokens, even if eleven are created in parallel', async () => {
    const { jana, email } = await member();
    const _csrf = /name="_csrf" value="([^"]+)"/.exec((await jana.get('/account/api')).html)?.[1] ?? '';
    const answers = await Promise.all(
      Array.from({ length: LIMITS.tokens.per_account + 1 }, (_, n) =>
        jana.post('/account/api', { _csrf, name: `t${n}`, access: 'read' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: LIMITS.tokens.per_account }, () => 200),
      409,
    ]);
    const rows = await server.sql('SELECT 1 FROM tokens t JOIN users u ON u.id = t.user_id WHERE u.email = $1', [
      email,
    ]);
    expect(rows).toHaveLength(LIMITS.tokens.per_account);
  });

  // PAGE-30
  it('creates only one token for each form, even when the form is sent several times', async () => {
    const { jana, email } = await member();
    const { html } = await jana.get('/account/api');
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? '';
    const fields = { _csrf: field('_csrf'), form: field('form'), name: 'once', access: 'read', expires_in: '30' };
    const answers = await Promise.all([jana.post('/account/api', fields), jana.post('/account/api', fields)]);
    answers.push(await jana.post('/account/api', fields));
    const secrets = answers.map(secretOf);
    expect(secrets[0]).toMatch(/^evt_/);
    expect(new Set(secrets).size).toBe(1);
    const rows = () =>
      server.sql('SELECT 1 FROM tokens t JOIN users u ON u.id = t.user_id WHERE u.email = $1', [email]);
    expect(await rows()).toHaveLength(1);
    // The id of the form belongs to the account: with the same id another account gets another token.
    const { jana: mallory } = await member();
    const own = secretOf(
      await mallory.submit('/account/api', { form: fields.form, name: 'once', access: 'read', expires_in: '30' }),
    );
    expect([/^evt_/.test(own), own === secrets[0]]).toEqual([true, false]);
    // Sending the form again does not restore a revoked token.
    const listed = await jana.get('/account/api');
    await jana.submit(revokeLink(listed), {});
    expect((await jana.post('/account/api', fields)).status).toBe(409);
    expect(await rows()).toHaveLength(0);
    // A form is refused if its id is more than a day old, in the future, invalid or missing.
    const another = await jana.get('/account/api');
    const old = /name="form" value="([^"]+)"/.exec(another.html)?.[1] ?? '';
    server.clock.forward(86_400_001);
    const future = `${(server.clock.now().getTime() + 60_000).toString(36)}-${old.split('-').slice(1).join('-')}`;
    for (const form of [old, future, 'made-up', ''])
      expect((await jana.post('/account/api', { ...fields, form })).status).toBe(409);
    expect(await rows()).toHaveLength(0);
  });

  // PAGE-8
  it('lets a token expire after a number of days that the form offers', async () => {
    const { jana } = await member();
    const secret = secretOf(
      await jana.submit('/account/api', { name: 'week', access: 'read', expires_in: '7', expires_on: '' }),
    );
    const expires = new Date(
      (await clientOf(server, secret).get('/user')).body.data.token.expires_at as string,
    ).getTime();
    // The token expires at the end of the Prague day that is 7 days after today, so more than 7 days remain.
    expect(Math.ceil((expires - server.clock.now().getTime()) / 86_400_000)).toBe(8);
    // A chosen day replaces the number of days.
    const chosen = { name: 'day', access: 'read', expires_in: '7', expires_on: '2099-07-31' };
    const day = secretOf(await jana.submit('/account/api', chosen));
    expect((await clientOf(server, day).get('/user')).body.data.token.expires_at).toBe('2099-07-31T22:00:00Z');
    expect((await jana.submit('/account/api', { name: 'x', access: 'read', expires_in: '8' })).status).toBe(422);
  });

  // ACC-12, PAGE-8
  it('does not revoke tokens of other people', async () => {
    const { jana } = await member();
    const secret = secretOf(await jana.submit('/account/api', { name: 'mine', access: 'read' }));
    const link = revokeLink(await jana.get('/account/api'));
    const { jana: mallory } = await member();
    expect((await mallory.get(link)).status).toBe(404);
    expect((await mallory.submit('/account/api', {}, link)).status).toBe(404);
    expect((await clientOf(server, secret).get('/user')).status).toBe(200);
  });

  // ACC-5, PAGE-9
  it('offers tokens only to Premium accounts, verified accounts and admins', async () => {
    const { jana, email } = await member();
    await server.sql('UPDATE users SET premium_until = NULL WHERE email = $1', [email]);
    const page = await jana.get('/account/api');
    expect(page.html).toContain('Tokens are available to Premium accounts, verified accounts and admins.');
    expect(page.html).not.toContain('name="access"');
    expect((await jana.submit('/account/api', { name: 'x', access: 'read' })).status).toBe(403);
    for (const column of ['verified', 'admin']) {
      await server.sql(`UPDATE users SET ${column} = true WHERE email = $1`, [email]);
      expect((await jana.get('/account/api')).html).toContain('name="access"');
      await server.sql(`UPDATE users SET ${column} = false WHERE email = $1`, [email]);
    }
  });

  // PAGE-9
  it('offers tokens to new accounts for 30 days, but only in a demo installation', async () => {
    const { jana, email } = await member();
    const first = (await jana.get('/account/api')).html;
    expect(first).toContain('name="access"');
    expect(first).toContain('Your Premium lasts until');
    const premiumUntil = (await user(email))?.premiumUntil;
    await server.sql('UPDATE users SET verified = true WHERE email = $1', [email]);
    expect((await jana.get('/account/api')).html).not.toContain('Your Premium lasts until');
    await server.sql('UPDATE users SET verified = false WHERE email = $1', [email]);
    await server.sql(`UPDATE users SET premium_until = '9999-01-01T00:00:00Z' WHERE email = $1`, [email]);
    const endless = (await jana.get('/account/api')).html;
    expect([endless.includes('Your Premium does not end.'), endless.includes('9999')]).toEqual([true, false]);
    await server.sql('UPDATE users SET premium_until = $2 WHERE email = $1', [email, premiumUntil]);
    server.clock.forward(30 * 86_400_000 - 60_000);
    expect((await user(email))?.premiumUntil?.getTime()).toBeGreaterThan(server.clock.now().getTime());
    server.clock.forward(60_000);
    const after = (await jana.get('/account/api')).html;
    expect(after).not.toContain('name="access"');
    expect(after).not.toContain('Your Premium lasts until');
    const real = await TestServer.start();
    const eva = new Visitor(real);
    await eva.register('eva@example.org');
    expect((await eva.get('/account/api')).html).not.toContain('name="access"');
    await real.stop();
  });
});
