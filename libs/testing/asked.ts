import type { Answer } from './http-client';
import type { Person } from './people';
import type { TestServer } from './test-server';

/** Status and body of a GET. */
export type Seen = Pick<Answer, 'status' | 'body'>;

/**
 * A GET without a socket, which would cost as much as the response: the whole way through the server, from its router
 * to the bytes of the body. `path` below /api/v1.
 */
export async function asked(server: TestServer, { token }: Person, path: string): Promise<Seen> {
  const answer = await server.app
    .getHttpAdapter()
    .getInstance()
    .inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${token}`, accept: 'application/json' } });
  return { status: answer.statusCode, body: answer.payload === '' ? null : answer.json() };
}
