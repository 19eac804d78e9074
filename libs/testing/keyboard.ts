import type { Locator, Page } from 'playwright-core';

/** More Tab stops than any page has. */
const MAX_TAB_STOPS = 250;

interface File {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Operates a page with the keyboard only. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  /** Presses Tab until the element has the focus. */
  async tabTo(target: string | Locator): Promise<void> {
    const locator = typeof target === 'string' ? this.page.locator(target).first() : target;
    await locator.waitFor({ state: 'visible' });
    // This function looks up the element only once. A locator would look it up after each press.
    const handle = await locator.elementHandle();
    for (let i = 0; i < MAX_TAB_STOPS; i++) {
      if (await handle.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${String(locator)}`);
  }

  async press(target: string | Locator, key = 'Enter'): Promise<void> {
    await this.tabTo(target);
    await this.page.keyboard.press(key);
  }

  /** Sends a form or follows a link, and waits for the page at the address `to`. */
  async go(target: string | Locator, to: RegExp | string): Promise<void> {
    await this.tabTo(target);
    const arrived = this.page.waitForNavigation({ url: to });
    await this.page.keyboard.press('Enter');
    await arrived;
  }

  async fill(target: string | Locator, text: string): Promise<void> {
    await this.tabTo(target);
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.type(text);
  }

  /** Presses Home, and then the down arrow until the select has the value. */
  async choose(target: string, value: string): Promise<void> {
    await this.tabTo(target);
    const select = this.page.locator(target);
    const count = await select.locator('option').count();
    await this.page.keyboard.press('Home');
    for (let i = 0; i < count && (await select.inputValue()) !== value; i++)
      await this.page.keyboard.press('ArrowDown');
    if ((await select.inputValue()) !== value) throw new Error(`${target} does not offer ${value}`);
  }

  /**
   * Types the parts of a `datetime-local` field one after another, in the order that a browser with British settings
   * uses.
   */
  async typeTime(target: string, [day, month, year, time]: readonly [string, string, string, string]): Promise<void> {
    await this.tabTo(target);
    await this.page.keyboard.type(`${day}${month}${year}`);
    await this.page.keyboard.press('ArrowRight');
    await this.page.keyboard.type(time);
  }

  /**
   * Moves the focus to the field and sets its file. The file dialog is not opened, because it is part of the operating
   * system.
   */
  async attach(target: string, file: File): Promise<void> {
    await this.tabTo(target);
    await this.page.locator(target).setInputFiles(file);
  }
}
