// Measures the time of the first contentful paint of public pages and of a member's pages in Chromium at 50 KB/s, with
// an empty cache: the median of several visits. Needs Debian's package `chromium`.
//   npm run bench -- paint [--visits 5] [--kilobytes-per-second 50]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { median, MEASURED, startService, verdict } from './lib/service.mjs';

const { values: options } = parseArgs({
  options: { visits: { type: 'string', default: '5' }, 'kilobytes-per-second': { type: 'string', default: '50' } },
});
const GOAL_MS = 1_000;
const PHONE = { width: 375, height: 812 };

const folder = mkdtempSync(join(tmpdir(), 'events-paint-'));
// Demo data are created only in the embedded PostgreSQL, so there is no DATABASE_URL.
const service = await startService({ ...MEASURED, DATA_DIR: join(folder, 'data'), DEMO_DATA: 'on' });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
try {
  const explore = await (await fetch(service.origin)).text();
  const event = /href="(\/events\/\w+)"/.exec(explore)?.[1];
  if (!event) throw new Error('Explore lists no event');
  const member = await newMember();
  const table = {};
  const pages = [
    ...['/', event, '/groups', '/posts', '/sign-in', '/register'].map((path) => ({ path })),
    ...['/account/events', '/account/notices', '/account', '/events/new'].map((path) => ({ path, session: member })),
  ];
  for (const { path, session } of pages) {
    const visits = [];
    for (let n = 0; n < Number(options.visits); n++) visits.push(await visit(path, session));
    const ms = (figure) => Math.round(median(visits.map((one) => one[figure])));
    table[path === event ? '/events/{id}' : path] = {
      first_paint_ms: ms('firstPaint'),
      kilobytes_before_paint: Math.round(median(visits.map(({ bytes }) => bytes)) / 100) / 10,
    };
  }
  console.table(table);
  const slowest = Math.max(...Object.values(table).map(({ first_paint_ms: ms }) => ms));
  console.log(`The slowest page: ${slowest} ms (goal ${GOAL_MS}: ${verdict(slowest <= GOAL_MS)})`);
} finally {
  await browser.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Registers an account and returns the cookies of its session. Without a mail server, no confirmation is needed. */
async function newMember() {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${service.origin}/register`);
  for (const [name, value] of Object.entries({ name: 'Paint', email: 'paint@example.org', password: 'correct horse' }))
    await page.fill(`main [name=${name}]`, value);
  await page.click('main form button');
  await page.waitForURL((url) => url.pathname.startsWith('/account'));
  const state = await context.storageState();
  await context.close();
  return state;
}

/**
 * One visit with an empty cache: the time of the first contentful paint, and the bytes of the responses that were
 * complete at that time.
 */
async function visit(path, storageState) {
  const context = await browser.newContext({ viewport: PHONE, storageState });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: Number(options['kilobytes-per-second']) * 1_000,
    uploadThroughput: Number(options['kilobytes-per-second']) * 1_000,
  });
  await page.goto(service.origin + path, { waitUntil: 'load' });
  const measured = await page.evaluate(async () => {
    const paint = await new Promise((done) => {
      new globalThis.PerformanceObserver((list) => {
        const entry = list.getEntriesByName('first-contentful-paint')[0];
        if (entry) done(entry.startTime);
      }).observe({ type: 'paint', buffered: true });
    });
    const before = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].filter(
      ({ responseEnd }) => responseEnd <= paint,
    );
    return { firstPaint: paint, bytes: before.reduce((sum, { transferSize }) => sum + transferSize, 0) };
  });
  await context.close();
  return measured;
}
