import type { Page, Request } from 'playwright-core';

/** The limits for loading a page. Pictures, fonts and media do not count towards either limit (PAGE-36). */
const MAX_BYTES = 60_000;
const MAX_REQUESTS = 10;
const NOT_COUNTED = new Set(['image', 'font', 'media']);

/**
 * Counts the requests with which a browser tab loads a page, and the bytes of the responses. The cache of the tab is
 * disabled.
 */
export class Weight {
  private requests: Request[] = [];

  private constructor(private readonly page: Page) {
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) this.requests = [];
      this.requests.push(request);
    });
  }

  static async of(page: Page): Promise<Weight> {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    return new Weight(page);
  }

  /** The bytes and requests of the open page if they exceed a limit, or if no byte was measured; otherwise null. */
  async excess(): Promise<string | null> {
    await this.page.waitForLoadState('load');
    const countedRequests = this.requests.filter((request) => !NOT_COUNTED.has(request.resourceType()));
    // A request that the browser cancelled has no response, and so no size.
    const answeredRequests = await Promise.all(
      countedRequests.map(async (request) => ((await request.response()) ? request : null)),
    );
    const sizes = await Promise.all(answeredRequests.map(async (request) => (request ? request.sizes() : null)));
    const bytes = sizes.reduce((sum, size) => sum + (size?.responseBodySize ?? 0), 0);
    const isWithinLimits = bytes > 0 && bytes <= MAX_BYTES && countedRequests.length <= MAX_REQUESTS;
    return isWithinLimits ? null : `${bytes} bytes in ${countedRequests.length} requests`;
  }
}
