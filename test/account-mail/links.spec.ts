import type { Browser } from 'playwright-core';
import { AccountMailSource } from '#areas/account-mail/account-mail.source';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { SecondStepCommands } from '#areas/second-step/second-step.commands';
import { TotpCommands } from '#areas/second-step/totp.commands';
import { LIMITS } from '#contract/limits';
import { AccountLinks } from '#web/account/account-links';
import { openBrowser } from '#testing/browser';
import { buildEvent } from '#testing/builders';
import { untilWaitingForLock } from '#testing/held-lock';
import type { MailServer, ReceivedMail } from '#testing/mail-server';
import { describeWith } from '#testing/requirements';
import { startWithMail } from '#testing/server-with-mail';
import { TestServer } from '#testing/test-server';
import { Visitor, type Page } from '#testing/visitor';
import { waitUntil } from '#testing/wait-until';

/** Accounts with a mail server: the tests receive the mails and follow their links. */
describe('with a mail server,', () => {
  let server: TestServer;
  let mailServer: MailServer;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    ({ server, mailServer, stop } = await startWithMail());
  });
  afterAll(() => stop());
  // Each test starts a new window of sign-in attempts, so attempts of other tests do not count.
  beforeEach(() => later(LIMITS.sign_in.window + 1));

  let millisecondsAhead = 0;
  /** Moves the clock forward. */
  const later = (seconds: number) => server.clock.moveTo(new Date(Date.now() + (millisecondsAhead += seconds * 1000)));

  const visitor = (language = 'en') => new Visitor(server, { 'accept-language': language });
  const user = (email: string) => server.app.get(UsersReader).byEmail(email);
  const isSignedIn = async (who: Visitor) => (await who.get('/account')).status === 200;
  const signIn = (who: Visitor, email: string, password = 'correct horse') =>
    who.submit('/sign-in', { email, password });
  /**
   * Returns the path to which the button of a mail links. The text and the HTML of the mail must have the same link.
   */
  function linkOf(mail: ReceivedMail, path: string): string {
    const url = new RegExp(`https?://\\S+?(${path}\\S*)`).exec(mail.text);
    expect(mail.html).toContain(`href="${url?.[0]}"`);
    return url?.[1] ?? '';
  }
  /** The parts of a page that tests compare. The CSRF token and the values of headers differ between responses. */
  const comparable = ({ status, html, to, headers }: Page) => ({
    status,
    to,
    html: html.replace(/name="_csrf" value="[^"]+"/g, ''),
    names: [...headers.keys()].filter((name) => name !== 'set-cookie').sort(),
    cookies: headers.getSetCookie().length,
  });

  async function createAccount(email: string, name = 'Jana Nováková', language = 'en'): Promise<void> {
    const who = visitor(language);
    await who.register(email, name);
    await who.submit(linkOf(await mailServer.nth(email, 1), '/confirm/'), {});
  }

  /**
   * Changes the password of an account, and starts `request` before the change is committed. The change is committed as
   * soon as the request waits for a lock or is answered. Returns the answer to the request.
   */
  async function whilePasswordChanges<T>(email: string, request: () => Promise<T>): Promise<T> {
    const { id } = (await user(email))!;
    const { answer } = await server.database.transaction(async (tx) => {
      const stored = (await server.app.get(UsersReader).lockById(tx, id))!;
      await server.app.get(UsersCommands).update(tx, stored, { password: 'another one' });
      let isAnswered = false;
      const answer = request().finally(() => (isAnswered = true));
      const waits = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      await waitUntil(async () => isAnswered || (await server.sql(waits)).length > 0);
      // If this callback returned the promise itself, the commit would wait for the answer.
      return { answer };
    });
    return answer;
  }

  // MAIL-1
  it('an account is created when its address is confirmed, and not before', async () => {
    const jana = visitor();
    expect(await jana.register('jana@example.org')).toMatchObject({ status: 303, to: '/register/sent' });
    expect((await jana.get('/register/sent')).html).toContain('We have sent an e-mail to jana@example.org.');
    expect((await visitor().get('/register/sent')).html).toContain('We have sent an e-mail to your address.');
    expect(await isSignedIn(jana)).toBe(false);
    expect((await signIn(jana, 'jana@example.org')).status).toBe(422);
    expect(await user('jana@example.org')).toBeNull();

    const mail = await mailServer.nth('jana@example.org', 1);
    expect(mail.subject).toBe('Confirm your e-mail address');
    expect(mail.text).not.toContain('Jana');
    const link = linkOf(mail, '/confirm/');
    for (let i = 0; i < 2; i++)
      expect(await visitor().get(link)).toMatchObject({
        status: 200,
        html: expect.stringContaining('jana@example.org'),
      });
    expect(await user('jana@example.org')).toBeNull();
    // The link is opened in a browser that did not send the registration.
    const elsewhere = visitor();
    expect(await elsewhere.submit(link, {})).toMatchObject({ status: 303, to: '/sign-in?confirmed' });
    expect(await user('jana@example.org')).toMatchObject({
      name: 'Jana Nováková',
      slug: expect.stringMatching(/^jana-novakova/),
    });
    expect((await visitor().get(link)).status).toBe(410);
    expect((await elsewhere.submit('/sign-in', {}, link)).status).toBe(410);
    expect(await signIn(jana, 'jana@example.org')).toMatchObject({ status: 303, to: '/account/events' });
  });

  // MAIL-1
  it('after the confirmation, the sign-in page leads to the page that was requested before the registration', async () => {
    const jana = visitor();
    await jana.submit(
      '/register?next=/groups/join/abc',
      { name: 'Jana', email: 'next@example.org', password: 'correct horse', next: '/groups/join/abc' },
      '/register',
    );
    expect(await jana.submit(linkOf(await mailServer.nth('next@example.org', 1), '/confirm/'), {})).toMatchObject({
      to: '/sign-in?confirmed&next=%2Fgroups%2Fjoin%2Fabc',
    });
  });

  // MAIL-1, MAIL-4, MAIL-8
  it('each kind of link is still valid a minute before it expires', async () => {
    const email = 'patient@example.org';
    await createAccount(email);
    await visitor().submit('/forgot', { email });
    const reset = linkOf(await mailServer.nth(email, 2), '/reset/');
    later(LIMITS.account_mail.reset - 60);
    expect((await visitor().get(reset)).status).toBe(200);
    const jana = visitor();
    await signIn(jana, email);
    await jana.submit(
      '/account/security',
      { email: 'patient-change@example.org', email_password: 'correct horse' },
      '/account/security/email',
    );
    await visitor().register('patient-new@example.org');
    const links = await Promise.all(
      ['change', 'new'].map(async (name) =>
        linkOf(await mailServer.nth(`patient-${name}@example.org`, 1), '/confirm/'),
      ),
    );
    later(LIMITS.account_mail.confirmation - 60);
    for (const link of links) expect((await visitor().get(link)).status).toBe(200);
    later(60);
    for (const link of links) expect((await visitor().get(link)).status).toBe(410);
  });

  // MAIL-1, MAIL-6
  it('an account belongs to the first person who confirms the address', async () => {
    await visitor().register('Shared@example.org', 'Cizí', 'somebody elses');
    await visitor().register('shared@example.org', 'Vlastní', 'correct horse');
    const [first, second] = [
      linkOf(await mailServer.nth('Shared@example.org', 1), '/confirm/'),
      linkOf(await mailServer.nth('shared@example.org', 1), '/confirm/'),
    ];
    for (const link of [first, second]) expect((await visitor().get(link)).status).toBe(200);
    expect((await visitor().submit(second, {})).status).toBe(303);
    expect((await visitor().get(first)).status).toBe(410);
    expect((await visitor().submit('/sign-in', {}, first)).status).toBe(410);
    const [stored] = await server.sql<{ name: string }>(`SELECT name FROM users WHERE email = 'shared@example.org'`);
    expect(stored?.name).toBe('Vlastní');
    expect((await signIn(visitor(), 'shared@example.org')).status).toBe(303);
  });

  // MAIL-1
  it('a new account can be created with an address that another account no longer uses', async () => {
    const email = 'free-again@example.org';
    await createAccount(email, 'Eva');
    const eva = (await user(email))!;
    await server.database.transaction((tx) =>
      server.app.get(UsersCommands).update(tx, eva, { email: 'eva-moved@example.org' }),
    );
    // Mails are sent in parallel. The test therefore waits for the notice of the change before it requests the
    // confirmation.
    await mailServer.nth(email, 2);
    later(LIMITS.account_mail.per_address.window);
    await visitor().register(email, 'Ota');
    const link = linkOf(await mailServer.nth(email, 3), '/confirm/');
    expect((await visitor().submit(link, {})).status).toBe(303);
    expect((await user(email))?.name).toBe('Ota');
  });

  // MAIL-2
  it('a registration gets the same response for known and unknown addresses', async () => {
    await createAccount('known@example.org');
    const pages = [];
    for (const email of ['known@example.org', 'KNOWN@example.org', 'unknown@example.org'])
      pages.push(comparable(await visitor().register(email, 'Někdo')));
    for (const page of pages) expect(page).toEqual(pages[0]);
    expect((await mailServer.nth('unknown@example.org', 1)).subject).toBe('Confirm your e-mail address');
    const registeredMail = await mailServer.nth('known@example.org', 2);
    expect(registeredMail).toMatchObject({ subject: 'You already have an account' });
    expect(registeredMail.text).toMatch(/\/sign-in\n[^]*\/forgot\n/);
    expect(registeredMail.text).not.toContain('/confirm/');
    expect((await user('known@example.org'))?.name).toBe('Jana Nováková');
  });

  // MAIL-2
  it('a registration with an invalid field gets an error, even if the address has an account', async () => {
    for (const email of ['known@example.org', 'a b@example.org', 'two@example.org,three@example.org', 'x@y']) {
      // The summary above the form links to the field with the error (PAGE-96). Screen readers announce it (PAGE-56).
      expect((await visitor().submit('/register', { name: 'Ota', email, password: 'short' })).html).toContain(
        '<a href="#password">',
      );
    }
    expect(
      (
        await visitor().submit('/register', {
          name: 'Ota',
          email: 'two@example.org,three@example.org',
          password: 'correct horse',
        })
      ).html,
    ).toContain('id="email-error"');
  });

  // MAIL-3
  it('an account that an operator creates needs no confirmation', async () => {
    await visitor().register('ota@example.org', 'Cizí');
    const link = linkOf(await mailServer.nth('ota@example.org', 1), '/confirm/');
    await server.database.transaction((tx) =>
      server.app
        .get(UsersCommands)
        .create(tx, 'made-by-hand', { name: 'Ota', email: 'ota@example.org', password: 'correct horse' }),
    );
    expect((await visitor().submit(link, {})).status).toBe(410);
    expect(await signIn(visitor(), 'ota@example.org')).toMatchObject({ status: 303 });
  });

  // MAIL-4, MAIL-6
  it('a reset link is valid for half an hour and works once; the new password ends all sessions', async () => {
    await createAccount('petr@example.org', 'Petr');
    const petr = visitor();
    await signIn(petr, 'petr@example.org');
    const stranger = visitor();
    expect((await stranger.get('/sign-in')).html).toContain('href="/forgot"');
    expect(await stranger.submit('/forgot', { email: ' PETR@example.org ' })).toMatchObject({
      status: 303,
      to: '/forgot/sent',
    });
    const mail = await mailServer.nth('petr@example.org', 2);
    expect(mail.text).toMatch(/^Hello Petr,/);
    const link = linkOf(mail, '/reset/');
    for (let i = 0; i < 3; i++) expect((await stranger.get(link)).html).toContain('autocomplete="new-password"');
    expect(await isSignedIn(petr)).toBe(true);
    expect((await stranger.submit(link, { password: 'short' })).status).toBe(422);
    expect(await isSignedIn(petr)).toBe(true);

    expect(await stranger.submit(link, { password: 'battery staple' })).toMatchObject({
      status: 303,
      to: '/sign-in?reset',
    });
    expect(await isSignedIn(petr)).toBe(false);
    expect((await signIn(visitor(), 'petr@example.org')).status).toBe(422);
    expect((await signIn(visitor(), 'petr@example.org', 'battery staple')).status).toBe(303);
    expect((await stranger.get(link)).status).toBe(410);
    expect((await stranger.submit('/forgot', { password: 'third password' }, link)).status).toBe(410);
    expect((await signIn(visitor(), 'petr@example.org', 'battery staple')).status).toBe(303);

    await stranger.submit('/forgot', { email: 'petr@example.org' });
    const late = linkOf(await mailServer.nth('petr@example.org', 3), '/reset/');
    later(LIMITS.account_mail.reset);
    expect((await stranger.get(late)).status).toBe(410);
    expect((await stranger.submit('/forgot', { password: 'third password' }, late)).status).toBe(410);
  });

  // MAIL-4
  it('a reset link goes to the address of the account, not to a similar address that was typed', async () => {
    await createAccount('kilo@example.org');
    // The Kelvin sign (U+212A) and K are different letters, but have the same lower case.
    for (const typed of ['\u212Ailo@example.org', 'KILO@example.org'])
      await visitor().submit('/forgot', { email: typed });
    await visitor().register('\u212Ailo@example.org');
    const mails = [2, 3, 4].map((nth) => mailServer.nth('kilo@example.org', nth));
    expect((await Promise.all(mails)).map(({ subject }) => subject).sort()).toEqual([
      'New password',
      'New password',
      'You already have an account',
    ]);
  });

  // STEP-1
  it('a sign-in after a password reset still requires the second step', async () => {
    await createAccount('krok@example.org', 'Krok');
    const { id } = (await user('krok@example.org'))!;
    await server.database.transaction((tx) => server.app.get(TotpCommands).begin(tx, id));
    await server.sql('UPDATE totp_secrets SET confirmed_at = created_at WHERE user_id = $1', [id]);
    const codes = await server.database.transaction((tx) =>
      server.app.get(SecondStepCommands).renewRecoveryCodes(tx, id),
    );
    const stranger = visitor();
    await stranger.submit('/forgot', { email: 'krok@example.org' });
    const link = linkOf(await mailServer.nth('krok@example.org', 2), '/reset/');
    expect((await stranger.submit(link, { password: 'battery staple' })).to).toBe('/sign-in?reset');
    expect((await signIn(stranger, 'krok@example.org', 'battery staple')).to).toBe('/sign-in/step');
    expect(await isSignedIn(stranger)).toBe(false);
    expect((await stranger.submit('/sign-in/step', { code: codes[0] as string })).status).toBe(303);
    expect(await isSignedIn(stranger)).toBe(true);
  });

  // MAIL-6
  it('a link can be used only once, even if its form is sent twice at the same time', async () => {
    await createAccount('twice@example.org');
    await visitor().submit('/forgot', { email: 'twice@example.org' });
    const link = linkOf(await mailServer.nth('twice@example.org', 2), '/reset/');
    const both = await Promise.all(
      ['first password', 'second password'].map((password) => visitor().submit(link, { password })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([303, 410]);
  });

  // MAIL-6
  it('a link becomes void when a newer link is requested, or when the password or the address changes', async () => {
    await createAccount('voids@example.org');
    const requestLink = async (count: number) => {
      await visitor().submit('/forgot', { email: 'voids@example.org' });
      return linkOf(await mailServer.nth('voids@example.org', count), '/reset/');
    };
    const [older, newer] = [await requestLink(2), await requestLink(3)];
    expect((await visitor().get(older)).status).toBe(410);
    expect((await visitor().get(newer)).status).toBe(200);
    const jana = (await user('voids@example.org'))!;
    await server.database.transaction((tx) =>
      server.app.get(UsersCommands).update(tx, jana, { password: 'another one' }),
    );
    expect((await visitor().get(newer)).status).toBe(410);
    const third = await requestLink(4);
    await server.database.transaction((tx) =>
      server.app.get(UsersCommands).update(tx, jana, { email: 'voided@example.org' }),
    );
    expect((await visitor().get(third)).status).toBe(410);
  });

  // MAIL-6
  it('the page is the same for links that are unknown, void, used, expired or of another kind', async () => {
    const email = 'any-link@example.org';
    await createAccount(email);
    const requestLink = async (count: number) => {
      await visitor().submit('/forgot', { email });
      return linkOf(await mailServer.nth(email, count), '/reset/');
    };
    const [older, used] = [await requestLink(2), await requestLink(3)];
    expect((await visitor().submit(used, { password: 'battery staple' })).status).toBe(303);
    const expired = await requestLink(4);
    later(LIMITS.account_mail.reset);
    const valid = await requestLink(5);
    await visitor().register('another-kind@example.org');
    const registration = linkOf(await mailServer.nth('another-kind@example.org', 1), '/confirm/');
    const wrongKind = registration.replace('/confirm/', '/reset/');
    const pages = [];
    for (const link of ['/reset/unknown', older, used, expired, wrongKind]) {
      const page = await visitor().get(link);
      pages.push(comparable({ ...page, html: page.html.replaceAll(link, '') }));
    }
    expect(pages[0]?.status).toBe(410);
    for (const page of pages) expect(page).toEqual(pages[0]);
    expect((await visitor().submit('/forgot', { password: 'third password' }, wrongKind)).status).toBe(410);
    const asConfirmation = valid.replace('/reset/', '/confirm/');
    expect((await visitor().get(asConfirmation)).status).toBe(410);
    expect((await visitor().submit('/forgot', {}, asConfirmation)).status).toBe(410);
    for (const link of [valid, registration]) expect((await visitor().get(link)).status).toBe(200);
  });

  // MAIL-6, MAIL-12
  it('a link to change the address becomes void when the password changes', async () => {
    await createAccount('owner@example.org', 'Eva');
    const [thief, owner] = [visitor(), visitor()];
    await signIn(thief, 'owner@example.org');
    await thief.submit(
      '/account/security',
      { email: 'thief@example.org', email_password: 'correct horse' },
      '/account/security/email',
    );
    const link = linkOf(await mailServer.nth('thief@example.org', 1), '/confirm/');
    const opened = await thief.get(link);
    expect(opened.status).toBe(200);
    await owner.submit('/forgot', { email: 'owner@example.org' });
    await owner.submit(linkOf(await mailServer.nth('owner@example.org', 2), '/reset/'), { password: 'battery staple' });
    const _csrf = /name="_csrf" value="([^"]+)"/.exec(opened.html)?.[1] ?? '';
    expect((await thief.post(link, { _csrf })).status).toBe(410);
    expect((await thief.get(link)).html).toContain('href="/account/security"');
    expect((await user('owner@example.org'))?.name).toBe('Eva');
    expect(await user('thief@example.org')).toBeNull();
  });

  // MAIL-1, MAIL-4, MAIL-7, MAIL-8, MAIL-10
  it('the limits of mails have the values that docs/rules/account-mail.md states', () => {
    expect(LIMITS.account_mail).toEqual({
      confirmation: 86_400,
      reset: 1_800,
      per_address: { max: 5, window: 3_600 },
      kept: 3 * 86_400,
    });
  });

  // MAIL-6, MAIL-12
  it('a link stays valid after a request for a link of another kind, or for a link of another account', async () => {
    const [email, otherEmail] = ['first-person@example.org', 'second-person@example.org'];
    for (const one of [email, otherEmail]) await createAccount(one);
    const [jana, eva] = [visitor(), visitor()];
    await signIn(jana, email);
    await signIn(eva, otherEmail);
    const requestAddress = async (who: Visitor, address: string) => {
      const fields = { email: address, email_password: 'correct horse' };
      await who.submit('/account/security', fields, '/account/security/email');
      return linkOf(await mailServer.nth(address, 1), '/confirm/');
    };
    const requestReset = async (address: string, count: number) => {
      await visitor().submit('/forgot', { email: address });
      return linkOf(await mailServer.nth(address, count), '/reset/');
    };
    const links = [await requestAddress(jana, 'first-moves@example.org'), await requestReset(email, 2)];
    const others = [await requestAddress(eva, 'second-moves@example.org'), await requestReset(otherEmail, 2)];
    const statuses = (all: readonly string[]) =>
      Promise.all(all.map(async (link) => (await visitor().get(link)).status));
    expect([await statuses(links), await statuses(others)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    expect((await visitor().submit(others[1]!, { password: 'battery staple' })).to).toBe('/sign-in?reset');
    expect([await statuses(links), await statuses(others)]).toEqual([
      [200, 200],
      [410, 410],
    ]);
  });

  // MAIL-7, MAIL-8
  it('a request to change the address makes the older link void, even if the new address has reached its limit of mails', async () => {
    const email = 'two-moves@example.org';
    await createAccount(email);
    const jana = visitor();
    await signIn(jana, email);
    const requestAddress = (address: string) => {
      const fields = { email: address, email_password: 'correct horse' };
      return jana.submit('/account/security', fields, '/account/security/email');
    };
    await requestAddress('first-move@example.org');
    const link = linkOf(await mailServer.nth('first-move@example.org', 1), '/confirm/');
    for (let n = 0; n < LIMITS.account_mail.per_address.max; n++)
      await server.app.get(AccountLinks).askForReset('second-move@example.org', 'en');
    expect((await visitor().get(link)).status).toBe(200);
    expect((await requestAddress('second-move@example.org')).to).toBe('/account/security?email_sent');
    expect((await visitor().get(link)).status).toBe(410);
  });

  // MAIL-8
  it('the old address is notified when an operator removes the address, and nobody is notified when an address is added', async () => {
    const email = 'removed@example.org';
    await createAccount(email, 'Iva');
    const { id } = (await user(email))!;
    const update = (address: string | null) =>
      server.database.transaction(async (tx) =>
        server.app
          .get(UsersCommands)
          .update(tx, (await server.app.get(UsersReader).lockById(tx, id))!, { email: address }),
      );
    await update(null);
    await update('first-address@example.org');
    expect(
      await server.sql(`SELECT address FROM account_mails WHERE user_id = $1 AND kind = 'email_changed'`, [id]),
    ).toEqual([{ address: email }]);
    expect((await mailServer.nth(email, 2)).subject).toBe('The e-mail address of your account has changed');
  });

  // MAIL-12
  it('a mail is not sent if the password changed after its link was requested', async () => {
    await createAccount('slow@example.org');
    await server.sql(
      `INSERT INTO account_mails (kind, address, locale, created_at, queued_at) VALUES ('reset', 'SLOW@example.org', 'en', $1, $1)`,
      [server.clock.now()],
    );
    const jana = (await user('slow@example.org'))!;
    await server.database.transaction((tx) =>
      server.app.get(UsersCommands).update(tx, jana, { password: 'another one' }),
    );
    const [row] = await server.sql<{ id: string }>(`SELECT id FROM account_mails WHERE address = 'SLOW@example.org'`);
    expect(await server.app.get(AccountMailSource).mailOf(Number(row?.id), server.clock.now())).toBeNull();
  });

  // MAIL-12
  it.each([
    ['İda@example.org', 'ida@example.org'],
    ['ΝΙΚΟΣ@example.org', 'nikos@example.org'],
  ])(
    'a mail to %s is not sent if the password changed after its link was requested',
    async (address, formerAddress) => {
      await createAccount(formerAddress);
      const { id } = (await user(formerAddress))!;
      await server.sql('UPDATE users SET email = $2 WHERE id = $1', [id, address]);
      const [row] = await server.sql<{ id: string }>(
        `INSERT INTO account_mails (kind, address, locale, created_at, queued_at) VALUES ('reset', $1, 'en', $2, $2) RETURNING id`,
        [address, server.clock.now()],
      );
      await server.database.transaction(async (tx) => {
        const stored = (await server.app.get(UsersReader).lockById(tx, id))!;
        await server.app.get(UsersCommands).update(tx, stored, { password: 'another one' });
      });
      expect(await server.app.get(AccountMailSource).mailOf(Number(row?.id), server.clock.now())).toBeNull();
    },
  );

  // MAIL-12
  it('a mail to the former or the new address is not sent if the address changed after the link was requested', async () => {
    const addresses = ['leaving@example.org', 'Arriving@Example.org'];
    await createAccount(addresses[0] as string);
    for (const address of addresses)
      await server.sql(
        `INSERT INTO account_mails (kind, address, locale, created_at, queued_at) VALUES ('reset', $1, 'en', $2, $2)`,
        [address.toLowerCase(), server.clock.now()],
      );
    const jana = (await user(addresses[0] as string))!;
    await server.database.transaction((tx) => server.app.get(UsersCommands).update(tx, jana, { email: addresses[1] }));
    const rows = await server.sql<{ id: string; used_at: Date | null }>(
      `SELECT id, used_at FROM account_mails WHERE kind = 'reset' AND address = ANY($1)`,
      [addresses.map((address) => address.toLowerCase())],
    );
    expect(rows.map(({ used_at }) => used_at)).toEqual([expect.any(Date), expect.any(Date)]);
    for (const { id } of rows)
      expect(await server.app.get(AccountMailSource).mailOf(Number(id), server.clock.now())).toBeNull();
  });

  // MAIL-12
  it('a mail is not sent if its link becomes void while the mail is prepared', async () => {
    const email = 'hurry@example.org';
    await createAccount(email);
    const [row] = await server.sql<{ id: string }>(
      `INSERT INTO account_mails (kind, address, locale, created_at, queued_at) VALUES ('reset', $1, 'en', $2, $2) RETURNING id`,
      [email, server.clock.now()],
    );
    await server.sql('BEGIN');
    await server.sql('UPDATE account_mails SET used_at = $2 WHERE id = $1', [row?.id, server.clock.now()]);
    const mail = server.app.get(AccountMailSource).mailOf(Number(row?.id), server.clock.now());
    await untilWaitingForLock(server, 1);

    await server.sql('COMMIT');
    expect(await mail).toBeNull();
  });

  it('each mail is sent only once, and only within a day after it was requested', async () => {
    const email = 'only-once@example.org';
    await createAccount(email);
    const [sent] = await server.sql<{ id: string }>('SELECT id FROM account_mails WHERE address = $1', [email]);
    await server.sql('UPDATE account_mails SET used_at = NULL WHERE id = $1', [sent?.id]);
    expect(await server.app.get(AccountMailSource).mailOf(Number(sent?.id), server.clock.now())).toBeNull();
    const [now, dayAgo] = [server.clock.now(), new Date(server.clock.now().getTime() - 86_400_000)];
    await server.sql(
      `INSERT INTO account_mails (kind, address, locale, created_at) VALUES ('reset', $1, 'en', $2), ('reset', $1, 'en', $3)`,
      [email, dayAgo, now],
    );
    await mailServer.nth(email, 2);
    const queued = `SELECT queued_at IS NOT NULL AS queued FROM account_mails WHERE address = $1 AND kind = 'reset' ORDER BY id`;
    expect(await server.sql(queued, [email])).toEqual([{ queued: false }, { queued: true }]);
    await server.sql('DELETE FROM account_mails WHERE queued_at IS NULL');
  });

  // MAIL-12
  it('links are not valid while the account is banned, and are valid again after the ban', async () => {
    const email = 'banned-for-a-while@example.org';
    await createAccount(email);
    await visitor().submit('/forgot', { email });
    const link = linkOf(await mailServer.nth(email, 2), '/reset/');
    const ban = (banned: boolean) => server.sql('UPDATE users SET banned = $2 WHERE email = $1', [email, banned]);
    await ban(true);
    expect((await visitor().get(link)).status).toBe(410);
    expect((await visitor().submit('/forgot', { password: 'battery staple' }, link)).status).toBe(410);
    await ban(false);
    expect((await visitor().get(link)).status).toBe(200);
  });

  // MAIL-5, MAIL-12, MOD-47
  it('during a temporary ban, no mails with links for new passwords are sent, and older links are not valid', async () => {
    const email = 'banned-until@example.org';
    await createAccount(email);
    const jana = visitor();
    await signIn(jana, email);
    const fields = { email: 'banned-until-moved@example.org', email_password: 'correct horse' };
    await jana.submit('/account/security', fields, '/account/security/email');
    await visitor().submit('/forgot', { email });
    const links = [
      linkOf(await mailServer.nth(fields.email, 1), '/confirm/'),
      linkOf(await mailServer.nth(email, 2), '/reset/'),
    ];
    const ban = (end: string) =>
      server.sql('UPDATE users SET banned = true, banned_until = now() + $2::interval WHERE email = $1', [email, end]);
    const statuses = async () => {
      const pages = [];
      for (const link of links) pages.push((await visitor().get(link)).status);
      return pages;
    };
    await ban('1 day');
    expect(await statuses()).toEqual([410, 410]);
    const [row] = await server.sql<{ id: string }>(
      `INSERT INTO account_mails (kind, address, locale, created_at, queued_at) VALUES ('reset', $1, 'en', $2, $2) RETURNING id`,
      [email, server.clock.now()],
    );
    const mailOf = () => server.app.get(AccountMailSource).mailOf(Number(row?.id), server.clock.now());
    expect(await mailOf()).toBeNull();
    await ban('-1 second');
    expect(await statuses()).toEqual([200, 200]);
    const mail = await mailOf();
    const link = /\/reset\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(await statuses()).toEqual([200, 410]);
    expect(await visitor().submit(link, { password: 'battery staple' })).toMatchObject({
      status: 303,
      to: '/sign-in?reset',
    });
    expect((await signIn(visitor(), email, 'battery staple')).status).toBe(303);
  });

  // MAIL-8, MAIL-12
  it('no link is sent to a new address if the password changes after the old password was verified', async () => {
    const email = 'verified-before@example.org';
    await createAccount(email);
    const [beforeChange, stored] = [(await user(email))!, (await user(email))!];
    await server.database.transaction((tx) =>
      server.app.get(UsersCommands).update(tx, stored, { password: 'another one' }),
    );
    await server.app.get(AccountLinks).askForEmail(beforeChange, 'too-late@example.org', 'en');
    expect(await server.sql(`SELECT 1 FROM account_mails WHERE address = 'too-late@example.org'`)).toEqual([]);
  });

  // MAIL-8, MAIL-9, MAIL-12
  it('a request with the old password changes neither password nor address if another transaction changes the password during the request', async () => {
    for (const [email, action, fields] of [
      ['racing-1@example.org', 'email', { email: 'raced@example.org', email_password: 'correct horse' }],
      ['racing-2@example.org', 'password', { password: 'third password', current_password: 'correct horse' }],
    ] as const) {
      await createAccount(email);
      const jana = visitor();
      await signIn(jana, email);
      const _csrf = /name="_csrf" value="([^"]+)"/.exec((await jana.get('/account/security')).html)?.[1] ?? '';
      await whilePasswordChanges(email, () => jana.post(`/account/security/${action}`, { _csrf, ...fields }));
      expect([action, (await signIn(visitor(), email, 'another one')).status]).toEqual([action, 303]);
      expect([action, await isSignedIn(jana)]).toEqual([action, false]);
    }
    expect(await server.sql(`SELECT 1 FROM account_mails WHERE address = 'raced@example.org'`)).toEqual([]);
  });

  // PAGE-6
  it('a sign-in with the old password begins no session if another transaction changes the password during the sign-in', async () => {
    const email = 'racing-3@example.org';
    await createAccount(email);
    const jana = visitor();
    expect((await whilePasswordChanges(email, () => signIn(jana, email))).status).toBe(422);
    expect(await isSignedIn(jana)).toBe(false);
    expect((await signIn(jana, email, 'another one')).status).toBe(303);
  });

  // MAIL-13, PAGE-18
  it.each(['/forgot', '/register/again'])(
    'requests to %s are counted as sign-in attempts of the IP address',
    async (path) => {
      const request = () => visitor().submit('/forgot', { email: '' }, path);
      const requests = await Promise.all(Array.from({ length: LIMITS.sign_in.per_ip }, request));
      expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([422]));
      expect((await request()).status).toBe(429);
    },
  );

  // MAIL-13, PAGE-103
  it('a new confirmation mail can be requested on the page of a broken or expired link', async () => {
    const more = {
      birth_date: '1990-05-01',
      gender: 'female',
      show_participation: '1',
      place: 'Brno',
      next: '/groups',
    };
    const typed = { name: 'Jana', email: 'again@example.org', password: 'correct horse', ...more };
    await visitor().submit('/register', typed);
    const link = linkOf(await mailServer.nth('again@example.org', 1), '/confirm/');
    const broken = await visitor().get(link.slice(0, -3));
    expect([broken.status, broken.html.includes('action="/register/again"'), broken.html.includes('/forgot')]).toEqual([
      410,
      true,
      false,
    ]);
    later(LIMITS.account_mail.confirmation);
    const expiredPage = await visitor().get(link);
    expect(expiredPage.html).toContain('value="again@example.org"');
    const pages = [];
    for (const email of ['again@example.org', 'nobody-asked@example.org', 'old@example.org'])
      pages.push(comparable(await visitor().submit(link, { email }, '/register/again')));
    for (const page of pages) expect(page).toEqual(pages[0]);
    expect(pages[0]).toMatchObject({ status: 303, to: '/register/sent-again' });
    expect((await visitor().get('/register/sent-again')).html).toContain('we have sent it a new link');
    expect((await visitor().submit(link, { email: '' }, '/register/again')).status).toBe(422);
    const jana = visitor();
    expect((await jana.submit(linkOf(await mailServer.nth('again@example.org', 2), '/confirm/'), {})).to).toBe(
      '/sign-in?confirmed&next=%2Fgroups',
    );
    expect(await user('again@example.org')).toMatchObject({
      name: 'Jana',
      birthDate: '1990-05-01',
      gender: 'female',
      showParticipation: true,
      place: { name: 'Brno' },
    });
    // The sign-in form contains the address only in the browser in which the address was confirmed.
    expect((await jana.get('/sign-in?confirmed')).html).toMatch(/name="email"[^>]*value="again@example.org"/);
    expect((await visitor().get('/sign-in?confirmed')).html).not.toContain('again@example.org');
    expect((await signIn(jana, 'again@example.org')).status).toBe(303);
    expect(await server.sql(`SELECT 1 FROM account_mails WHERE address = 'nobody-asked@example.org'`)).toEqual([]);
  });

  // MAIL-14
  it('after registering, a button requests the same mail again, but only in the browser of the registration', async () => {
    const email = 'once-more@example.org';
    const jana = visitor();
    await jana.register(email);
    await mailServer.nth(email, 1);
    expect((await visitor().get('/register/sent')).html).not.toContain('action="/register/again"');
    expect((await jana.get('/register/sent')).html).toContain('>Send again</button>');
    expect(await jana.submit('/register/sent', { email }, '/register/again')).toMatchObject({
      status: 303,
      to: '/register/sent-again',
    });
    const link = linkOf(await mailServer.nth(email, 2), '/confirm/');
    expect((await jana.submit(link, {})).status).toBe(303);
    expect(await user(email)).not.toBeNull();
  });

  // MAIL-13
  it('a new confirmation mail confirms the latest registration with the address', async () => {
    const email = 'second-thoughts@example.org';
    await visitor().register(email, 'První', 'first password');
    await visitor().register(email, 'Druhá', 'second password');
    await mailServer.nth(email, 2);
    await visitor('cs').submit('/confirm/broken', { email: email.toUpperCase() }, '/register/again');
    const mail = await mailServer.nth(email, 3);
    expect(mail.subject).toBe('Potvrďte svou e-mailovou adresu');
    expect((await visitor().submit(linkOf(mail, '/confirm/'), {})).status).toBe(303);
    expect((await user(email))?.name).toBe('Druhá');
    expect((await signIn(visitor(), email, 'second password')).status).toBe(303);
  });

  // MAIL-13
  it('a new confirmation mail is not sent if a registration with the address was already confirmed', async () => {
    const email = 'confirmed-once@example.org';
    await visitor().register(email, 'Cizí', 'somebody elses');
    await visitor().register(email, 'Vlastní');
    const link = linkOf(await mailServer.nth(email, 2), '/confirm/');
    await visitor().submit(link, {});
    for (const spelling of [email, email.toUpperCase()])
      expect(await visitor().submit(link, { email: spelling }, '/register/again')).toMatchObject({
        status: 303,
        to: '/register/sent-again',
      });
    expect(await server.sql('SELECT 1 FROM account_mails WHERE lower(address) = $1', [email])).toHaveLength(2);
  });

  // MAIL-5
  it('a request for a new password gets the same response for every address; unknown addresses and banned accounts get no mail', async () => {
    await createAccount('there@example.org');
    await createAccount('banned@example.org');
    await server.sql(`UPDATE users SET banned = true WHERE email = 'banned@example.org'`);
    const pages = [];
    for (const name of ['there', 'nowhere', 'banned'])
      pages.push(comparable(await visitor().submit('/forgot', { email: `${name}@example.org` })));
    for (const page of pages) expect(page).toEqual(pages[0]);
    await mailServer.nth('there@example.org', 2);
    const unsent = () =>
      server.sql(
        `SELECT 1 FROM pgboss.job WHERE name = 'account-mails' AND state IN ('created', 'active', 'retry') UNION ALL SELECT 1 FROM account_mails WHERE queued_at IS NULL`,
      );
    await waitUntil(async () => (await unsent()).length === 0);
    expect(mailServer.of('nowhere@example.org')).toEqual([]);
    expect(mailServer.of('banned@example.org')).toHaveLength(1);
  });

  // MAIL-7
  it('an address gets at most five mails an hour; the last link stays valid', async () => {
    const requestReset = () =>
      Promise.all(Array.from({ length: 4 }, () => visitor().submit('/forgot', { email: 'often@example.org' })));
    await createAccount('often@example.org');
    const pages = [...(await requestReset()), ...(await requestReset()), await visitor().register('often@example.org')];
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([303]));
    const countRequests = () =>
      server.sql<{ requests: number }>(
        `SELECT count(*)::int AS requests FROM account_mails WHERE address = 'often@example.org'`,
      );
    expect(await countRequests()).toEqual([{ requests: LIMITS.account_mail.per_address.max }]);
    await mailServer.nth('often@example.org', 5);
    const links = mailServer
      .of('often@example.org')
      .slice(1)
      .map((mail) => linkOf(mail, '/reset/'));
    expect((await Promise.all(links.map(async (link) => (await visitor().get(link)).status))).sort()).toEqual([
      200, 410, 410, 410,
    ]);
    later(LIMITS.account_mail.per_address.window - 60);
    await visitor().submit('/forgot', { email: 'often@example.org' });
    expect(await countRequests()).toEqual([{ requests: LIMITS.account_mail.per_address.max }]);
    later(60);
    await visitor().submit('/forgot', { email: 'often@example.org' });
    expect((await mailServer.nth('often@example.org', 6)).subject).toBe('New password');
  });

  // MAIL-7, MAIL-13
  it('an address gets at most five mails an hour, even if confirmation mails are requested with other spellings of the address', async () => {
    const address = 'again-and-again@example.org';
    await visitor().register(address);
    const broken = linkOf(await mailServer.nth(address, 1), '/confirm/').slice(0, -3);
    // The notification to a former address does not count towards the limit.
    await server.sql(
      `INSERT INTO account_mails (kind, address, locale, created_at, queued_at) VALUES ('email_changed', $1, 'en', $2, $2)`,
      [address, server.clock.now()],
    );
    for (let i = 0; i < LIMITS.account_mail.per_address.max; i++)
      for (const email of [address, address.toUpperCase()])
        expect((await visitor().submit(broken, { email }, '/register/again')).status).toBe(303);
    const requests = () =>
      server.sql(`SELECT 1 FROM account_mails WHERE lower(address) = $1 AND kind = 'register'`, [address]);
    expect(await requests()).toHaveLength(LIMITS.account_mail.per_address.max);
    later(LIMITS.account_mail.per_address.window - 60);
    await visitor().submit(broken, { email: address }, '/register/again');
    expect(await requests()).toHaveLength(LIMITS.account_mail.per_address.max);
    later(60);
    await visitor().submit(broken, { email: address }, '/register/again');
    expect(await requests()).toHaveLength(LIMITS.account_mail.per_address.max + 1);
  });

  // MAIL-7, MAIL-13
  it('an address gets at most five mails an hour, of all kinds together', async () => {
    const address = 'of-all-kinds@example.org';
    await createAccount('moves-there@example.org');
    const ota = visitor();
    await signIn(ota, 'moves-there@example.org');
    const requests = {
      register: () => visitor().register(address),
      again: () => visitor().submit('/confirm/broken', { email: address }, '/register/again'),
      reset: () => visitor().submit('/forgot', { email: address }),
      email: () =>
        ota.submit('/account/security', { email: address, email_password: 'correct horse' }, '/account/security/email'),
    };
    const countRequests = async () =>
      (await server.sql('SELECT 1 FROM account_mails WHERE lower(address) = $1', [address])).length;
    const { max, window } = LIMITS.account_mail.per_address;
    for (const kind of ['register', 'reset', 'email', 'again', 'reset'] as const) await requests[kind]();
    expect(await countRequests()).toBe(max);
    for (const [kind, request] of Object.entries(requests)) {
      await request();
      expect([kind, await countRequests()]).toEqual([kind, max]);
    }
    later(window);
    await requests.again();
    expect(await countRequests()).toBe(max + 1);
  });

  // MAIL-7
  it('a notification about the changed address does not count towards the limit of five mails an hour', async () => {
    const [former, email] = ['left@example.org', 'moved@example.org'];
    await createAccount(former, 'Eva');
    later(LIMITS.account_mail.per_address.window);
    const eva = visitor();
    await signIn(eva, former);
    await eva.submit('/account/security', { email, email_password: 'correct horse' }, '/account/security/email');
    await eva.submit(linkOf(await mailServer.nth(email, 1), '/confirm/'), {});
    for (let i = 0; i <= LIMITS.account_mail.per_address.max; i++) await visitor().register(former);
    const rows = await server.sql<{ kind: string; mails: number }>(
      'SELECT kind, count(*)::int AS mails FROM account_mails WHERE address = $1 AND created_at > $2 GROUP BY kind ORDER BY kind',
      [former, new Date(server.clock.now().getTime() - LIMITS.account_mail.per_address.window * 1000)],
    );
    expect(rows).toEqual([
      { kind: 'email_changed', mails: 1 },
      { kind: 'register', mails: LIMITS.account_mail.per_address.max },
    ]);
  });

  // MAIL-8
  it('a link that changes the address of one account does not lead to the settings of another account', async () => {
    await createAccount('first-account@example.org', 'Eva');
    await createAccount('second-account@example.org', 'Petr');
    const [eva, petr] = [visitor(), visitor()];
    await signIn(eva, 'first-account@example.org');
    await signIn(petr, 'second-account@example.org');
    const fields = { email: 'moved-account@example.org', email_password: 'correct horse' };
    await eva.submit('/account/security', fields, '/account/security/email');
    const link = linkOf(await mailServer.nth('moved-account@example.org', 1), '/confirm/');
    expect((await petr.submit(link, {})).to).toBe('/sign-in?confirmed');
    expect((await user('moved-account@example.org'))?.name).toBe('Eva');
  });

  // MAIL-8
  it('a link that is sent to the new address changes the address, and the old address is notified', async () => {
    await createAccount('old@example.org', 'Eva');
    const eva = visitor();
    await signIn(eva, 'old@example.org');
    const change = (fields: Record<string, string>) =>
      eva.submit('/account/security', fields, '/account/security/email');
    expect((await change({ email: 'new@example.org', email_password: 'wrong password' })).html).toContain(
      'id="email_password-error"',
    );
    expect((await change({ email: 'nowhere', email_password: 'correct horse' })).html).toContain('id="email-error"');
    expect(await change({ email: 'new@example.org', email_password: 'correct horse' })).toMatchObject({
      status: 303,
      to: '/account/security?email_sent',
    });
    expect((await user('old@example.org'))?.name).toBe('Eva');
    const link = linkOf(await mailServer.nth('new@example.org', 1), '/confirm/');
    expect((await eva.get(link)).html).toContain('new@example.org');
    expect(await user('new@example.org')).toBeNull();
    expect(await eva.submit(link, {})).toMatchObject({ status: 303, to: '/account/security?email' });
    expect((await user('new@example.org'))?.name).toBe('Eva');
    expect(await mailServer.nth('old@example.org', 2)).toMatchObject({
      subject: 'The e-mail address of your account has changed',
      text: expect.stringMatching(/^Hello Eva,/),
    });
    expect((await signIn(visitor(), 'new@example.org')).status).toBe(303);

    // In a browser without a session, the confirmation leads to the sign-in page.
    await change({ email: 'newer@example.org', email_password: 'correct horse' });
    expect((await visitor().submit(linkOf(await mailServer.nth('newer@example.org', 1), '/confirm/'), {})).to).toBe(
      '/sign-in?confirmed',
    );
    await visitor().register('other-person@example.org');
    const other = linkOf(await mailServer.nth('other-person@example.org', 1), '/confirm/');
    expect((await eva.submit(other, {})).to).toBe('/sign-in?confirmed');
  });

  // MAIL-8
  it('a link to change the address becomes void when another new address is requested', async () => {
    await createAccount('asking@example.org', 'Ota');
    await createAccount('asked-for@example.org', 'Ema');
    const ota = visitor();
    await signIn(ota, 'asking@example.org');
    const statuses = [];
    for (const [i, email] of ['asked-for@example.org', 'nobody-has@example.org'].entries()) {
      const request = (address: string) =>
        ota.submit('/account/security', { email: address, email_password: 'correct horse' }, '/account/security/email');
      await request(`own-${i}@example.org`);
      const link = linkOf(await mailServer.nth(`own-${i}@example.org`, 1), '/confirm/');
      await request(email);
      statuses.push((await ota.get(link)).status);
    }
    expect(statuses).toEqual([410, 410]);
  });

  // MAIL-8, PAGE-16
  it('mails are in the language of the account, or of the browser if no account exists', async () => {
    const email = 'cesky@example.org';
    await createAccount(email, 'Žofie', 'cs');
    expect((await mailServer.nth(email, 1)).subject).toBe('Potvrďte svou e-mailovou adresu');
    await visitor('en').submit('/forgot', { email });
    const mail = await mailServer.nth(email, 2);
    expect([mail.subject, mail.text.split('\n')[0]]).toEqual(['Nové heslo', 'Dobrý den!']);
    const zofie = visitor('en');
    await signIn(zofie, email);
    const fields = { email: 'prestehovana@example.org', email_password: 'correct horse' };
    await zofie.submit('/account/security', fields, '/account/security/email');
    const change = await mailServer.nth(fields.email, 1);
    expect([change.subject, change.text.includes('Žofie')]).toEqual(['Potvrďte svou novou e-mailovou adresu', false]);
    await zofie.submit(linkOf(change, '/confirm/'), {});
    const notice = await mailServer.nth(email, 3);
    expect([notice.subject, notice.text.split('\n')[0]]).toEqual([
      'E-mailová adresa vašeho účtu se změnila',
      'Dobrý den!',
    ]);
  });

  // MAIL-8
  it('the old address is notified when an operator changes the address, but not when only the name of the person or the case of the address changes', async () => {
    await createAccount('former@example.org', 'Iva');
    const iva = (await user('former@example.org'))!;
    const update = (fields: object) =>
      server.database.transaction((tx) => server.app.get(UsersCommands).update(tx, iva, fields));
    await update({ name: 'Iva Malá' });
    await update({ email: 'Former@example.org' });
    await update({ email: 'latter@example.org' });
    expect(await mailServer.nth('Former@example.org', 1)).toMatchObject({
      subject: 'The e-mail address of your account has changed',
    });
    expect(mailServer.of('former@example.org')).toHaveLength(1);
  });

  // MAIL-8
  it('an account is not revealed when another account requests its address', async () => {
    await createAccount('mine@example.org', 'Ota');
    await createAccount('yours@example.org', 'Ema');
    const ota = visitor();
    await signIn(ota, 'mine@example.org');
    expect(
      await ota.submit(
        '/account/security',
        { email: 'yours@example.org', email_password: 'correct horse' },
        '/account/security/email',
      ),
    ).toMatchObject({ to: '/account/security?email_sent' });
    await ota.submit(
      '/account/security',
      { email: 'free@example.org', email_password: 'correct horse' },
      '/account/security/email',
    );
    const free = linkOf(await mailServer.nth('free@example.org', 1), '/confirm/');
    expect(mailServer.of('yours@example.org')).toHaveLength(1);
    const ema = (await user('yours@example.org'))!;
    await server.database.transaction((tx) =>
      server.app.get(UsersCommands).update(tx, ema, { email: 'free@example.org' }),
    );
    expect((await ota.submit(free, {})).status).toBe(410);
    expect((await user('mine@example.org'))?.name).toBe('Ota');
  });

  // MAIL-9
  it('a person can change the password only with the old password', async () => {
    await createAccount('change@example.org');
    const [thisBrowser, otherBrowser] = [visitor(), visitor()];
    await signIn(thisBrowser, 'change@example.org');
    await signIn(otherBrowser, 'change@example.org');
    const change = (fields: Record<string, string>) =>
      thisBrowser.submit('/account/security', fields, '/account/security/password');
    expect((await thisBrowser.get('/account/security')).html).toMatch(
      /name="current_password"[^>]*autocomplete="current-password"[^]*name="password"[^>]*autocomplete="new-password"/,
    );
    expect((await change({ current_password: 'wrong password', password: 'battery staple' })).html).toContain(
      'id="current_password-error"',
    );
    expect(await isSignedIn(otherBrowser)).toBe(true);
    expect(await change({ current_password: 'correct horse', password: 'battery staple' })).toMatchObject({
      status: 303,
      to: '/account/security?password',
    });
    expect(await isSignedIn(thisBrowser)).toBe(true);
    expect(await isSignedIn(otherBrowser)).toBe(false);
    expect((await signIn(visitor(), 'change@example.org', 'battery staple')).status).toBe(303);
  });

  // MAIL-10
  it('the stored requests for mails contain no secret, and are deleted after the retention period', async () => {
    await createAccount('traces@example.org');
    await visitor().submit('/forgot', { email: 'traces@example.org' });
    const token = linkOf(await mailServer.nth('traces@example.org', 2), '/reset/').slice('/reset/'.length);
    const rows = await server.sql(`SELECT m::text AS row FROM account_mails m WHERE address = 'traces@example.org'`);
    expect(JSON.stringify(rows)).not.toContain(token);
    // A character of base64url has 6 bits.
    expect(token.length * 6).toBeGreaterThanOrEqual(256);
    const [confirmed] = await server.sql(
      `SELECT password_hash FROM account_mails WHERE address = 'traces@example.org' AND kind = 'register'`,
    );
    expect(confirmed).toEqual({ password_hash: null });
    later(LIMITS.account_mail.kept - 3600);
    await server.job('account-mails-sweep');
    expect(await server.sql(`SELECT 1 FROM account_mails WHERE address = 'traces@example.org'`)).toHaveLength(2);
    later(3601);
    await server.job('account-mails-sweep');
    expect(await server.sql('SELECT 1 FROM account_mails')).toEqual([]);
  });

  it('forms that other sites send are refused', async () => {
    for (const path of ['/forgot', '/reset/whatever', '/confirm/whatever', '/account/security/email']) {
      expect((await visitor().post(path, { email: 'jana@example.org', password: 'correct horse' })).status).toBe(403);
    }
  });

  describeWith('chromium-headless-shell', 'links in mails, opened in a browser', () => {
    let browser: Browser;
    beforeAll(async () => (browser = await openBrowser()));
    afterAll(() => browser?.close());

    // MAIL-1, MAIL-5, NOTE-7
    it.each([true, false])(
      'can be used to confirm an account, set a new password and unsubscribe (JavaScript enabled: %s)',
      async (javaScriptEnabled) => {
        const email = `alena-${javaScriptEnabled}@example.org`;
        const context = await browser.newContext({ baseURL: server.origin, locale: 'en-GB', javaScriptEnabled });
        const page = await context.newPage();
        const linkIn = (text: string, path: string) => new RegExp(`https?://[^/]+(${path}\\S*)`).exec(text)?.[1] ?? '';
        const send = () => page.click('main form button');

        await page.goto('/register');
        await page.fill('input[name=name]', 'Alena');
        await page.fill('input[name=email]', email);
        await page.fill('input[name=password]', 'correct horse');
        await send();
        await page.waitForURL('**/register/sent');
        await page.goto(linkIn((await mailServer.nth(email, 1)).text, '/confirm/'));
        await send();
        await page.waitForURL('**/sign-in?confirmed');

        await page.goto('/forgot');
        await page.fill('input[name=email]', email);
        await send();
        await page.goto(linkIn((await mailServer.nth(email, 2)).text, '/reset/'));
        await page.fill('input[name=password]', 'battery staple');
        await send();
        await page.goto('/sign-in');
        await page.fill('input[name=email]', email);
        await page.fill('input[name=password]', 'battery staple');
        await page.click('form:has(input[name=email]) button');
        await page.waitForURL(({ pathname }) => pathname.startsWith('/account'));

        const host = await server.person(`host-${javaScriptEnabled}`);
        const alena = (await user(email))!;
        const inAWeek = new Date(server.clock.now().getTime() + 7 * 86_400_000);
        const invite = async () => {
          const event = await buildEvent(server, host, { title: 'Piknik', starts_at: inAWeek });
          expect((await host.api.post(`/events/${event.id}/participants`, { user: alena.slug })).status).toBe(201);
          return event;
        };
        const event = await invite();
        const mail = await mailServer.nth(email, 3);
        await page.goto(linkIn(mail.text, '/events/'));
        expect([new URL(page.url()).pathname, await page.textContent('h1')]).toEqual([
          `/events/${event.id}`,
          expect.stringContaining('Piknik'),
        ]);
        await page.goto(linkIn(mail.text, '/unsubscribe/'));
        await send();
        await page.waitForSelector('text=You will no longer receive e-mails about');
        const second = await invite();
        await host.api.patch(`/events/${second.id}`, { status: 'cancelled' });
        expect((await mailServer.nth(email, 4)).subject).toBe('Cancelled: Piknik');
        await context.close();
      },
      120_000,
    );
  });
});

describe('accounts without a mail server', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  // MAIL-11
  it('need no confirmation; the password cannot be reset, and the address can be changed with the password alone', async () => {
    const jana = new Visitor(server);
    expect(await jana.register('jana@example.org')).toMatchObject({ status: 303, to: '/account/events' });
    expect((await jana.get('/sign-in')).html).not.toContain('/forgot');
    expect((await jana.get('/forgot')).status).toBe(404);
    for (const path of ['/forgot', '/register/again'])
      expect((await jana.submit('/account', { email: 'jana@example.org' }, path)).status).toBe(404);
    await new Visitor(server).register('taken@example.org');
    const change = (email: string) =>
      jana.submit('/account/security', { email, email_password: 'correct horse' }, '/account/security/email');
    expect((await change('taken@example.org')).html).toContain('id="email-error"');
    expect(await change('other@example.org')).toMatchObject({ status: 303, to: '/account/security?email' });
    expect((await server.app.get(UsersReader).byEmail('other@example.org'))?.name).toBe('Jana Nováková');
    expect(await server.sql('SELECT 1 FROM account_mails')).toEqual([]);
  });
});
