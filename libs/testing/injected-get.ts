import { HttpClient, parsed, UNCOMPRESSED, type Answer, type RequestOptions } from './http-client';
import type { Person } from './people';
import type { TestServer } from './test-server';

/** Status and body of a GET. */
export type GetResult = Pick<Answer, 'status' | 'body'>;

/** Status, ETag and text of a GET. */
interface InjectedText {
  readonly status: number;
  readonly etag: string | null;
  readonly text: string;
}

/**
 * A GET through the whole server, from its router to the bytes of the body. No socket is used, because sending through
 * a socket would double the time of a request.
 */
export async function injectedText(
  server: TestServer,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<InjectedText> {
  const answer = await server.app.getHttpAdapter().getInstance().inject({ url, headers });
  return { status: answer.statusCode, etag: answer.headers.etag ?? null, text: answer.payload };
}

/** Like `injectedText`, for a GET of the API by this person. `path` is the part of the address after /api/v1. */
export function injectedTextFor(
  server: TestServer,
  { token }: Person,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<InjectedText> {
  return injectedText(server, `/api/v1${path}`, {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    ...headers,
  });
}

/** Like `injectedTextFor`, with the parsed body. */
export async function injectedGet(server: TestServer, person: Person, path: string): Promise<GetResult> {
  const { status, text } = await injectedTextFor(server, person, path);
  return { status, body: text === '' ? null : JSON.parse(text) };
}

/**
 * Like `HttpClient`, but sends requests without a body without a socket (see `injectedText`). Requests with a body need
 * a socket, because the service limits the time in which a body arrives.
 */
export class InjectingClient extends HttpClient {
  constructor(
    private readonly server: TestServer,
    token: string | null,
  ) {
    super(server.origin, { accept: 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) });
  }

  override async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    if (options.json !== undefined || options.body !== undefined) return super.send(method, path, options);
    const answer = await this.server.app
      .getHttpAdapter()
      .getInstance()
      .inject({
        method: method as 'GET',
        url: path.startsWith('~') ? path.slice(1) : `/api/v1${path}`,
        headers: { ...UNCOMPRESSED, ...this.headers, ...options.headers },
      });
    const received = new Headers();
    for (const [name, values] of Object.entries(answer.headers))
      for (const value of [values].flat()) received.append(name, String(value));
    return { status: answer.statusCode, headers: received, text: answer.payload, body: parsed(answer.payload) };
  }
}
