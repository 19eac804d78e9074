import type { BrowserContext } from 'playwright-core';
import { UNCOMPRESSED } from './http-client';
import { withoutIgnoredSpaces } from './ignored-spaces';
import type { TestServer } from './test-server';

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  /** The body. If it is HTML, the line breaks and the indentation of the views are removed. */
  readonly html: string;
  /** The header `Location`: the target of a redirect. */
  readonly to: string | null;
}

type Fields = Readonly<Record<string, string>>;

/** Browsers add this header to a form of a page of this service. A signed-out visitor then needs no CSRF token. */
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' } as const;

/** A browser without scripts. It stores cookies. `submit` sends fields with the hidden CSRF token of a page. */
export class Visitor {
  private readonly cookies = new Map<string, string>();
  /** The CSRF token of the last page, until the session cookie changes; '' if there is none. */
  private csrf = '';
  private readonly headers: Fields;

  constructor(
    private readonly server: Pick<TestServer, 'origin'>,
    headers: Fields = {},
  ) {
    this.headers = {
      ...UNCOMPRESSED,
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'accept-language': 'en',
      ...headers,
    };
  }

  get(path: string): Promise<Page> {
    return this.send('GET', path);
  }

  /**
   * Sends the fields with a CSRF token to `action`, by default the path of the page without a query. Opens the page
   * first only if the browser has a session cookie and no CSRF token. Other preset fields of the page's form are not
   * sent.
   */
  async submit(page: string, fields: Fields, action = page.split('?')[0] as string): Promise<Page> {
    if (this.csrf === '' && this.session !== undefined) await this.get(page);
    return this.send('POST', action, new URLSearchParams({ _csrf: this.csrf, ...fields }), SAME_ORIGIN);
  }

  post(path: string, fields: Fields): Promise<Page> {
    return this.send('POST', path, new URLSearchParams(fields));
  }

  async send(
    method: string,
    path: string,
    body: string | URLSearchParams | FormData | null = null,
    headers: Fields = {},
  ): Promise<Page> {
    const { cookie } = this;
    const response = await fetch(this.server.origin + path, {
      method,
      body,
      redirect: 'manual',
      headers: { ...this.headers, ...(cookie && { cookie }), ...headers },
    });
    for (const line of response.headers.getSetCookie()) this.storeCookie(line);
    const isPage = response.headers.get('content-type')?.startsWith('text/html');
    const text = await response.text();
    if (isPage) this.csrf = /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? this.csrf;
    return {
      status: response.status,
      headers: response.headers,
      html: isPage ? withoutIgnoredSpaces(text) : text,
      to: response.headers.get('location'),
    };
  }

  /** Registers a new account. The browser is then signed in. */
  async register(email: string, name = 'Jana Nováková', password = 'correct horse'): Promise<Page> {
    return this.submit('/register', { name, email, password });
  }

  /**
   * Copies all cookies to a browser with scripts. If this visitor is signed in, the browser is then signed in too. This
   * is much faster than filling in the form in the browser.
   */
  async copyCookiesTo(context: Pick<BrowserContext, 'addCookies'>): Promise<void> {
    const url = this.server.origin;
    await context.addCookies([...this.cookies].map(([name, value]) => ({ name, value, url })));
  }

  /** All cookies, as the value of the request header `Cookie`. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** The value of the session cookie, so that a test can use it again later. */
  get session(): string | undefined {
    return this.cookies.get('session');
  }

  set session(value: string) {
    this.cookies.set('session', value);
    this.csrf = '';
  }

  private storeCookie(line: string): void {
    const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
    if (name === 'session') this.csrf = '';
    if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
