import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Share of the requests whose response is lost: the server processes the request, but the client gets no response. */
const LOSS_RATE = 0.4;

/** A proxy that loses responses at random. The server behind it may be replaced at any time. */
export class LosingProxy {
  /** Number of lost responses. */
  lost = 0;
  private readonly agent = new Agent({ keepAlive: true });

  private constructor(
    /** The origin of the server behind the proxy. */
    public target: string,
    private readonly server: Server,
  ) {}

  static async start(target: string): Promise<LosingProxy> {
    const server = createServer();
    const proxy = new LosingProxy(target, server);
    server.on('request', (incoming, outgoing) => proxy.forward(incoming, outgoing));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.agent.destroy();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const upstream = request(
      `${this.target}${incoming.url ?? ''}`,
      { method: incoming.method, headers: incoming.headers, agent: this.agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => outgoing.destroy());
        response.on('end', () => {
          if (Math.random() < LOSS_RATE) {
            this.lost++;
            outgoing.destroy();
          } else outgoing.writeHead(response.statusCode ?? 502, response.headers).end(Buffer.concat(chunks));
        });
      },
    );
    // The server stopped before or while it processed the request.
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  }
}
