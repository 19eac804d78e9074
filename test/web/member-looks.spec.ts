import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expectAccessiblePage, openBrowser, SIZES } from '#testing/browser';
import { browserOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import { picture } from '#testing/media';
import { OAuthApp } from '#testing/oauth-app';
import type { Person } from '#testing/people';
import { describeWith } from '#testing/requirements';
import { buildSeries } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import type { Visitor } from '#testing/visitor';
import { Weight } from '#testing/weight';

/** Words in menus, forms and buttons. The screen shows them, but they must not be printed. */
const ONLY_ON_SCREEN = [
  'Pro pořadatele',
  'Upravit akci',
  'Smazat',
  'Označit jako zaplacené',
  'Přidat výdaj',
  'Nahlásit',
  'Profil',
];

/** Tests pages on which members act, for example pages for organizers, groups, posts, expenses, import and apps. */
describeWith('chromium-headless-shell', 'pages of members', () => {
  let server: TestServer;
  let browser: Browser;
  let jana: Person;
  let organizer: Visitor;
  let paths: Record<string, string>;

  beforeAll(async () => {
    server = await TestServer.start();
    browser = await openBrowser();
    jana = await server.person('jana', { name: 'Johana Nepomucká z Veselí nad Moravou' });
    organizer = await browserOf(server, jana, 'cs');
    const { petr, eva, ivan } = await server.people('petr', 'eva', 'ivan');
    const { id } = await buildEvent(server, jana, {
      title: 'Piknik u řeky s opravdu dlouhým názvem, který se nevejde na řádek',
      is_public: true,
      join_mode: 'request',
      max_participants: 2,
      starts_at: inDays(3),
      with: [
        [petr, 'confirmed'],
        [eva, 'requested'],
        [ivan, 'waitlisted'],
      ],
    });
    await jana.api.upload(`/events/${id}/images`, [['images[]', new Blob([await picture()])]]);
    await jana.api.post(`/events/${id}/expenses`, { title: 'Melouny', amount: 999_999 });
    await jana.api.post(`/events/${id}/door/links`, { name: 'Vchod od řeky' });
    await petr.api.post(`/events/${id}/comments`, { body: 'Vezmu frisbee.' });
    const tickets = await buildEvent(server, jana, { join_mode: 'tickets', title: 'Koncert' });
    await jana.api.post(`/events/${tickets.id}/tickets`, { count: 3 });
    const group = await buildGroup(server, jana, { name: 'Turisté', with: [[petr, 'member']] });
    const series = await buildSeries(server, jana, { title: 'Ranní běh', atMost: 4 });
    const post = (
      await jana.api.post('/posts', { title: 'Jak bylo', body: '<p>Krásně.</p>', categories: ['kultura_umeni'] })
    ).body.data.slug as string;
    paths = {
      'event-new': '/events/new',
      'event-edit': `/events/${id}/edit`,
      'event-of-organizer': `/events/${id}`,
      people: `/events/${id}/people`,
      'door-links': `/events/${id}/people/door-links`,
      message: `/events/${id}/people/message`,
      stats: `/events/${id}/stats`,
      expenses: `/events/${id}/expenses`,
      tickets: `/events/${tickets.id}/tickets`,
      'series-new': '/series/new',
      'series-edit': `/series/${series.id}/edit`,
      'group-new': '/groups/new',
      'group-edit': `/groups/${group.id}/edit`,
      'group-of-owner': `/groups/${group.id}`,
      members: `/groups/${group.id}/members`,
      'post-new': '/posts/new',
      'post-edit': `/posts/${post}/edit`,
      import: '/events/import',
      notices: '/account/notices',
      blocks: '/account/blocks',
      reports: '/account/reports',
      requests: '/account/requests',
      'own-apps': '/account/apps/own',
      device: '/device',
    };
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Opens an empty tab with the session of `visitor`. */
  async function openTab(
    options: Parameters<Browser['newContext']>[0] = {},
    visitor = organizer,
  ): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ baseURL: server.origin, locale: 'cs-CZ', ...options });
    await visitor.copyCookiesTo(context);
    return { context, page: await context.newPage() };
  }

  // PAGE-17
  it('are printed without menus, forms or buttons', async () => {
    const { context, page } = await openTab();
    const onScreen: string[] = [];
    for (const [name, shown] of [
      ['event-of-organizer', 'Vezmu frisbee.'],
      ['expenses', 'Melouny'],
      // On this page, only the link above the heading contains the title of the event.
      ['people', 'Piknik u řeky'],
      ['tickets', 'Koncert'],
    ] as const) {
      await page.goto(paths[name]!);
      onScreen.push(await page.innerText('body'));
      await page.emulateMedia({ media: 'print' });
      const text = await page.innerText('body');
      await page.emulateMedia({ media: 'screen' });
      expect(text).toContain(shown);
      expect([name, ONLY_ON_SCREEN.filter((word) => text.includes(word))]).toEqual([name, []]);
    }
    expect(ONLY_ON_SCREEN.filter((word) => !onScreen.join('\n').includes(word))).toEqual([]);
    await context.close();
  });

  // PAGE-17, PAGE-36, APP-12
  it('are accessible, load little data, and fit on the screen, with each window size and colour scheme', async () => {
    const { context, page } = await openTab();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    const weight = await Weight.of(page);
    const checkPage = async (name: string) => {
      expect([name, await weight.excess()]).toEqual([name, null]);
      await expectAccessiblePage(page, name);
    };
    for (const [name, path] of Object.entries(paths)) {
      expect([name, (await page.goto(path))?.status()]).toEqual([name, 200]);
      await checkPage(name);
    }
    // Check the consent page of an app, and then the page that lists the connected apps. The redirect address of the
    // app is on this server, but has another origin than the pages.
    const redirectUri = `${server.origin.replace('127.0.0.1', 'localhost')}/health/live`;
    const app = await OAuthApp.register(server, { name: 'Diář', redirectUri });
    await page.goto(app.authorization({ scope: 'events:write join' }).path);
    await checkPage('consent');
    await page.click('button[value=allow]');
    await page.waitForURL(`${redirectUri}?code=*`);
    await page.goto('/account/apps');
    expect(await page.textContent('main')).toContain('Diář');
    await checkPage('apps');
    expect(problems).toEqual([]);
    await context.close();
  }, 240_000);

  // STAT-4
  it('show charts on a phone with labels of at least 11 pixels that do not overlap', async () => {
    const { libor, anna } = await server.people('libor', 'anna');
    const { id, eventId } = await buildEvent(server, libor, { with: [[anna, 'confirmed']] });
    await server.sql('UPDATE participations SET checked_in_at = now() WHERE event_id = $1', [eventId]);
    const { context, page } = await openTab({ viewport: SIZES.phone }, await browserOf(server, libor));
    await page.goto(`/events/${id}/stats`);
    // Returns the labels that are too small or that overlap another label.
    const findBadLabels = `[...document.querySelectorAll('.chart')].flatMap((chart) => {
      const scale = chart.getBoundingClientRect().width / chart.viewBox.baseVal.width;
      const boxes = [...chart.querySelectorAll('text')].map((text) => [text, text.getBoundingClientRect()]);
      const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      return boxes
        .filter(([text, box]) => parseFloat(getComputedStyle(text).fontSize) * scale < 11 ||
          boxes.some(([other, otherBox]) => other !== text && overlap(box, otherBox)))
        .map(([text]) => text.textContent);
    })`;
    expect([await page.locator('.chart').count(), await page.evaluate(findBadLabels)]).toEqual([2, []]);
    expect(await page.evaluate(`document.querySelector('.chart-line').getBoundingClientRect().width > 100`)).toBe(true);
    await server.sql(
      `INSERT INTO event_days (event_id, day, what, total) SELECT $1, current_date - n, 'joined', 100 FROM generate_series(1, 60) n`,
      [eventId],
    );
    await page.reload();
    expect(await page.evaluate(findBadLabels)).toEqual([]);
    await context.close();
  }, 60_000);

  // PAGE-94
  it('show, on a phone, who used a ticket code, in a line below this code', async () => {
    const guest = await server.person('guest', { name: 'Maxmiliána Dlouhojmenná z Horní Dolní' });
    const tickets = await buildEvent(server, jana, { join_mode: 'tickets' });
    const { body } = await jana.api.post(`/events/${tickets.id}/tickets`, { count: 1 });
    await guest.api.post(`/events/${tickets.id}/join`, { ticket_code: body.data[0].code });
    const { context, page } = await openTab({ viewport: SIZES.phone });
    await page.goto(`/events/${tickets.id}/tickets`);
    expect(await page.textContent('.people')).toContain('Použito: Maxmiliána Dlouhojmenná');
    // The first letters of both texts are at the same distance from the edge.
    const starts = `[...document.querySelectorAll('.people li :is(code, .soft)')].map((one) => one.getClientRects()[0].left)`;
    const [code, used] = await page.evaluate<[number, number]>(starts);
    expect(used).toBe(code);
    await context.close();
  }, 60_000);

  // PAGE-93
  it('show the buttons above the list of participants in rows with equal numbers of buttons', async () => {
    const { context, page } = await openTab();
    await page.goto(paths.people!);
    for (const [size, rows] of [
      ['phone', [2, 2]],
      ['desk', [4]],
    ] as const) {
      await page.setViewportSize(SIZES[size]);
      const tops = await page.evaluate<number[]>(
        `[...document.querySelectorAll('.head > .acts > .button')].map((button) => button.getBoundingClientRect().top)`,
      );
      const lengths = [...new Set(tops)].map((top) => tops.filter((one) => one === top).length);
      expect([size, lengths]).toEqual([size, rows]);
    }
    await context.close();
  }, 60_000);

  // PAGE-86
  it('show each amount of the expenses in one line on a phone', async () => {
    const { context, page } = await openTab({ viewport: SIZES.phone });
    await page.goto(paths.expenses!);
    // Returns the amounts of the balances, each with the number of its lines.
    const amounts = await page.evaluate<
      [string, number][]
    >(`[...document.querySelectorAll('.people .sum')].map((sum) => {
      const text = sum.firstChild;
      const range = document.createRange();
      range.setStart(text, text.data.search(/[0-9]/));
      range.setEnd(text, text.data.trimEnd().length);
      return [range.toString(), new Set([...range.getClientRects()].map(({ top }) => top)).size];
    })`);
    expect(amounts).toEqual([
      ['499\u00a0999,50\u00a0Kč', 1],
      ['499\u00a0999,50\u00a0Kč', 1],
    ]);
    await context.close();
  }, 60_000);
});
