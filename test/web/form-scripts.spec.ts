import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityViolations, openBrowser, SIZES } from '#testing/browser';
import { browserOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { waitUntil } from '#testing/wait-until';
import { describeWith } from '#testing/requirements';
import { TestServer } from '#testing/test-server';
import type { Visitor } from '#testing/visitor';

const PASTED_HTML = `<b style="font-weight:normal"><div style="color:red"><p>Přineste <span style="font-weight:700">si</span> <strong>deku</strong></p>
<script>alert(1)</script><img src="https://elsewhere.example/x.png"><a href="javascript:alert(1)">sem</a> <a href="https://example.org/" onclick="alert(1)">tam</a></div>
<table><tr><td>Sraz</td><td>9.00</td></tr><tr><td>Cíl</td><td>Říp</td></tr></table><ul><li><i></i></li></ul></b>`;

describeWith('chromium-headless-shell', 'forms with scripts', () => {
  let server: TestServer;
  let browser: Browser;
  let jana: Person;
  let visitor: Visitor;
  beforeAll(async () => {
    server = await TestServer.start();
    browser = await openBrowser();
    jana = await server.person('jana');
    visitor = await browserOf(server, jana);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function withSignedInPage(
    path: string,
    run: (page: Page, context: BrowserContext, problems: string[]) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext({ baseURL: server.origin, viewport: SIZES.phone });
    await visitor.copyCookiesTo(context);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) problems.push(message.text());
    });
    await page.goto(path);
    await run(page, context, problems);
    expect(problems).toEqual([]);
    await context.close();
  }

  const descriptionAndEtag = async (path: string) => {
    const { body, headers } = await jana.api.get(path.replace('/edit', ''));
    return { description: body.data.description as string, etag: headers.get('etag') };
  };

  // PAGE-122
  it('hide the password and the waitlist of a new event while they have no effect, but not while they have an error', async () => {
    await withSignedInPage('/events/new', async (page) => {
      const shown = async () => {
        const names = ['join_password', 'waitlist_mode', 'offer_hours'];
        const visible = await Promise.all(names.map((name) => page.locator(`#field-${name}`).isVisible()));
        return names.filter((_, i) => visible[i]);
      };
      expect(await shown()).toEqual([]);
      await page.selectOption('#field-join_mode', 'password');
      await page.fill('#field-max_participants', '8');
      expect(await shown()).toEqual(['join_password', 'waitlist_mode']);
      await page.selectOption('#field-waitlist_mode', 'offer');
      await page.fill('#field-offer_hours', 'a few');
      await page.selectOption('#field-join_mode', 'request');
      expect(await shown()).toEqual([]);
      await page.fill('#field-title', 'Walk');
      await page.fill('#field-starts_at', '2999-05-01T10:00');
      await page.getByRole('button', { name: 'Create event' }).click();
      await page.locator('#field-offer_hours-error').waitFor();
      expect(await shown()).toEqual(['offer_hours']);
    });
  });

  // PLACE-4
  it('search for Puls posts around the position of the reader, and then around a typed place', async () => {
    await jana.api.upload('/puls', [
      ['latitude', '49.1952'],
      ['longitude', '16.608'],
      ['body', 'Na Špilberku'],
    ]);
    await withSignedInPage('/puls', async (page, context) => {
      await context.grantPermissions(['geolocation']);
      await context.setGeolocation({ latitude: 50.0874, longitude: 14.4213 });
      await page.getByRole('button', { name: 'Near me' }).click();
      await page.waitForURL('**/puls?*lat=50.087*');
      expect(await page.getByText('Na Špilberku').count()).toBe(0);
      await page.fill('#place', 'Brno');
      await page.press('#place', 'Enter');
      await page.getByText('Na Špilberku').waitFor();
    });
  });

  // PLACE-4
  it('search around the position of the reader while several places with the typed name are offered', async () => {
    await withSignedInPage('/puls?place=Lhota', async (page, context) => {
      await context.grantPermissions(['geolocation']);
      await context.setGeolocation({ latitude: 50.0874, longitude: 14.4213 });
      await page.locator('summary', { hasText: 'Exact point on the map' }).click();
      await page.fill('#lat', '1');
      await page.locator('input[type=radio][name=place]').first().check();
      expect(await page.inputValue('#lat')).toBe('');
      await page.getByRole('button', { name: 'Near me' }).click();
      await page.waitForURL('**/puls?*lat=50.087*');
    });
  });

  // PAGE-110
  it('let users edit a description with the keyboard; the result contains only allowed tags', async () => {
    const { id } = await buildEvent(server, jana, { description: '<p>Dříve</p>' });
    const path = `/events/${id}/edit`;
    await withSignedInPage(path, async (page) => {
      expect(await page.locator('textarea[data-tags]').isVisible()).toBe(false);
      const text = page.getByRole('textbox', { name: 'Description' });
      await text.focus();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('Sraz ');
      await page.keyboard.press('Control+B');
      await page.keyboard.type('v poledne');
      await page.keyboard.press('Control+B');
      await page.keyboard.press('Enter');
      await page.keyboard.type('web');
      for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+ArrowLeft');
      // Shift+Tab returns to the toolbar, which is one stop for the Tab key. The arrow keys move between its buttons.
      await page.keyboard.press('Shift+Tab');
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Bold');
      await page.keyboard.press('ArrowLeft');
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Link');
      await page.keyboard.press('Enter');
      // The form refuses a text that is not an allowed address, and shows the reason.
      for (const wrong of ['ftp://example.org', 'javascript:alert(1)', 'program']) {
        await page.keyboard.press('Control+A');
        await page.keyboard.type(wrong);
        await page.keyboard.press('Enter');
        expect(await page.textContent('.editor [role=alert]')).toContain('not the address of a link');
        expect(await accessibilityViolations(page)).toEqual([]);
      }
      await page.keyboard.press('Control+A');
      await page.keyboard.type('example.org/program');
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Bulleted list' }).press('Enter');
      await page.keyboard.type('deka');
      expect(await page.getByRole('button', { name: 'Bulleted list' }).getAttribute('aria-pressed')).toBe('true');
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.locator('form.fields > button').first().press('Enter');
      await page.waitForURL(`**/events/${id}`);
    });
    const { description } = await descriptionAndEtag(path);
    expect(description.replaceAll('&nbsp;', ' ')).toBe(
      '<p>Sraz <b>v poledne</b></p><p><a href="https://example.org/program" rel="nofollow noopener ugc">web</a></p><ul><li>deka</li></ul>',
    );
  }, 120_000);

  // PAGE-110
  it('keep only allowed, non-empty tags of a pasted text, and separate the rows and cells of a pasted table', async () => {
    const { id } = await buildEvent(server, jana, { description: null });
    await withSignedInPage(`/events/${id}/edit`, async (page, _context, problems) => {
      await page.getByRole('textbox', { name: 'Description' }).focus();
      await page.evaluate(`(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData('text/html', ${JSON.stringify(PASTED_HTML)});
        document.activeElement.dispatchEvent(new InputEvent('beforeinput', { inputType: 'insertFromPaste', dataTransfer, bubbles: true, cancelable: true }));
      })()`);
      expect(await page.locator('.content :is(img, script, span[style])').count()).toBe(0);
      const sent = await page.locator('textarea[name=description]').inputValue();
      expect(sent.replace(/\s+/g, ' ')).toMatch(
        /^<p>Přineste si <(b|strong)>deku<\/\1><\/p> ?<p>sem <a href="https:\/\/example.org\/">tam<\/a> ?<\/p> ?<p>Sraz 9.00<\/p><p>Cíl Říp<\/p>$/,
      );
      // The content security policy already blocks styles and handlers while the pasted text is parsed.
      expect(problems.filter((line) => !/inline (style|event handler)/.test(line))).toEqual([]);
      problems.length = 0;
    });
  }, 120_000);

  // PAGE-17, PAGE-39
  it('give the headings of a text the levels directly below the heading of the page, for assistive technology', async () => {
    const { id } = await buildEvent(server, jana, { description: '<h3>Program</h3><p>Sraz</p>' });
    await withSignedInPage(`/events/${id}/edit`, async (page) => {
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.getByRole('textbox', { name: 'Description' }).focus();
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Cesta');
      await page.getByRole('button', { name: 'Heading' }).press('Enter');
      expect(await page.locator('.content h3').evaluateAll((all) => all.map((one) => one.ariaLevel))).toEqual([
        '2',
        '2',
      ]);
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await page.locator('textarea[name=description]').inputValue()).toBe(
        '<h3>Program</h3><p>Sraz</p><h3>Cesta</h3>',
      );
    });
  }, 120_000);

  // PAGE-110
  it('show the typed text in the editor again after the reader has left the page and gone back', async () => {
    await withSignedInPage('/posts/new', async (page) => {
      await page.fill('[name=title]', 'Výlet');
      await page.getByRole('textbox', { name: 'Text' }).pressSequentially('Sraz v poledne');
      await page.click('a.brand');
      await page.waitForURL(/\/$/);
      await page.goBack({ waitUntil: 'load' });
      await waitUntil(async () => (await page.inputValue('[name=title]')) === 'Výlet');
      expect(await page.inputValue('[name=body]')).toBe('<p>Sraz v poledne</p>');
      await waitUntil(async () => (await page.textContent('.editor .content')) === 'Sraz v poledne');
    });
  }, 120_000);

  // PAGE-96
  it('scroll from the summary of errors to a field so that its label is visible too', async () => {
    await withSignedInPage('/events/new', async (page) => {
      await page.evaluate('document.querySelector("form.fields").noValidate = true');
      await page.click('form.fields > button');
      await page.locator('main [role=alert] a', { hasText: 'Starts' }).click();
      // The form tokens are no longer in the address.
      expect(new URL(page.url()).search).toBe('');
      // The field is far below the screen until the page has scrolled.
      const yOf = async (selector: string) => (await page.locator(selector).boundingBox())!.y;
      await waitUntil(async () => (await yOf('#field-starts_at')) < page.viewportSize()!.height);
      expect(await yOf('label[for=field-starts_at]')).toBeGreaterThanOrEqual(0);
    });
  }, 120_000);

  // PAGE-97, PAGE-110
  it('do not change a description that nobody edits', async () => {
    // A description that was written through the API may contain no paragraphs. The editor always adds paragraphs.
    const { id } = await buildEvent(server, jana, { description: 'Jen <em>text</em>' });
    const path = `/events/${id}/edit`;
    const { etag } = await descriptionAndEtag(path);
    await withSignedInPage(path, async (page) => {
      await page.locator('form.fields > button').first().click();
      await page.waitForURL(`**/events/${id}`);
    });
    expect(await descriptionAndEtag(path)).toEqual({ etag, description: 'Jen <em>text</em>' });
  }, 120_000);

  // PAGE-111
  it('show chosen pictures and the progress of the upload, and then the created event', async () => {
    const file = { name: 'reka.jpg', mimeType: 'image/jpeg', buffer: await picture() };
    await withSignedInPage('/events/new', async (page) => {
      await page.fill('[name=title]', 'Koupání');
      await page.fill('[name=starts_at]', '2030-06-01T15:00');
      await page.setInputFiles('[name="images[]"]', file);
      await page.waitForSelector('.previews canvas');
      expect(await page.textContent('.previews')).toMatch(/^reka\.jpg · [1-9]\d* kB$/);
      expect(await accessibilityViolations(page)).toEqual([]);
      // Because `max_participants` is 0, the form is refused. The page shows the form again with all typed values, but
      // without the files.
      await page.fill('[name=max_participants]', '0');
      await page.click('form.fields > button');
      await page.waitForSelector('main [role=alert]');
      expect(await page.inputValue('[name=title]')).toBe('Koupání');
      expect(await page.textContent('main [role=alert]')).toContain('choose the files again');
      await page.fill('[name=max_participants]', '10');
      await page.setInputFiles('[name="images[]"]', file);
      await page.waitForSelector('.previews canvas');
      // The upload is delayed until the test has seen the progress bar.
      let continueUpload: () => void = () => undefined;
      const progressSeen = new Promise<void>((resolve) => (continueUpload = resolve));
      await page.route('**/events/new?*', async (route) => {
        await progressSeen;
        await route.continue();
      });
      await page.click('form.fields > button');
      expect(await page.getAttribute('progress', 'aria-label')).toBe('Uploading…');
      continueUpload();
      await page.waitForURL(/\/events\/(?!new)\w+$/);
      expect(await page.textContent('main [role=status]')).toContain('Your event is ready');
      expect(await page.locator('img.cover').count()).toBe(1);
    });
  }, 120_000);

  // PAGE-96, PAGE-111
  it('give the focus to the message that a picture is refused, also if the address has a fragment', async () => {
    const { id } = await buildEvent(server, jana, { photos_enabled: true });
    const file = { name: 'reka.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') };
    for (const [part, input] of [
      ['comments', '#image-new'],
      ['photos', '#photos-new'],
    ] as const)
      await withSignedInPage(`/events/${id}`, async (page) => {
        await page.goto(`/events/${id}#${part}`);
        await page.setInputFiles(input, file);
        await page.locator(`form:has(${input}) button`).first().click();
        await page.waitForSelector('main [role=alert]');
        await waitUntil(() => page.evaluate<boolean>(`document.activeElement.matches('main [role=alert]')`));
        expect(await page.locator('main [role=alert]').count()).toBe(1);
        const { y } = (await page.locator('main [role=alert]').boundingBox())!;
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThan(SIZES.phone.height);
      });
  }, 120_000);

  // PAGE-112
  it('let users select a place on a map with the arrow keys; a place that is typed later takes precedence', async () => {
    const { id } = await buildEvent(server, jana, { latitude: 50.1, longitude: 14.4 });
    await withSignedInPage(`/events/${id}/edit`, async (page, context) => {
      await context.route('https://tile.openstreetmap.org/**', async (route) =>
        route.fulfill({ contentType: 'image/png', body: await picture('png', { width: 256, height: 256 }) }),
      );
      // If the script of the map cannot be loaded, the button can be pressed again.
      await context.route('**/leaflet*.js', (route) => route.abort(), { times: 1 });
      const pick = page.getByRole('button', { name: 'Pick on a map' });
      const failed = page.waitForEvent('requestfailed');
      await pick.press('Enter');
      await failed;
      await page.waitForSelector('button[data-pick]:enabled');
      await pick.press('Enter');
      await page.waitForSelector('.picker .leaflet-tile-loaded');
      const point = async () => [await page.inputValue('[name=latitude]'), await page.inputValue('[name=longitude]')];
      // Opening the map does not change the coordinates.
      expect((await point()).map(Number)).toEqual([50.1, 14.4]);
      // The map ignores a key while it still moves because of the previous key, so the test waits after each key.
      await page.keyboard.press('ArrowUp');
      await waitUntil(async () => Number((await point())[0]) > 50.1);
      await page.keyboard.press('ArrowRight');
      await waitUntil(async () => Number((await point())[1]) > 14.4);
      expect(await accessibilityViolations(page)).toEqual([]);
      // If a place is typed after the map was used, the fields show the stored coordinates again. The place is then
      // saved instead of the point on the map.
      await page.fill('[name=place]', 'Brno');
      expect((await point()).map(Number)).toEqual([50.1, 14.4]);
      await page.locator('form.fields > button').first().click();
      await page.waitForURL(`**/events/${id}`);
    });
    const { latitude } = (await jana.api.get(`/events/${id}`)).body.data as { latitude: number };
    expect(latitude).toBeCloseTo(49.2, 1);
  }, 120_000);

  // PAGE-112
  it('do not fill in coordinates if the size of the map changes', async () => {
    await withSignedInPage('/events/new', async (page, context) => {
      await context.route('https://tile.openstreetmap.org/**', (route) => route.abort());
      await page.getByRole('button', { name: 'Pick on a map' }).press('Enter');
      await page.waitForSelector('.picker .leaflet-container');
      await page.evaluate(
        `void (globalThis.resized = new Promise((resolve) => addEventListener('resize', () => setTimeout(resolve, 600))))`,
      );
      await page.setViewportSize({ width: 740, height: 360 });
      await page.evaluate('resized');
      expect(await page.inputValue('[name=latitude]')).toBe('');
    });
  }, 60_000);

  // PAGE-112, PLACE-2
  it('show the map while several places with the typed name are offered; choosing one of these places clears the point on the map', async () => {
    await withSignedInPage('/events/new', async (page, context) => {
      await context.route('https://tile.openstreetmap.org/**', async (route) =>
        route.fulfill({ contentType: 'image/png', body: await picture('png', { width: 256, height: 256 }) }),
      );
      await page.fill('[name=title]', 'Sraz na návsi');
      await page.fill('[name=starts_at]', '2030-05-01T18:00');
      await page.fill('[name=place]', 'Lhota');
      await page.locator('form.fields > button').first().click();
      const choice = page.locator('input[type=radio][name=place]').first();
      await choice.check();
      await page.getByRole('button', { name: 'Pick on a map' }).press('Enter');
      await page.waitForSelector('.picker .leaflet-tile-loaded');
      await page.keyboard.press('ArrowUp');
      await waitUntil(async () => (await page.inputValue('[name=latitude]')) !== '');
      await page.locator('input[type=radio][name=place]').nth(1).check();
      expect(await page.inputValue('[name=latitude]')).toBe('');
    });
  }, 120_000);
});
