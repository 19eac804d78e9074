import { connect, type Socket } from 'node:net';

/** One part of a hand-written multipart body. */
interface Part {
  name: string;
  /** If given, the part is a file. */
  filename?: string;
  type?: string;
  content: string | Buffer;
}

export const BOUNDARY = 'XyZ-boundary';

/** Returns a multipart body. It is built without a library, so that a test determines every byte. */
export function multipartBody(parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Buffer {
  const chunks = parts.flatMap(({ name, filename, type, content }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n` +
        `${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...chunks, Buffer.from(end)]);
}

/**
 * A TCP connection to the server, for malformed, slow or interrupted requests, which an HTTP client does not send.
 */
export class RawConnection {
  private received = '';

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => (this.received += chunk.toString('latin1'))).on('error', () => undefined);
  }

  static async to(origin: string): Promise<RawConnection> {
    const { hostname, port } = new URL(origin);
    const socket = connect(Number(port), hostname);
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new RawConnection(socket);
  }

  /** Sends the data, and waits until the socket has written it. */
  async send(data: string | Buffer): Promise<void> {
    await new Promise((resolve) => this.socket.write(data, resolve));
  }

  /** Stops reading from the connection until `answer` is called. */
  stopReading(): void {
    this.socket.pause();
  }

  /** Sends the headers of a POST with a multipart body; `length` null means a chunked body. */
  async sendHeaders(path: string, length: number | null, headers: Record<string, string> = {}): Promise<void> {
    const allHeaders = { host: 'test', 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers };
    const body = length === null ? 'transfer-encoding: chunked' : `content-length: ${length}`;
    await this.send(
      `POST ${path} HTTP/1.1\r\n${Object.entries(allHeaders)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}${body}\r\n\r\n`,
    );
  }

  async sendChunk(data: Buffer): Promise<void> {
    await this.send(Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]));
  }

  /**
   * Waits until the first response on this connection is complete. The response must have `content-length`. Returns the
   * status, and the body parsed as JSON. Throws if the connection is closed earlier.
   */
  async answer(): Promise<{ status: number; body: unknown }> {
    this.socket.resume();
    for (;;) {
      const [head = '', body = ''] = this.received.split('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      if (length !== undefined && Buffer.byteLength(body, 'latin1') >= Number(length)) {
        return {
          status: Number(head.split(' ')[1]),
          body: JSON.parse(Buffer.from(body.slice(0, Number(length)), 'latin1').toString()),
        };
      }
      if (this.socket.destroyed)
        throw new Error(`the connection was closed; received: ${JSON.stringify(this.received)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  /** Ends the sending direction; the other direction remains open. */
  end(): void {
    this.socket.end();
  }

  /** Resets the connection, so that the server sees a broken connection. */
  abort(): void {
    this.socket.resetAndDestroy();
  }
}
