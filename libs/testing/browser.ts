import { existsSync, readFileSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { isThorough } from './repetitions';

/** Debian's Chromium. Unlike the headless shell, it supports push messages. */
const CHROMIUM = '/usr/bin/chromium';
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
/** With the headless shell, a test file needs about 40 % less processor time than with Chromium. */
const PROGRAM = existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM;

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function browserIsInstalled(): boolean {
  return existsSync(PROGRAM);
}

export function chromiumIsInstalled(): boolean {
  return existsSync(CHROMIUM);
}

/**
 * Starts a browser with its own profile, which is deleted when the browser closes. `args`: further command line
 * options.
 */
export function openBrowser(args: readonly string[] = []): Promise<Browser> {
  return launch(PROGRAM, args);
}

export function openBrowserWithPush(): Promise<Browser> {
  return launch(CHROMIUM, []);
}

function launch(executablePath: string, args: readonly string[]): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...ARGUMENTS, ...args] });
}

/** Starts a browser whose camera shows a video in a loop. `video`: the path of a Y4M file. */
export function openBrowserWithCamera(video: string): Promise<Browser> {
  return openBrowser([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${video}`,
  ]);
}

export const SIZES = { phone: { width: 375, height: 812 }, desk: { width: 1280, height: 900 } } as const;

/**
 * Combinations of window size and colour scheme. Normal runs use each size and each scheme once; thorough runs use all
 * combinations.
 */
const LOOKS = (
  [
    ['desk', 'light'],
    ['phone', 'dark'],
    ['desk', 'dark'],
    ['phone', 'light'],
  ] as const
).slice(0, isThorough() ? 4 : 2);

/** The folder for screenshots of the pages. If WEB_SCREENSHOTS is not set, no screenshots are taken. */
const SCREENSHOT_FOLDER = process.env['WEB_SCREENSHOTS'];

/** During a transition, a text may have the colour of one scheme and the background of the other scheme. */
const WAIT_FOR_TRANSITIONS =
  'Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))';
/** Details of passed checks are not collected, which makes the run much faster. */
const FIND_VIOLATIONS = `axe.run({ resultTypes: ['violations'] })`;

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/**
 * Checks that the open page is accessible and not wider than the window, for each combination of `LOOKS`. The page is
 * loaded only once, before this call. Also takes screenshots if WEB_SCREENSHOTS is set.
 *
 * @param name the name of the page in messages of failures and in the file names of the screenshots
 */
export async function expectAccessiblePage(page: Page, name: string): Promise<void> {
  for (const [size, colorScheme] of LOOKS) {
    await page.setViewportSize(SIZES[size]);
    await page.emulateMedia({ colorScheme });
    const look = `${name}-${size}-${colorScheme}`;
    expect([look, await accessibilityViolations(page)]).toEqual([look, []]);
    expect([look, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([look, true]);
    await takeScreenshot(page, look);
  }
}

export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (SCREENSHOT_FOLDER) await page.screenshot({ path: `${SCREENSHOT_FOLDER}/${name}.png`, fullPage: true });
}

/**
 * All violations that axe-core finds after the transitions of the page have ended. The first call for a tab loads
 * axe-core into the open page, and into each page that the tab opens later.
 */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  // A click only waits until the next page has started to load; the style sheet of that page may arrive later.
  await page.waitForLoadState('load');
  const found = await page.evaluate<Finding[] | null>(
    `${WAIT_FOR_TRANSITIONS}.then(() => ('axe' in window ? ${FIND_VIOLATIONS}.then(({ violations }) => violations) : null))`,
  );
  if (found)
    return found.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join(' ')}`);
  const content = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  await page.addInitScript({ content });
  await page.evaluate(content);
  return accessibilityViolations(page);
}
