import type { Browser, BrowserContext, Page } from 'playwright-core';
import { barriers, openBrowser } from '#testing/browser';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import { picture } from '#testing/media';
import { clientOf, type Person } from '#testing/people';
import { describeWith } from '#testing/requirements';
import { TestServer } from '#testing/test-server';

const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 900 } } as const;
/** Where pictures of the pages go, to be looked at; none are taken without it. */
const SHOTS = process.env.WEB_SCREENSHOTS;

/** The pages in a real browser: with scripts and without, on a phone and on a desk, by mouse and by keyboard. */
describeWith('chromium', 'the pages in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let jana: Person;
  let paths: Record<string, string>;

  beforeAll(async () => {
    server = await TestServer.start({ demoData: true });
    browser = await openBrowser();
    jana = await server.person('jana');
    const event = await buildEvent(server, jana, {
      title: 'Letní piknik ve Stromovce', description: '<p>Přineste si <b>deku</b> a něco dobrého.</p><ul><li>hry</li><li>hudba</li></ul>', location_name: 'Stromovka',
      location_address: 'Královská obora, Praha 7', latitude: 50.106, longitude: 14.424, max_participants: 20, price_czk: 50,
    });
    for (let i = 0; i < 3; i++) await jana.api.upload(`/events/${event.id}/images`, [['images[]', new Blob([await picture('jpeg', { width: 1200, height: 800 })])]]);
    await jana.api.put(`/events/${event.id}/itinerary`, { title: 'Program pikniku', is_public: true, stops: [{ title: 'Sraz u vstupu', location_name: 'Výstaviště', latitude: 50.1, longitude: 14.43, duration_minutes: 20 }, { title: 'Piknik', notes: 'Deky s sebou.' }] });
    const group = await buildGroup(server, jana, { name: 'Turisti z Brna', description: 'Chodíme na výlety každou druhou sobotu.' });
    const invite = (await jana.api.post(`/groups/${group.id}/invite-link`)).body.data.url as string;
    const post = (await jana.api.post('/posts', { title: 'Týden na kole podél Labe', categories: ['kolo'], body: '<h2>Den první</h2><p>Vyjeli jsme brzy ráno.</p><blockquote>Vítr v zádech.</blockquote>', status: 'published', location: 'Polabí', event_id: event.id })).body.data.url as string;
    paths = {
      home: '/', register: '/register', 'sign-in': '/sign-in', event: `/events/${event.id}`, itinerary: `/events/${event.id}/itinerary`, group: `/groups/${group.id}`,
      invite: new URL(invite).pathname, post: new URL(post).pathname, person: `/people/${jana.slug}`, missing: '/events/nowhereatall',
    };
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** A fresh visitor; whatever the page asks for from elsewhere, and whatever its policy refuses, is noted. */
  async function visit(options: Parameters<Browser['newContext']>[0] = {}): Promise<{ context: BrowserContext; page: Page; trouble: string[] }> {
    const context = await browser.newContext({ baseURL: server.origin, locale: 'cs-CZ', viewport: SIZES.desk, ...options });
    const page = await context.newPage();
    const trouble: string[] = [];
    // Stored files are linked at the public address; here the server listens elsewhere.
    await context.route('**/media/*', async (route) => {
      await route.fulfill({ response: await route.fetch({ url: server.origin + new URL(route.request().url()).pathname }) });
    });
    page.on('request', (request) => {
      const { origin } = new URL(request.url());
      if (origin !== server.origin && !request.url().includes('/media/')) trouble.push(request.url());
    });
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) trouble.push(message.text());
    });
    page.on('pageerror', (error) => trouble.push(error.message));
    return { context, page, trouble };
  }

  async function shoot(page: Page, name: string): Promise<void> {
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
  }

  async function register(page: Page, email: string): Promise<void> {
    await page.goto('/register');
    await page.fill('#name', 'Nová Návštěvnice');
    await page.fill('#email', email);
    await page.fill('#password', 'correct horse');
    await page.click('main button');
    await page.waitForURL('**/account/api');
  }

  it('lead a newcomer from the front page to a token, a first request, and back out of it', async () => {
    const { context, page, trouble } = await visit();
    await page.goto('/');
    await page.click('main a.button');
    await register(page, 'novacek@example.org');
    await page.fill('#name', 'moje aplikace');
    await page.selectOption('#access', 'write');
    await page.click('main form:has(#access) button');
    const token = (await page.textContent('#fresh-token'))?.trim() ?? '';
    expect(await page.textContent('#fresh-curl')).toContain(`/api/v1/user -H 'Accept: application/json' -H 'Authorization: Bearer ${token}'`);
    await page.click('button[data-try]');
    await page.waitForSelector('#fresh-answer:not([hidden])');
    expect(await page.textContent('#fresh-answer')).toMatch(/^200\n[^]*"name": "Nová Návštěvnice"/);
    await shoot(page, 'token-fresh');

    const api = clientOf(server, token);
    expect((await api.get('/user')).body.data.slug).toMatch(/^nova-navstevnice/);
    await page.goto('/account/api');
    expect(await page.content()).not.toContain(token);
    await page.click('main a.danger');
    await page.click('main button.danger');
    await page.waitForURL('**/account/api?revoked');
    expect((await api.get('/user')).status).toBe(401);
    expect(trouble).toEqual([]);
    await context.close();
  }, 60_000);

  it('copy the token by a click', async () => {
    const { context, page } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    await register(page, 'kopie@example.org');
    await page.fill('#name', 'x');
    await page.click('main form:has(#access) button');
    await page.click('button[data-copy="fresh-token"]');
    await page.waitForSelector('text=Zkopírováno');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await page.textContent('#fresh-token'));
    await context.close();
  }, 60_000);

  // PAGE-17
  it('work without scripts', async () => {
    const { context, page } = await visit({ javaScriptEnabled: false });
    await register(page, 'bezskriptu@example.org');
    await page.fill('#name', 'x');
    await page.click('main form:has(#access) button');
    expect((await clientOf(server, (await page.textContent('#fresh-token'))?.trim() ?? '').get('/user')).status).toBe(200);
    expect(await page.isVisible('button[data-copy]')).toBe(false);
    await context.close();
  }, 60_000);

  // PAGE-17
  it('are used by the keyboard alone', async () => {
    const { context, page } = await visit();
    await page.goto('/register');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    for (const text of ['Klára', 'klavesnice@example.org', 'correct horse']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account/api');
    const focused = () => page.evaluate<string>('document.activeElement === document.body ? "" : document.activeElement.id || document.activeElement.textContent');
    const tabTo = async (what: string) => {
      for (let i = 0; i < 30 && !(await focused()).includes(what); i++) await page.keyboard.press('Tab');
      expect(await focused()).toContain(what);
      const { style, width } = (await page.evaluate<{ style: string; width: string }>(
        '(({ outlineStyle: style, outlineWidth: width }) => ({ style, width }))(getComputedStyle(document.activeElement))',
      ));
      expect({ style, width }).toEqual({ style: 'solid', width: '3px' });
    };
    await tabTo('name');
    await page.keyboard.type('klávesnice');
    await tabTo('access');
    await page.keyboard.press('ArrowDown');
    await tabTo('Vytvořit token');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#fresh-token');
    const api = clientOf(server, (await page.textContent('#fresh-token'))?.trim() ?? '');
    expect((await api.get('/user')).body.data.token.abilities).toEqual(['read', 'write']);
    await tabTo('Zrušit');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/revoke');
    await tabTo('Zrušit');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account/api?revoked');
    expect((await api.get('/user')).status).toBe(401);
    await context.close();
  }, 60_000);

  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      // PAGE-17
      it(`keep nobody out, and fit on a ${size}, ${colorScheme}`, async () => {
        const { context, page, trouble } = await visit({ viewport, colorScheme });
        const look = async (name: string) => {
          expect([name, await barriers(page)]).toEqual([name, []]);
          expect([name, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([name, true]);
          await shoot(page, `${name}-${size}-${colorScheme}`);
        };
        for (const [name, path] of Object.entries(paths)) {
          await page.goto(path);
          await look(name);
        }
        await register(page, `${size}-${colorScheme}@example.org`);
        await page.fill('#name', 'Aplikace s opravdu dlouhým názvem');
        await page.click('main form:has(#access) button');
        await look('api');
        await page.goto('/account');
        await look('profile');
        await page.fill('#iban', 'CZ00');
        await page.click('main form:has(#iban) button');
        await look('profile-wrong');
        await page.goto(paths.invite as string);
        await look('invite-signed-in');
        expect(trouble).toEqual([]);
        await context.close();
      }, 120_000);
    }
  }
});
