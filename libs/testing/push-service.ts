import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from './wait-until';

/** A request that the push service has received. */
export interface Pushed {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Returns the response to message number `count` (counted from 1) for a browser, or null for no response. */
type Answer = (count: number) => { status: number; headers?: Record<string, string> } | null;

const CURVE = 'prime256v1';

/** A push service (RFC 8030) on this machine, and the browsers that subscribe to it. */
export class PushService {
  private readonly browsers = new Map<string, PushedBrowser>();

  private constructor(private readonly server: Server) {}

  static async open(): Promise<PushService> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const browser = service.browsers.get(request.url ?? '');
        if (!browser) return void response.writeHead(404).end();
        browser.receivedMessages.push({ headers: request.headers, body: Buffer.concat(chunks) });
        const answer = browser.answer(browser.receivedMessages.length);
        if (answer) response.writeHead(answer.status, answer.headers).end();
      });
    });
    const service = new PushService(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Adds a subscribed browser. `answer` gives the responses to its messages; default 201. */
  browser(answer: Answer = () => ({ status: 201 })): PushedBrowser {
    const path = `/push/${randomBytes(16).toString('hex')}`;
    const browser = new PushedBrowser(this.origin + path, answer);
    this.browsers.set(path, browser);
    return browser;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** A subscribed browser: the keys of its subscription, and the messages that the push service received for it. */
export class PushedBrowser {
  readonly receivedMessages: Pushed[] = [];
  private readonly auth = randomBytes(16);
  private readonly ecdh = createECDH(CURVE);

  constructor(
    readonly endpoint: string,
    public answer: Answer,
  ) {
    this.ecdh.generateKeys();
  }

  /** The same JSON as `PushSubscription.toJSON()`. */
  get subscription(): { endpoint: string; expirationTime: null; keys: { p256dh: string; auth: string } } {
    const keys = { p256dh: this.ecdh.getPublicKey('base64url'), auth: this.auth.toString('base64url') };
    return { endpoint: this.endpoint, expirationTime: null, keys };
  }

  /** Waits until at least `count` messages have arrived, and returns all messages. */
  async atLeast(count: number): Promise<Pushed[]> {
    await waitUntil(() => this.receivedMessages.length >= count);
    return this.receivedMessages;
  }

  /** The decrypted content of message `n`, counted from 0. */
  message(n = 0): { title: string; body: string; url: string; tag: string } {
    const pushed = this.receivedMessages[n];
    if (!pushed) throw new Error(`there is no message ${n}`);
    return JSON.parse(this.decrypt(pushed.body).toString('utf8')) as ReturnType<PushedBrowser['message']>;
  }

  /**
   * Decrypts a message that has one record (RFC 8291, RFC 8188). Throws if the message is encrypted for another
   * browser.
   */
  private decrypt(body: Buffer): Buffer {
    const [salt, keyLength] = [body.subarray(0, 16), body[20] ?? 0];
    const sender = body.subarray(21, 21 + keyLength);
    const record = body.subarray(21 + keyLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.ecdh.getPublicKey(), sender, Buffer.from([1])]);
    const input = hmac(hmac(this.auth, this.ecdh.computeSecret(sender)), info);
    const key = hmac(salt, input);
    const derived = (name: string, bytes: number): Buffer =>
      hmac(key, Buffer.from(`Content-Encoding: ${name}\0\x01`, 'latin1')).subarray(0, bytes);
    const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
    decipher.setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(2));
  }
}

/** The public key and the signed claims in the header of a message (RFC 8292). Throws if the signature is wrong. */
export function vapidOf({ headers }: Pushed): { key: string; claims: { aud: string; exp: number; sub: string } } {
  const { t, k } = /^vapid t=(?<t>[\w.-]+), ?k=(?<k>[\w-]+)$/.exec(headers.authorization ?? '')?.groups ?? {};
  if (!t || !k) throw new Error(`the Authorization header contains no VAPID token: ${headers.authorization}`);
  const point = Buffer.from(k, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const [head, claims = '', signature = ''] = t.split('.');
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('the token is not signed by its key');
  return { key: k, claims: JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as never };
}

function hmac(key: Buffer, data: Buffer): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
