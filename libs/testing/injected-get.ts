import type { Answer } from './http-client';
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
