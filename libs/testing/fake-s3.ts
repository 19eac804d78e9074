import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

interface FakeObject {
  bytes: Buffer;
  contentType: string;
  modifiedAt: Date;
}

interface FakeUpload {
  readonly name: string;
  readonly contentType: string;
  readonly parts: Map<number, Buffer>;
  readonly initiated: Date;
}

/**
 * An in-memory server that implements, with path-style addresses, the part of S3 that the service uses: PUT, GET with
 * ranges, HEAD, DELETE, lists in several responses, and multipart uploads. Unsigned requests get a 403.
 */
export class FakeS3 {
  readonly objects = new Map<string, FakeObject>();
  /** Multipart uploads by their id, until a request to complete or abort the upload arrives. */
  readonly uploads = new Map<string, FakeUpload>();
  /** The numbers of the parts that clients have sent, in order, including the parts that `failsPart` selects. */
  readonly requestedParts: number[] = [];
  /** Called for each request to upload a part; returns whether the server answers 503 to this request. */
  failsPart: (partNumber: number) => boolean = () => false;
  /** If set, the server answers every signed request with this status. */
  failure: number | null = null;
  /** If set, the connection breaks after a GET has returned this many bytes of an object. */
  cutAfter: number | null = null;
  /** How many of the next signed requests fail with 503; later requests are answered normally. */
  failuresLeft = 0;
  /** Maximum number of items in one response to a list request. It is small, so that tests need several requests. */
  pageSize = 3;
  private uploadCount = 0;
  private readonly server = createServer((request, response) => void this.answer(request, response));

  /** Starts to listen; returns the URL of the endpoint. */
  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this.endpoint;
  }

  get endpoint(): string {
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
    if (this.failure !== null)
      return void request.resume().on('end', () => response.writeHead(this.failure ?? 500).end());
    if (this.failuresLeft > 0) {
      this.failuresLeft--;
      return void request.resume().on('end', () => response.writeHead(503).end());
    }
    if (request.method === 'HEAD' && !name) return void response.writeHead(200).end();
    if (request.method === 'GET' && !name)
      return url.searchParams.has('uploads') ? this.listUploads(url, response) : this.list(url, response);
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId'))
      return this.multipartUpload(name, url, request, response);
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

  /**
   * Answers a request of a multipart upload. As in S3, the object exists only after its upload is completed. The object
   * consists of the parts that the completing request lists.
   */
  private async multipartUpload(
    name: string,
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const body = await buffer(request);
    const id = url.searchParams.get('uploadId') ?? '';
    const number = Number(url.searchParams.get('partNumber'));
    const upload = this.uploads.get(id);
    if (request.method === 'POST' && id === '') {
      const uploadId = `upload-${(this.uploadCount += 1)}`;
      this.uploads.set(uploadId, {
        name,
        contentType: request.headers['content-type'] ?? '',
        parts: new Map(),
        initiated: new Date(),
      });
      return void xml(
        response,
        `<InitiateMultipartUploadResult><Bucket>pictures</Bucket><Key>${name}</Key><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    if (upload?.name !== name)
      return void xml(response, '<Error><Code>NoSuchUpload</Code><Message>none</Message></Error>', 404);
    if (request.method === 'PUT') {
      this.requestedParts.push(number);
      if (this.failsPart(number)) return void response.writeHead(503).end();
      upload.parts.set(number, body);
      return void response.writeHead(200, { etag: `"part-${number}"` }).end();
    }
    this.uploads.delete(id);
    if (request.method === 'DELETE') return void response.writeHead(204).end();
    const listed = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map((found) => Number(found[1]));
    const parts = listed.map((one) => upload.parts.get(one));
    const isValid =
      listed.every((one, i) => i === 0 || one > (listed[i - 1] ?? 0)) &&
      parts.every((part, i) => part && (i === parts.length - 1 || part.length >= MIN_PART_BYTES));
    if (!isValid) return void xml(response, '<Error><Code>InvalidPart</Code><Message>none</Message></Error>', 400);
    this.objects.set(name, {
      bytes: Buffer.concat(parts as Buffer[]),
      contentType: upload.contentType,
      modifiedAt: new Date(),
    });
    xml(response, `<CompleteMultipartUploadResult><Key>${name}</Key><ETag>"1"</ETag></CompleteMultipartUploadResult>`);
  }

  private listUploads(url: URL, response: ServerResponse): void {
    const after = url.searchParams.get('upload-id-marker') ?? '';
    const all = [...this.uploads].filter(([id]) => id > after).sort(([one], [other]) => (one < other ? -1 : 1));
    const page = all.slice(0, this.pageSize);
    const nextMarkers =
      all.length > page.length
        ? `<NextKeyMarker>${page.at(-1)?.[1].name}</NextKeyMarker><NextUploadIdMarker>${page.at(-1)?.[0]}</NextUploadIdMarker>`
        : '';
    const uploads = page.map(
      ([id, { name, initiated }]) =>
        `<Upload><Key>${name}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
    );
    xml(
      response,
      `<ListMultipartUploadsResult><IsTruncated>${nextMarkers !== ''}</IsTruncated>${nextMarkers}${uploads.join('')}</ListMultipartUploadsResult>`,
    );
  }

  private send(request: IncomingMessage, response: ServerResponse, found: FakeObject | undefined): void {
    if (!found) {
      response.writeHead(404, { 'content-type': 'application/xml' });
      return void response.end(
        request.method === 'HEAD' ? '' : '<Error><Code>NoSuchKey</Code><Message>none</Message></Error>',
      );
    }
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const bytes = range ? found.bytes.subarray(Number(range[1]), Number(range[2]) + 1) : found.bytes;
    response.writeHead(range ? 206 : 200, { 'content-type': found.contentType, 'content-length': bytes.length });
    if (this.cutAfter !== null && request.method === 'GET')
      return void response.write(bytes.subarray(0, this.cutAfter), () => response.destroy());
    response.end(request.method === 'HEAD' ? '' : bytes);
  }

  private list(url: URL, response: ServerResponse): void {
    const after = url.searchParams.get('continuation-token') ?? '';
    const names = [...this.objects.keys()].sort().filter((name) => name > after);
    const page = names.slice(0, this.pageSize);
    const isTruncated = names.length > page.length;
    const contents = page.map(
      (name) =>
        `<Contents><Key>${name}</Key><LastModified>${this.objects.get(name)?.modifiedAt.toISOString()}</LastModified><Size>1</Size></Contents>`,
    );
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(
      `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    );
  }
}

/** Minimum size in bytes of every part except the last. */
const MIN_PART_BYTES = 5 * 2 ** 20;

function xml(response: ServerResponse, text: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(text);
}
