import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { accessibilityViolations, openBrowser } from '#testing/browser';
import { withPassword } from '#testing/browsers';
import { Cable } from '#testing/cable';
import { describeWith } from '#testing/requirements';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

const PAGE = '/account/second-step';

/** Tests passkeys in a browser with a virtual authenticator. */
describeWith('chromium-headless-shell', 'passkeys', () => {
  let server: TestServer;
  let cable: Cable;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    // Browsers create passkeys for host names only, not for IP addresses, and the server accepts only passkeys for the
    // host of BASE_URL.
    cable = await Cable.disconnected();
    origin = cable.origin.replace('127.0.0.1', 'localhost');
    server = await TestServer.start({ baseUrl: origin });
    cable.connectTo(server.origin);
    browser = await openBrowser();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await cable?.remove();
    await server?.stop();
  });

  /**
   * Opens a browser on a device that creates passkeys without user interaction. If `verifiesUser` is true, the device
   * is a phone: it stores passkeys and verifies its user, for example with a fingerprint. Otherwise the device is a
   * security key.
   */
  async function openDevice(
    verifiesUser = true,
  ): Promise<{ context: BrowserContext; page: Page; cdp: CDPSession; authenticatorId: string; problems: string[] }> {
    const context = await browser.newContext({
      baseURL: origin,
      locale: 'en-GB',
      viewport: { width: 375, height: 812 },
    });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: verifiesUser ? 'internal' : 'usb',
        hasResidentKey: verifiesUser,
        hasUserVerification: verifiesUser,
        isUserVerified: verifiesUser,
        automaticPresenceSimulation: true,
      },
    });
    return { context, page, cdp, authenticatorId, problems };
  }

  async function signIn(page: Page, account: { email: string; password: string }): Promise<void> {
    await page.goto('/sign-in');
    await page.fill('#email', account.email);
    await page.fill('#password', account.password);
    await page.click('form:has(#email) button');
  }

  /** Signs out with the button in the menu of the header (PAGE-106). */
  async function signOut(page: Page): Promise<void> {
    await page.click('header button[popovertarget]');
    await page.click('#menu button:has-text("Sign out")');
  }
  async function addPasskey(page: Page, password: string, name = 'My phone'): Promise<void> {
    await page.goto(PAGE);
    await page.fill('#name', name);
    await page.fill('#passkey_password', password);
    await page.click('form:has(#passkey_password) button');
  }

  const waitFor = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);
  const waitForPasskeyRequest = (page: Page) =>
    page.waitForRequest(
      (request) => request.method() === 'POST' && /\/passkey(s)?$/.test(new URL(request.url()).pathname),
    );

  // STEP-1, STEP-4, STEP-6, STEP-7, STEP-8, STEP-9
  it('can be added, can be used to sign in with or without the password, and can be removed', async () => {
    const person = await server.person('klicnice');
    const account = await withPassword(server, person);
    const { context, page, cdp, authenticatorId, problems } = await openDevice();
    await signIn(page, account);
    await waitFor(page, '/account/events');

    await addPasskey(page, 'wrong password');
    await page.waitForSelector('[role=alert]:has-text("Wrong password.")');
    expect((await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toEqual([]);
    await addPasskey(page, account.password);
    await page.waitForSelector('#fresh-codes');
    expect((await page.textContent('#fresh-codes'))?.trim().split('\n')).toHaveLength(10);
    expect(await page.textContent('table')).toContain('My phone');
    expect(await accessibilityViolations(page)).toEqual([]);

    // Sign in with the password and the passkey.
    await signOut(page);
    await page.goto(`/sign-in?next=${PAGE}`);
    await page.fill('#email', account.email);
    await page.fill('#password', account.password);
    await page.click('form:has(#email) button');
    await waitFor(page, '/sign-in/step');
    expect(await accessibilityViolations(page)).toEqual([]);
    expect((await page.goto('/account'))?.url()).toContain('/sign-in');
    await page.goto(`/sign-in/step?next=${PAGE}`);
    await page.click('form[data-passkey] button');
    await waitFor(page, PAGE);

    // Sign in with the passkey only. A response of the passkey works only once, and in no other browser.
    await signOut(page);
    await page.goto('/sign-in');
    expect(await accessibilityViolations(page)).toEqual([]);
    const request = waitForPasskeyRequest(page);
    await page.click('form[data-passkey] button');
    await waitFor(page, '/account/events');
    const { response = '' } = Object.fromEntries(new URLSearchParams((await request).postData() ?? ''));
    expect(JSON.parse(response)).toMatchObject({ type: 'public-key' });
    const thief = new Visitor(server);
    expect((await thief.submit('/sign-in', {}, '/sign-in/passkey/options')).status).toBe(200);
    expect((await thief.submit('/sign-in', { response }, '/sign-in/passkey')).status).toBe(422);
    await signOut(page);
    await page.goto('/sign-in');
    const again = await page.evaluate<number>(
      `(() => {
        const _csrf = document.querySelector('[name=_csrf]').value;
        const body = new URLSearchParams({ _csrf, response: ${JSON.stringify(response)} });
        return fetch('/sign-in/passkey', { method: 'POST', redirect: 'manual', body }).then(({ status }) => status);
      })()`,
    );
    expect(again).toBe(422);

    await page.reload();
    await page.click('form[data-passkey] button');
    await waitFor(page, '/account/events');
    await page.goto(PAGE);
    await page.click('td a.danger');
    await page.fill('#password', account.password);
    await page.click('main button.danger');
    await waitFor(page, PAGE);
    expect(await page.locator('table').count()).toBe(0);
    await signOut(page);
    await page.goto('/sign-in');
    await page.click('form[data-passkey] button');
    await page.waitForSelector('main [role=alert]:has-text("The passkey did not work")');
    await signIn(page, account);
    await waitFor(page, '/account/events');
    expect(problems).toEqual([]);
    await context.close();
  }, 90_000);

  // STEP-6
  it('do not replace the password if the device does not verify its user, but can be used after the password', async () => {
    const person = await server.person('nezname');
    const account = await withPassword(server, person);
    const { context, page, cdp, authenticatorId } = await openDevice(false);
    await signIn(page, account);
    await waitFor(page, '/account/events');
    await addPasskey(page, account.password, 'Security key');
    await page.waitForSelector('#fresh-codes, [role=alert]:not([hidden])');
    expect(await page.locator('#fresh-codes').count()).toBe(1);
    const [credential] = (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
    await signOut(page);
    // With the original options, the browser would refuse the device. The test changes the options, so the server has
    // to refuse.
    await context.route('**/sign-in/passkey/options', async (route) => {
      const original = await route.fetch();
      const options = (await original.json()) as object;
      expect(options).toMatchObject({ userVerification: 'required' });
      expect(options).not.toHaveProperty('allowCredentials');
      await route.fulfill({
        response: original,
        json: {
          ...options,
          userVerification: 'discouraged',
          allowCredentials: [
            { type: 'public-key', id: Buffer.from(credential!.credentialId, 'base64').toString('base64url') },
          ],
        },
      });
    });
    await page.goto('/sign-in');
    await page.click('form[data-passkey] button');
    await waitFor(page, '/sign-in/passkey');
    expect(await page.textContent('main [role=alert]')).toContain('The passkey did not work');
    await signIn(page, account);
    await waitFor(page, '/sign-in/step');
    await page.click('form[data-passkey] button');
    await waitFor(page, '/account/events');
    await context.close();
  }, 240_000);

  // STEP-4
  it('cannot be used without scripts, but recovery codes can', async () => {
    const person = await server.person('bezskriptu');
    const account = await withPassword(server, person);
    const { context, page } = await openDevice();
    await signIn(page, account);
    await waitFor(page, '/account/events');
    await addPasskey(page, account.password);
    const [code = ''] = ((await page.textContent('#fresh-codes')) ?? '').trim().split('\n');
    const contextWithoutScripts = await browser.newContext({ baseURL: origin, javaScriptEnabled: false });
    const pageWithoutScripts = await contextWithoutScripts.newPage();
    await signIn(pageWithoutScripts, account);
    expect(await pageWithoutScripts.isVisible('form[data-passkey]')).toBe(false);
    await pageWithoutScripts.fill('#code', code);
    await pageWithoutScripts.click('form:has(#code) button');
    await waitFor(pageWithoutScripts, '/account/events');
    await contextWithoutScripts.close();
    await context.close();
  }, 240_000);
});
