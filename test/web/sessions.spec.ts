import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { WebSessions } from '#areas/identity/web-sessions';
import { LIMITS } from '#contract/limits';
import { buildEvent } from '#testing/builders';
import { formTo, filledIn } from '#testing/forms';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';
import { SignInAttempts } from '#web/account/sign-in-attempts';

const { sign_in, sessions } = LIMITS;
const PASSWORD = 'correct horse';

/**
 * Tests sessions and the limits of sign-in attempts. Sessions are stored on the server, so that people can list and end
 * them.
 */
describe('signed-in sessions of the pages', () => {
  let server: TestServer;
  let accountCount = 0;
  beforeAll(async () => (server = await TestServer.start({ trustProxy: ['loopback'] })));
  afterAll(() => server.stop());
  // The clock is reset after each test. Each test starts one window of sign-in attempts (15 minutes) later than the
  // test before it, so that few attempts of other tests count.
  let windowCount = 0;
  beforeEach(() => server.clock.forward(++windowCount * (sign_in.window * 1000 + 1)));

  const visitorAt = (address: string, agent = 'Firefox') =>
    new Visitor(server, { 'accept-language': 'en', 'user-agent': agent, 'x-forwarded-for': address });
  const trySigningIn = (visitor: Visitor, email: string, password = PASSWORD) =>
    visitor.submit('/sign-in', { email, password });
  const isSignedIn = async (visitor: Visitor) => (await visitor.get('/account')).status === 200;

  async function newAccount(agent?: string): Promise<{ owner: Visitor; email: string }> {
    const email = `member${++accountCount}@example.org`;
    const owner = visitorAt('198.51.100.1', agent);
    server.clock.forward(sign_in.window * 1000 + 1);
    expect((await owner.register(email)).status).toBe(303);
    return { owner, email };
  }

  async function signInElsewhere(email: string, agent: string): Promise<Visitor> {
    const visitor = visitorAt('198.51.100.2', agent);
    expect((await trySigningIn(visitor, email)).status).toBe(303);
    return visitor;
  }

  // PAGE-19
  it('end immediately, even for a copied cookie, when the owner signs out', async () => {
    const { owner } = await newAccount('A browser whose owner signs out');
    const copiedCookie = owner.session as string;
    const thief = visitorAt('198.51.100.9');
    thief.session = copiedCookie;
    expect(await isSignedIn(thief)).toBe(true);
    expect(await owner.submit('/account', {}, '/sign-out')).toMatchObject({ status: 303, to: '/' });
    thief.session = copiedCookie;
    expect((await thief.get('/account')).to).toBe('/sign-in?next=%2Faccount');
    expect(await server.sql(`SELECT 1 FROM web_sessions WHERE user_agent = 'A browser whose owner signs out'`)).toEqual(
      [],
    );
  });

  // PAGE-99
  it('end without the loss of typed values: a form that is sent afterwards gets 401, and it is shown again with these values after signing in', async () => {
    const { owner } = await newAccount();
    const jana = await server.person('jana');
    const { id } = await buildEvent(server, jana, { join_mode: 'password', join_password: 'Sezam' });
    const forms = [
      ['/account', '/account', { nickname: 'Janička' }],
      [`/report?type=event&id=${id}`, '/report', { reason: 'spam', note: 'Reklama' }],
      [`/events/${id}`, '/join', { password: 'Sezam' }],
    ] as const;
    for (const [page, suffix, typed] of forms) {
      const form = formTo((await owner.get(page)).html, suffix);
      owner.session = '';
      const ended = await owner.send('POST', form.action, filledIn(form, typed));
      expect([page, ended.status, ended.html.includes('<h2>Your form</h2>')]).toEqual([page, 401, true]);
      const signIn = formTo(ended.html, '/sign-in');
      const resumed = await owner.send('POST', signIn.action, filledIn(signIn, { password: PASSWORD }));
      const again = formTo(resumed.html, suffix);
      for (const field of Object.entries(typed)) expect(again.fields).toContainEqual(field);
      const back = /href="([^"]+)">Back without sending/.exec(resumed.html)?.[1];
      expect([page, (await owner.get(back!)).status]).toEqual([page, 200]);
      expect((await owner.send('POST', again.action, filledIn(again, {}))).status).toBe(303);
    }
  });

  // PAGE-99
  it('end without the loss of typed values even if the form was opened on the first day of the session, until another lifetime of a session has passed', async () => {
    const { owner } = await newAccount();
    const forms = [
      ['/series/new', { title: 'Pondělní běh' }],
      ['/device', { user_code: 'BCDF-GHJK' }],
    ] as const;
    const opened = await Promise.all(forms.map(async ([page]) => formTo((await owner.get(page)).html, page)));
    const statuses = () =>
      Promise.all(
        opened.map(async (form, i) => {
          const typed = forms[i]![1];
          const { status, html } = await owner.send('POST', form.action, filledIn(form, typed));
          return [status, html.includes(Object.values(typed)[0]!)];
        }),
      );
    server.clock.forward(sessions.lifetime * 1000 + 60_000);
    expect(await statuses()).toEqual([
      [401, true],
      [401, true],
    ]);
    server.clock.forward(sessions.lifetime * 1000);
    expect(await statuses()).toEqual([
      [303, false],
      [303, false],
    ]);
  });

  // PAGE-99, PAGE-116
  it('end: a form of an account page (with a password, with only a button, or with a picture) that is sent afterwards leads to the sign-in page, and then back to the account page', async () => {
    const { owner, email } = await newAccount();
    const forms = [
      ['/account/security', '/account/security/email', { email: 'new@example.org', email_password: PASSWORD }],
      ['/account/data', '/account/data/erase', { password: PASSWORD }],
      ['/account/events', '/account/events/calendar/renew', {}],
      ['/account', '/account/avatar', {}],
    ] as const;
    const signedOut = visitorAt('198.51.100.1');
    for (const [page, action, typed] of forms) {
      const form = formTo((await owner.get(page)).html, action);
      const { status, to } = await signedOut.send('POST', form.action, filledIn(form, typed));
      expect([status, to]).toEqual([303, `/sign-in?next=${encodeURIComponent(page)}`]);
    }
    expect(await server.sql('SELECT 1 FROM users WHERE email = $1', [email])).toHaveLength(1);
  });

  // PAGE-19
  it('are replaced when someone signs in again in the same browser', async () => {
    const { owner, email } = await newAccount();
    const before = owner.session as string;
    expect((await trySigningIn(owner, email)).status).toBe(303);
    const thief = visitorAt('198.51.100.9');
    thief.session = before;
    expect(await isSignedIn(thief)).toBe(false);
    expect(await isSignedIn(owner)).toBe(true);
  });

  // PAGE-19
  it('are replaced when someone signs in with another account, or registers another account, in the same browser', async () => {
    const { owner: browser } = await newAccount();
    const { email: other } = await newAccount();
    const signInAsOther = () => trySigningIn(browser, other);
    const registerOther = () => browser.register(`member${++accountCount}@example.org`);
    for (const startSession of [signInAsOther, registerOther]) {
      const before = browser.session as string;
      expect((await startSession()).status).toBe(303);
      const thief = visitorAt('198.51.100.9');
      thief.session = before;
      expect([await isSignedIn(thief), await isSignedIn(browser)]).toEqual([false, true]);
    }
  });

  // PAGE-4, PAGE-19
  it('do not accept the CSRF token of a form that was opened in the browser before the sign-in', async () => {
    const { email } = await newAccount();
    const browser = visitorAt('198.51.100.4');
    const _csrf = /name="_csrf" value="([^"]+)"/.exec((await browser.get('/sign-in')).html)?.[1] ?? '';
    expect((await trySigningIn(browser, email)).status).toBe(303);
    expect((await browser.post('/sign-out', { _csrf })).status).toBe(403);
    expect(await isSignedIn(browser)).toBe(true);
  });

  // PAGE-4
  it('accept the forms of several pages that the browser opened at the same time after signing in', async () => {
    const { owner } = await newAccount();
    const pages = await Promise.all(Array.from({ length: 5 }, () => owner.get('/account/events')));
    for (const { html } of pages) {
      const form = formTo(html, '/language');
      expect((await owner.send('POST', form.action, filledIn(form, { locale: 'en' }))).status).toBe(303);
    }
  });

  // PAGE-6
  it('end after two weeks, even if the browser still sends the cookie', async () => {
    const { owner } = await newAccount('Lynx');
    server.clock.forward(14 * 24 * 3_600_000 - 60_000);
    expect(await isSignedIn(owner)).toBe(true);
    server.clock.forward(60_000);
    expect(await isSignedIn(owner)).toBe(false);
    // Each new session deletes up to a hundred expired sessions. Other tests have left expired sessions too, so one new
    // session may not be enough.
    for (let i = 0; i < 2; i++) await newAccount();
    expect(await server.sql(`SELECT 1 FROM web_sessions WHERE user_agent = 'Lynx'`)).toEqual([]);
  });

  // PAGE-6
  it('are stored with only a hash of the browser’s key, end when the password changes, and cannot start if the password changes during the sign-in', async () => {
    const { owner, email } = await newAccount();
    const [row] = await server.sql<{ key_hash: string }>(
      'SELECT key_hash FROM web_sessions ORDER BY created_at DESC, id LIMIT 1',
    );
    expect(row?.key_hash).toMatch(/^[0-9a-f]{64}$/);
    const before = (await server.app.get(UsersReader).byEmail(email))!;
    await server.database.transaction(async (tx) => {
      await server.app
        .get(UsersCommands)
        .update(tx, (await server.app.get(UsersReader).lockById(tx, before.id))!, { password: 'another password' });
    });
    expect(await isSignedIn(owner)).toBe(false);
    expect(await server.sql('SELECT 1 FROM web_sessions WHERE user_id = $1', [before.id])).toEqual([]);
    expect(await server.database.transaction((tx) => server.app.get(WebSessions).begin(tx, before))).toBeNull();
  });

  // PAGE-20
  it('are listed, with a mark at the current session, and can be ended individually', async () => {
    const { owner, email } = await newAccount('Firefox <b>1</b>');
    server.clock.forward(1000);
    const phone = await signInElsewhere(email, 'Phone');
    server.clock.forward(1000);
    const tablet = await signInElsewhere(email, 'Tablet');
    const page = await owner.get('/account/sessions');
    expect(page.status).toBe(200);
    const rows = [...page.html.matchAll(/<tr>\s*<td>([^]*?)<\/tr>/g)].map(([, row = '']) => row);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toContain('Firefox &lt;b&gt;1&lt;/b&gt; <strong>(this device)</strong>');
    expect(rows.filter((row) => row.includes('this device'))).toHaveLength(1);
    // After the current session, the most recently used session comes first.
    expect(rows.map((row) => /Firefox|Phone|Tablet/.exec(row)?.[0])).toEqual(['Firefox', 'Tablet', 'Phone']);
    expect(page.html).toContain('Last seen');
    const endPathOf = (name: string) =>
      /action="([^"]+)"/.exec(rows.find((row) => row.includes(name)) ?? '')?.[1] as string;

    expect(await owner.submit('/account/sessions', {}, endPathOf('Phone'))).toMatchObject({
      status: 303,
      to: '/account/sessions?ended',
    });
    expect([await isSignedIn(phone), await isSignedIn(tablet), await isSignedIn(owner)]).toEqual([false, true, true]);
    expect((await owner.get('/account/sessions?ended')).html).toContain('Signed out.');
    expect((await owner.submit('/account/sessions', {}, endPathOf('Phone'))).status).toBe(404);
    expect(await owner.submit('/account/sessions', {}, endPathOf('Firefox'))).toMatchObject({ status: 303, to: '/' });
    expect(await isSignedIn(owner)).toBe(false);
  });

  // PAGE-6, PAGE-20
  it('are not listed after they have expired', async () => {
    const { email } = await newAccount('First');
    server.clock.forward(60_000);
    const phone = await signInElsewhere(email, 'Phone');
    const listed = async () => [...(await phone.get('/account/sessions')).html.matchAll(/<td>(First|Phone)/g)].length;
    expect(await listed()).toBe(2);
    server.clock.forward(sessions.lifetime * 1000 - 30_000);
    expect(await listed()).toBe(1);
  });

  // PAGE-20
  it('can be ended together, except the current session', async () => {
    const { owner, email } = await newAccount();
    const others = [await signInElsewhere(email, 'One'), await signInElsewhere(email, 'Two')];
    expect((await owner.submit('/account/sessions', {}, '/account/sessions/end-others')).status).toBe(303);
    expect(await isSignedIn(owner)).toBe(true);
    for (const other of others) expect(await isSignedIn(other)).toBe(false);
    expect((await owner.get('/account/sessions')).html).not.toContain('Sign out everywhere else');
    await server.sql(`UPDATE users SET locale = 'cs' WHERE email = $1`, [email]);
    expect((await owner.get('/account/sessions')).html).toContain('<h1>Přihlášená zařízení</h1>');
  });

  // PAGE-20
  it('cannot be seen or ended by others', async () => {
    const { owner } = await newAccount('Jana');
    const link = /action="(\/account\/sessions\/[^"]+\/end)"/.exec(
      (await owner.get('/account/sessions')).html,
    )?.[1] as string;
    const { owner: mallory } = await newAccount('Mallory');
    expect((await mallory.get('/account/sessions')).html).not.toContain('Jana');
    for (const path of [link, '/account/sessions/nonsense/end', '/account/sessions/%00/end'])
      expect((await mallory.submit('/account/sessions', {}, path)).status).toBe(404);
    expect((await mallory.post(link, {})).status).toBe(403);
    expect(await isSignedIn(owner)).toBe(true);
    expect((await visitorAt('198.51.100.3').get('/account/sessions')).to).toBe('/sign-in?next=%2Faccount%2Fsessions');
  });

  // PAGE-20
  it('are limited to fifty per account: a further session replaces the session that was unused for the longest time', async () => {
    const { owner, email } = await newAccount('First');
    const { id, passwordHash } = (await server.app.get(UsersReader).byEmail(email))!;
    for (let i = 0; i < sessions.per_account; i++) {
      server.clock.forward(1000);
      await server.database.transaction((tx) => server.app.get(WebSessions).begin(tx, { id, passwordHash }));
    }
    expect(await server.sql('SELECT 1 FROM web_sessions WHERE user_id = $1', [id])).toHaveLength(sessions.per_account);
    expect(await isSignedIn(owner)).toBe(false);
  });

  // PAGE-20
  it('are limited to fifty per account: an older session that is in use remains', async () => {
    const { owner, email } = await newAccount('First');
    const unused = await signInElsewhere(email, 'Second');
    const { id, passwordHash } = (await server.app.get(UsersReader).byEmail(email))!;
    server.clock.forward(6 * 60_000);
    expect(await isSignedIn(owner)).toBe(true);
    // The time of the last use is stored after the response, at most once in five minutes.
    const used = () =>
      server.sql('SELECT 1 FROM web_sessions WHERE user_id = $1 AND last_seen_at >= created_at + $2::interval', [
        id,
        '5 minutes',
      ]);
    for (let i = 0; i < 250 && (await used()).length === 0; i++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    for (let i = 0; i < sessions.per_account - 1; i++)
      await server.database.transaction((tx) => server.app.get(WebSessions).begin(tx, { id, passwordHash }));
    expect([await isSignedIn(unused), await isSignedIn(owner)]).toEqual([false, true]);
  });

  // PAGE-18
  it('can be started by the owner despite wrong passwords from another IP address', async () => {
    const { email } = await newAccount();
    const ip = '203.0.113.1';
    const guesser = visitorAt(ip);
    // After these attempts, one attempt is left.
    for (let n = 1; n < sign_in.per_ip_and_email; n++)
      await server.app.get(SignInAttempts).hit('per_ip_and_email', { ip, email, device: '' });
    expect((await trySigningIn(guesser, email, 'wrong password')).status).toBe(422);
    const refused = await trySigningIn(guesser, email.toUpperCase());
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(refused.html).toMatch(
      new RegExp(`role="alert">[^<]+<.*name="email" type="email" value="${email.toUpperCase()}"`),
    );
    expect((await trySigningIn(visitorAt('203.0.113.2'), email)).status).toBe(303);
    // A successful sign-in of the owner from another IP address does not reset the attempts of the attacker.
    expect((await trySigningIn(guesser, email)).status).toBe(429);
  });

  // PAGE-18
  it('can be started by the owner while somebody at another IP address continues to guess, because refused attempts do not count', async () => {
    const { email } = await newAccount();
    const attemptsLeft = sign_in.per_ip_and_email + 1;
    for (let n = 0; n < sign_in.per_email - attemptsLeft; n++)
      await server.app.get(SignInAttempts).hit('per_email', { ip: '', email, device: '' });
    const guesser = visitorAt('203.0.113.20');
    for (let n = 0; n < attemptsLeft + 2; n++) await trySigningIn(guesser, email, 'wrong password');
    // Only the first `per_ip_and_email` attempts of the guesser count, so one attempt is left for the account.
    expect((await trySigningIn(visitorAt('203.0.113.21'), email)).status).toBe(303);
  });

  // PAGE-18
  it('cannot be obtained by guessing the password with another spelling of the e-mail address', async () => {
    const email = 'mariin.ras@example.org';
    expect((await visitorAt('198.51.100.3').register(email)).status).toBe(303);
    for (let n = 0; n < sign_in.per_email; n++)
      await server.app.get(SignInAttempts).hit('per_email', { ip: '', email, device: '' });
    for (const spelling of ['MARIIN.RAS@example.org', 'mar\u0130\u0130n.ras@example.org'])
      expect([spelling, (await trySigningIn(visitorAt('203.0.113.30'), spelling)).status]).toEqual([spelling, 429]);
  });

  // PAGE-18
  it('cannot be obtained by guessing the password in many parallel requests', async () => {
    const { email } = await newAccount();
    const crowd = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const visitor = visitorAt('203.0.113.3');
        const { html } = await visitor.get('/sign-in');
        return { visitor, csrf: /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? '' };
      }),
    );
    const answers = await Promise.all(
      crowd.map(({ visitor, csrf }) => visitor.post('/sign-in', { _csrf: csrf, email, password: 'wrong password' })),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(sign_in.per_ip_and_email);
  });

  // PAGE-18
  it('can be started from a known device while attackers guess from all addresses, including the address of this device', async () => {
    const { owner, email } = await newAccount();
    await owner.submit('/account', {}, '/sign-out');
    const attempts = server.app.get(SignInAttempts);
    for (let n = sign_in.per_ip_and_email; n < sign_in.per_email; n++)
      await attempts.hit('per_email', { ip: '', email, device: '' });
    for (let i = 0; i < sign_in.per_ip_and_email; i++)
      expect((await trySigningIn(visitorAt('192.0.2.1'), email, 'wrong password')).status).toBe(422);
    expect((await trySigningIn(visitorAt('192.0.2.200'), email)).status).toBe(429);
    for (let i = 0; i < sign_in.per_ip; i++) await visitorAt('198.51.100.1').submit('/register', {});
    expect((await trySigningIn(visitorAt('198.51.100.1'), 'somebody@example.org')).status).toBe(429);
    for (const spelling of [email, email.toUpperCase()]) expect((await trySigningIn(owner, spelling)).status).toBe(303);
    // The limit per device also applies to a known device, and a device is known only for the accounts that have signed
    // in on it.
    const other = await newAccount();
    await owner.submit('/account', {}, '/sign-out');
    for (let i = 0; i < sign_in.per_device; i++)
      expect((await trySigningIn(owner, email, 'wrong password')).status).toBe(422);
    expect((await trySigningIn(owner, email)).status).toBe(429);
    for (let i = 0; i < sign_in.per_ip_and_email; i++)
      await trySigningIn(visitorAt('198.51.100.1'), other.email, 'wrong password');
    expect((await trySigningIn(owner, other.email)).status).toBe(429);
  });

  // PAGE-18
  it('can be started from a known device with another spelling of the e-mail address', async () => {
    const owner = visitorAt('198.51.100.4');
    expect((await owner.register('viki.sil@example.org')).status).toBe(303);
    await owner.submit('/account', {}, '/sign-out');
    for (let n = 0; n < sign_in.per_email; n++)
      await server.app.get(SignInAttempts).hit('per_email', { ip: '', email: 'viki.sil@example.org', device: '' });
    expect((await trySigningIn(owner, 'v\u0130k\u0130.s\u0130l@example.org')).status).toBe(303);
  });

  // PAGE-18
  it('can be started from a known device for one account, even if this device has no attempts left for another account', async () => {
    const { owner, email } = await newAccount();
    const other = await newAccount();
    expect((await trySigningIn(owner, other.email)).status).toBe(303);
    await owner.submit('/account', {}, '/sign-out');
    for (let i = 0; i < sign_in.per_device; i++)
      expect((await trySigningIn(owner, email, 'wrong password')).status).toBe(422);
    expect((await trySigningIn(owner, email)).status).toBe(429);
    expect((await trySigningIn(owner, other.email)).status).toBe(303);
  });

  // PAGE-6
  it('have a cookie that the browser stores for two weeks', async () => {
    const { email } = await newAccount();
    const { headers } = await trySigningIn(visitorAt('203.0.113.9'), email);
    const cookie = headers.getSetCookie().find((line) => line.startsWith('session='));
    expect(cookie).toContain(`Max-Age=${14 * 86_400}`);
  });

  // PAGE-6, PAGE-18, PAGE-20
  it('have the limits that docs/rules/pages.md defines', () => {
    expect(sign_in).toEqual({ per_ip: 30, per_ip_and_email: 10, per_device: 10, per_email: 100, window: 900 });
    expect(sessions).toMatchObject({ per_account: 50, lifetime: 14 * 86_400, device: 365 * 86_400 });
  });

  // PAGE-18
  it('make their device a known device for several accounts, even when the first account signs in again', async () => {
    const { owner: browser, email: first } = await newAccount();
    const { email: second } = await newAccount();
    const attempts = server.app.get(SignInAttempts);
    for (const email of [second, first]) expect((await trySigningIn(browser, email)).status).toBe(303);
    for (const email of [first, second]) {
      for (let n = 0; n < sign_in.per_email; n++) await attempts.hit('per_email', { ip: '', email, device: '' });
      expect((await trySigningIn(visitorAt('203.0.113.10'), email)).status).toBe(429);
      expect((await trySigningIn(browser, email)).status).toBe(303);
    }
  });

  // PAGE-18
  it('make their device a known device for a year', async () => {
    const { email } = await newAccount();
    const { headers } = await trySigningIn(visitorAt('203.0.113.6'), email);
    const cookie = headers.getSetCookie().find((line) => line.startsWith('device='));
    expect(cookie).toContain(`Max-Age=${365 * 86_400}`);
  });

  // PAGE-18
  it('reset, when they start, the count of sign-in attempts for their account from all IP addresses together', async () => {
    const { email } = await newAccount();
    for (let i = 0; i < sign_in.per_email - 1; i++)
      await server.app.get(SignInAttempts).hit('per_email', { ip: '', email, device: '' });
    expect((await trySigningIn(visitorAt('203.0.113.7'), email)).status).toBe(303);
    expect((await trySigningIn(visitorAt('203.0.113.8'), email, 'wrong password')).status).toBe(422);
  });

  // PAGE-18
  it('do not reset, when they start, the count of sign-in attempts for all accounts from their IP address', async () => {
    const { email } = await newAccount();
    const address = '203.0.113.5';
    for (let i = 0; i < sign_in.per_ip - 1; i++)
      expect((await trySigningIn(visitorAt(address), `guessed${i}@example.org`, 'wrong password')).status).toBe(422);
    expect((await trySigningIn(visitorAt(address), email)).status).toBe(303);
    expect((await trySigningIn(visitorAt(address), 'guessed@example.org', 'wrong password')).status).toBe(429);
  });

  // PAGE-18
  it('reset, when they start, the count of sign-in attempts for their account from their IP address', async () => {
    const { email } = await newAccount();
    const address = '203.0.113.4';
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < sign_in.per_ip_and_email - 1; i++)
        expect((await trySigningIn(visitorAt(address), email, 'wrong password')).status).toBe(422);
      expect((await trySigningIn(visitorAt(address), email)).status).toBe(303);
    }
  });
});
