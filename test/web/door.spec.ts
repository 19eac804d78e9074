import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityViolations, openBrowser, openBrowserWithCamera } from '#testing/browser';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { Cable } from '#testing/cable';
import { Clips } from '#testing/clips';
import { crowd } from '#testing/crowd';
import type { Person } from '#testing/people';
import { describeWith } from '#testing/requirements';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

const SCREENSHOT_FOLDER = process.env.WEB_SCREENSHOTS;
const CREDENTIALS = { email: 'jana@example.org', password: 'correct horse' };

/** Tests the rules of docs/rules/door.md for the page with which people are checked in at the door. */
describe('the door page', () => {
  let server: TestServer;
  let jana: Person;
  let people: Person[];
  let organizer: Visitor;
  beforeAll(async () => {
    server = await TestServer.start();
    jana = await server.person('jana', CREDENTIALS);
    people = await crowd(server, 12);
    organizer = new Visitor(server);
    await organizer.submit('/sign-in', CREDENTIALS);
  });
  afterAll(() => server.stop());

  // DOOR-15, DATA-10
  it('shows a deleted account as “Deleted account” in the language of the reader, with and without scripts', async () => {
    const gone = await server.person('odesla');
    const { id } = await buildEvent(server, jana, { with: [[gone, 'confirmed']] });
    await server.sql(`UPDATE users SET name = 'deleted', slug = 'deleted-00000000000000000001' WHERE id = $1`, [
      gone.userId,
    ]);
    const { html } = await organizer.get(`/events/${id}/door`);
    expect([/<span class="who">Smazaný účet</.test(html), html.includes('>deleted<')]).toEqual([true, false]);
    expect(html).toContain('&quot;person_gone&quot;:&quot;Smazaný účet&quot;');
  });

  // DOOR-15
  it('lists people without a confirmed seat separately, at the end', async () => {
    const [waiting, going] = [await server.person('ceka'), await server.person('jde')];
    const { id } = await buildEvent(server, jana, {
      with: [
        [waiting, 'waitlisted'],
        [going, 'confirmed'],
      ],
    });
    const [first, last] = (await organizer.get(`/events/${id}/door`)).html.split('id="door-others"');
    expect([first?.includes(`>${going.name}<`), first?.includes(`>${waiting.name}<`)]).toEqual([true, false]);
    expect(last).toMatch(new RegExp(`Bez potvrzeného místa[^]*>${waiting.name}<`));
    expect((await organizer.get(`/events/${(await buildEvent(server, jana)).id}/door`)).html).toMatch(
      /id="door-others" hidden/,
    );
  });

  // DOOR-15
  it('shows a note in a browser without scripts if nobody is expected yet', async () => {
    const { id } = await buildEvent(server, jana);
    expect((await organizer.get(`/events/${id}/door`)).html).toContain(
      '<noscript><p class="empty">Zatím nikdo.</p></noscript>',
    );
  });

  const party = (title = 'Večírek <b>'): Promise<BuiltEvent> =>
    buildEvent(server, jana, { title, with: people.map((who) => [who, 'confirmed'] as const) });

  // DOOR-15
  it('is visible only to the organizer, lists the participants even without scripts, and loads nothing from other hosts', async () => {
    const event = await party();
    const signedOut = await new Visitor(server).get(`/events/${event.id}/door`);
    expect([signedOut.status, signedOut.to]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(`/events/${event.id}/door`)}`,
    ]);
    const { status, html, headers } = await organizer.get(`/events/${event.id}/door`);
    expect([status, html.includes('Večírek &lt;b&gt;'), html.includes(people[0]!.name)]).toEqual([200, true, true]);
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe/);
    for (const [, src] of html.matchAll(/<script[^>]* src="([^"]+)"/g)) expect(src).toMatch(/^\/web\//);
    const worker = await organizer.get(`/events/${event.id}/door/worker.js`);
    expect([worker.status, worker.headers.get('service-worker-allowed')]).toEqual([200, `/events/${event.id}/door`]);
    const stranger = new Visitor(server);
    await server.person('petr', { email: 'petr@example.org', password: 'correct horse' });
    await stranger.submit('/sign-in', { email: 'petr@example.org', password: 'correct horse' });
    expect([
      (await stranger.get(`/events/${event.id}/door`)).status,
      (await organizer.get('/events/nowhereatall/door')).status,
    ]).toEqual([404, 404]);
    expect([
      (await stranger.get(`/events/${event.id}/door/pack`)).status,
      (await new Visitor(server).get(`/events/${event.id}/door/pack`)).status,
    ]).toEqual([403, 401]);
    expect((await organizer.post(`/events/${event.id}/door/scans`, { device: 'a', scans: '[]' })).status).toBe(403);
  });

  describeWith('chromium-headless-shell', 'in a browser', () => {
    let browser: Browser;
    let cable: Cable;
    beforeAll(async () => {
      browser = await openBrowser();
      cable = await Cable.to(server.origin);
    });
    afterAll(async () => {
      await browser?.close();
      await cable?.remove();
    });

    /** Opens the door page as the organizer. */
    async function openSignedIn(page: Page, event: BuiltEvent): Promise<void> {
      await organizer.copyCookiesTo(page.context());
      await page.goto(`/events/${event.id}/door`);
    }

    /** Opens the door page on the organizer’s phone, and waits until the page can be used offline. */
    async function openOnPhone(
      event: BuiltEvent,
      options: Parameters<Browser['newContext']>[0] = {},
      on: Browser = browser,
    ): Promise<{ context: BrowserContext; page: Page; problems: string[] }> {
      const context = await on.newContext({
        baseURL: cable.origin,
        locale: 'cs-CZ',
        viewport: { width: 375, height: 760 },
        ...options,
      });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on(
        'console',
        (message) => void (/Content Security Policy/.test(message.text()) && problems.push(message.text())),
      );
      page.on('pageerror', (error) => problems.push(error.message));
      await openSignedIn(page, event);
      await page.waitForSelector('#door[data-ready=yes]');
      return { context, page, problems };
    }
    /**
     * Enters a code without the mouse. `by`: `type` presses each key, which is slow; `insertText` enters the whole text
     * at once.
     */
    async function enter(page: Page, code: string, by: 'type' | 'insertText' = 'insertText'): Promise<void> {
      const before = await page.getAttribute('#door', 'data-waiting');
      await page.focus('#door-code');
      await page.keyboard[by](code.toLowerCase());
      await page.keyboard.press('Enter');
      await page.waitForSelector(`#door:not([data-waiting="${before}"])`, { state: 'attached' });
    }
    const waitUntilSent = (page: Page) =>
      page.waitForSelector('#door[data-waiting="0"]', { timeout: 30_000, state: 'attached' });

    // DOOR-15, DOOR-16, DOOR-9
    it('lets two phones check in 12 people offline, and gives both phones the same final state', async () => {
      const event = await party('Zahradní slavnost');
      const codes = await Promise.all(
        people.map(
          async (who) => (await who.api.get(`/discover/events/${event.id}`)).body.data.viewer.check_in_code as string,
        ),
      );
      const [one, other] = [await openOnPhone(event), await openOnPhone(event)];
      cable.cut();
      // The page is reloaded offline, as on a phone that was locked. The service worker must return the page.
      await one.page.reload();
      await one.page.waitForSelector('#door-form:not([hidden])');
      await enter(one.page, codes[0]!, 'type');
      for (const code of codes.slice(1, 8)) await enter(one.page, code);
      for (const code of codes.slice(4)) await enter(other.page, code);
      // One check-in is undone in the list of names, with the keyboard only.
      await other.page.focus(`button[data-slug="${people[11]!.slug}"]`);
      await other.page.keyboard.press('Enter');
      await other.page.waitForSelector('#door[data-waiting="9"]', { state: 'attached' });
      expect([await one.page.getAttribute('#door', 'data-waiting'), await one.page.textContent('#door-count')]).toEqual(
        ['8', 'Uvnitř 8/12'],
      );
      const inside = async () =>
        (await jana.api.get(`/events/${event.id}/participants?per_page=100`)).body.data.filter(
          (row: { checked_in_at: string | null }) => row.checked_in_at !== null,
        ).length as number;
      expect(await inside()).toBe(0);
      if (SCREENSHOT_FOLDER) await one.page.screenshot({ path: `${SCREENSHOT_FOLDER}/door-offline.png` });
      cable.reconnect();
      await Promise.all([waitUntilSent(one.page), waitUntilSent(other.page)]);
      expect(await inside()).toBe(11);
      for (const { page } of [one, other]) {
        await page.reload();
        await page.waitForSelector('#door-count:has-text("Uvnitř 11/12")');
      }
      expect([one.problems, other.problems]).toEqual([[], []]);
      for (const { context } of [one, other]) await context.close();
    }, 180_000);

    // DOOR-16
    it('opens the stored page while a proxy in front of the server returns 502', async () => {
      const { context, page } = await openOnPhone(await party('Vadná brána'));
      const gateway = createServer((_request, response) => void response.writeHead(502).end('Bad Gateway'));
      await new Promise<void>((resolve) => void gateway.listen(0, '127.0.0.1', resolve));
      try {
        cable.cut();
        cable.connectTo(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}`);
        cable.reconnect();
        await page.reload();
        await page.waitForSelector('#door-form:not([hidden])');
      } finally {
        cable.connectTo(server.origin);
        await context.close();
        gateway.close();
      }
    }, 60_000);

    // DOOR-2, DOOR-15, DOOR-16
    it('reads QR codes with the camera, without a network', async () => {
      const event = await party('Koncert');
      const folder = await mkdtemp(join(tmpdir(), 'door-video-'));
      const guests = people.slice(0, 2);
      const pictures = await Promise.all(
        guests.map(async (who, i) => {
          const picture = await fetch(`${server.origin}/api/v1/events/${event.id}/my-code.png`, {
            headers: { authorization: `Bearer ${who.token}` },
          });
          await writeFile(join(folder, `${i}.png`), Buffer.from(await picture.arrayBuffer()));
          return ['-loop', '1', '-framerate', '5', '-t', '1', '-i', join(folder, `${i}.png`)];
        }),
      );
      // The video shows each code for a second on a grey background.
      const segments = guests.map((_, i) => `[${i}:v]scale=300:300,pad=640:480:170:90:gray,setsar=1[p${i}]`);
      const video = await new Clips(folder).write('door.y4m', [
        ...pictures.flat(),
        '-filter_complex',
        `${segments.join(';')};[p0][p1]concat=n=2`,
        '-pix_fmt',
        'yuv420p',
      ]);
      const withCamera = await openBrowserWithCamera(video);
      try {
        const { context, page, problems } = await openOnPhone(event, { permissions: ['camera'] }, withCamera);
        cable.cut();
        await page.click('#door-camera');
        await page.waitForSelector('#door-count:has-text("Uvnitř 2/12")', { timeout: 60_000 });
        expect(await page.isVisible('#door-video')).toBe(true);
        if (SCREENSHOT_FOLDER) await page.screenshot({ path: `${SCREENSHOT_FOLDER}/door-camera.png` });
        // The video starts again at its end. A second scan of the same code changes nothing.
        await page.waitForSelector('#door-result.bad:has-text("už")', { timeout: 60_000 });
        await page.click('#door-camera');
        expect(await page.isVisible('#door-video')).toBe(false);
        cable.reconnect();
        await waitUntilSent(page);
        const rows = (await jana.api.get(`/events/${event.id}/participants?per_page=100`)).body.data as {
          user: { slug: string };
          checked_in_at: string | null;
        }[];
        expect(
          rows
            .filter((row) => row.checked_in_at !== null)
            .map((row) => row.user.slug)
            .sort(),
        ).toEqual(guests.map((who) => who.slug).sort());
        expect(problems).toEqual([]);
        await context.close();
      } finally {
        cable.reconnect();
        await withCamera.close();
        await rm(folder, { recursive: true });
      }
    }, 240_000);

    // DOOR-15
    it('shows a message if no name matches the search, the camera cannot read codes, the server is busy, or the event is gone', async () => {
      const event = await party('Zmizelý bál');
      const context = await browser.newContext({ baseURL: server.origin, locale: 'cs-CZ', serviceWorkers: 'block' });
      // The browser has a camera, but cannot read QR codes itself, and cannot load the library that reads them.
      await context.addInitScript(`
        delete window.BarcodeDetector;
        window.streams = [];
        navigator.mediaDevices.getUserMedia = async () => {
          const canvas = document.createElement('canvas');
          const picture = canvas.getContext('2d');
          setInterval(() => picture.fillRect(0, 0, canvas.width, canvas.height), 50);
          streams.push(canvas.captureStream());
          return streams.at(-1);
        };`);
      await context.route('**/web/jsqr.js', (route) => route.abort());
      const page = await context.newPage();
      await openSignedIn(page, event);
      await page.waitForSelector('#door-people button');
      await page.fill('#door-search', 'nikdo takový');
      await page.waitForSelector('#door-nobody:has-text("Nikoho takového jsme nenašli.")');
      await page.fill('#door-search', '');
      expect(await page.isVisible('#door-nobody')).toBe(false);
      // The second press comes while the camera starts.
      await page.evaluate(`const camera = document.getElementById('door-camera'); camera.click(); camera.click();`);
      await page.waitForSelector('#door-result:has-text("Čtečku kódů se nepodařilo načíst")');
      expect(await page.isVisible('#door-video')).toBe(false);
      expect(await page.evaluate('streams.map(({ active }) => active)')).toEqual([false]);
      await page.route('**/door/scans', (route) => route.fulfill({ status: 503 }));
      await enter(page, 'YYYY-YYYY');
      await page.waitForSelector('#door-sync:has-text("Server má právě moc práce.")');
      await page.unroute('**/door/scans');
      await server.sql('UPDATE all_events SET removed_at = now() WHERE id = $1', [event.eventId]);
      await enter(page, 'ZZZZ-ZZZZ');
      await page.waitForSelector('#door-sync:has-text("Tato akce už není dostupná.")');
      await context.close();
    }, 60_000);

    // DOOR-16
    it('remembers who is inside, even if the network fails after the scans were sent and before the pack (the list of participants) is loaded again', async () => {
      const event = await party('Slabý signál');
      // In this time zone it is 5 o'clock (perhaps 6 at the end of the test).
      const timezone = zoneAtFive(server.clock.now());
      await server.sql('UPDATE users SET timezone = $2 WHERE id = $1', [jana.userId, timezone]);
      const code = (await people[0]!.api.get(`/discover/events/${event.id}`)).body.data.viewer.check_in_code as string;
      const context = await browser.newContext({ baseURL: server.origin, locale: 'cs-CZ', serviceWorkers: 'block' });
      const page = await context.newPage();
      await openSignedIn(page, event);
      await page.waitForSelector('#door-people button');
      await page.route('**/door/pack', (route) => route.abort());
      const enterCode = async () => {
        await page.fill('#door-code', code);
        await page.press('#door-code', 'Enter');
      };
      await enterCode();
      await page.waitForSelector('#door[data-waiting="0"] #door-sync:has-text("Bez spojení")');
      await page.waitForSelector('#door-count:has-text("Uvnitř 1/12")');
      await enterCode();
      await page.waitForSelector('#door-result.bad:text-matches("už je uvnitř od [56]:")');
      await context.close();
      await server.sql('UPDATE users SET timezone = $2 WHERE id = $1', [jana.userId, 'Europe/Prague']);
    }, 60_000);

    // DOOR-16
    it('sends the scans of a refused batch once more, one by one, so that only the invalid scan is refused', async () => {
      const event = await party('Zkažený sken');
      const context = await browser.newContext({ baseURL: server.origin, locale: 'cs-CZ', serviceWorkers: 'block' });
      const page = await context.newPage();
      await openSignedIn(page, event);
      await page.waitForSelector('#door-people button');
      await page.route('**/door/scans', (route) => route.abort());
      for (const { slug } of people.slice(0, 5)) {
        const before = await page.getAttribute('#door', 'data-waiting');
        if (before === '4') await page.evaluate(`Date.prototype.toISOString = () => 'no time'`);
        await page.click(`button[data-slug="${slug}"]`);
        await page.waitForSelector(`#door:not([data-waiting="${before}"])`, { state: 'attached' });
      }
      await page.unroute('**/door/scans');
      const statuses: number[] = [];
      page.on('response', (response) => {
        if (response.url().endsWith('/door/scans')) statuses.push(response.status());
      });
      await waitUntilSent(page);
      await page.waitForSelector('#door-count:has-text("Uvnitř 4/12")');
      expect(statuses).toEqual([422, 200, 200, 200, 200, 422]);
      await context.close();
    }, 60_000);

    // DOOR-22, DOOR-23
    it('deletes the names from the phone of a helper whose link has ended, even if scans are still waiting to be sent, and then accepts a new link', async () => {
      const event = await party('Ples');
      const links = `/events/${event.id}/door/links`;
      const { id, url } = (await jana.api.post(links, { name: 'Brána' })).body.data as { id: string; url: string };
      const context = await browser.newContext({ baseURL: cable.origin, locale: 'cs-CZ' });
      const page = await context.newPage();
      await page.goto(new URL(url).pathname + new URL(url).hash);
      await page.waitForSelector('#door[data-ready=yes]');
      await page.waitForSelector('#door-people li');
      expect(await page.textContent('#door-event')).toBe('Ples');
      cable.cut();
      await enter(page, 'ZZZZ-ZZZZ');
      await jana.api.delete(`${links}/${id}`);
      cable.reconnect();
      await page.waitForSelector('#door-people:empty', { state: 'attached', timeout: 30_000 });
      expect(await page.isVisible('#door-event')).toBe(false);
      await page.reload();
      await page.waitForSelector('#door-form:not([hidden])');
      await page.waitForSelector('#door-people:empty', { state: 'attached' });
      // In the same tab, a new door link works. Afterwards, the skip link puts `#content` where the secret was in the
      // address. The page must not take `content` for a secret.
      const { url: newUrl } = (await jana.api.post(links, { name: 'Vchod' })).body.data as { url: string };
      await page.goto(new URL(newUrl).pathname + new URL(newUrl).hash);
      await page.waitForSelector('#door-people li');
      await page.goto(new URL(newUrl).pathname + '#content');
      await page.reload();
      await page.waitForSelector('#door[data-ready=yes]');
      expect(await page.locator('#door-people li').count()).toBe(people.length);
      await context.close();
    }, 90_000);

    // DOOR-15
    it('is accessible and fits on a phone in both colour schemes', async () => {
      const { context, page } = await openOnPhone(await party('Vernisáž'));
      await enter(page, 'ZZZZ-ZZZZ');
      expect(await page.textContent('#door-result')).toBe('Tento kód na této akci nikdo nemá');
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect([colorScheme, await accessibilityViolations(page)]).toEqual([colorScheme, []]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        if (SCREENSHOT_FOLDER) await page.screenshot({ path: `${SCREENSHOT_FOLDER}/door-${colorScheme}.png` });
      }
      await context.close();
    }, 60_000);
  });
});

/**
 * A time zone in which it is between 5 and 6 o'clock. The sign in the names `Etc/GMT…` is the opposite of the usual
 * sign: a zone with a minus is ahead of UTC.
 */
function zoneAtFive(now: Date): string {
  const ahead = (5 - now.getUTCHours() + 24) % 24;
  return ahead > 12 ? `Etc/GMT+${24 - ahead}` : `Etc/GMT-${ahead}`;
}
