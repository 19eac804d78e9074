import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser, SIZES } from '#testing/browser';
import { withPassword } from '#testing/browsers';
import { Keyboard } from '#testing/keyboard';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { readQr } from '#testing/qr';
import { waitUntil } from '#testing/wait-until';
import { describeWith } from '#testing/requirements';
import { TestServer } from '#testing/test-server';

/** The timeout of each test, which is long enough for a busy machine. */
const TEST_TIMEOUT_MS = 300_000;
const IBAN = 'CZ6508000000192000145399';

interface Phone {
  readonly page: Page;
  readonly keys: Keyboard;
  readonly context: BrowserContext;
}

// PAGE-114
describeWith('chromium-headless-shell', 'the pages, by keyboard on a phone,', () => {
  let server: TestServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await TestServer.start();
    browser = await openBrowser();
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function openPhone(javaScriptEnabled: boolean): Promise<Phone> {
    const context = await browser.newContext({
      baseURL: server.origin,
      locale: 'en-GB',
      viewport: SIZES.phone,
      javaScriptEnabled,
    });
    // Links to stored files contain the public address, but the server of this test listens at another address.
    await context.route('**/media/*', async (route) => {
      const url = server.origin + new URL(route.request().url()).pathname;
      await route.fulfill({ response: await route.fetch({ url }) });
    });
    const page = await context.newPage();
    return { page, keys: new Keyboard(page), context };
  }

  async function signIn({ page, keys }: Phone, person: Person, next: string): Promise<void> {
    const { email, password } = await withPassword(server, person);
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await keys.fill('#email', email);
    await keys.fill('#password', password);
    const arrived = page.waitForURL(`**${next}`);
    await page.keyboard.press('Enter');
    await arrived;
  }

  const main = ({ page }: Phone) => page.locator('main').innerText();
  const photo = async () => ({ name: 'deka.jpg', mimeType: 'image/jpeg', buffer: await picture() });

  for (const scripts of [true, false]) {
    const scriptMode = scripts ? 'with scripts' : 'without scripts';

    // PAGE-17, PAGE-24
    it(
      `let an organizer run an event from creation to statistics, and let a participant take part, ${scriptMode}`,
      async () => {
        const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
        await server.sql('UPDATE users SET iban = $1 WHERE slug = $2', [IBAN, jana.slug]);
        const [organizer, participant] = [await openPhone(scripts), await openPhone(scripts)];
        await Promise.all([signIn(organizer, jana, '/events/new'), signIn(participant, petr, '/account/events')]);

        // The organizer creates an event with a picture and two seats.
        const { page, keys } = organizer;
        await keys.fill('[name=title]', 'Picnic by the river');
        await keys.fill(
          scripts ? page.getByRole('textbox', { name: 'Description' }) : '[name=description]',
          'Bring a blanket.',
        );
        await keys.typeTime('[name=starts_at]', ['01', '06', '2030', '1500']);
        if (!(await page.isChecked('[name=is_public]'))) await keys.press('[name=is_public]', 'Space');
        await keys.choose('[name=join_mode]', 'request');
        await keys.fill('[name=max_participants]', '2');
        await keys.attach('[name="images[]"]', await photo());
        await keys.go('main form.fields > button', /\/events\/(?!new)\w+$/);
        expect(await main(organizer)).toContain('Your event is ready');
        expect(await page.locator('img.cover').count()).toBe(1);
        const path = new URL(page.url()).pathname;
        const people = `${path}/people`;

        // The organizer approves a request. The event is then full. The organizer sets the join mode `open`, so that a
        // person can join the waitlist, and adds one more seat for this person.
        await participant.page.goto(path);
        await participant.keys.go('.join-bar button', `**${path}`);
        await page.goto(people);
        await keys.go(`form[action$="/${petr.slug}/approve"] button`, `**${people}#requested`);
        await page.goto(`${path}/edit`);
        await keys.choose('[name=join_mode]', 'open');
        await keys.go('main form.fields > button', `**${path}`);
        expect((await eva.api.post(`${path}/waitlist`)).status).toBe(200);
        await page.goto(`${path}/edit`);
        await keys.fill('[name=max_participants]', '3');
        await keys.go('main form.fields > button', `**${path}`);
        await page.goto(people);
        await keys.go(`form[action$="/${eva.slug}/promote"] button`, `**${people}#waitlisted`);
        expect((await jana.api.get(`${path}`)).body.data.current_participants).toBe(3);

        // The organizer sends a message and adds an expense.
        await page.goto(`${people}/message`);
        await keys.fill('[name=text]', 'Hello!\nWe meet at the bridge.');
        await keys.go('main form.fields > button', `**${people}/message`);
        await page.goto(`${path}/expenses`);
        await keys.fill('#field-title', 'Melons');
        await keys.fill('#field-amount', '300');
        await keys.go('form:has(#field-title) > button', `**${path}/expenses`);

        // The participant reads the message, comments with a picture, reads the QR code of a payment, and records the
        // payment.
        await participant.page.goto('/account/notices');
        expect(await main(participant)).toContain('Hello!\nWe meet at the bridge.');
        await participant.page.goto(path);
        const checkInCode = (await participant.page.locator('.letters').innerText()).replace(/\s/g, '');
        await participant.keys.fill('#body-new', 'I bring my own.');
        await participant.keys.attach('#image-new', await photo());
        await participant.keys.go('#comment-new button', `**${path}*`);
        // The script sets the fragment of the address and loads the page again.
        await participant.page.locator('#comments img').first().waitFor();
        await participant.page.goto(`${path}/expenses`);
        const qrCode = participant.page.locator('figure.my-code svg').first();
        expect((await readQr(await qrCode.screenshot())).text).toMatch(
          new RegExp(`^SPD\\*1\\.0\\*ACC:${IBAN}\\*AM:100\\.00\\*`),
        );
        await participant.keys.go('form[action$="/expenses/payments"] button', `**${path}/expenses`);
        const { payments } = (await jana.api.get(`${path}/expenses`)).body.data.summary.CZK;
        expect(payments).toMatchObject([{ from: { slug: petr.slug }, amount: 100 }]);

        // With scripts, the organizer creates a door link, and a second device that opens this link checks the
        // participant in. Without scripts, the organizer types the code on the page of people.
        if (scripts) {
          await page.goto(`${people}/door-links`);
          await keys.fill('[name=name]', 'Gate');
          await keys.go('main form.fields > button', `**${people}/door-links`);
          const address = new URL(await page.locator('#door-link').innerText());
          const door = await openPhone(true);
          await door.page.goto(address.pathname + address.hash);
          await door.page.waitForSelector('#door[data-ready=yes]');
          await door.keys.fill('#door-code', checkInCode);
          await door.page.keyboard.press('Enter');
          await waitUntil(async () => (await jana.api.get(`${path}/stats`)).body.data.checked_in === 1);
          await door.context.close();
        } else {
          await page.goto(people);
          await keys.press(page.locator('details:has([name=code]) summary'));
          await keys.fill('[name=code]', checkInCode);
          await keys.go('form:has([name=code]) button', `**${people}`);
        }
        await page.goto(`${path}/stats`);
        expect(await page.locator('main svg.chart').count()).toBe(2);
        await Promise.all([organizer.context.close(), participant.context.close()]);
      },
      TEST_TIMEOUT_MS,
    );

    it(
      `let a person create a group, and approve a member who joins by the invite link, ${scriptMode}`,
      async () => {
        const { hana, olga } = await server.people('hana', 'olga');
        const [founder, guest] = [await openPhone(scripts), await openPhone(scripts)];
        await Promise.all([signIn(founder, hana, '/groups/new'), signIn(guest, olga, '/account/events')]);
        await founder.keys.fill('[name=name]', 'Walkers');
        await founder.keys.go('main form.fields > button', /\/groups\/(?!new)\w+$/);
        const path = new URL(founder.page.url()).pathname;
        await founder.keys.go('a[href$="/members/invite-link"]', '**/invite-link');
        if ((await founder.page.locator('#invite-link').count()) === 0)
          await founder.keys.go('main form button', '**/invite-link');
        const link = new URL(await founder.page.locator('#invite-link').innerText()).pathname;
        const qrCode = await readQr(await founder.page.locator('.my-code svg').screenshot());
        expect(new URL(qrCode.text ?? '').pathname).toBe(link);
        await guest.page.goto(link);
        await guest.keys.go('aside form button, main form button.broad', /\/groups\//);
        await founder.page.goto(`${path}/members`);
        await founder.keys.go(`form[action$="/${olga.slug}/approve"] button`, `**${path}/members`);
        expect((await olga.api.get(`${path}`)).body.data.viewer.role).toBe('member');
        await Promise.all([founder.context.close(), guest.context.close()]);
      },
      TEST_TIMEOUT_MS,
    );
  }
});
