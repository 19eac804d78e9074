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
    readonly visitor: Visitor,
  ) {}

  /** Creates an account with an e-mail address and a password, and signs in to it. */
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

  signIn(visitor = this.visitor): Promise<Page> {
    return visitor.submit('/sign-in', { email: this.email, password: PASSWORD });
  }

  async noticesHtml(visitor = this.visitor): Promise<string> {
    return (await visitor.get(PAGE)).html;
  }

  /** Sends the same request as the page's script. If `token` is given, it replaces the CSRF token of the page. */
  async post(
    subscription: unknown,
    { visitor = this.visitor, token }: { visitor?: Visitor; token?: string } = {},
  ): Promise<Page> {
    const csrf = token ?? /name="_csrf" value="([^"]+)"/.exec(await this.noticesHtml(visitor))?.[1] ?? '';
    return visitor.send('POST', `${PAGE}/push`, JSON.stringify(subscription), {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-csrf-token': csrf,
    });
  }

  async subscribe(browser: PushedBrowser, visitor = this.visitor): Promise<{ id: string; name: string }> {
    const { status, html } = await this.post(browser.subscription, { visitor });
    if (status !== 201) throw new Error(`not subscribed: ${status} ${html}`);
    return (JSON.parse(html) as { data: { id: string; name: string } }).data;
  }

  /** The ids of the subscribed browsers that the page lists. */
  async listedIds(visitor = this.visitor): Promise<string[]> {
    const html = await this.noticesHtml(visitor);
    return [...html.matchAll(/\/account\/notices\/push\/([^/"]+)\/remove/g)].map(([, id]) => id ?? '');
  }
}
