import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { MultipartUpload, S3Client } from '@aws-sdk/client-s3';
import { ServiceBusy } from '../capacity/service-busy';
import { openS3, type S3Place } from './s3-client';
import { Storage, storedName, type ByteRange, type ListedFile } from './storage';

/** The bucket. */
export interface S3Options extends S3Place {
  readonly bucket: string;
}

type Sdk = typeof import('@aws-sdk/client-s3');

const ANSWER_MS = 10_000;
const ATTEMPTS = 2;
/** Bytes. Larger files are sent in parts. Each part is retried separately, and one part is in memory at a time. */
const PART = 8 * 2 ** 20;
/** `Retry-After` in seconds, if the bucket does not answer. */
const UNTIL_BACK = 10;
/**
 * HTTP statuses of S3-compatible services that do not list unfinished uploads: missing rights, unknown method, not
 * implemented.
 */
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

  static async open({ bucket, ...place }: S3Options): Promise<S3Storage> {
    const { sdk, client } = await openS3(place, { attempts: ATTEMPTS, answerMs: ANSWER_MS });
    return new S3Storage(sdk, client, bucket);
  }

  async write(name: string, path: string, contentType: string): Promise<void> {
    const object = { ...this.object(name), ContentType: contentType, CacheControl: FOREVER };
    if ((await stat(path)).size > PART) return this.writeInParts(object, path);
    // The body is not a stream, because a stream cannot be sent again after a failure.
    await this.client.send(new this.sdk.PutObjectCommand({ ...object, Body: await readFile(path) })).catch(busy);
  }

  /** The object exists when the last request has succeeded. After an earlier failure, its parts are deleted. */
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

  /** Deletes the parts of interrupted uploads. They are not objects and are not listed as such, but they cost money. */
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

  /**
   * The unfinished uploads. Empty if the bucket does not list them: some S3-compatible services cannot, and a separate
   * right is needed.
   */
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

  /**
   * Returns null for a missing file. A missing bucket causes the same response, so it is checked separately; otherwise
   * every picture would become a 404.
   */
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
 * Every problem of the bucket is temporary for the client. If the bucket refuses access (credentials, a wrong name),
 * the operator finds the reason in the log.
 */
function busy(error: unknown): never {
  throw new ServiceBusy(UNTIL_BACK, { key: 'files_unavailable' }, error);
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
