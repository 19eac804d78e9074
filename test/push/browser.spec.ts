import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext } from 'playwright-core';
import { PushSending } from '#areas/push/push-sending';
import { accessibilityViolations, openBrowserWithPush, SIZES } from '#testing/browser';
import { buildEvent } from '#testing/builders';
import { PushService } from '#testing/push-service';
import { PushSubscriber } from '#testing/push-subscriber';
import { describeWith } from '#testing/requirements';
import { TestServer } from '#testing/test-server';

/** The folder for screenshots of the page. If it is not set, no screenshots are taken. */
const SCREENSHOT_FOLDER = process.env.WEB_SCREENSHOTS;

/**
 * Tests the button that turns messages on, and the service worker. Chromium cannot subscribe without Google's push
 * service, so the test replaces `PushManager.subscribe`.
 */
describeWith('chromium', 'push messages in a browser', () => {
  let server: TestServer;
  let service: PushService;
  let browser: Browser;
  beforeAll(async () => {
    server = await TestServer.start({ webhooksAllowPrivate: true, smtpUrl: 'smtp://127.0.0.1:1' });
    service = await PushService.open();
    browser = await openBrowserWithPush();
  });
  afterAll(async () => {
    await browser.close();
    service.close();
    await server.stop();
  });

  async function signedIn(context: BrowserContext, { email }: PushSubscriber) {
    const page = await context.newPage();
    await page.goto(`${server.origin}/sign-in`);
    await page.fill('input[name=email]', email);
    await page.fill('input[name=password]', 'correct horse');
    await page.press('input[name=password]', 'Enter');
    await page.waitForURL('**/account/**');
    return page;
  }

  // PUSH-1, PUSH-9
  it('are turned on with a button, and shown by the service worker even if they cannot be parsed', async () => {
    const jana = await PushSubscriber.open(server, 'jana', { locale: 'cs' });
    const context = await browser.newContext({ locale: 'cs-CZ', permissions: ['notifications'] });
    const pushTarget = service.browser();
    await context.addInitScript(`(() => {
      let current = null;
      PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
        sessionStorage.setItem('options', JSON.stringify({ userVisibleOnly, bytes: applicationServerKey.length }));
        return (current = { toJSON: () => (${JSON.stringify(pushTarget.subscription)}) });
      };
    })()`);
    const page = await signedIn(context, jana);
    await page.goto(`${server.origin}/account/notices`);
    await page.click('text=Zapnout v tomto prohlížeči');
    await page.waitForSelector('text=Oznámení v tomto prohlížeči jsou zapnutá.');
    expect(await page.evaluate("sessionStorage.getItem('options')")).toBe('{"userVisibleOnly":true,"bytes":65}');
    expect(await jana.listedIds()).toHaveLength(1);
    const org = await server.person('org');
    const { id } = await buildEvent(server, org, { title: 'Piknik' });
    await org.api.post(`/events/${id}/participants`, { user: jana.person.slug });
    await server.app.get(PushSending).drain();
    const devtools = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const own = registrations.find(({ scopeURL }) => scopeURL === `${server.origin}/`);
        if (own) resolve(own.registrationId);
      });
    });
    await devtools.send('ServiceWorker.enable');
    const registrationId = await registered;
    const shown = () =>
      page.evaluate<{ title: string }[]>(`navigator.serviceWorker.getRegistration()
        .then((registration) => registration.getNotifications())
        .then((all) => all.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url })))`);
    /**
     * Chromium sometimes drops a message that DevTools delivers. So this function delivers the message repeatedly until
     * it is shown.
     */
    const deliver = async (data: string, isShown: (all: { title: string }[]) => boolean) => {
      const end = Date.now() + 60_000;
      for (;;) {
        await devtools.send('ServiceWorker.deliverPushMessage', { origin: server.origin, registrationId, data });
        for (let n = 0; n < 40; n++) {
          const all = await shown();
          if (isShown(all)) return all;
          await pause(50);
        }
        if (Date.now() > end) throw new Error(`not shown: ${data}; shown: ${JSON.stringify(await shown())}`);
      }
    };
    const message = pushTarget.message() as { title: string; tag: string };
    const newer = { ...message, title: 'A newer message about the same notice' };
    const showsTitle = (title: string) => (all: { title: string }[]) => all.some((one) => one.title === title);
    expect(await deliver(JSON.stringify(message), showsTitle(message.title))).toEqual([message]);
    // A message about the same notice replaces the shown message. A message that cannot be parsed is also shown.
    expect(await deliver(JSON.stringify(newer), showsTitle(newer.title))).toEqual([newer]);
    const host = new URL(server.origin).host;
    expect(await deliver('nonsense', showsTitle(host))).toContainEqual(newer);
    await context.close();
  }, 240_000);

  // PUSH-1
  it('are chosen on a page that is accessible and not wider than the window, in light and dark mode', async () => {
    const petr = await PushSubscriber.open(server, 'petr', { locale: 'cs' });
    for (let n = 0; n < 2; n++) await petr.subscribe(service.browser());
    const context = await browser.newContext({ locale: 'cs-CZ' });
    const page = await signedIn(context, petr);
    await page.goto(`${server.origin}/account/notices`);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const viewport of [SIZES.desk, SIZES.phone]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        if (SCREENSHOT_FOLDER)
          await page.screenshot({
            path: `${SCREENSHOT_FOLDER}/push-${viewport.width}-${colorScheme}.png`,
            fullPage: true,
          });
        expect([colorScheme, viewport, await accessibilityViolations(page)]).toEqual([colorScheme, viewport, []]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      }
    await context.close();
  }, 240_000);

  // PUSH-1
  it('are described as unsupported if the browser runs no scripts', async () => {
    const eva = await PushSubscriber.open(server, 'eva', { locale: 'cs' });
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'cs-CZ' });
    const page = await signedIn(context, eva);
    await page.goto(`${server.origin}/account/notices`);
    expect(await page.isVisible('text=Tento prohlížeč oznámení neumí')).toBe(true);
    expect(await page.isVisible('[data-push-key]')).toBe(false);
    await context.close();
  });
});
