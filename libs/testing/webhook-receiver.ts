import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from './wait-until';

/** The body of a message to a webhook. */
interface Message {
  readonly type: string;
  readonly timestamp: string;
  readonly previous: string | null;
  readonly data: {
    readonly cursor: string;
    readonly type: string;
    readonly subject: { readonly id: string; readonly url: string };
  };
}
/** A received message with its request. */
export interface Received {
  readonly body: string;
  readonly message: Message;
  readonly headers: Record<string, string>;
  readonly path: string;
}

/** A server that receives the messages of webhooks. */
export class Receiver {
  readonly received: Received[] = [];
  answer: (response: ServerResponse, request: Received) => void = (response) => void response.writeHead(204).end();
  private constructor(private readonly server: Server) {}

  static async open(): Promise<Receiver> {
    const server = createServer(
      (request, response) =>
        void read(request).then((body) => {
          const delivery = {
            body,
            message: JSON.parse(body) as Message,
            headers: request.headers as Record<string, string>,
            path: request.url ?? '',
          };
          receiver.received.push(delivery);
          receiver.answer(response, delivery);
        }),
    );
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Waits until at least `count` messages have arrived, and returns all messages. */
  async atLeast(count: number): Promise<Received[]> {
    await waitUntil(() => this.received.length >= count);
    return this.received;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
