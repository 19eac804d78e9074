import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import { hashPassword } from '#areas/identity/passwords';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { DecisionsService } from '#areas/moderation/decisions.service';
import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import { SecondStepCommands } from '#areas/second-step/second-step.commands';
import { ACCESS, ACCESS_EVENTS, type Access, type AccessAfter, type AccessEvent } from '#contract/access';
import { LIMITS } from '#contract/limits';
import { WireFormat } from '#platform/http/wire-format';
import { Authenticator } from '#testing/authenticator';
import { OAuthApp } from '#testing/oauth-app';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import type { MailServer } from '#testing/mail-server';
import { clientOf, type Person } from '#testing/people';
import { startWithMail } from '#testing/server-with-mail';
import type { TestServer } from '#testing/test-server';
import { Visitor, type Page } from '#testing/visitor';
import { SignInAttempts } from '#web/account/sign-in-attempts';

const ORIGIN = 'http://localhost:4321';
const PASSWORD = 'correct horse';
const SECOND_STEP = '/account/second-step';
const DAY_SECONDS = 86_400;
const TOKEN_DAYS = 7;
const VIEWS = join(__dirname, '..', '..', 'libs', 'web', 'views');

/** A person with an account, and a browser in which the person is signed in ("the browser at home"). */
interface Owner {
  readonly person: Person;
  readonly home: Visitor;
  email: string;
  password: string;
}

/** One kind of access from libs/contract/access.ts, created for an owner. */
interface CreatedAccess {
  /**
   * Tries to use the access, and returns whether this was possible. The attempt may use the access up, so the check at
   * the end of a test calls `opens` only once.
   */
  opens(): Promise<boolean>;
  /** The browser in which the access was created, if that is not the browser at home. */
  readonly browser?: Visitor;
  /** After this number of seconds, the access has expired. Absent if the expiry is not tested. */
  readonly lifetime?: number;
  /** Uses the access before the check. It may be the same function as `opens`. */
  use?(): Promise<unknown>;
  /** Ends the access, as the owner does in the account. */
  revoke?(): Promise<unknown>;
}

