import { generateSync } from 'otplib';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { SecondStepCommands } from '#areas/second-step/second-step.commands';
import { LIMITS } from '#contract/limits';
import { formTo, filledIn } from '#testing/forms';
import { TestServer } from '#testing/test-server';
import { Visitor, type Page } from '#testing/visitor';
import { SignInAttempts } from '#web/account/sign-in-attempts';

const { sign_in, second_step } = LIMITS;
const PASSWORD = 'correct horse';
const PAGE = '/account/second-step';

/**
 * Tests second steps after the password: codes of an authenticator app, and recovery codes. Passkeys are tested in
 * passkeys.spec.ts, because they need a browser.
 */
describe('the second step', () => {
  let server: TestServer;
  let lastNumber = 0;
  beforeAll(async () => (server = await TestServer.start({ trustProxy: ['loopback'] })));
  afterAll(() => server.stop());

  const visitorAt = (address = '198.51.100.1', agent = 'Firefox') =>
    new Visitor(server, { 'accept-language': 'en', 'user-agent': agent, 'x-forwarded-for': address });
  const isSignedIn = async (visitor: Visitor) => (await visitor.get('/account')).status === 200;
  const seconds = () => Math.floor(server.clock.now().getTime() / 1000);
  const codeOf = (secret: string, offsetSeconds = 0) => generateSync({ secret, epoch: seconds() + offsetSeconds });
  const submitPassword = (visitor: Visitor, email: string, page = '/sign-in') =>
    visitor.submit(page, { email, password: PASSWORD }, '/sign-in');
  /** Sends a code with the form token of the sign-in page. The page that asks for a code need not be available. */
  const submitCode = (visitor: Visitor, code: string) => visitor.submit('/sign-in', { code }, '/sign-in/step');
  const codesOn = ({ html }: Page) => (/<pre id="fresh-codes">([^<]+)<\/pre>/.exec(html)?.[1] ?? '').split('\n');

  /** Returns an IP address that no test has used, so that attempts of one test do not count in another test. */
  const unusedAddress = () => `203.0.113.${++lastNumber}`;

  async function newAccount(): Promise<{ owner: Visitor; email: string }> {
    const email = `member${++lastNumber}@example.org`;
    const owner = visitorAt(unusedAddress());
    expect((await owner.register(email)).status).toBe(303);
    return { owner, email };
  }

  async function newAccountWithApp(): Promise<{ owner: Visitor; email: string; secret: string; codes: string[] }> {
    const { owner, email } = await newAccount();
    expect((await owner.submit(PAGE, { app_password: PASSWORD }, `${PAGE}/app`)).to).toBe(`${PAGE}#app`);
    const secret = secretOn((await owner.get(PAGE)).html);
    const confirmed = await owner.submit(PAGE, { code: codeOf(secret) }, `${PAGE}/app/confirm`);
    expect(confirmed.status).toBe(200);
    server.clock.forward(30_000);
    return { owner, email, secret, codes: codesOn(confirmed) };
  }

  const secretOn = (html: string) => (/role="group">([A-Z2-7 ]+)</.exec(html)?.[1] ?? '').replace(/ /g, '');

  /** Returns a browser with a half-finished sign-in: the password was correct, and the second step is missing. */
  async function halfSignedIn(email: string, address = unusedAddress()): Promise<Visitor> {
    const visitor = visitorAt(address);
    expect((await submitPassword(visitor, email)).to).toBe('/sign-in/step');
    return visitor;
  }

  // PAGE-99, STEP-1
  it('keeps the typed values of a form that is sent after its session has ended, even if a code is wrong or too late', async () => {
    const { owner, secret, codes } = await newAccountWithApp();
    const send = (page: Page, actionEnd: string, typed: Record<string, string>) => {
      const form = formTo(page.html, actionEnd);
      return owner.send('POST', form.action, filledIn(form, typed));
    };
    const profile = await owner.get('/account');
    owner.session = '';
    const ended = await send(profile, '/account', { nickname: 'Janička' });
    const late = await send(ended, '/sign-in', { password: PASSWORD });
    expect([late.status, late.html.includes('What you typed is kept.')]).toEqual([200, true]);
    server.clock.forward(second_step.half_session * 1000 + 1);
    const again = await send(late, '/sign-in/step', { code: codeOf(secret) });
    expect([again.status, again.html.includes('It took too long.')]).toEqual([422, true]);
    const step = await send(again, '/sign-in', { password: PASSWORD });
    let wrong = await send(step, '/sign-in/step', { code: '000000' });
    expect([wrong.status, wrong.html.includes('Wrong code.')]).toEqual([422, true]);
    for (let n = 1; n < second_step.codes.max; n++) wrong = await send(wrong, '/sign-in/step', { code: '000000' });
    const refused = await send(wrong, '/sign-in/step', { code: '000000' });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    server.clock.forward(second_step.codes.window * 1000);
    // The sign-in that waits for the second step ends before the limit resets.
    const over = await send(refused, '/sign-in/step', { code: codes[0]! });
    const last = await send(over, '/sign-in', { password: PASSWORD });
    const resumed = await send(last, '/sign-in/step', { code: codes[0]! });
    expect(resumed.html).toContain('You are signed in again');
    expect((await send(resumed, '/account', {})).to).toBe('/account?saved');
    expect((await owner.get('/account')).html).toContain('value="Janička"');
  });

  // STEP-3, STEP-7, STEP-8
  it('is turned on with the password and a code of the app', async () => {
    const { owner, email } = await newAccount();
    const otherBrowser = visitorAt(unusedAddress());
    expect((await submitPassword(otherBrowser, email)).status).toBe(303);
    for (const app_password of ['wrong password', 'x'.repeat(LIMITS.accounts.password.max + 1)]) {
      const wrong = await owner.submit(PAGE, { app_password }, `${PAGE}/app`);
      expect([wrong.status, wrong.html.includes('Wrong password.')]).toEqual([422, true]);
      expect(secretOn(wrong.html)).toBe('');
    }

    await owner.submit(PAGE, { app_password: PASSWORD }, `${PAGE}/app`);
    const former = secretOn((await owner.get(PAGE)).html);
    await owner.submit(PAGE, { app_password: PASSWORD }, `${PAGE}/app`);
    const page = await owner.get(PAGE);
    const secret = secretOn(page.html);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    // A new secret replaces a secret that is not confirmed.
    expect((await owner.submit(PAGE, { code: codeOf(former) }, `${PAGE}/app/confirm`)).status).toBe(422);
    expect(page.html).toContain('<svg');
    expect(page.html).toMatch(/name="code"[^>]*autocomplete="one-time-code"/);
    expect(page.html).toMatch(/name="app_password"[^>]*autocomplete="current-password"/);
    // The secret is shown, but not confirmed yet, so no code is required for signing in.
    expect((await submitPassword(visitorAt(unusedAddress()), email)).to).toBe('/account/events');
    const refused = await owner.submit(PAGE, { code: codeOf(secret, 90) }, `${PAGE}/app/confirm`);
    expect([refused.status, secretOn(refused.html)]).toEqual([422, secret]);

    const confirmed = await owner.submit(PAGE, { code: codeOf(secret) }, `${PAGE}/app/confirm`);
    expect([confirmed.status, confirmed.html.includes('Turned on.')]).toEqual([200, true]);
    expect(codesOn(confirmed)).toHaveLength(second_step.recovery_codes);
    expect(await isSignedIn(owner)).toBe(true);
    expect(await isSignedIn(otherBrowser)).toBe(false);
    const after = await owner.get(PAGE);
    expect(after.html).not.toContain(secret.slice(0, 4));
    expect(after.html).not.toContain(codesOn(confirmed)[0]);

    const [row] = await server.sql<{ secret_sealed: string }>(
      'SELECT t.secret_sealed FROM totp_secrets t JOIN users u ON u.id = t.user_id WHERE u.email = $1',
      [email],
    );
    expect(row?.secret_sealed).not.toContain(secret);
    const hashes = await server.sql<{ code_hash: string }>(
      'SELECT c.code_hash FROM recovery_codes c JOIN users u ON u.id = c.user_id WHERE u.email = $1',
      [email],
    );
    expect(hashes.map(({ code_hash }) => code_hash)).toEqual(Array(10).fill(expect.stringMatching(/^[0-9a-f]{64}$/)));
    // No other authenticator app can be set up while an app is in use.
    await owner.submit(PAGE, { app_password: PASSWORD }, `${PAGE}/app`);
    expect(secretOn((await owner.get(PAGE)).html)).toBe('');
    server.clock.forward(86_400_000);
    // The form for the first code does not accept a code of an app that is in use.
    expect((await owner.submit(PAGE, { code: codeOf(secret) }, `${PAGE}/app/confirm`)).status).toBe(422);
    expect((await (await halfSignedIn(email)).submit('/sign-in/step', { code: codeOf(secret) })).status).toBe(303);
    const since = (html: string) => /On since ([^<]+)</.exec(html)?.[1];
    expect(since(after.html)).toBeDefined();
    expect(since((await owner.get(PAGE)).html)).toBe(since(after.html));
  });

  // STEP-1, STEP-4 to STEP-7
  it('has the limits that docs/rules/second-step.md defines', () => {
    expect(second_step).toMatchObject({
      half_session: 600,
      challenge: 300,
      codes: { max: 10, window: 900 },
      recovery_codes: 10,
      passkeys: 10,
    });
  });

  // STEP-5
  it('can be turned on even after more than ten wrong codes in the form for the first code', async () => {
    const { owner } = await newAccount();
    await owner.submit(PAGE, { app_password: PASSWORD }, `${PAGE}/app`);
    const secret = secretOn((await owner.get(PAGE)).html);
    for (let n = 0; n <= second_step.codes.max; n++)
      expect((await owner.submit(PAGE, { code: codeOf(secret, 90) }, `${PAGE}/app/confirm`)).status).toBe(422);
    const code = codeOf(secret);
    // Authenticator apps show a code as two groups of digits.
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect((await owner.submit(PAGE, { code: typed }, `${PAGE}/app/confirm`)).status).toBe(200);
  });

  // STEP-2
  it('refuses at sign-in the code with which it was turned on, and an earlier code', async () => {
    const { owner, email } = await newAccount();
    server.clock.freezeAt(new Date((Math.floor(seconds() / 30) * 30 + 60) * 1000));
    await owner.submit(PAGE, { app_password: PASSWORD }, `${PAGE}/app`);
    const secret = secretOn((await owner.get(PAGE)).html);
    expect((await owner.submit(PAGE, { code: codeOf(secret) }, `${PAGE}/app/confirm`)).status).toBe(200);
    const visitor = await halfSignedIn(email);
    for (const offsetSeconds of [0, -30])
      expect((await visitor.submit('/sign-in/step', { code: codeOf(secret, offsetSeconds) })).status).toBe(422);
    expect((await visitor.submit('/sign-in/step', { code: codeOf(secret, 30) })).status).toBe(303);
  });

  // STEP-1, PAGE-19
  it('is required in a browser in which another account is signed in', async () => {
    const { email, secret } = await newAccountWithApp();
    const { owner: other } = await newAccount();
    const former = other.session as string;
    expect((await submitPassword(other, email)).to).toBe('/sign-in/step');
    const thief = visitorAt(unusedAddress());
    thief.session = former;
    expect([await isSignedIn(thief), await isSignedIn(other)]).toEqual([false, false]);
    expect((await other.submit('/sign-in/step', { code: codeOf(secret) })).status).toBe(303);
    expect((await other.get('/account/security')).html).toContain(email);
  });

  // STEP-1, STEP-2
  it('is required after the password, and then leads to the requested page', async () => {
    const { email, secret } = await newAccountWithApp();
    const visitor = visitorAt(unusedAddress());
    expect((await submitPassword(visitor, email, '/sign-in?next=/account/sessions')).to).toBe('/sign-in/step');
    const afterPassword = await visitor.submit('/sign-in', { email, password: PASSWORD, next: '/account/sessions' });
    expect(afterPassword.to).toBe('/sign-in/step?next=%2Faccount%2Fsessions');
    const before = visitor.session as string;
    expect(await isSignedIn(visitor)).toBe(false);
    const page = await visitor.get(afterPassword.to as string);
    expect(page.html).toMatch(/name="code"[^>]*autocomplete="one-time-code"/);

    const wrong = await visitor.submit(afterPassword.to as string, {
      code: codeOf(secret, 90),
      next: '/account/sessions',
    });
    expect([
      wrong.status,
      /id="code"[^>]*aria-describedby="code-error">.*role="alert" id="code-error">Wrong code/.test(wrong.html),
      wrong.html.includes('value="/account/sessions"'),
    ]).toEqual([422, true, true]);
    const code = codeOf(secret);
    expect(
      await visitor.submit('/sign-in/step', {
        code: ` ${code.slice(0, 3)} ${code.slice(3)} `,
        next: '/account/sessions',
      }),
    ).toMatchObject({ status: 303, to: '/account/sessions' });
    expect(await isSignedIn(visitor)).toBe(true);
    // The session that existed before the second step gives no access and cannot continue the sign-in.
    expect(visitor.session).not.toBe(before);
    const thief = visitorAt(unusedAddress());
    thief.session = before;
    expect(await isSignedIn(thief)).toBe(false);
    expect((await thief.get('/sign-in/step')).to).toBe('/sign-in?again');
    const former = visitor.session as string;
    expect((await visitor.submit('/sign-in', { email, password: PASSWORD, next: '//elsewhere.example' })).to).toBe(
      '/sign-in/step',
    );
    // The correct password has already ended the former session of this browser (PAGE-19).
    thief.session = former;
    expect(await isSignedIn(thief)).toBe(false);
    server.clock.forward(30_000);
    expect((await visitor.submit('/sign-in/step', { code: codeOf(secret), next: '//elsewhere.example' })).to).toBe(
      '/account/events',
    );
  });

  // STEP-2
  it('accepts a code only once, even from many browsers in parallel, and then accepts no earlier code', async () => {
    const { email, secret } = await newAccountWithApp();
    server.clock.freezeAt(new Date((Math.floor(seconds() / 30) * 30 + 60) * 1000));
    const early = codeOf(secret, -30);
    const [one, other, third] = [await halfSignedIn(email), await halfSignedIn(email), await halfSignedIn(email)];
    const tokens = await Promise.all(
      [one, other, third].map(async (visitor) => ({
        visitor,
        _csrf: /name="_csrf" value="([^"]+)"/.exec((await visitor.get('/sign-in/step')).html)?.[1] ?? '',
      })),
    );
    const answers = await Promise.all(
      tokens.map(({ visitor, _csrf }) => visitor.post('/sign-in/step', { _csrf, code: codeOf(secret) })),
    );
    expect(answers.filter(({ to }) => to === '/account/events')).toHaveLength(1);
    const late = await halfSignedIn(email);
    for (const code of [codeOf(secret), early]) expect((await late.submit('/sign-in/step', { code })).status).toBe(422);
    // A code is accepted if the clock of the app is at most half a minute ahead or behind.
    server.clock.freezeAt(new Date(server.clock.now().getTime() + 30_000));
    expect((await late.submit('/sign-in/step', { code: codeOf(secret, 60) })).status).toBe(422);
    expect((await late.submit('/sign-in/step', { code: codeOf(secret, 30) })).status).toBe(303);
    server.clock.freezeAt(new Date(server.clock.now().getTime() + 90_000));
    const slow = await halfSignedIn(email);
    expect((await slow.submit('/sign-in/step', { code: codeOf(secret, -60) })).status).toBe(422);
    expect((await slow.submit('/sign-in/step', { code: codeOf(secret, -30) })).status).toBe(303);
  });

  // STEP-7
  it('accepts each recovery code only once, and ignores spaces and letter case', async () => {
    const { owner, email, codes } = await newAccountWithApp();
    expect(new Set(codes).size).toBe(10);
    expect(codes[0]).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
    const first = await halfSignedIn(email);
    expect(
      (await first.submit('/sign-in/step', { code: ` ${(codes[0] as string).toLowerCase().replace(/-/g, ' ')}` })).to,
    ).toBe('/account/events');
    expect((await (await halfSignedIn(email)).submit('/sign-in/step', { code: codes[0] as string })).status).toBe(422);
    expect((await owner.get(PAGE)).html).toContain('Left: 9');
    const { email: otherEmail } = await newAccountWithApp();
    expect((await (await halfSignedIn(otherEmail)).submit('/sign-in/step', { code: codes[1] as string })).status).toBe(
      422,
    );

    expect((await owner.submit(PAGE, { codes_password: 'wrong password' }, `${PAGE}/recovery`)).status).toBe(422);
    const renewed = codesOn(await owner.submit(PAGE, { codes_password: PASSWORD }, `${PAGE}/recovery`));
    expect(renewed).toHaveLength(10);
    const last = await halfSignedIn(email);
    expect((await last.submit('/sign-in/step', { code: codes[1] as string })).status).toBe(422);
    expect((await last.submit('/sign-in/step', { code: renewed[0] as string })).status).toBe(303);
  });

  // STEP-1
  it('must be completed within ten minutes; a new password, or a completed second step in another browser, ends the half-finished sign-ins', async () => {
    const { email, secret } = await newAccountWithApp();
    const [slow, other, changed] = [await halfSignedIn(email), await halfSignedIn(email), await halfSignedIn(email)];
    const winner = await halfSignedIn(email);
    expect((await winner.submit('/sign-in/step', { code: codeOf(secret) })).status).toBe(303);
    server.clock.forward(30_000);
    expect((await submitCode(other, codeOf(secret))).to).toBe('/sign-in?again');
    expect((await other.get('/sign-in?again')).html).toContain('It took too long.');

    expect((await submitPassword(slow, email)).to).toBe('/sign-in/step');
    expect((await submitPassword(changed, email)).to).toBe('/sign-in/step');
    server.clock.forward(second_step.half_session * 1000 - 60_000);
    expect((await slow.get('/sign-in/step')).status).toBe(200);
    const changePassword = async (password: string) => {
      const user = (await server.app.get(UsersReader).byEmail(email))!;
      await server.database.transaction((tx) => server.app.get(UsersCommands).update(tx, user, { password }));
    };
    await changePassword('another correct horse');
    expect((await submitCode(changed, codeOf(secret))).to).toBe('/sign-in?again');
    await changePassword(PASSWORD);
    // A sign-in after the change of the password still requires the second step.
    const again = await halfSignedIn(email);
    server.clock.forward(second_step.half_session * 1000);
    expect((await again.get('/sign-in/step')).to).toBe('/sign-in?again');
    expect((await submitCode(slow, codeOf(secret))).to).toBe('/sign-in?again');
    await halfSignedIn(email);
    expect(
      await server.sql('SELECT 1 FROM half_sessions h JOIN users u ON u.id = h.user_id WHERE u.email = $1', [email]),
    ).toHaveLength(1);
  });

  // STEP-1
  it('cannot be completed if the account was banned after the password was entered', async () => {
    const { email, secret } = await newAccountWithApp();
    const visitor = await halfSignedIn(email);
    await server.sql('UPDATE users SET banned = true WHERE email = $1', [email]);
    expect((await submitCode(visitor, codeOf(secret))).to).toBe('/sign-in?again');
  });

  // STEP-1
  it('cannot be completed if the account was banned after the password was entered, even if the ban has been lifted', async () => {
    const { email, secret } = await newAccountWithApp();
    const visitor = await halfSignedIn(email);
    const user = (await server.app.get(UsersReader).byEmail(email))!;
    for (const banned of [true, false])
      await server.database.transaction((tx) => server.app.get(UsersCommands).update(tx, user, { banned }));
    expect((await submitCode(visitor, codeOf(secret))).to).toBe('/sign-in?again');
  });

  // STEP-5
  it('checks at most ten codes for each account in a quarter of an hour, from all IP addresses together', async () => {
    const { owner, email, secret, codes } = await newAccountWithApp();
    server.clock.forward(sign_in.window * 1000);
    let visitor = await halfSignedIn(email);
    for (let i = 0; i < second_step.codes.max; i++) {
      if (i % 4 === 0) visitor = await halfSignedIn(email);
      expect((await visitor.submit('/sign-in/step', { code: '000 000 0' })).status).toBe(422);
    }
    const refused = await visitor.submit('/sign-in/step', { code: codeOf(secret) });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(refused.html).toMatch(/role="alert">Too many attempts. Please try again in a few minutes.<.*name="code"/);
    expect(await isSignedIn(owner)).toBe(true);
    server.clock.forward(second_step.codes.window * 1000);
    const late = await halfSignedIn(email);
    expect((await late.submit('/sign-in/step', { code: '000000' })).status).toBe(422);
    expect((await late.submit('/sign-in/step', { code: codeOf(secret) })).status).toBe(303);
    // A correct code resets the number of attempts.
    server.clock.forward(30_000);
    const next = await halfSignedIn(email);
    for (let i = 0; i < second_step.codes.max - 1; i++)
      expect((await next.submit('/sign-in/step', { code: 'nonsense' })).status).toBe(422);
    expect((await next.submit('/sign-in/step', { code: codeOf(secret) })).status).toBe(303);
    // A recovery code also resets the number of attempts.
    const withRecoveryCode = await halfSignedIn(email);
    for (let i = 0; i < second_step.codes.max - 1; i++)
      expect((await withRecoveryCode.submit('/sign-in/step', { code: 'nonsense' })).status).toBe(422);
    expect((await withRecoveryCode.submit('/sign-in/step', { code: codes[0] as string })).status).toBe(303);
    const last = await halfSignedIn(email);
    expect((await last.submit('/sign-in/step', { code: 'nonsense' })).status).toBe(422);
    expect((await last.submit('/sign-in/step', { code: codes[1] as string })).status).toBe(303);
  });

  // STEP-5
  it.each([
    ['/sign-in/step', 303],
    ['/sign-in/step/options', 403],
    ['/sign-in/step/passkey', 303],
    ['/sign-in/passkey', 422],
    ['/sign-in/passkey/options', 200],
  ])('counts each request to %s towards the attempts of the client’s IP address', async (path, status) => {
    const ip = unusedAddress();
    const guesser = visitorAt(ip);
    // Two attempts are left.
    for (let n = 2; n < sign_in.per_ip; n++)
      await server.app.get(SignInAttempts).hit('per_ip', { ip, email: '', device: '' });
    const guess = () => guesser.submit('/sign-in', { code: '000000', response: '{}' }, path);
    expect([(await guess()).status, (await guess()).status]).toEqual([status, status]);
    const refused = await guess();
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    if (path === '/sign-in/passkey') expect(refused.html).toMatch(/role="alert">Too many attempts\..*name="email"/);
  });

  // STEP-5, PAGE-18
  it('is needed to reset the number of password attempts; a correct password alone does not reset it', async () => {
    const { email } = await newAccountWithApp();
    server.clock.forward(sign_in.window * 1000);
    const guesser = visitorAt(unusedAddress());
    for (let i = 0; i < sign_in.per_ip_and_email; i++)
      expect((await submitPassword(guesser, email)).to).toBe('/sign-in/step');
    expect((await guesser.submit('/sign-in/step', { code: '000000' })).status).toBe(422);
    expect((await submitPassword(guesser, email)).status).toBe(429);
  });

  // STEP-5, PAGE-18
  it('resets the number of password attempts when it is completed', async () => {
    const { email, secret } = await newAccountWithApp();
    server.clock.forward(sign_in.window * 1000);
    const address = unusedAddress();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < sign_in.per_ip_and_email - 1; i++) {
        const wrong = { email, password: 'wrong password' };
        expect((await visitorAt(address).submit('/sign-in', wrong)).status).toBe(422);
      }
      const visitor = await halfSignedIn(email, address);
      expect((await visitor.submit('/sign-in/step', { code: codeOf(secret) })).status).toBe(303);
      server.clock.forward(30_000);
    }
  });

  // STEP-9
  it('is turned off with the password; the recovery codes are then deleted', async () => {
    const { owner, email } = await newAccountWithApp();
    expect((await owner.get(PAGE)).html).toContain(`href="${PAGE}/app/off"`);
    expect((await owner.get(`${PAGE}/app/off`)).html).toContain('Codes from the app will stop working.');
    expect((await owner.submit(`${PAGE}/app/off`, { password: 'wrong password' })).status).toBe(422);
    expect((await submitPassword(visitorAt(unusedAddress()), email)).to).toBe('/sign-in/step');
    expect(await owner.submit(`${PAGE}/app/off`, { password: PASSWORD })).toMatchObject({
      status: 303,
      to: `${PAGE}?off`,
    });
    expect((await owner.get(`${PAGE}?off`)).html).toContain('Turned off.');
    expect(
      await server.sql('SELECT 1 FROM recovery_codes c JOIN users u ON u.id = c.user_id WHERE u.email = $1', [email]),
    ).toEqual([]);
    expect((await submitPassword(visitorAt(unusedAddress()), email)).to).toBe('/account/events');
    // Recovery codes exist only together with a second step.
    await owner.submit(PAGE, { codes_password: PASSWORD }, `${PAGE}/recovery`);
    expect(
      await server.sql('SELECT 1 FROM recovery_codes c JOIN users u ON u.id = c.user_id WHERE u.email = $1', [email]),
    ).toEqual([]);
  });

  // STEP-9
  it('can be turned off completely by an operator', async () => {
    const { email } = await newAccountWithApp();
    const visitor = await halfSignedIn(email);
    const { id } = (await server.app.get(UsersReader).byEmail(email))!;
    await server.database.transaction((tx) => server.app.get(SecondStepCommands).turnOff(tx, id));
    expect((await visitor.get('/sign-in/step')).to).toBe('/sign-in?again');
    expect((await submitPassword(visitor, email)).to).toBe('/account/events');
    for (const table of ['totp_secrets', 'recovery_codes', 'passkeys', 'half_sessions'])
      expect([table, await server.sql(`SELECT 1 FROM ${table} WHERE user_id = $1`, [id])]).toEqual([table, []]);
  });

  // PAGE-4, PAGE-116, STEP-9
  it('can be seen and changed only by the owner, and each change needs the form token', async () => {
    const { owner, email, secret } = await newAccountWithApp();
    const forms = [
      [`${PAGE}/app`, PAGE],
      [`${PAGE}/app/confirm`, PAGE],
      [`${PAGE}/app/off`, `${PAGE}/app/off`],
      [`${PAGE}/recovery`, PAGE],
      [`${PAGE}/passkeys`, PAGE],
      [`${PAGE}/passkeys/options`, PAGE],
      [`${PAGE}/passkeys/abcdefgh/remove`, `${PAGE}/passkeys/abcdefgh/remove`],
    ] as const;
    for (const [path, page] of forms) {
      expect([
        path,
        (await owner.post(path, { password: PASSWORD, app_password: PASSWORD, codes_password: PASSWORD })).status,
      ]).toEqual([path, 403]);
      expect((await visitorAt(unusedAddress()).submit('/sign-in', {}, path)).to).toBe(
        `/sign-in?next=${encodeURIComponent(page)}`,
      );
    }
    const waiting = await halfSignedIn(email);
    for (const path of [
      '/sign-in/step',
      '/sign-in/step/options',
      '/sign-in/step/passkey',
      '/sign-in/passkey',
      '/sign-in/passkey/options',
    ]) {
      expect([path, (await waiting.post(path, { code: codeOf(secret) })).status]).toEqual([path, 403]);
    }
    expect((await owner.get(`${PAGE}/passkeys/abcdefgh/remove`)).status).toBe(404);
    expect((await visitorAt(unusedAddress()).get(PAGE)).to).toBe('/sign-in?next=%2Faccount%2Fsecond-step');
    expect((await visitorAt(unusedAddress()).get('/sign-in/step')).to).toBe('/sign-in?again');
  });

  // STEP-4, STEP-6
  it('reports that passkeys need a host name, and refuses invalid passkey responses and responses that were not requested', async () => {
    const { owner, email, secret } = await newAccountWithApp();
    expect((await owner.get(PAGE)).html).toContain('Browsers do not support passkeys at this address');
    for (const response of [
      '',
      '{',
      'null',
      '[]',
      '{"id":"\\u0000"}',
      '{"id":"AAAAAAAAAAAAAAAAAAAAAA","response":{}}',
    ]) {
      expect((await owner.submit(PAGE, { name: 'x', response }, `${PAGE}/passkeys`)).status).toBe(422);
      const visitor = visitorAt(unusedAddress());
      expect((await visitor.submit('/sign-in', { response }, '/sign-in/passkey')).status).toBe(422);
      const waiting = await halfSignedIn(email);
      expect((await waiting.submit('/sign-in/step', { response }, '/sign-in/step/passkey')).status).toBe(422);
    }
    expect((await (await halfSignedIn(email)).submit('/sign-in/step', { code: codeOf(secret) })).status).toBe(303);
  });

  it('is shown in Czech', async () => {
    const { owner, email } = await newAccountWithApp();
    await server.sql(`UPDATE users SET locale = 'cs' WHERE email = $1`, [email]);
    expect((await owner.get(PAGE)).html).toContain('Záchranné kódy');
    const visitor = new Visitor(server, { 'accept-language': 'cs', 'x-forwarded-for': unusedAddress() });
    await submitPassword(visitor, email);
    expect((await visitor.get('/sign-in/step')).html).toContain('Napište kód ze své aplikace');
  });
});
