import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

interface FakeObject {
  bytes: Buffer;
  contentType: string;
  modifiedAt: Date;
}

/** As much of S3 as the storage uses, path-style and in memory: PUT, GET with ranges, HEAD, DELETE, list by pages. */
export class FakeS3 {
  readonly objects = new Map<string, FakeObject>();
  /** When set, every request is answered with this status. */
  failure: number | null = null;
  /** How many of the next requests fail with 503 before the others are answered as ever. */
  hiccups = 0;
  /** Objects on one page of a list; small, so that tests turn pages. */
  pageSize = 3;
  private readonly server = createServer((request, response) => void this.answer(request, response));

  /** Starts to listen; the endpoint's URL. */
  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://s3');
    const name = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256')) return void response.writeHead(403).end();
    if (this.failure !== null) return void request.resume().on('end', () => response.writeHead(this.failure ?? 500).end());
    if (this.hiccups > 0) {
      this.hiccups--;
      return void request.resume().on('end', () => response.writeHead(503).end());
    }
    if (request.method === 'HEAD' && !name) return void response.writeHead(200).end();
    if (request.method === 'GET' && !name) return this.list(url, response);
    if (request.method === 'PUT') {
      const bytes = await buffer(request);
      this.objects.set(name, { bytes, contentType: request.headers['content-type'] ?? '', modifiedAt: new Date() });
      return void response.writeHead(200, { etag: '"1"' }).end();
    }
    if (request.method === 'DELETE') {
      this.objects.delete(name);
      return void response.writeHead(204).end();
    }
    this.send(request, response, this.objects.get(name));
  }

  private send(request: IncomingMessage, response: ServerResponse, found: FakeObject | undefined): void {
    if (!found) {
      response.writeHead(404, { 'content-type': 'application/xml' });
      return void response.end(request.method === 'HEAD' ? '' : '<Error><Code>NoSuchKey</Code><Message>none</Message></Error>');
    }
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const bytes = range ? found.bytes.subarray(Number(range[1]), Number(range[2]) + 1) : found.bytes;
    response.writeHead(range ? 206 : 200, { 'content-type': found.contentType, 'content-length': bytes.length });
    response.end(request.method === 'HEAD' ? '' : bytes);
  }

  private list(url: URL, response: ServerResponse): void {
    const after = url.searchParams.get('continuation-token') ?? '';
    const names = [...this.objects.keys()].sort().filter((name) => name > after);
    const page = names.slice(0, this.pageSize);
    const more = names.length > page.length;
    const contents = page.map((name) => `<Contents><Key>${name}</Key><LastModified>${this.objects.get(name)?.modifiedAt.toISOString()}</LastModified><Size>1</Size></Contents>`);
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`);
  }
}
