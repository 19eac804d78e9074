import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { MultipartUpload, S3Client } from '@aws-sdk/client-s3';
import { ServiceBusy } from '../capacity/service-busy';
import { Storage, storedName, type ByteRange, type ListedFile } from './storage';

/** Where the bucket is. Credentials come from where the AWS SDK looks for them (environment, profile, instance role). */
export interface S3Options {
  readonly bucket: string;
  /** Of a service that speaks S3; absent: Amazon's own. Buckets are then addressed by path. */
  readonly endpoint?: string | null | undefined;
  readonly region?: string | null | undefined;
}

type Sdk = typeof import('@aws-sdk/client-s3');

const CONNECT_MS = 3_000;
const ANSWER_MS = 10_000;
const ATTEMPTS = 2;
/** Bytes. What is larger is sent in parts, each tried again by itself; one is in memory at a time. */
const PART = 8 * 2 ** 20;
/** Seconds to wait for a bucket that does not answer. */
const UNTIL_BACK = 10;
/** HTTP statuses by which a service that speaks S3 does not list unfinished uploads: no right to it, no such method, not implemented. */
const UNKNOWN_IF_MISSING = [403, 405, 501];
const FOREVER = 'public, max-age=31536000, immutable';

/** Files as objects of one bucket. */
export class S3Storage extends Storage {
  private constructor(
    private readonly sdk: Sdk,
    private readonly client: S3Client,
    private readonly bucket: string,
  ) {
    super();
  }

  /** Loads the SDK only here: 20 MB and 60 ms that a server with local files does not pay. */
  static async open({ bucket, endpoint, region }: S3Options): Promise<S3Storage> {
    // On Node 20 the SDK prints six lines about its own future over every answer of the command line; package.json pins a version that
    // runs there.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
    const sdk = await import('@aws-sdk/client-s3');
    const client = new sdk.S3Client({
      region: region ?? 'us-east-1',
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
      // The newer default checksums are unknown to many services that speak S3.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: ATTEMPTS,
      // Without the last one a late answer is waited for without end.
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
    });
    return new S3Storage(sdk, client, bucket);
  }

  async write(name: string, path: string, contentType: string): Promise<void> {
    const object = { ...this.object(name), ContentType: contentType, CacheControl: FOREVER };
    if ((await stat(path)).size > PART) return this.writeInParts(object, path);
    // As a whole: what is read from a stream could not be sent again after a failure.
    await this.client.send(new this.sdk.PutObjectCommand({ ...object, Body: await readFile(path) })).catch(busy);
  }

  /** The object is there once the last request says so, whole; what fails before takes its parts back. */
  private async writeInParts(object: { Bucket: string; Key: string }, path: string): Promise<void> {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const upload = new Upload({
      client: this.client,
      params: { ...object, Body: createReadStream(path) },
      partSize: PART,
      queueSize: 1,
      leavePartsOnError: false,
    });
    await upload.done().catch(busy);
  }

  async size(name: string): Promise<number | null> {
    const head = new this.sdk.HeadObjectCommand(this.object(name));
    const found = await this.client.send(head).catch((error: unknown) => this.absent(error));
    return found && (found.ContentLength ?? 0);
  }

  async read(name: string, range?: ByteRange): Promise<Readable | null> {
    const get = new this.sdk.GetObjectCommand({
      ...this.object(name),
      ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
    });
    const found = await this.client.send(get).catch((error: unknown) => this.absent(error));
    return found && (found.Body as Readable);
  }

  async remove(name: string): Promise<void> {
    await this.client.send(new this.sdk.DeleteObjectCommand(this.object(name))).catch(busy);
  }

  async *list(): AsyncIterable<ListedFile> {
    const pages = this.sdk.paginateListObjectsV2({ client: this.client }, { Bucket: this.bucket });
    for await (const page of pages) {
      for (const { Key, LastModified } of page.Contents ?? []) {
        if (Key && LastModified) yield { name: Key, modifiedAt: LastModified };
      }
    }
  }

  /** Parts of a server that died in the middle: no object, and nothing that a list shows, but paid for. */
  override async removeUnfinished(before: Date, isOurs: (name: string) => boolean): Promise<number> {
    let removed = 0;
    for await (const { Key, UploadId, Initiated } of this.unfinished()) {
      if (!Key || !isOurs(Key) || !Initiated || Initiated >= before) continue;
      await this.client
        .send(new this.sdk.AbortMultipartUploadCommand({ Bucket: this.bucket, Key, UploadId }))
        .catch(busy);
      removed++;
    }
    return removed;
  }

  /** None where the bucket does not tell: some services that speak S3 do not, and a right of its own is needed. */
  private async *unfinished(): AsyncIterable<MultipartUpload> {
    for (let markers = {}; ;) {
      const list = new this.sdk.ListMultipartUploadsCommand({ Bucket: this.bucket, ...markers });
      const page = await this.client
        .send(list)
        .catch((error: unknown) => (UNKNOWN_IF_MISSING.includes(statusOf(error) ?? 0) ? null : busy(error)));
      yield* page?.Uploads ?? [];
      if (!page?.IsTruncated) return;
      markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }

  /** null for a file that is not there. A bucket that is not there answers the same, and must not make every picture a 404. */
  private async absent(error: unknown): Promise<null> {
    if (statusOf(error) !== 404) return busy(error);
    await this.client.send(new this.sdk.HeadBucketCommand({ Bucket: this.bucket })).catch(busy);
    return null;
  }

  private object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: storedName(name) };
  }
}

/**
 * Whatever is the matter with the bucket, the same request may pass once it is over. What it refuses (credentials, a wrong
 * name) is for the operator, who finds the reason in the log.
 */
function busy(error: unknown): never {
  throw new ServiceBusy(UNTIL_BACK, { key: 'files_unavailable' }, error);
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