/** Tests every kind of access with every event that can end it. The kinds and events are in libs/contract/access.ts. */
describe('access to an account', () => {
  let server: TestServer;
  let mailServer: MailServer;
  let stop: () => Promise<void>;
  let passwordHash: string;
  let petr: Person;
  let party: BuiltEvent;
  let counter = 0;

  beforeAll(async () => {
    ({ server, mailServer, stop } = await startWithMail({ baseUrl: ORIGIN, trustProxy: ['loopback'] }));
    [passwordHash, petr] = [await hashPassword(PASSWORD), await server.person('petr')];
    party = await buildEvent(server, petr, { title: 'Piknik' });
  });
  afterAll(() => stop());

  /** A visitor from a new IP address, because sign-in attempts are counted for each address. */
  const visitor = () => new Visitor(server, { 'x-forwarded-for': `198.51.${100 + (++counter >> 8)}.${counter & 255}` });
  const signIn = (who: Visitor, { email, password }: Owner) => who.submit('/sign-in', { email, password });
  const isSignedIn = async (who: Visitor) => (await who.get('/account')).status === 200;
  const seconds = () => Math.floor(server.clock.now().getTime() / 1000);
  const pathIn = (text: string, path: string) =>
    new RegExp(`https?://[^/\\s>]+(${path}[^\\s>]*)`).exec(text)?.[1] ?? '';
  const tokenIn = (html: string) => /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const isOpen = (path: string) => async () => (await visitor().get(path)).status === 200;

  async function newOwner(): Promise<Owner> {
    const person = await server.person('vlasta');
    const email = `${person.slug}@example.org`;
    await server.sql('UPDATE users SET email = $2, password_hash = $3 WHERE id = $1', [
      person.userId,
      email,
      passwordHash,
    ]);
    const owner = { person, home: visitor(), email, password: PASSWORD };
    expect((await signIn(owner.home, owner)).status).toBe(303);
    return owner;
  }

  const update = (owner: Owner, fields: object) =>
    server.database.transaction(async (tx) => {
      await server.app
        .get(UsersCommands)
        .update(tx, (await server.app.get(UsersReader).lockById(tx, owner.person.userId))!, fields);
    });

  /** Turns on an authenticator app, and returns the recovery codes and an unused code that is valid now. */
  async function turnOnApp({ home }: Owner): Promise<{ code: string; codes: string[] }> {
    await home.submit(SECOND_STEP, { app_password: PASSWORD }, `${SECOND_STEP}/app`);
    const { html } = await home.get(SECOND_STEP);
    const secret = (/role="group">([A-Z2-7 ]+)</.exec(html)?.[1] ?? '').replace(/ /g, '');
    const on = await home.post(`${SECOND_STEP}/app/confirm`, {
      _csrf: tokenIn(html),
      code: generateSync({ secret, epoch: seconds() }),
    });
    const codes = (/<pre id="fresh-codes">([^<]+)<\/pre>/.exec(on.html)?.[1] ?? '').split('\n');
    server.clock.forward(31_000);
    return { code: generateSync({ secret, epoch: seconds() }), codes };
  }

  /** Requests the options for creating a passkey, and returns the response. */
  const requestCreationOptions = ({ home }: Owner) =>
    home.submit(SECOND_STEP, { name: 'Phone', passkey_password: PASSWORD }, `${SECOND_STEP}/passkeys/options`);
  const addPasskey = ({ home }: Owner, response: string, name = 'Phone') =>
    home.submit(SECOND_STEP, { name, response }, `${SECOND_STEP}/passkeys`);

  async function createPasskey(owner: Owner): Promise<Authenticator> {
    const [device, { home }] = [new Authenticator(ORIGIN), owner];
    const form = { _csrf: tokenIn((await home.get(SECOND_STEP)).html), name: 'Phone' };
    const options = await home.post(`${SECOND_STEP}/passkeys/options`, { ...form, passkey_password: PASSWORD });
    const response = device.register(JSON.parse(options.html));
    expect((await home.post(`${SECOND_STEP}/passkeys`, { ...form, response })).status).toBe(200);
    return device;
  }

  /** The options that a browser gets for signing in with a passkey and without a password. They contain a challenge. */
  const signInOptions = async (who: Visitor) =>
    JSON.parse((await who.submit('/sign-in', {}, '/sign-in/passkey/options')).html) as { challenge: string };

  async function signInWithPasskey(device: Authenticator, who: Visitor): Promise<Page> {
    const _csrf = tokenIn((await who.get('/sign-in')).html);
    const { html } = await who.post('/sign-in/passkey/options', { _csrf });
    return who.post('/sign-in/passkey', { _csrf, response: device.authenticate(JSON.parse(html)) });
  }

  async function signInWithCode(owner: Owner, appCode: string): Promise<boolean> {
    const who = visitor();
    if ((await signIn(who, owner)).to !== '/sign-in/step') return false;
    return (await who.submit('/sign-in/step', { code: appCode })).status === 303 && isSignedIn(who);
  }

  const CREATE: Record<Access, (owner: Owner) => Promise<CreatedAccess>> = {
    async session(owner) {
      const browser = visitor();
      await signIn(browser, owner);
      const session = browser.session as string;
      const opens = () => {
        const thief = visitor();
        thief.session = session;
        return isSignedIn(thief);
      };
      return {
        opens,
        browser,
        lifetime: LIMITS.sessions.lifetime,
        use: opens,
        revoke: () => owner.home.submit('/account/sessions', {}, '/account/sessions/end-others'),
      };
    },
    async half_session(owner) {
      const { code: appCode } = await turnOnApp(owner);
      const waiting = visitor();
      expect((await signIn(waiting, owner)).to).toBe('/sign-in/step');
      const session = waiting.session as string;
      const opens = async () => {
        const thief = visitor();
        thief.session = session;
        return (await thief.get('/sign-in/step')).status === 200;
      };
      return {
        opens,
        lifetime: LIMITS.second_step.half_session,
        use: () => waiting.submit('/sign-in/step', { code: appCode }),
      };
    },
    async known_device(owner) {
      const browser = visitor();
      await signIn(browser, owner);
      const opens = async () => {
        for (let i = 0; i < LIMITS.sign_in.per_email; i++)
          await server.app.get(SignInAttempts).hit('per_email', { ip: '192.0.2.1', email: owner.email, device: '' });
        expect((await signIn(visitor(), owner)).status).toBe(429);
        return (await signIn(browser, owner)).status === 303;
      };
      return { opens, browser, use: () => signIn(browser, owner) };
    },
    async api_token({ home }) {
      const shown = await home.submit('/account/api', { name: 'app', access: 'write', expires_in: String(TOKEN_DAYS) });
      const page = shown.status === 303 ? await home.get(shown.to as string) : shown;
      const secret = /evt_\w{42}/.exec(page.html)?.[0] ?? '';
      const revoke = /action="([^"]*\/account\/api\/[^"]*revoke)"|href="([^"]*\/account\/api\/[^"]*revoke)"/g;
      const opens = async () =>
        (await server.nobody.send('GET', '/user', { headers: { authorization: `Bearer ${secret}` } })).status === 200;
      return {
        opens,
        lifetime: (TOKEN_DAYS + 1) * DAY_SECONDS,
        use: opens,
        revoke: async () => {
          for (const [, action, href] of [...(await home.get('/account/api')).html.matchAll(revoke)])
            await home.submit((action ?? href) as string, {});
        },
      };
    },
    async app_grant({ home }) {
      const app = await OAuthApp.register(server);
      const { access_token } = await app.connect(home);
      const opens = async () => (await clientOf(server, access_token).get('/user')).status === 200;
      return {
        opens,
        lifetime: LIMITS.apps.access_token + 1,
        use: opens,
        revoke: () => home.submit('/account/apps', {}, '/account/apps/disconnect-all'),
      };
    },
    async registration_link() {
      const email = `novy${++counter}@example.org`;
      await visitor().register(email);
      const link = pathIn((await mailServer.nth(email, 1)).text, '/confirm/');
      return { opens: isOpen(link), lifetime: LIMITS.account_mail.confirmation, use: () => visitor().submit(link, {}) };
    },
    async reset_link({ email }) {
      const requestLink = async (count: number) => {
        await visitor().submit('/forgot', { email });
        return pathIn((await mailServer.nth(email, count)).text, '/reset/');
      };
      const link = await requestLink(1);
      return {
        opens: isOpen(link),
        lifetime: LIMITS.account_mail.reset,
        use: () => visitor().submit(link, { password: 'battery staple' }),
        revoke: () => requestLink(2),
      };
    },
    async address_link({ home }) {
      const requestLink = async () => {
        const email = `jina${++counter}@example.org`;
        await home.submit('/account/security', { email, email_password: PASSWORD }, '/account/security/email');
        return pathIn((await mailServer.nth(email, 1)).text, '/confirm/');
      };
      const link = await requestLink();
      return {
        opens: isOpen(link),
        lifetime: LIMITS.account_mail.confirmation,
        use: () => visitor().submit(link, {}),
        revoke: requestLink,
      };
    },
    async passkey(owner) {
      const device = await createPasskey(owner);
      const opens = async () => {
        const who = visitor();
        return (await signInWithPasskey(device, who)).status === 303 && isSignedIn(who);
      };
      return {
        opens,
        use: opens,
        revoke: async () => {
          const path =
            /\/account\/second-step\/passkeys\/\w+\/remove/.exec((await owner.home.get(SECOND_STEP)).html)?.[0] ?? '';
          await owner.home.submit(path, { password: PASSWORD });
        },
      };
    },
    async passkey_challenge(owner) {
      const [device, who] = [await createPasskey(owner), visitor()];
      const response = device.authenticate(await signInOptions(who));
      const session = who.session as string;
      const answer = async () => {
        const browser = visitor();
        browser.session = session;
        const _csrf = tokenIn((await browser.get('/sign-in')).html);
        return (await browser.post('/sign-in/passkey', { _csrf, response })).status === 303;
      };
      return { opens: answer, lifetime: LIMITS.second_step.challenge, use: answer };
    },
    async app_code(owner) {
      const { code: appCode } = await turnOnApp(owner);
      return {
        opens: () => signInWithCode(owner, appCode),
        lifetime: 91,
        use: () => signInWithCode(owner, appCode),
        revoke: () => owner.home.submit(`${SECOND_STEP}/app/off`, { password: PASSWORD }),
      };
    },
    async recovery_code(owner) {
      const [first = ''] = (await turnOnApp(owner)).codes;
      return {
        opens: () => signInWithCode(owner, first),
        use: () => signInWithCode(owner, first),
        revoke: () => owner.home.submit(SECOND_STEP, { codes_password: PASSWORD }, `${SECOND_STEP}/recovery`),
      };
    },
    async own_data_archive(owner) {
      await owner.home.submit('/account/data', {}, '/account/data/export');
      await server.job('data-exports');
      const opens = async () => {
        const who = visitor();
        await signIn(who, owner);
        return (await who.get('/account/data/export')).status === 200;
      };
      return { opens, lifetime: LIMITS.own_data.export_kept, use: opens };
    },
    async erasure_take_back(owner) {
      expect((await owner.home.submit('/account/data', { password: PASSWORD }, '/account/data/erase')).to).toBe(
        '/account/data?asked',
      );
      const opens = async () => {
        await server.job('account-erasures');
        const who = visitor();
        await signIn(who, owner);
        return (await who.submit('/account/data', {}, '/account/data/keep')).to === '/account/data?kept';
      };
      return { opens, lifetime: LIMITS.own_data.erasure_after };
    },
    async calendar_address({ person }) {
      const path = pathIn((await person.api.get('/user/calendar')).text, '/calendar/').replace(/".*/, '');
      return { opens: isOpen(path), use: isOpen(path), revoke: () => person.api.post('/user/calendar/renew') };
    },
    async door_link({ person }) {
      const event = await buildEvent(server, person);
      const path = `/events/${event.id}/door`;
      const { body } = await person.api.post(`${path}/links`, { name: 'Brána' });
      const opens = async () => (await clientOf(server, body.data.token as string).get(path)).status === 200;
      const lifetimeMs = Date.parse(body.data.expires_at as string) - server.clock.now().getTime();
      return {
        opens,
        lifetime: Math.ceil(lifetimeMs / 1000) + 1,
        use: opens,
        revoke: () => person.api.delete(`${path}/links/${body.data.id as string}`),
      };
    },
    async unsubscribe_link({ person, email }) {
      expect((await petr.api.post(`/events/${party.id}/participants`, { user: person.slug })).status).toBe(201);
      const path = pathIn((await mailServer.nth(email, 1)).header('list-unsubscribe') ?? '', '/unsubscribe/');
      return { opens: isOpen(path), use: () => visitor().post(path, {}) };
    },
    async objection_link({ person, email }) {
      const event = await buildEvent(server, person, { title: 'Burza' });
      const { body } = await petr.api.post('/reports', { subject_type: 'event', subject_id: event.id, reason: 'spam' });
      await server.app.get(DecisionsService).decide(server.app.get(WireFormat).ids.decode('report', body.data.id)!, {
        decision: 'warn',
        reason: 'reklama',
        days: null,
        actorId: null,
      });
      const path = pathIn((await mailServer.nth(email, 1)).text, '/objections/');
      return { opens: isOpen(path), use: () => visitor().submit(path, { objection: 'Není to reklama.' }) };
    },
    async group_invite_link({ person }) {
      const group = await buildGroup(server, person, { name: 'Otužilci', is_public: false });
      const path = new URL((await person.api.post(`/groups/${group.id}/invite-link`)).body.data.url as string).pathname;
      const opens = async () => (await visitor().get(path)).html.includes('Otužilci');
      return { opens, use: opens };
    },
  };

  const TRIGGER: Record<AccessEvent, (owner: Owner, access: CreatedAccess) => Promise<unknown>> = {
    async new_password(owner) {
      const password = 'battery staple';
      expect(
        (
          await owner.home.submit(
            '/account/security',
            { current_password: owner.password, password },
            '/account/security/password',
          )
        ).status,
      ).toBe(303);
      owner.password = password;
    },
    async new_address(owner) {
      owner.email = `jinde${++counter}@example.org`;
      await update(owner, { email: owner.email });
    },
    async sign_out({ home }, { browser = home }) {
      expect((await browser.submit('/account', {}, '/sign-out')).status).toBe(303);
    },
    ban: (owner) => update(owner, { banned: true }),
    erasure: ({ person }) => server.app.get(OwnDataCommands).erase(person.slug),
    async expiry(_owner, { lifetime }) {
      server.clock.forward((lifetime as number) * 1000);
    },
    use: (_owner, access) => access.use!(),
    revocation: (_owner, access) => access.revoke!(),
  };

  const kinds = Object.keys(ACCESS) as Access[];

  it('is tested for every kind and every event', () => {
    expect(Object.keys(CREATE).sort()).toEqual([...kinds].sort());
    for (const what of kinds) expect([what, Object.keys(ACCESS[what])]).toEqual([what, [...ACCESS_EVENTS]]);
  });

  const eventsOf = (what: Access, after: AccessAfter) => ACCESS_EVENTS.filter((event) => ACCESS[what][event] === after);

  /** These events come last in a test with several events, because other events need a browser that is signed in. */
  const LAST: readonly AccessEvent[] = ['sign_out', 'ban'];
  const inPossibleOrder = (events: readonly AccessEvent[]) =>
    events.toSorted((one, other) => LAST.indexOf(one) - LAST.indexOf(other));

  // ACC-18. The events happen one after another. A kind of access that every event ends is only created.
  it.each(kinds.map((what) => [what, inPossibleOrder(eventsOf(what, 'stays'))] as const))(
    'is given by %s, and stays after the events: %j',
    async (what, events) => {
      const owner = await newOwner();
      const access = await CREATE[what](owner);
      for (const event of events) await TRIGGER[event](owner, access);
      expect(await access.opens()).toBe(true);
    },
  );

  // ACC-18, MAIL-6
  it.each(kinds.flatMap((what) => eventsOf(what, 'ends').map((event) => ({ what, event }))))(
    'by $what after the event $event: the access ends',
    async ({ what, event }) => {
      const owner = await newOwner();
      const access = await CREATE[what](owner);
      await TRIGGER[event](owner, access);
      expect(await access.opens()).toBe(false);
    },
  );

  // STEP-10
  it('is not given in the second step by a passkey of another account or by an invalid response of a passkey', async () => {
    const [jana, eva] = [await newOwner(), await newOwner()];
    const [passkey, otherPasskey] = [await createPasskey(jana), await createPasskey(eva)];
    const browser = visitor();
    expect((await signIn(browser, jana)).to).toBe('/sign-in/step');
    const answers: Record<string, (options: { challenge: string }) => string> = {
      'from another account’s passkey': (options) => otherPasskey.authenticate(options),
      'signed by another account’s passkey': (options) => passkey.authenticate(options, { signedBy: otherPasskey }),
      'for another page': (options) => passkey.authenticate(options, { origin: 'https://elsewhere.example' }),
      'for another service': (options) => passkey.authenticate(options, { host: 'elsewhere.example' }),
      'to another challenge': (options) =>
        passkey.authenticate(options, { challenge: Buffer.from('something else').toString('base64url') }),
      'by an unknown device': (options) => new Authenticator(ORIGIN).authenticate(options),
    };
    const answer = async (response: (options: { challenge: string }) => string) => {
      const options = JSON.parse((await browser.submit('/sign-in/step', {}, '/sign-in/step/options')).html) as {
        challenge: string;
      };
      return browser.submit('/sign-in/step', { response: response(options) }, '/sign-in/step/passkey');
    };
    for (const [what, response] of Object.entries(answers))
      expect([what, (await answer(response)).status, await isSignedIn(browser)]).toEqual([what, 422, false]);
    // In the second step, the passkey does not have to verify its user. In a sign-in without a password, the passkey
    // must verify its user.
    expect((await answer((options) => passkey.authenticate(options, { verifies: false }))).status).toBe(303);
    const stranger = visitor();
    const unverified = passkey.authenticate(await signInOptions(stranger), { verifies: false });
    expect((await stranger.submit('/sign-in', { response: unverified }, '/sign-in/passkey')).status).toBe(422);
  });

  // STEP-8
  it.each(['app', 'passkey'] as const)(
    'ends in all other sessions when one session turns on one more way to confirm a sign-in: %s',
    async (step) => {
      const owner = await newOwner();
      const device = await createPasskey(owner);
      const other = visitor();
      expect((await signInWithPasskey(device, other)).status).toBe(303);
      expect(await isSignedIn(other)).toBe(true);
      const waiting = visitor();
      expect((await signIn(waiting, owner)).to).toBe('/sign-in/step');
      await (step === 'app' ? turnOnApp(owner) : createPasskey(owner));
      expect([await isSignedIn(other), await isSignedIn(owner.home)]).toEqual([false, true]);
      // A sign-in that waits for its second step ends too.
      expect((await waiting.get('/sign-in/step')).to).toBe('/sign-in?again');
    },
  );

  // STEP-3
  it('is not given by a code of an authenticator app that is not turned on yet', async () => {
    const owner = await newOwner();
    await createPasskey(owner);
    await owner.home.submit(SECOND_STEP, { app_password: PASSWORD }, `${SECOND_STEP}/app`);
    const { html } = await owner.home.get(SECOND_STEP);
    const secret = (/role="group">([A-Z2-7 ]+)</.exec(html)?.[1] ?? '').replace(/ /g, '');
    expect(secret).toHaveLength(32);
    expect(await signInWithCode(owner, generateSync({ secret, epoch: seconds() }))).toBe(false);
  });

  // STEP-4, STEP-6
  it('is given only by passkeys that were created in time, on a page of this service, for this service’s host and for this service’s challenge', async () => {
    const [jana, eva] = [await newOwner(), await newOwner()];
    const evasDevice = await createPasskey(eva);
    const optionsOf = async () => JSON.parse((await requestCreationOptions(jana)).html) as { challenge: string };
    const device = new Authenticator(ORIGIN);
    const wrong: Record<string, (options: { challenge: string }) => string> = {
      'on another page': (options) => device.register(options, { origin: 'https://elsewhere.example' }),
      'for another service': (options) => device.register(options, { host: 'elsewhere.example' }),
      'for another challenge': (options) =>
        device.register(options, { challenge: Buffer.from('something else').toString('base64url') }),
      'with the id of a passkey of another account': (options) => evasDevice.register(options),
    };
    for (const [what, response] of Object.entries(wrong))
      expect([what, (await addPasskey(jana, response(await optionsOf()))).status]).toEqual([what, 422]);
    const late = device.register(await optionsOf());
    server.clock.forward(LIMITS.second_step.challenge * 1000);
    expect((await addPasskey(jana, late)).status).toBe(422);
    const forSigningIn = await jana.home.submit(SECOND_STEP, {}, '/sign-in/passkey/options');
    expect((await addPasskey(jana, device.register(JSON.parse(forSigningIn.html)))).status).toBe(422);
    expect(await server.sql('SELECT 1 FROM passkeys WHERE user_id = $1', [jana.person.userId])).toEqual([]);
    expect((await addPasskey(jana, device.register(await optionsOf()))).status).toBe(200);
  });

  // STEP-4
  it('is given by a passkey whose name is shortened to 60 characters and stored without control characters', async () => {
    const owner = await newOwner();
    for (const [sent, stored] of [
      ['📱'.repeat(61), '📱'.repeat(60)],
      ['a\0\u0007b', 'ab'],
    ] as const) {
      const { html } = await requestCreationOptions(owner);
      const added = await addPasskey(owner, new Authenticator(ORIGIN).register(JSON.parse(html)), sent);
      expect([added.status, added.html.includes(`${stored}<`)]).toEqual([200, true]);
    }
  });

  // STEP-4
  it('is given by a passkey even if the browser reports unknown transports, which are not stored', async () => {
    const owner = await newOwner();
    for (const transports of [['usb', 'a\0b', 'telepathy', 5, null], 'usb', { usb: true }, null]) {
      const { html } = await requestCreationOptions(owner);
      const answer = JSON.parse(new Authenticator(ORIGIN).register(JSON.parse(html)));
      Object.assign(answer.response, { transports });
      expect([transports, (await addPasskey(owner, JSON.stringify(answer))).status]).toEqual([transports, 200]);
    }
    const stored = await server.sql('SELECT transports FROM passkeys WHERE user_id = $1 ORDER BY id', [
      owner.person.userId,
    ]);
    expect(stored.map(({ transports }: { transports?: unknown }) => transports)).toEqual([['usb'], [], [], []]);
  });

  // STEP-6, STEP-10
  it('is not given by a passkey that answers a challenge for another purpose', async () => {
    const owner = await newOwner();
    const device = await createPasskey(owner);
    for (const [asked, answered] of [
      ['passkey', 'step/passkey'],
      ['step', 'passkey'],
    ] as const) {
      const browser = visitor();
      expect((await signIn(browser, owner)).to).toBe('/sign-in/step');
      const options = await browser.submit('/sign-in/step', {}, `/sign-in/${asked}/options`);
      const response = device.authenticate(JSON.parse(options.html));
      const { status } = await browser.submit('/sign-in/step', { response }, `/sign-in/${answered}`);
      expect([asked, status, await isSignedIn(browser)]).toEqual([asked, 422, false]);
    }
  });

  // STEP-9
  it('requires only the password after an operator has turned off the second step', async () => {
    const owner = await newOwner();
    await turnOnApp(owner);
    const device = await createPasskey(owner);
    await server.database.transaction((tx) => server.app.get(SecondStepCommands).turnOff(tx, owner.person.userId));
    expect((await signIn(visitor(), owner)).to).toBe('/account/events');
    expect((await signInWithPasskey(device, visitor())).status).toBe(422);
  });

  // STEP-7, STEP-9
  it('is still given by the same recovery codes after an app or a passkey is removed, if another app or passkey remains', async () => {
    const owner = await newOwner();
    const { codes } = await turnOnApp(owner);
    await createPasskey(owner);
    expect(await signInWithCode(owner, codes[0] as string)).toBe(true);
    const removal =
      /\/account\/second-step\/passkeys\/\w+\/remove/.exec((await owner.home.get(SECOND_STEP)).html)?.[0] ?? '';
    expect((await owner.home.submit(removal, { password: PASSWORD })).to).toBe(`${SECOND_STEP}?off`);
    expect(await signInWithCode(owner, codes[1] as string)).toBe(true);
    await createPasskey(owner);
    expect((await owner.home.submit(`${SECOND_STEP}/app/off`, { password: PASSWORD })).to).toBe(`${SECOND_STEP}?off`);
    expect(await signInWithCode(owner, codes[2] as string)).toBe(true);
    expect((await turnOnApp(owner)).codes).toEqual(['']);
    expect(await signInWithCode(owner, codes[3] as string)).toBe(true);
  });

  // STEP-9
  it('is still given by a passkey and by the recovery codes after another passkey was removed', async () => {
    const owner = await newOwner();
    const { html } = await requestCreationOptions(owner);
    const keptDevice = new Authenticator(ORIGIN);
    const added = await addPasskey(owner, keptDevice.register(JSON.parse(html)));
    const [code = ''] = (/<pre id="fresh-codes">([^<]+)<\/pre>/.exec(added.html)?.[1] ?? '').split('\n');
    const removedDevice = await createPasskey(owner);
    const removals = [
      ...(await owner.home.get(SECOND_STEP)).html.matchAll(/\/account\/second-step\/passkeys\/\w+\/remove/g),
    ];
    expect(removals).toHaveLength(2);
    expect((await owner.home.submit(removals[1]![0], { password: PASSWORD })).to).toBe(`${SECOND_STEP}?off`);
    const statusOfSignIn = async (device: Authenticator) => (await signInWithPasskey(device, visitor())).status;
    expect([await statusOfSignIn(keptDevice), await statusOfSignIn(removedDevice)]).toEqual([303, 422]);
    const waiting = visitor();
    expect((await signIn(waiting, owner)).to).toBe('/sign-in/step');
    // Without an app, the page does not ask for the code of an app.
    expect((await waiting.get('/sign-in/step')).html).toContain('Use your passkey, or enter a recovery code.');
    expect((await waiting.submit('/sign-in/step', { code })).status).toBe(303);
  });

  // STEP-6, PAGE-4
  it('is given by a passkey, and then the requested page of this service is shown', async () => {
    const owner = await newOwner();
    const device = await createPasskey(owner);
    const withoutPassword = async (next: string, response?: string) => {
      const who = visitor();
      const answer = device.authenticate(await signInOptions(who));
      return who.submit('/sign-in', { response: response ?? answer, next }, '/sign-in/passkey');
    };
    const afterPassword = async (next: string, response?: string) => {
      const who = visitor();
      await signIn(who, owner);
      const { html } = await who.submit('/sign-in/step', {}, '/sign-in/step/options');
      const answer = device.authenticate(JSON.parse(html));
      return who.submit('/sign-in/step', { response: response ?? answer, next }, '/sign-in/step/passkey');
    };
    for (const send of [withoutPassword, afterPassword]) {
      expect((await send('/account/sessions')).to).toBe('/account/sessions');
      expect((await send('//elsewhere.example')).to).toBe('/account/events');
      // The page with the error still contains the address of the requested page.
      const failed = await send('/account/sessions', '{}');
      expect([failed.status, failed.html.includes('name="next" value="/account/sessions"')]).toEqual([422, true]);
    }
  });

  // PAGE-18
  it('is protected by a count of wrong passwords, which starts from zero again after the correct password was entered in a form', async () => {
    const owner = await newOwner();
    const send = (current_password: string) =>
      owner.home.submit('/account/security', { current_password, password: PASSWORD }, '/account/security/password');
    for (let round = 0; round < 2; round++) {
      for (let n = 1; n < LIMITS.sign_in.per_device; n++) expect((await send('wrong password')).status).toBe(422);
      expect((await send(PASSWORD)).status).toBe(303);
    }
  });

  // STEP-4
  it('is given by a passkey, and the owner can see when the passkey was last used', async () => {
    server.clock.freezeAt('2031-05-01T10:00:00Z');
    const owner = await newOwner();
    const device = await createPasskey(owner);
    const used = async () => /data-label="Použit">([^<]+)</.exec((await owner.home.get(SECOND_STEP)).html)?.[1];
    expect(await used()).toBe('nikdy');
    for (const day of [2, 3]) {
      server.clock.freezeAt(`2031-05-0${day}T10:00:00Z`);
      expect((await signInWithPasskey(device, visitor())).status).toBe(303);
      expect(await used()).toBe(`${day}. 5. 2031 12:00`);
    }
  });

  // STEP-4
  it('is given by at most ten passkeys, even if two tabs add a passkey at the same time', async () => {
    const owner = await newOwner();
    await createPasskey(owner);
    await server.sql(
      `INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name, created_at)
       SELECT user_id, credential_id || n, public_key, counter, transports, name, created_at FROM passkeys, generate_series(1, $2) n WHERE user_id = $1`,
      [owner.person.userId, LIMITS.second_step.passkeys - 2],
    );
    const { session = '' } = owner.home;
    const tabs = await Promise.all(
      [1, 2].map(async () => {
        const tab = visitor();
        tab.session = session;
        const options = await tab.submit(
          SECOND_STEP,
          { name: 'Tab', passkey_password: PASSWORD },
          `${SECOND_STEP}/passkeys/options`,
        );
        const _csrf = tokenIn((await tab.get(SECOND_STEP)).html);
        return { tab, _csrf, response: new Authenticator(ORIGIN).register(JSON.parse(options.html)) };
      }),
    );
    const answers = await Promise.all(
      tabs.map(({ tab, ...fields }) => tab.post(`${SECOND_STEP}/passkeys`, { name: 'Tab', ...fields })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await server.sql('SELECT 1 FROM passkeys WHERE user_id = $1', [owner.person.userId])).toHaveLength(
      LIMITS.second_step.passkeys,
    );
    // The server refuses an eleventh passkey before the browser creates it.
    expect((await requestCreationOptions(owner)).status).toBe(409);
  });

  /**
   * Every form that requires the password of the signed-in person. The key is `view.field`. `page` is the path of the
   * page with the form, and `action` is the path to which the form is sent.
   */
  const PASSWORD_FORMS: Record<string, { page: string; action: string; fields?: Record<string, string> }> = {
    'security.current_password': {
      page: '/account/security',
      action: '/account/security/password',
      fields: { password: 'battery staple' },
    },
    'security.email_password': {
      page: '/account/security',
      action: '/account/security/email',
      fields: { email: 'nova@example.org' },
    },
    'second-step.app_password': { page: SECOND_STEP, action: `${SECOND_STEP}/app` },
    'second-step.codes_password': { page: SECOND_STEP, action: `${SECOND_STEP}/recovery` },
    'second-step.passkey_password': {
      page: SECOND_STEP,
      action: `${SECOND_STEP}/passkeys/options`,
      fields: { name: 'Phone' },
    },
    'second-step-off.password': { page: `${SECOND_STEP}/app/off`, action: `${SECOND_STEP}/app/off` },
    'own-data.password': { page: '/account/data', action: '/account/data/erase' },
  };

  it('requires the password again in exactly the forms of the table PASSWORD_FORMS', () => {
    // Finds the last field name before each `current-password` in a view. The name is an attribute of an element, or a
    // value in the data of an included view.
    const named = /\bname(?:: '|=")(\w+)(?:(?!\bname(?:: '|="))[^])*?current-password/g;
    const formsWithPassword = readdirSync(VIEWS).flatMap((view) =>
      [...readFileSync(join(VIEWS, view), 'utf8').matchAll(named)].map(
        ([, name]) => `${view.replace(/\.eta$/, '')}.${name}`,
      ),
    );
    const signingIn = ['sign-in.password', 'expired.password'];
    expect(formsWithPassword.filter((form) => !signingIn.includes(form)).sort()).toEqual(
      Object.keys(PASSWORD_FORMS).sort(),
    );
  });

  // MAIL-9, STEP-11
  it('is protected against guesses in the forms of PASSWORD_FORMS: after too many wrong passwords, the correct password is refused too', async () => {
    const owner = await newOwner();
    const forms = Object.entries(PASSWORD_FORMS);
    const send = ([name, { page, action, fields }]: (typeof forms)[number], password: string) =>
      owner.home.submit(page, { ...fields, [name.split('.')[1] as string]: password }, action);
    const passkey = await createPasskey(owner);
    expect(passkey.id).toMatch(/^[\w-]{43}$/);
    const removal =
      /\/account\/second-step\/passkeys\/\w+\/remove/.exec((await owner.home.get(SECOND_STEP)).html)?.[0] ?? '';
    const allForms = [
      ...forms,
      ['second-step-off.password', { page: removal, action: removal }] as (typeof forms)[number],
    ];
    for (const form of allForms)
      expect([form[1].action, (await send(form, 'wrong password')).status]).toEqual([form[1].action, 422]);
    for (let i = allForms.length; i < LIMITS.sign_in.per_device; i++) await send(allForms[0]!, 'wrong password');
    for (const form of allForms)
      expect([form[1].action, (await send(form, PASSWORD)).status]).toEqual([form[1].action, 429]);
  });

  // MAIL-7
  it('by links in mails is limited: an address gets at most five mails an hour, even if parallel requests spell the address differently', async () => {
    const { email } = await newOwner();
    const spellings = Array.from({ length: 8 }, (_, i) =>
      [...email].map((letter, at) => ((at + i) % 8 === 0 ? letter.toUpperCase() : letter)).join(''),
    );
    const pages = await Promise.all(
      [...spellings, ...Array<string>(12).fill(email)].map((address) =>
        visitor().submit('/forgot', { email: address }),
      ),
    );
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([303]));
    expect(new Set(spellings).size).toBe(8);
    expect(await server.sql('SELECT 1 FROM account_mails WHERE lower(address) = lower($1)', [email])).toHaveLength(
      LIMITS.account_mail.per_address.max,
    );
  });
});
