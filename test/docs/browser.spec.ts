import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page, Response } from 'playwright-core';
import { expectAccessiblePage, openBrowser, SIZES, takeScreenshot } from '#testing/browser';
import { withPassword } from '#testing/browsers';
import { picture } from '#testing/media';
import { describeWith } from '#testing/requirements';
import { TestServer } from '#testing/test-server';
import { soon } from '#testing/times';

/**
 * A part of the OpenAPI document: only the paths that have an operation with the tag Events or Joining. The tests need
 * no other paths, and Swagger UI would take seconds to draw all operations.
 */
const DOCUMENT = documentWithTags(['Events', 'Joining']);

const PAGES = {
  docs: '/docs',
  operations: '/docs/operations',
  errors: '/docs/errors',
  'event-full': '/docs/errors/event_full',
  missing: '/docs/errors/nothing',
};

/** The API reference at /docs in a browser. */
describeWith('chromium-headless-shell', 'the API reference in a browser', () => {
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

  async function visit(
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<{ context: BrowserContext; page: Page; violations: string[] }> {
    const context = await browser.newContext({
      baseURL: server.origin,
      locale: 'en-GB',
      viewport: SIZES.desk,
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const violations: string[] = [];
    // The document in docs/openapi.json is used, because a server that runs from the TypeScript sources does not know
    // the descriptions of fields.
    await context.route('**/openapi.json', (route) =>
      route.fulfill({ body: DOCUMENT, contentType: 'application/json' }),
    );
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== server.origin)
        violations.push(request.url());
    });
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) violations.push(message.text());
    });
    page.on('pageerror', (error) => violations.push(error.message));
    return { context, page, violations };
  }

  /** Opens the operation at its address (the fragment), to which pages such as /docs/operations link. */
  async function tryOut(page: Page, tag: string, id: string): Promise<Locator> {
    await page.evaluate(`location.hash = '#/${tag}/${id}'`);
    const operation = page.locator(`[id="operations-${tag}-${id}"]`);
    await operation.getByRole('button', { name: 'Execute' }).waitFor();
    return operation;
  }

  async function send(page: Page, operation: Locator): Promise<Response> {
    const answered = page.waitForResponse((response) => response.url().includes('/api/v1/'));
    await operation.getByRole('button', { name: 'Execute' }).click();
    const response = await answered;
    await operation
      .locator('.live-responses-table .response-col_status', { hasText: String(response.status()) })
      .first()
      .waitFor();
    return response;
  }

  async function authorize(page: Page, token: string): Promise<void> {
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.dialog-ux');
    const logout = dialog.getByRole('button', { name: 'Logout' });
    if (await logout.isVisible()) await logout.click();
    await dialog.getByLabel('Value').fill(token);
    await dialog.locator('form').getByRole('button', { name: 'Authorize' }).click();
    await logout.waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
  }

  const idInput = (operation: Locator): Locator => operation.getByPlaceholder('id', { exact: true });

  // REF-7, REF-9
  it('lets a visitor create an event, upload a picture, join the event, and read the page about event_full', async () => {
    const { context, page, violations } = await visit();
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    await page.goto('/docs');
    expect(await page.locator('a:has-text("Get a token")').first().getAttribute('href')).toBe('/account/api');
    await page.locator('#reference-wait').waitFor({ state: 'hidden' });
    expect(violations).toEqual([]);
    await authorize(page, jana.token);

    const creating = await tryOut(page, 'Events', 'createEvent');
    // REF-7: one main landmark.
    expect(await page.locator('main').count()).toBe(1);
    await creating.filter({ hasText: 'await client.createEvent({' }).waitFor();
    await creating
      .getByLabel('Request body')
      .fill(JSON.stringify({ title: 'Two seats', starts_at: soon(), max_participants: 2 }));
    const created = await send(page, creating);
    expect(created.status()).toBe(201);
    expect(created.request().headers()).not.toHaveProperty('idempotency-key');
    const {
      data: { id },
    } = (await created.json()) as { data: { id: string } };
    await takeScreenshot(page, 'docs-created');

    const uploading = await tryOut(page, 'Events', 'uploadEventImages');
    await idInput(uploading).fill(id);
    await uploading
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'tea.jpg', mimeType: 'image/jpeg', buffer: await picture() });
    expect((await send(page, uploading)).status()).toBe(201);
    await takeScreenshot(page, 'docs-uploaded');

    await authorize(page, petr.token);
    const joining = await tryOut(page, 'Joining', 'joinEvent');
    await idInput(joining).fill(id);
    const joined = await send(page, joining);
    expect([joined.status(), ((await joined.json()) as { data: { viewer: object } }).data.viewer]).toEqual([
      200,
      expect.objectContaining({ is_organizer: false, participation: 'confirmed' }),
    ]);

    // After a reload, the page still has the token and shows the same operation.
    await authorize(page, eva.token);
    await page.reload();
    const afterReload = await tryOut(page, 'Joining', 'joinEvent');
    await idInput(afterReload).fill(id);
    const refused = await send(page, afterReload);
    expect([refused.status(), ((await refused.json()) as { code: string }).code]).toEqual([409, 'event_full']);
    await takeScreenshot(page, 'docs-event_full');
    await page.locator('header').getByRole('link', { name: 'Errors' }).first().click();
    await page.getByRole('link', { name: 'event_full' }).first().click();
    await page.waitForURL('**/docs/errors/event_full');
    expect(await page.textContent('main')).toContain('Offer the waitlist');
    expect(violations).toEqual([]);
    await context.close();
  }, 240_000);

  // REF-9
  it('causes no violation of the content security policy for a signed-in reader', async () => {
    const { context, page, violations } = await visit();
    const { email, password } = await withPassword(server, await server.person('jana'));
    await page.goto('/sign-in');
    await page.locator('input[name=email]').fill(email);
    await page.locator('input[name=password]').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).first().click();
    await page.waitForURL((url) => url.pathname !== '/sign-in');
    expect((await page.goto('/account/notices'))?.url()).toBe(`${server.origin}/account/notices`);
    await page.goto('/docs');
    await tryOut(page, 'Events', 'createEvent');
    expect(violations).toEqual([]);
    await context.close();
  }, 240_000);

  // REF-9
  it('is accessible, and is not wider than the window, with each window size and colour scheme', async () => {
    const { context, page, violations } = await visit();
    const open = async (path: string) => {
      await page.goto(path);
      if (path === '/docs') await tryOut(page, 'Events', 'createEvent');
    };
    for (const path of Object.values(PAGES)) await open(path);
    expect(violations).toEqual([]);
    // The accessibility checker axe adds styles, which the policy refuses. Therefore axe runs only now.
    for (const [name, path] of Object.entries(PAGES)) {
      await open(path);
      await expectAccessiblePage(page, `docs-${name}`);
    }
    await context.close();
  }, 240_000);
});

function documentWithTags(tags: readonly string[]): string {
  const document = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { tags: string[] }>>;
  };
  for (const [path, operations] of Object.entries(document.paths))
    if (!Object.values(operations).some((operation) => tags.includes(operation.tags[0] ?? '')))
      delete document.paths[path];
  return JSON.stringify(document);
}
