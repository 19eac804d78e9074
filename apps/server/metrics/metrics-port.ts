import { timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';

export const METRICS_PATH = '/metrics';

/** The response of `/metrics`. */
export interface Exposition {
  readonly contentType: string;
  readonly text: () => Promise<string>;
}

/** RFC 6750: the scheme in any letter case, and one or more spaces. */
const BEARER = /^bearer +/i;

/** Whether a request with this `Authorization` header may read the metrics. If `token` is null, every request may. */
export function mayRead(authorization = '', token: string | null): boolean {
  return token === null || (BEARER.test(authorization) && isEqual(authorization.replace(BEARER, ''), token));
}

/** Creates the server that answers `/metrics` on a separate port. The calling code starts the server. */
export function metricsServer({ contentType, text }: Exposition, token: string | null): Server {
  return createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== METRICS_PATH) return void response.writeHead(404).end();
    if (!mayRead(request.headers.authorization, token))
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    text().then(
      (metrics) => response.writeHead(200, { 'content-type': contentType }).end(metrics),
      () => response.writeHead(500).end(),
    );
  });
}

/** Compares texts of equal length in constant time: the duration does not reveal which characters are correct. */
function isEqual(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
