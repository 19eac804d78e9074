import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Share of lost responses: the server has processed the request, but the client gets no response. */
const LOST = 0.4;

/** A proxy that loses responses at random. The server behind it may be replaced at any time. */
export class LosingProxy {
  /** Number of lost responses. */
  lost = 0;
  private readonly agent = new Agent({ keepAlive: true });

  private constructor(
    /** The origin of the server behind it. */
    public target: string,
    private readonly server: Server,
  ) {}

  static async start(target: string): Promise<LosingProxy> {
    const server = createServer();
    const proxy = new LosingProxy(target, server);
    server.on('request', (asked, answer) => proxy.pass(asked, answer));
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

  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const onward = request(
      `${this.target}${asked.url ?? ''}`,
      { method: asked.method, headers: asked.headers, agent: this.agent },
      (found) => {
        const chunks: Buffer[] = [];
        found.on('data', (chunk: Buffer) => chunks.push(chunk));
        found.on('error', () => answer.destroy());
        found.on('end', () => {
          if (Math.random() < LOST) {
            this.lost++;
            answer.destroy();
          } else answer.writeHead(found.statusCode ?? 502, found.headers).end(Buffer.concat(chunks));
        });
      },
    );
    // The server has stopped, before or during its work.
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  }
}
