import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A mail server that stores the mails it receives. It refuses the first `refusals` mails with a temporary error. */
export class SmtpSink {
  readonly mails: string[] = [];
  private server: Server;

  private constructor(private refusals: number) {
    this.server = createServer((socket) => this.answerCommands(socket));
  }

  static async open(refusals = 0): Promise<SmtpSink> {
    const sink = new SmtpSink(refusals);
    await new Promise<void>((resolve) => sink.server.listen(0, '127.0.0.1', resolve));
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private answerCommands(socket: Socket): void {
    let mail: string[] | null = null;
    let rest = '';
    socket.on('error', () => undefined);
    socket.write('220 sink\r\n');
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString('utf8')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (mail === null) {
          if (line === 'DATA') {
            mail = [];
            socket.write('354 go on\r\n');
          } else socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
        } else if (line !== '.') mail.push(line);
        else {
          const isRefused = this.refusals-- > 0;
          if (!isRefused) this.mails.push(mail.join('\n'));
          mail = null;
          socket.write(isRefused ? '451 later\r\n' : '250 taken\r\n');
        }
      }
    });
  }
}
