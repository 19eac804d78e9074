import type { Answer } from './http-client';
import type { Person } from './people';
import type { TestServer } from './test-server';

/** Status and body of a GET. */
export type GetResult = Pick<Answer, 'status' | 'body'>;

/**
 * A GET through the whole server, from its router to the bytes of the body. No socket is used, because sending through
 * a socket would double the time of a request. `path` is the part of the address after /api/v1.
 */
export async function injectedGet(server: TestServer, { token }: Person, path: string): Promise<GetResult> {
  const answer = await server.app
    .getHttpAdapter()
    .getInstance()
    .inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${token}`, accept: 'application/json' } });
  return { status: answer.statusCode, body: answer.payload === '' ? null : answer.json() };
}
