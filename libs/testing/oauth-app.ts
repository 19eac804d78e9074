import { createHash, randomBytes } from 'node:crypto';
import { HttpClient, type Answer } from './http-client';
import { clientOf, type Person } from './people';
import type { TestServer } from './test-server';
import { Visitor, type Page } from './visitor';

export const PASSWORD = 'correct horse';

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function pkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** A person and a browser in which the person is signed in. */
export interface BrowserUser {
  readonly person: Person;
  readonly browser: Visitor;
}

export async function signedInPerson(
  server: TestServer,
  name: string,
  options: Parameters<TestServer['person']>[1] = {},
): Promise<BrowserUser> {
  const email = `${name}-${randomBytes(4).toString('hex')}@example.org`;
  const person = await server.person(name, { email, password: PASSWORD, ...options });
  const browser = new Visitor(server);
  await browser.submit('/sign-in', { email, password: PASSWORD });
  return { person, browser };
}

/**
 * Opens an authorization address in a signed-in browser, and grants the requested scopes. Returns the app's address to
 * which the browser is redirected.
 */
export async function allowApp(browser: Visitor, address: URL): Promise<URL> {
  let page = await browser.get(address.pathname + address.search);
  for (let hops = 0; hops < 9; hops++) {
    const action = /action="([^"]*\/oauth\/consent\/[^"]+)"/.exec(page.html)?.[1];
    if (page.to !== null && !page.to.startsWith('/')) return new URL(page.to);
    const _csrf = /name="_csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    page = action ? await browser.post(action, { _csrf, decision: 'allow' }) : await browser.get(page.to ?? '/');
  }
  throw new Error('the browser was not redirected to the app');
}

export interface Authorization {
  readonly path: string;
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
  readonly expires_in: number;
  readonly api: HttpClient;
}

type Fields = Readonly<Record<string, string | undefined>>;

/** An OAuth client without a library, so that tests can send requests that no library would send. */
export class OAuthApp {
  constructor(
    readonly server: Pick<TestServer, 'origin'>,
    readonly clientId: string,
    readonly redirectUri: string,
    readonly secret: string | null = null,
  ) {}

  /** Registers an app by dynamic registration (APP-10). */
  static async register(
    server: TestServer,
    { redirectUri = 'https://app.example.org/callback', name = 'Kalendář' } = {},
  ): Promise<OAuthApp> {
    const { body, status } = await server.nobody.send('POST', '~/oauth/register', {
      json: { client_name: name, redirect_uris: [redirectUri] },
    });
    if (status !== 201) throw new Error(`not registered: ${status} ${JSON.stringify(body)}`);
    return new OAuthApp(server, body.client_id as string, redirectUri);
  }

  /** The same app, but as a client of another server. */
  onServer(server: Pick<TestServer, 'origin'>): OAuthApp {
    return new OAuthApp(server, this.clientId, this.redirectUri, this.secret);
  }

  /** A new authorization request. A field that is undefined is not sent. */
  authorization(fields: Fields = {}): Authorization {
    const { verifier, challenge } = pkce();
    const state = randomBytes(8).toString('hex');
    const all: Fields = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      scope: 'read',
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...fields,
    };
    return {
      path: `/oauth/authorize?${formBody(all).toString()}`,
      state,
      verifier,
      redirectUri: all.redirect_uri ?? this.redirectUri,
    };
  }

  /**
   * Opens the address of the authorization request, and answers the consent page if one is shown. `redirect`: the app's
   * address to which the browser is redirected; null if the browser stays at the service. `page`: the last response of
   * the service.
   */
  async answerConsent(
    browser: Visitor,
    authorization: Authorization,
    decision = 'allow',
  ): Promise<{ redirect: URL | null; page: Page }> {
    let page = await followRedirects(browser, await browser.get(authorization.path));
    const action = /action="([^"]*\/oauth\/consent\/[^"]+)"/.exec(page.html)?.[1];
    if (action !== undefined) {
      const _csrf = /name="_csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
      page = await followRedirects(browser, await browser.post(action, { _csrf, decision }));
    }
    return { redirect: redirectToApp(page), page };
  }

  /**
   * Allows the authorization request in the browser, and returns the code that the app gets. Throws an error if the app
   * gets no code.
   */
  async code(browser: Visitor, authorization: Authorization): Promise<string> {
    const { redirect, page } = await this.answerConsent(browser, authorization);
    const code = redirect?.searchParams.get('code');
    if (!code) throw new Error(`no code: ${redirect?.href ?? `${page.status} ${page.html.slice(0, 2000)}`}`);
    return code;
  }

  exchange(code: string, authorization: Authorization, fields: Fields = {}): Promise<Answer> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: authorization.redirectUri,
      code_verifier: authorization.verifier,
      ...fields,
    });
  }

  refresh(token: string, fields: Fields = {}): Promise<Answer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, ...fields });
  }

  token(fields: Fields): Promise<Answer> {
    return this.send('/oauth/token', fields);
  }

  revoke(token: string): Promise<Answer> {
    return this.send('/oauth/revoke', { token });
  }

  send(path: string, fields: Fields): Promise<Answer> {
    const basic = this.secret && Buffer.from(`${this.clientId}:${this.secret}`).toString('base64');
    return new HttpClient(this.server.origin, { accept: 'application/json' }).send('POST', `~${path}`, {
      body: formBody(basic ? fields : { client_id: this.clientId, ...fields }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(basic ? { authorization: `Basic ${basic}` } : {}),
      },
    });
  }

  /** Runs a whole authorization. Returns the tokens, the code that was exchanged for them, and the request. */
  async connect(browser: Visitor, scope = 'read'): Promise<Tokens & { code: string; authorization: Authorization }> {
    const authorization = this.authorization({ scope });
    const code = await this.code(browser, authorization);
    return { ...this.tokensOf(await this.exchange(code, authorization)), code, authorization };
  }

  tokensOf({ status, body, text }: Answer): Tokens {
    if (status !== 200) throw new Error(`no tokens: ${status} ${text}`);
    const tokens = body as Omit<Tokens, 'api'>;
    return { ...tokens, api: clientOf(this.server as never, tokens.access_token) };
  }
}

function formBody(fields: Fields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );
}

/** Follows redirects within the service. */
async function followRedirects(browser: Visitor, first: Page): Promise<Page> {
  let page = first;
  for (let hops = 0; page.to !== null && redirectToApp(page) === null && hops < 10; hops++)
    page = await browser.get(page.to);
  return page;
}

/** Returns the address of a redirect that leaves the service, or null. */
function redirectToApp({ to }: Page): URL | null {
  return to === null || to.startsWith('/') ? null : new URL(to);
}
