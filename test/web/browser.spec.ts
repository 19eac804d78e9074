import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Settings } from '#platform/config/settings';
import { expectAccessiblePage, openBrowser, SIZES, takeScreenshot } from '#testing/browser';
import { browserOf, withPassword } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import { picture } from '#testing/media';
import { clientOf, type Person } from '#testing/people';
import { describeWith } from '#testing/requirements';
import { TestServer } from '#testing/test-server';
import { soon } from '#testing/times';
import { Visitor } from '#testing/visitor';
import { Weight } from '#testing/weight';

/** Tests the pages in a browser: with and without scripts, on a phone and on a desktop, with mouse and keyboard. */
describeWith('chromium-headless-shell', 'the pages in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let jana: Person;
  let paths: Record<string, string>;

  beforeAll(async () => {
    server = await TestServer.start({ demoData: true });
    // Links to stored files contain the public address, but the server of this test listens at another address.
    const { host } = new URL(server.app.get(Settings).baseUrl);
    browser = await openBrowser([`--host-resolver-rules=MAP ${host} ${new URL(server.origin).host}`]);
    jana = await server.person('jana');
    const event = await buildEvent(server, jana, {
      title: 'Letní piknik ve Stromovce',
      description: '<p>Přineste si <b>deku</b> a něco dobrého.</p><ul><li>hry</li><li>hudba</li></ul>',
      location_name: 'Stromovka',
      location_address: 'Královská obora, Praha 7',
      latitude: 50.106,
      longitude: 14.424,
      max_participants: 20,
      price_czk: 50,
    });
    const photo = new Blob([await picture('jpeg', { width: 900, height: 600 })]);
    await jana.api.upload(
      `/events/${event.id}/images`,
      Array.from({ length: 3 }, () => ['images[]', photo] as const),
    );
    await jana.api.put(`/events/${event.id}/itinerary`, {
      title: 'Program pikniku',
      is_public: true,
      stops: [
        { title: 'Sraz u vstupu', location_name: 'Výstaviště', latitude: 50.1, longitude: 14.43, duration_minutes: 20 },
        { title: 'Piknik', notes: 'Deky s sebou.' },
      ],
    });
    const group = await buildGroup(server, jana, {
      name: 'Turisti z Brna',
      description: 'Chodíme na výlety každou druhou sobotu.',
    });
    const invite = (await jana.api.post(`/groups/${group.id}/invite-link`)).body.data.url as string;
    const post = (
      await jana.api.post('/posts', {
        title: 'Týden na kole podél Labe',
        categories: ['kolo'],
        body: '<h3>Den první</h3><p>Vyjeli jsme brzy ráno.</p><blockquote>Vítr v zádech.</blockquote>',
        status: 'published',
        location: 'Polabí',
        event_id: event.id,
      })
    ).body.data.url as string;
    const series = (
      await jana.api.post('/series', {
        title: 'Ranní běh',
        starts_at: soon(3),
        frequency: 'weekly',
        interval: 1,
        occurrences_limit: 4,
        is_public: true,
      })
    ).body.data.id as string;
    await jana.api.post(`/events/${event.id}/comments`, { body: 'Vezmu frisbee. Kdo se přidá?' });
    await jana.api.upload(`/events/${event.id}/photos`, [['photos[]', photo]]);
    paths = {
      home: '/',
      found: '/?q=piknik&price=paid&lat=50.1&lng=14.4&radius_km=50',
      nonsense: '/?lat=x&type=y',
      nothing: '/?q=nicnenajdes',
      groups: '/groups',
      posts: '/posts',
      series: `/series/${series}`,
      register: '/register',
      'sign-in': '/sign-in',
      event: `/events/${event.id}`,
      itinerary: `/events/${event.id}/itinerary`,
      group: `/groups/${group.id}`,
      invite: new URL(invite).pathname,
      post: new URL(post).pathname,
      person: `/people/${jana.slug}`,
      missing: '/events/nowhereatall',
    };
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /**
   * Opens an empty tab for a new visitor. `problems` collects script errors, requests to other hosts (except for stored
   * files) and violations of the content security policy.
   */
  async function visit(
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<{ context: BrowserContext; page: Page; problems: string[] }> {
    const context = await browser.newContext({
      baseURL: server.origin,
      locale: 'cs-CZ',
      viewport: SIZES.desk,
      ...options,
    });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('request', (request) => {
      const { origin } = new URL(request.url());
      if (origin !== server.origin && !request.url().includes('/media/')) problems.push(request.url());
    });
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    return { context, page, problems };
  }

  async function register(page: Page, email: string): Promise<void> {
    await page.goto('/register');
    await page.fill('#name', 'Nová Návštěvnice');
    await page.fill('#email', email);
    await page.fill('#password', 'correct horse');
    await page.click('main button');
    await page.waitForURL('**/account/events');
  }

  /** Registers an account, and opens an empty tab in which the account is signed in. */
  async function visitAs(email: string, options: Parameters<Browser['newContext']>[0] = {}): ReturnType<typeof visit> {
    const tab = await visit(options);
    await signUp(tab.context, email);
    return tab;
  }

  /** Registers an account, and signs the browser in by its cookies, because filling in the form is slow. */
  async function signUp(context: BrowserContext, email: string): Promise<void> {
    const visitor = new Visitor(server, { 'accept-language': 'cs-CZ' });
    await visitor.register(email, 'Nová Návštěvnice');
    await visitor.copyCookiesTo(context);
  }

  it('lead a new visitor from the front page to a token, a copy of the token in the clipboard and a first request, and let the visitor revoke the token', async () => {
    const { context, page, problems } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto('/');
    await page.click('header a[href$="/register"]');
    await register(page, 'novacek@example.org');
    await page.goto('/account/api');
    await page.fill('#name', 'moje aplikace');
    await page.selectOption('#access', 'write');
    await page.click('main form:has(#access) button');
    const token = (await page.textContent('#fresh-token'))?.trim() ?? '';
    expect(await page.textContent('#fresh-curl')).toContain(
      `/api/v1/user -H 'Accept: application/json' -H 'Authorization: Bearer ${token}'`,
    );
    await page.click('button[data-copy="fresh-token"]');
    await page.waitForSelector('text=Zkopírováno');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await page.textContent('#fresh-token'));
    await page.route('**/api/v1/user', (route) => route.abort());
    await page.click('button[data-try]');
    await page.waitForSelector('#fresh-answer:has-text("Server neodpověděl.")');
    await page.unroute('**/api/v1/user');
    await page.click('button[data-try]');
    await page.waitForSelector('#fresh-answer:has-text("200")');
    expect(await page.textContent('#fresh-answer')).toMatch(/^200\n[^]*"name": "Nová Návštěvnice"/);
    await takeScreenshot(page, 'token-fresh');

    const api = clientOf(server, token);
    expect((await api.get('/user')).body.data.slug).toMatch(/^nova-navstevnice/);
    await page.goto('/account/api');
    expect(await page.content()).not.toContain(token);
    await page.click('main a.danger');
    await page.click('main button.danger');
    await page.waitForURL('**/account/api?revoked');
    expect((await api.get('/user')).status).toBe(401);
    expect(problems).toEqual([]);
    await context.close();
  }, 240_000);

  // PAGE-17
  it('let a visitor register and create a token without scripts', async () => {
    const { context, page } = await visit({ javaScriptEnabled: false });
    await register(page, 'bezskriptu@example.org');
    await page.goto('/account/api');
    await page.fill('#name', 'x');
    await page.click('main form:has(#access) button');
    expect((await clientOf(server, (await page.textContent('#fresh-token'))?.trim() ?? '').get('/user')).status).toBe(
      200,
    );
    expect(await page.isVisible('button[data-copy]')).toBe(false);
    await context.close();
  }, 240_000);

  // PAGE-17
  it('have links, buttons and fields that are at least 44 pixels high on a touch screen; links in sentences may be smaller', async () => {
    const { context, page } = await visitAs('dotyk@example.org', {
      viewport: SIZES.phone,
      hasTouch: true,
      isMobile: true,
    });
    const small = `[...document.querySelectorAll('a, button, summary, select, label:has(input), input:not([type=hidden])')]
      .filter((one) => one.checkVisibility() && !one.closest('.skip, .unseen, .prose, .tile') && !one.matches('label input'))
      .filter((one) => ![...one.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
      .filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML)`;
    for (const path of [
      paths.event,
      paths.group,
      paths.post,
      paths.series,
      '/',
      '/groups',
      '/account',
      '/account/notices',
      '/events/new',
    ]) {
      await page.goto(path!);
      expect([path, await page.evaluate(small)]).toEqual([path, []]);
    }
    await context.close();
  }, 240_000);

  // PLACE-3
  it('show each of several places with the same name in one line', async () => {
    const { context, page } = await visit();
    for (const size of [SIZES.desk, SIZES.phone]) {
      await page.setViewportSize(size);
      await page.goto(`/?place=${encodeURIComponent('Nová Ves')}`);
      // The number of lines of each place.
      const lines = `[...document.querySelectorAll('.places label')].map((label) => {
        const range = document.createRange();
        range.selectNodeContents(label.lastChild);
        return range.getClientRects().length;
      })`;
      expect(new Set(await page.evaluate<number[]>(lines))).toEqual(new Set([1]));
    }
    await context.close();
  }, 240_000);

  // PAGE-104
  it('keep the join form at the bottom of a phone’s screen, in portrait and landscape; the form never covers the end of the page', async () => {
    const { id } = await buildEvent(server, jana, { join_mode: 'password', join_password: 'sezam' });
    const { context, page } = await visit({ viewport: SIZES.phone, hasTouch: true, isMobile: true });
    const { width, height } = SIZES.phone;
    const expectBar = async () => {
      for (const size of [SIZES.phone, { width: height, height: width }]) {
        await page.setViewportSize(size);
        await page.goto(`/events/${id}`);
        const bar = (await page.locator('.join-bar').boundingBox())!;
        expect([size, bar.y + bar.height]).toEqual([size, size.height]);
        expect(bar.height).toBeLessThan(size.height / 4);
        await page.evaluate('scrollTo(0, document.body.scrollHeight)');
        const footer = (await page.locator('footer').boundingBox())!;
        expect(footer.y + footer.height).toBeLessThanOrEqual(bar.y);
      }
    };
    await expectBar();
    await signUp(context, 'otoceny@example.org');
    await expectBar();
    expect(await page.locator('.join-bar input[name=password]').count()).toBe(1);
    await context.close();
  }, 240_000);

  // PAGE-106
  for (const javaScriptEnabled of [true, false])
    it(`show every entry of the navigation on a phone, some of them in a menu, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const { context, page } = await visitAs(`menu${javaScriptEnabled}@example.org`, {
        viewport: { width: 320, height: 640 },
        javaScriptEnabled,
      });
      await page.goto('/');
      const cutOff = `[...document.querySelectorAll('header nav')].filter((nav) => nav.scrollWidth > nav.clientWidth).length`;
      expect(await page.evaluate(cutOff)).toBe(0);
      // On a turned phone and on a tablet, the navigation is one row.
      for (const [width, height] of [
        [667, 375],
        [820, 1180],
      ] as const) {
        await page.setViewportSize({ width, height });
        expect([width, await page.evaluate(`document.querySelector('header').offsetHeight < 70`)]).toEqual([
          width,
          true,
        ]);
      }
      await page.setViewportSize({ width: 320, height: 640 });
      const signOut = page.locator('header form[action$="/sign-out"] button');
      expect(await signOut.isVisible()).toBe(false);
      await page.click('header button[popovertarget]');
      expect(await page.locator('#menu a').allInnerTexts()).toEqual(['Nová akce', 'Moje akce', 'Profil']);
      await signOut.click();
      await page.waitForSelector('header a[href$="/sign-in"]');
      await page.waitForLoadState('networkidle');
      await context.close();
    }, 240_000);

  // PAGE-17
  it('can be used with the keyboard only', async () => {
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
    await page.waitForURL('**/account/events');
    await page.goto('/account/api');
    const focused = () =>
      page.evaluate<string>(
        'document.activeElement === document.body ? "" : document.activeElement.id || document.activeElement.textContent',
      );
    const tabTo = async (what: string) => {
      for (let i = 0; i < 60 && !(await focused()).includes(what); i++) await page.keyboard.press('Tab');
      expect(await focused()).toContain(what);
      const { style, width } = await page.evaluate<{ style: string; width: string }>(
        '(({ outlineStyle: style, outlineWidth: width }) => ({ style, width }))(getComputedStyle(document.activeElement))',
      );
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
  }, 240_000);

  for (const javaScriptEnabled of [true, false]) {
    // PAGE-24, PAGE-17
    it(`lead a new visitor to an event, and let the visitor join with the password of the event, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const title = javaScriptEnabled ? 'Tajemná večeře' : 'Tajemná snídaně';
      const { id } = await buildEvent(server, jana, { title, join_mode: 'password', join_password: 'sezam' });
      const { context, page, problems } = await visit({ javaScriptEnabled });
      await page.goto('/');
      await page.fill('#q', title);
      await page.click('form[role=search] button:not([type=button])');
      await page.click(`main h3 a:has-text("${title}")`);
      await page.click('aside a.button');
      await page.click('main a[href^="/register"]');
      await page.fill('#name', 'Nová Návštěvnice');
      await page.fill('#email', `${id}@example.org`);
      await page.fill('#password', 'correct horse');
      await page.click('main button');
      await page.waitForURL(`**/events/${id}`);
      await page.fill('#password', 'jiné');
      await page.click('aside form button');
      expect(await page.textContent('[role=alert]')).toContain('Heslo');
      await page.fill('#password', 'sezam');
      await page.click('aside form button');
      await page.waitForURL(`**/events/${id}`);
      expect(await page.textContent('main')).toContain('Jdete tam.');
      // The message is green (`--good`), because the request succeeded. Refusals are red.
      expect(await page.evaluate("getComputedStyle(document.querySelector('.mine')).borderTopColor")).toBe(
        'rgb(18, 99, 62)',
      );
      await page.click('details.leave summary');
      await page.click('details.leave button');
      expect(await page.textContent('aside')).toContain('Přidat se');
      expect(problems).toEqual([]);
      await context.close();
    }, 240_000);

    // PAGE-24, NOTE-6
    it(`lead a reader to the waitlist of a full event and, after the reader got a seat, from the notice to the event, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const { first, waiting } = await server.people('first', 'waiting');
      const account = await withPassword(server, waiting);
      const { id } = await buildEvent(server, jana, {
        title: 'Plná loďka',
        max_participants: 2,
        with: [[first, 'confirmed']],
      });
      const { context, page, problems } = await visit({ javaScriptEnabled });
      await page.goto(`/sign-in?next=/events/${id}`);
      await page.fill('#email', account.email);
      await page.fill('#password', account.password);
      await page.click('form:has(#email) button');
      await page.waitForURL(({ pathname }) => pathname === `/events/${id}`);
      expect(await page.textContent('aside')).toContain('full');
      await page.click(`aside form[action$="/waitlist"] button`);
      await page.waitForURL(({ pathname }) => pathname === `/events/${id}`);
      expect(await page.locator('header .count').count()).toBe(0);

      expect((await first.api.delete(`/events/${id}/join`)).status).toBe(204);
      expect((await jana.api.post(`/events/${id}/participants/${waiting.slug}/promote`)).status).toBe(200);
      await page.goto('/');
      expect((await page.textContent('header .count'))?.trim()).toBe('1');
      await page.click('header a[href="/account/notices"]');
      await page.click('ol.notices .unread a');
      await page.waitForURL(({ pathname }) => pathname === `/events/${id}`);
      expect(await page.textContent('main')).toContain('You are going.');
      // Opening the event has marked the notice as read (NOTE-10).
      expect(await page.locator('header .count').count()).toBe(0);
      await page.goto('/account/notices');
      expect(await page.locator('form.aside').count()).toBe(0);
      expect(problems).toEqual([]);
      await context.close();
    }, 240_000);

    // PAGE-22, PAGE-24
    it(`lead an invited person who is signed out to a private event, and let the person join, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const guest = await server.person('guest');
      const account = await withPassword(server, guest);
      const { id } = await buildEvent(server, jana, {
        title: 'Soukromá oslava',
        is_public: false,
        with: [[guest, 'pending']],
      });
      const { context, page } = await visit({ javaScriptEnabled });
      expect((await page.goto(`/events/${id}`))?.status()).toBe(404);
      expect(await page.content()).not.toContain('Soukromá');
      await page.click('main a.button');
      await page.fill('#email', account.email);
      await page.fill('#password', account.password);
      await page.click('main button');
      await page.waitForURL(({ pathname }) => pathname === `/events/${id}`);
      await page.click('aside button:has-text("Accept")');
      await page.waitForSelector('text=You are going.');
      await context.close();
    }, 240_000);
  }

  // PAGE-33
  it('draw a map when the visitor asks for it, and load its tiles from the only other host that is allowed', async () => {
    const { context, page, problems } = await visit();
    const tiles: string[] = [];
    await context.route('https://tile.openstreetmap.org/**', async (route) => {
      tiles.push(route.request().headers().referer ?? '');
      await route.fulfill({ contentType: 'image/png', body: await picture('png', { width: 256, height: 256 }) });
    });
    await page.goto(paths.event as string);
    expect(problems).toEqual([]);
    const hasLink = () => page.locator('.map-links a[href*=mlat]').isVisible();
    expect(await hasLink()).toBe(false);
    // If the script of the map cannot be loaded, the button can be clicked again.
    await context.route('**/leaflet*.js', (route) => route.abort(), { times: 1 });
    await page.click('button[data-map]');
    await page.waitForSelector('button[data-map]:enabled');
    expect(await hasLink()).toBe(true);
    await page.click('button[data-map]');
    await page.waitForSelector('.map .leaflet-tile-loaded');
    expect(await hasLink()).toBe(true);
    expect(tiles.length).toBeGreaterThan(0);
    // Tile servers get only the origin of the site as the referrer, not the address of the page.
    expect(new Set(tiles)).toEqual(new Set([`${server.origin}/`]));
    expect(problems.filter((line) => !line.startsWith('https://tile.openstreetmap.org/'))).toEqual([]);
    await takeScreenshot(page, 'map');
    await context.close();
  }, 240_000);

  // PAGE-17
  it('show a title in the direction of its language', async () => {
    const { context, page } = await visit({ viewport: SIZES.phone });
    const { id } = await buildEvent(server, jana, { title: 'أمسية موسيقية!' });
    await page.goto(`/events/${id}`);
    // The exclamation mark is at the left end of the title.
    const isAtLeftEnd = await page.evaluate(`(() => {
      const { firstChild: text } = document.querySelector('h1');
      const at = (i) => {
        const range = document.createRange();
        range.setStart(text, i);
        range.setEnd(text, i + 1);
        return range.getBoundingClientRect().left;
      };
      return at(text.data.indexOf('!')) < at(text.data.indexOf('أ'));
    })()`);
    expect(isAtLeftEnd).toBe(true);
    await context.close();
  }, 60_000);

  // EMB-4
  it('report the height of their content when another site shows them in a frame', async () => {
    const { context, page } = await visit({ viewport: SIZES.phone });
    await page.route('**/elsewhere', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<script src="${server.origin}/embed.js"></script>
          <events-embed src="${server.origin}/people/nikdo"></events-embed>`,
      }),
    );
    await page.goto('/elsewhere');
    await page.waitForFunction(`document.querySelector('iframe').offsetHeight < 200`);
    await context.close();
  }, 60_000);

  // EMB-6
  it('are shown in a frame whose title is the title of the page, or the title that the other site chose', async () => {
    const { context, page } = await visit();
    const elements = [paths.event, paths.group, paths.person].map(
      (path) => `<events-embed src="${server.origin}${path}"></events-embed>`,
    );
    await page.route('**/elsewhere', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<script src="${server.origin}/embed.js"></script>${elements.join('')}`,
      }),
    );
    await page.goto('/elsewhere');
    const waitForTitles = (titles: string[]) =>
      page.waitForFunction(
        `[...document.querySelectorAll('iframe')].map((frame) => frame.title.split(' · ')[0]).join() === '${titles.join()}'`,
      );
    const [event, group, person] = ['Letní piknik ve Stromovce', 'Turisti z Brna', jana.name] as const;
    await waitForTitles([event, group, person]);
    await page.evaluate(`document.querySelector('events-embed').title = 'Piknik'`);
    await waitForTitles(['Piknik', group, person]);
    await page.evaluate(`document.querySelector('events-embed').removeAttribute('title')`);
    await waitForTitles([event, group, person]);
    await context.close();
  }, 60_000);

  // PAGE-28
  it('show the first event of Explore without scrolling on a phone, also in a search around a place', async () => {
    const resident = await server.person('obyvatel');
    const place = JSON.stringify({ name: 'Praha', latitude: 50.088, longitude: 14.4208 });
    await server.sql('UPDATE users SET place = $1 WHERE slug = $2', [place, resident.slug]);
    const { context, page } = await visit({ viewport: SIZES.phone, hasTouch: true, isMobile: true });
    const expectEventNearTop = async (path: string, filters: string) => {
      await page.goto(path);
      expect([path, (await page.innerText('.quick summary')).trim()]).toEqual([path, filters]);
      const { y } = (await page.locator('main .tile').first().boundingBox())!;
      expect([path, Math.max(y, 400)]).toEqual([path, 400]);
      await takeScreenshot(page, `explore-top-${path.length}-${filters.length}`);
    };
    await expectEventNearTop('/', 'Filtry');
    await expectEventNearTop('/?place=Praha', 'Filtry: 1');
    await expectEventNearTop('/?min_participants=1&place=Praha&radius_km=20', 'Filtry: 2');
    await expectEventNearTop('/?lat=50.1&lng=14.4&place=Brno', 'Filtry: 1');
    await (await browserOf(server, resident)).copyCookiesTo(context);
    await expectEventNearTop('/', 'Filters: 1');
    await context.close();
  }, 60_000);

  // PAGE-17, PAGE-36
  it('are accessible, load little data, and fit on the screen, with each window size and colour scheme, and with text of double size', async () => {
    const { context, page, problems } = await visit();
    const weight = await Weight.of(page);
    /**
     * Checks the page on a phone with text of double size, with closed and with open details. Afterwards, the text size
     * and the details are as before, and the window still has the size of a phone.
     */
    const checkDoubleSize = async (name: string) => {
      await page.setViewportSize(SIZES.phone);
      const { agendaWidth, ...fits } = await page.evaluate<{ agendaWidth?: number }>(`(() => {
        const { documentElement: root } = document;
        const parts = document.querySelectorAll('details:not([open])');
        const isFitting = () => root.scrollWidth <= innerWidth;
        root.style.fontSize = '200%';
        const closed = isFitting();
        parts.forEach((part) => { part.open = true; });
        const opened = isFitting();
        const agendaWidth = document.querySelector('.agenda .text')?.offsetWidth;
        parts.forEach((part) => { part.open = false; });
        root.style.fontSize = '';
        return { closed, opened, agendaWidth };
      })()`);
      expect([`${name}, double size`, fits]).toEqual([`${name}, double size`, { closed: true, opened: true }]);
      // The picture of an event is above its text. Beside the picture, the text would be too narrow for whole words.
      if (name === 'home') expect(agendaWidth).toBeGreaterThan(250);
    };
    const checkPage = async (name: string) => {
      expect([name, await weight.excess()]).toEqual([name, null]);
      await expectAccessiblePage(page, name);
      await checkDoubleSize(name);
    };
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(path);
      await checkPage(name);
    }
    await signUp(context, 'vzhled@example.org');
    for (const path of ['/account/notices', paths.post!, '/groups']) {
      await page.goto(path);
      await checkDoubleSize(path);
    }
    await page.goto('/account/api');
    await page.fill('#name', 'Aplikace s opravdu dlouhým názvem');
    await page.click('main form:has(#access) button');
    await checkPage('api');
    await page.click('main a.danger');
    await checkPage('revoke');
    for (const [name, path] of [
      ['event-signed-in', paths.event],
      ['my-events', '/account/events'],
      ['puls', '/puls?lat=50.1&lng=14.4'],
      ['sessions', '/account/sessions'],
      ['own-data', '/account/data'],
      ['security', '/account/security'],
      ['second-step', '/account/second-step'],
      ['webhooks', '/account/api/webhooks'],
      ['explore-signed-in', '/'],
    ] as const) {
      await page.goto(path as string);
      await checkPage(name);
    }
    await page.goto('/account/second-step');
    await page.fill('#app_password', 'correct horse');
    await page.click('form:has(#app_password) button');
    await page.waitForSelector('.my-code svg');
    await checkPage('second-step-app');
    await page.goto('/account/api/webhooks');
    await page.fill('#url', 'https://93.184.216.34/a-rather-long-address/of/some/bot');
    await page.click('form:has(#url) button');
    await page.waitForSelector('#fresh-secret');
    await checkPage('webhook');
    await page.goto('/account');
    await checkPage('profile');
    await page.fill('#iban', 'CZ00');
    await page.click('main form:has(#iban) button');
    await checkPage('profile-wrong');
    await page.goto(paths.invite as string);
    await checkPage('invite-signed-in');
    expect(problems).toEqual([]);
    await context.close();
  }, 240_000);
});
