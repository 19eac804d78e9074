import type { PushedBrowser } from './push-service';
import type { Person, PersonOptions } from './people';
import type { TestServer } from './test-server';
import { Visitor, type Page } from './visitor';

const PAGE = '/account/notices';
const PASSWORD = 'correct horse';

/** A person who is signed in to the pages and subscribes browsers to push messages. */
export class PushSubscriber {
  private constructor(
    readonly person: Person,
    readonly email: string,
    readonly page: Visitor,
  ) {}

  static async open(server: TestServer, name: string, options: PersonOptions = {}): Promise<PushSubscriber> {
    const email = `${name}-${Math.random().toString(36).slice(2)}@example.org`;
    const person = await server.person(name, { email, password: PASSWORD, ...options });
    const subscriber = new PushSubscriber(person, email, PushSubscriber.browser(server));
    await subscriber.signIn();
    return subscriber;
  }

  static browser(server: TestServer): Visitor {
    return new Visitor(server, {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    });
  }

  signIn(page = this.page): Promise<Page> {
    return page.submit('/sign-in', { email: this.email, password: PASSWORD });
  }

  async notices(page = this.page): Promise<string> {
    return (await page.get(PAGE)).html;
  }

  /** Sends the same request as the page's script. If `token` is given, it replaces the CSRF token of the page. */
  async post(
    subscription: unknown,
    { page = this.page, token }: { page?: Visitor; token?: string } = {},
  ): Promise<Page> {
    const csrf = token ?? /name="_csrf" value="([^"]+)"/.exec(await this.notices(page))?.[1] ?? '';
    return page.send('POST', `${PAGE}/push`, JSON.stringify(subscription), {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-csrf-token': csrf,
    });
  }

  async subscribe(browser: PushedBrowser, page = this.page): Promise<{ id: string; name: string }> {
    const { status, html } = await this.post(browser.subscription, { page });
    if (status !== 201) throw new Error(`not subscribed: ${status} ${html}`);
    return (JSON.parse(html) as { data: { id: string; name: string } }).data;
  }

  /** The ids of the subscribed browsers that the page lists. */
  async listedIds(page = this.page): Promise<string[]> {
    const html = await this.notices(page);
    return [...html.matchAll(/\/account\/notices\/push\/([^/"]+)\/remove/g)].map(([, id]) => id ?? '');
  }
}
