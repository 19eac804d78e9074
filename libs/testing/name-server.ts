import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const [A, IN] = [1, 1];
const NO_SUCH_NAME = 3;

interface Question {
  readonly name: string;
  readonly packet: Buffer;
  readonly from: RemoteInfo;
}

/**
 * A nameserver that resolves some names to this machine. It does not answer queries for other names until
 * `startAnswering` is called.
 */
export class NameServer {
  /**
   * The names in queries for IPv4 addresses. Every resolution of a name sends a query for IPv4 and a query for IPv6,
   * and may repeat these queries.
   */
  readonly queriedNames: string[] = [];
  private readonly unansweredQuestions: Question[] = [];
  private isSilent = true;
  private constructor(
    private readonly socket: Socket,
    private readonly knownNames: ReadonlySet<string>,
  ) {}

  static async open(...knownNames: readonly string[]): Promise<NameServer> {
    const socket = createSocket('udp4');
    const server = new NameServer(socket, new Set(knownNames));
    socket.on('message', (packet, from) => server.receive(packet, from));
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  /** Names whose queries are still waiting for an answer. */
  get unanswered(): ReadonlySet<string> {
    return new Set(this.unansweredQuestions.map(({ name }) => name));
  }

  /** From now on, the server answers that other names do not exist. It also answers the queries that are waiting. */
  startAnswering(): void {
    this.isSilent = false;
    for (const question of this.unansweredQuestions.splice(0)) this.answer(question, NO_SUCH_NAME);
  }

  close(): void {
    this.socket.close();
  }

  private receive(packet: Buffer, from: RemoteInfo): void {
    const labels: string[] = [];
    let offset = HEADER_BYTES;
    for (let length = packet[offset] ?? 0; length > 0; length = packet[offset] ?? 0) {
      labels.push(packet.toString('latin1', offset + 1, offset + 1 + length));
      offset += 1 + length;
    }
    const question = { name: labels.join('.').toLowerCase(), packet: packet.subarray(0, offset + 5), from };
    const asksForIpv4 = packet.readUInt16BE(offset + 1) === A;
    if (asksForIpv4) this.queriedNames.push(question.name);
    if (this.knownNames.has(question.name)) this.answer(question, 0, asksForIpv4);
    else if (this.isSilent) this.unansweredQuestions.push(question);
    else this.answer(question, NO_SUCH_NAME);
  }

  private answer({ packet, from }: Question, code: number, hasAddress = false): void {
    const header = Buffer.from(packet.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(0x8180 | code, 2);
    [1, hasAddress ? 1 : 0, 0, 0].forEach((count, n) => header.writeUInt16BE(count, 4 + 2 * n));
    const record = Buffer.from([0xc0, HEADER_BYTES, 0, A, 0, IN, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    this.socket.send(
      Buffer.concat([header, packet.subarray(HEADER_BYTES), ...(hasAddress ? [record] : [])]),
      from.port,
      from.address,
    );
  }
}
