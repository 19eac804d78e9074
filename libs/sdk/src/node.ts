import { createServer } from 'node:http';
import type { AuthorizeOptions } from './authorization.ts';
import type { Connection } from './connection.ts';
import { ForeignCallback, type Tokens } from './oauth.ts';

export interface LoopbackOptions {
  /** The scopes that the app requests; default `read`. */
  readonly scope?: AuthorizeOptions['scope'];
  /** Opens the address in the person's browser, or prints it. */
  readonly open: (url: string) => void | Promise<void>;
  /**
   * The path of the redirect address that the app has registered. With the default `/callback`, the registered address
   * is `http://127.0.0.1/callback`.
   */
  readonly path?: string;
  /**
   * Returns the HTML of the page that the browser shows after a redirect. `failure` is the error; null after a success.
   */
  readonly page?: (failure: unknown) => string;
  /**
   * A signal whose abort ends the waiting, for example `AbortSignal.timeout(300_000)`. The call then throws the
   * signal's reason.
   */
  readonly signal?: AbortSignal;
}

/**
 * Connects a program on the person's computer: listens on a free port of 127.0.0.1 for the browser's redirect, checks
 * the redirect, and stores the tokens. Throws the errors of `connection.finish` except `ForeignCallback`: after a
 * redirect of another authorization, the function continues to wait.
 */
export async function authorizeByLoopback(
  connection: Connection,
  { scope, open, path = '/callback', page = pageOf, signal }: LoopbackOptions,
): Promise<Tokens> {
  signal?.throwIfAborted();
  const server = createServer();
  try {
    await new Promise<void>((listening, failed) => {
      server.once('error', failed);
      server.listen(0, '127.0.0.1', listening);
    });
    const { url, pending } = await connection.authorize({
      redirectUri: `http://127.0.0.1:${server.address().port}${path}`,
      ...(scope !== undefined && { scope }),
    });
    signal?.throwIfAborted();
    // A second request with the code, such as a reload, must not exchange the code again.
    let finished: Promise<Tokens> | null = null;
    const answered = new Promise<Tokens>((done, failed) => {
      signal?.addEventListener('abort', () => failed(signal.reason as Error), { once: true });
      server.on('request', (request, response) => {
        const send = (status: number, html: string): void =>
          void response
            .writeHead(status, {
              'content-type': 'text/html; charset=utf-8',
              'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
              'referrer-policy': 'no-referrer',
              'cache-control': 'no-store',
              connection: 'close',
            })
            .end(html);
        const sent = request.url ?? '';
        const address = parseUrl(sent, pending.redirectUri);
        if (request.method !== 'GET' || address?.pathname !== path) return send(404, '');
        (finished ??= connection.finish(address, pending)).then(
          (tokens) => {
            response.once('close', () => done(tokens));
            send(200, page(null));
          },
          (error: Error) => {
            if (error instanceof ForeignCallback) finished = null;
            else response.once('close', () => failed(error));
            send(400, page(error));
          },
        );
      });
    });
    // Without a handler, a rejection before `open` has returned would end the process.
    answered.catch(() => undefined);
    await open(url);
    return await answered;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** URL.canParse is not used: in Node 20 and 22 it refuses valid addresses with accents after a few thousand calls. */
function parseUrl(address: string, base: string): URL | null {
  try {
    return new URL(address, base);
  } catch {
    return null;
  }
}

function pageOf(failure: unknown): string {
  const text = failure === null ? 'The app is connected. You can close this window.' : 'The app is not connected.';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${text}</title><p>${text}</p></html>`;
}
