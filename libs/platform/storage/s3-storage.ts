import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { MultipartUpload, S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../config/settings';
import { ServiceBusy } from '../capacity/service-busy';
import { CACHED_FOR_A_YEAR } from './media-key';
import { httpStatusOf, openS3, unfinishedUploads, UPLOAD_OPTIONS } from './s3-client';
import { Storage, storedName, type ByteRange, type ListedFile } from './storage';

type Sdk = typeof import('@aws-sdk/client-s3');

const RESPONSE_TIMEOUT_MS = 10_000;
const ATTEMPTS = 2;
/**
 * Size of a part in bytes. A file that is larger than one part is sent in parts. Each part is retried separately, and
 * one part is in memory at a time.
 */
const PART_BYTES = 8 * 2 ** 20;
/** `Retry-After` in seconds, for every failure of the bucket. */
const RETRY_AFTER_SECONDS = 10;
/** Statuses with which a bucket refuses to list its unfinished uploads: no permission, wrong method, not implemented. */
const LISTING_UNSUPPORTED = [403, 405, 501];

/** Files as objects of one bucket. */
export class S3Storage extends Storage {
  private constructor(
    private readonly sdk: Sdk,
    private readonly client: S3Client,
    private readonly bucket: string,
  ) {
    super();
  }

  static async open({ bucket, ...service }: S3Settings & { readonly bucket: string }): Promise<S3Storage> {
    const { sdk, client } = await openS3(service, { attempts: ATTEMPTS, responseTimeoutMs: RESPONSE_TIMEOUT_MS });
    return new S3Storage(sdk, client, bucket);
  }

  async write(name: string, path: string, contentType: string): Promise<void> {
    const object = { ...this.object(name), ContentType: contentType, CacheControl: CACHED_FOR_A_YEAR };
    if ((await stat(path)).size > PART_BYTES) return this.writeInParts(object, path);
    // The body is not a stream, because a stream cannot be sent again after a failure.
    await this.client.send(new this.sdk.PutObjectCommand({ ...object, Body: await readFile(path) })).catch(throwBusy);
  }

  /**
   * Uploads a file in parts. The object exists when the last request has succeeded. After a failure, the parts are
   * deleted.
   */
  private async writeInParts(object: { Bucket: string; Key: string }, path: string): Promise<void> {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const upload = new Upload({
      client: this.client,
      params: { ...object, Body: createReadStream(path) },
      partSize: PART_BYTES,
      ...UPLOAD_OPTIONS,
    });
    await upload.done().catch(throwBusy);
  }

  async size(name: string): Promise<number | null> {
    const head = new this.sdk.HeadObjectCommand(this.object(name));
    const found = await this.client.send(head).catch((error: unknown) => this.nullIfMissing(error));
    return found && (found.ContentLength ?? 0);
  }

  async read(name: string, range?: ByteRange): Promise<Readable | null> {
    const get = new this.sdk.GetObjectCommand({
      ...this.object(name),
      ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
    });
    const found = await this.client.send(get).catch((error: unknown) => this.nullIfMissing(error));
    return found && (found.Body as Readable);
  }

  async remove(name: string): Promise<void> {
    await this.client.send(new this.sdk.DeleteObjectCommand(this.object(name))).catch(throwBusy);
  }

  async *list(): AsyncIterable<ListedFile> {
    const pages = this.sdk.paginateListObjectsV2({ client: this.client }, { Bucket: this.bucket });
    for await (const page of pages) {
      for (const { Key, LastModified } of page.Contents ?? []) {
        if (Key && LastModified) yield { name: Key, modifiedAt: LastModified };
      }
    }
  }

  /** Deletes the parts of this service's old unfinished uploads. `list` does not show parts, but they cost money. */
  override async removeUnfinished(before: Date, isOurs: (name: string) => boolean): Promise<number> {
    let removed = 0;
    for await (const { Key, UploadId, Initiated } of this.listUnfinished()) {
      if (!Key || !isOurs(Key) || !Initiated || Initiated >= before) continue;
      await this.client
        .send(new this.sdk.AbortMultipartUploadCommand({ Bucket: this.bucket, Key, UploadId }))
        .catch(throwBusy);
      removed++;
    }
    return removed;
  }

  /**
   * Lists the unfinished uploads. The list is empty if the S3 service does not support such lists, or if the right to
   * list uploads is missing.
   */
  private async *listUnfinished(): AsyncIterable<MultipartUpload> {
    try {
      yield* unfinishedUploads(this.sdk, this.client, this.bucket);
    } catch (error) {
      if (!LISTING_UNSUPPORTED.includes(httpStatusOf(error) ?? 0)) throwBusy(error);
    }
  }

  /**
   * Returns null for the error of a missing file; throws `ServiceBusy` for other errors. A missing bucket causes the
   * same error as a missing file. Therefore this method also checks the bucket; without this check, a wrong bucket name
   * would make every picture a 404.
   */
  private async nullIfMissing(error: unknown): Promise<null> {
    if (httpStatusOf(error) !== 404) return throwBusy(error);
    await this.client.send(new this.sdk.HeadBucketCommand({ Bucket: this.bucket })).catch(throwBusy);
    return null;
  }

  private object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: storedName(name) };
  }
}

/**
 * Throws `ServiceBusy`, because API clients may try again later after every problem of the bucket. If the bucket
 * refuses access (credentials, a wrong name), the operator finds the reason in the log.
 */
function throwBusy(error: unknown): never {
  throw new ServiceBusy(RETRY_AFTER_SECONDS, { key: 'files_unavailable' }, error);
}
