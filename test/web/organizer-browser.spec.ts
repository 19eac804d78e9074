import { openBrowser } from '#testing/browser';
import type { Person } from '#testing/people';
import { picture } from '#testing/media';
import { describeWith } from '#testing/requirements';
import { TestServer } from '#testing/test-server';

const SECRETS = { email: 'jana@example.org', password: 'correct horse' };

// PAGE-92, PAGE-93
describeWith('chromium', 'an organizer without scripts', () => {
  let server: TestServer;
  let petr: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    await server.person('jana', SECRETS);
    petr = await server.person('petr');
  });
  afterAll(() => server.stop());

  it('creates an event with a picture, approves a request and checks a participant in', async () => {
    const browser = await openBrowser();
    try {
      const page = await (await browser.newContext({ javaScriptEnabled: false, locale: 'en' })).newPage();
      await page.goto(`${server.origin}/sign-in?next=/events/new`);
      await page.fill('[name=email]', SECRETS.email);
      await page.fill('[name=password]', SECRETS.password);
      await page.click('main button');
      await page.fill('[name=title]', 'Piknik na Letné');
      await page.fill('[name=starts_at]', '2030-06-01T15:00');
      await page.selectOption('[name=join_mode]', 'request');
      const file = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: await picture() };
      await page.setInputFiles('[name=images]', file);
      await page.click('main form.fields button:not([type=button])');
      expect(await page.textContent('main [role=status]')).toContain('Akce je na světě');
      const address = new URL(page.url()).pathname;
      expect(await page.locator('img.cover').count()).toBe(1);
      await petr.api.post(`${address}/join`, {});
      await page.click(`.tools a[href="${address}/people"]`);
      await page.click(`form[action$="/${petr.slug}/approve"] button`);
      await page.click(`form[action$="/${petr.slug}/check-in"] button`);
      expect(await page.locator(`form[action$="/${petr.slug}/undo"]`).count()).toBe(1);
    } finally {
      await browser.close();
    }
  });
});
