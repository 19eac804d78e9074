import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page, Response } from 'playwright-core';
import { barriers, openBrowser } from '#testing/browser';
import { picture } from '#testing/media';
import { describeWith } from '#testing/requirements';
import { TestServer } from '#testing/test-server';
import { soon } from '#testing/times';

const DOCUMENT = readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8');
const SIZES = { phone: { width: 375, height: 800 }, desk: { width: 1280, height: 900 } } as const;
/** Where pictures of the pages go, to be looked at; none are taken without it. */
const SHOTS = process.env.WEB_SCREENSHOTS;

/** /docs as people use it, in a real browser. */
describeWith('chromium', 'the reference in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await TestServer.start();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function visit(options: Parameters<Browser['newContext']>[0] = {}): Promise<{ context: BrowserContext; page: Page; trouble: string[] }> {
    const context = await browser.newContext({ baseURL: server.origin, locale: 'en-GB', viewport: SIZES.desk, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const trouble: string[] = [];
    // The one that is built: sources alone know nothing of fields.
    await context.route('**/openapi.json', (route) => route.fulfill({ body: DOCUMENT, contentType: 'application/json' }));
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== server.origin) trouble.push(request.url());
    });
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) trouble.push(message.text());
    });
    page.on('pageerror', (error) => trouble.push(error.message));
    return { context, page, trouble };
  }

  async function shoot(page: Page, name: string): Promise<void> {
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/docs-${name}.png` });
  }

  const dialogOf = (page: Page): Locator => page.getByRole('dialog').last();

  /** Opens an operation from the list beside the reference, and its client. */
  async function tryOut(page: Page, tag: string, id: string): Promise<Locator> {
    await page.evaluate(`location.hash = '#tag/${tag}/${id}'`);
    await page.locator(`section[id$="tag/${tag}/${id}"]`).getByRole('button', { name: 'Test Request' }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole('button', { name: /^Send/ }).last().waitFor();
    return dialog;
  }

  async function send(page: Page, dialog: Locator): Promise<Response> {
    const answered = page.waitForResponse((response) => response.url().includes('/api/v1/'));
    await dialog.getByRole('button', { name: /^Send/ }).last().click();
    return answered;
  }

  async function enter(page: Page, token: string): Promise<void> {
    const field = page.locator('#reference-app input[placeholder="Token"]').first();
    await field.waitFor();
    await field.fill(token);
    // It is kept a moment later.
    while (!(await page.evaluate<string>('JSON.stringify(localStorage)')).includes(token)) await page.waitForTimeout(50);
  }

  /** The value of the first variable: of the id in the path. */
  const valueOf = (dialog: Locator): Locator => dialog.locator('[contenteditable=true][aria-label*="Value"]').first();
  const close = (page: Page): Promise<void> => page.getByRole('button', { name: 'Close Client' }).click();

  // REF-7, REF-9
  it('leads a stranger from the introduction to an event, a picture, a join, event_full and its page', async () => {
    const { context, page, trouble } = await visit();
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    await page.goto('/docs');
    expect(await page.locator('a:has-text("Get a token")').first().getAttribute('href')).toBe('/account/api');
    await enter(page, jana.token);

    const creating = await tryOut(page, 'events', 'createEvent');
    expect(trouble).toEqual([]);
    await creating.locator('.cm-content').last().fill(JSON.stringify({ title: 'Two seats', starts_at: soon(), max_participants: 2 }));
    const created = await send(page, creating);
    expect(created.status()).toBe(201);
    const { data: { id } } = (await created.json()) as { data: { id: string } };
    await shoot(page, 'created');
    await close(page);

    const uploading = await tryOut(page, 'events', 'uploadEventImages');
    await valueOf(uploading).fill(id);
    const chooser = page.waitForEvent('filechooser');
    await uploading.getByRole('button', { name: 'Select File' }).first().click();
    await (await chooser).setFiles({ name: 'tea.jpg', mimeType: 'image/jpeg', buffer: await picture() });
    expect((await send(page, uploading)).status()).toBe(201);
    await shoot(page, 'uploaded');
    await close(page);

    await enter(page, petr.token);
    const joining = await tryOut(page, 'joining', 'joinEvent');
    await valueOf(joining).fill(id);
    const joined = await send(page, joining);
    expect([joined.status(), ((await joined.json()) as { data: { viewer: object } }).data.viewer]).toEqual([200, expect.objectContaining({ is_organizer: false, participation: 'confirmed' })]);
    await close(page);

    // The token stays: the page opened anew still has it.
    await enter(page, eva.token);
    await page.reload();
    const late = await tryOut(page, 'joining', 'joinEvent');
    await valueOf(late).fill(id);
    const refused = await send(page, late);
    expect([refused.status(), ((await refused.json()) as { code: string }).code]).toEqual([409, 'event_full']);
    await shoot(page, 'event_full');
    await close(page);
    await page.locator('header').getByRole('link', { name: 'Errors' }).first().click();
    await page.getByRole('link', { name: 'event_full' }).first().click();
    await page.waitForURL('**/docs/errors/event_full');
    expect(await page.textContent('main')).toContain('Offer the waitlist');
    // Filling in an editor at once makes the browser itself try a style in it.
    expect(trouble.filter((one) => !one.startsWith('Applying inline style'))).toEqual([]);
    await context.close();
  }, 120_000);

  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      // REF-9
      it(`keeps nobody out, and fits on a ${size}, ${colorScheme}`, async () => {
        const { context, page, trouble } = await visit({ viewport, colorScheme });
        for (const [name, path] of Object.entries({ docs: '/docs', operations: '/docs/operations', errors: '/docs/errors', 'event-full': '/docs/errors/event_full', missing: '/docs/errors/nothing' })) {
          if (name === 'docs') await context.route('**/web/docs.js', (route) => route.abort());
          await page.goto(path);
          // axe itself tries styles of its own.
          expect([name, trouble.splice(0)]).toEqual([name, []]);
          expect([name, await barriers(page)]).toEqual([name, []]);
          trouble.length = 0;
          expect([name, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([name, true]);
          await shoot(page, `${name}-${size}-${colorScheme}`);
        }
        await context.close();
      }, 120_000);
    }
  }
});
