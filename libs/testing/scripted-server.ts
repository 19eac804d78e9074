import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers one request, leaves it unanswered, or closes its connection. */
export type Turn = (response: ServerResponse, request: IncomingMessage) => void;
interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly key: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export const refuse =
  (status: number, code: string, headers: Record<string, string> = {}): Turn =>
  (response) => {
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ message: 'No.', code }));
  };
export const respondWith =
  (data: unknown, more: object = {}): Turn =>
  (response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify({ data, ...more }));
export const page = (data: unknown[], next: string | null): Turn =>
  respondWith(data, { links: { first: null, last: null, prev: null, next }, meta: {} });
/** Closes the connection without a response. */
export const closeConnection: Turn = (response) => void response.destroy();
export const noResponse: Turn = () => undefined;

/**
 * A server that answers each request with the next of `turns`, or with 418 if no turn is left. It also stores the
 * requests.
 */
export class ScriptedServer {
  turns: Turn[] = [];
  requests: ReceivedRequest[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        this.requests.push({
          method,
          url,
          headers,
          key: headers['idempotency-key'] as string | undefined,
          body: Buffer.concat(parts).toString('latin1'),
        });
        (this.turns.shift() ?? refuse(418, 'no_more_turns'))(response, request);
      });
    });
  }

  static async start(): Promise<ScriptedServer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new ScriptedServer(server);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  forget(): void {
    this.turns = [];
    this.requests = [];
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
