import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { OperatorError } from '../config/operator-error';
import type { S3Settings } from '../config/settings';
import { httpStatusOf, openS3, unfinishedUploads, UPLOAD_OPTIONS } from '../storage/s3-client';
import { reasonOf } from '../text/reason';
import { archivesIn, type Archives, type WrittenBackup } from './archive-places';
import { archiveName, backup, UNFINISHED_AFTER_MS, type BackupSource } from './backup';

const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;
/**
 * Size in bytes of one part of an upload. Only one part is in memory at a time. An upload has at most 10,000 parts, so
 * an archive has at most 335 GB.
 */
const PART_BYTES = 32 * 2 ** 20;
const ATTEMPTS = 4;
/** Milliseconds to wait for the response to one part. */
const RESPONSE_TIMEOUT_MS = 120_000;

/** A bucket, a prefix in the bucket, and the name of an archive. */
export interface BucketAddress {
  readonly bucket: string;
  /** Empty, or with a slash at the end. */
  readonly prefix: string;
  /** The name of the archive; null if the address is only a prefix. */
  readonly name: string | null;
}

/**
 * Parses `s3://bucket/prefix` and `s3://bucket/prefix/events-….tar`. Returns null for a path on the disk. Throws
 * `OperatorError` for an invalid address that begins with `s3:`.
 */
export function bucketAddress(text: string): BucketAddress | null {
  if (!text.startsWith('s3:')) return null;
  const [, bucket, key = ''] = ADDRESS.exec(text) ?? [];
  if (bucket === undefined)
    throw new OperatorError(`${text} is not the address of a bucket. An address is like s3://bucket/prefix.`);
  const parts = key.split('/').filter((part) => part !== '');
  const [name = null] = archivesIn(parts.slice(-1));
  const folders = name === null ? parts : parts.slice(0, -1);
  return { bucket, prefix: folders.map((one) => `${one}/`).join(''), name };
}

/** Archives in a bucket. */
export class BucketArchives implements Archives {
  private constructor(
    private readonly sdk: typeof import('@aws-sdk/client-s3'),
    private readonly client: S3Client,
    private readonly address: BucketAddress,
    private readonly partBytes: number,
  ) {}

  static async open(address: BucketAddress, service: S3Settings, partBytes = PART_BYTES): Promise<BucketArchives> {
    const { sdk, client } = await openS3(service, { attempts: ATTEMPTS, responseTimeoutMs: RESPONSE_TIMEOUT_MS });
    return new BucketArchives(sdk, client, address, partBytes);
  }

  /**
   * Uploads the archive while it is created. The archive appears in the bucket only after its last part was confirmed.
   */
  async backup(source: BackupSource, now: Date, progress: (line: string) => void): Promise<WrittenBackup> {
    await this.removeUnfinished(new Date(now.getTime() - UNFINISHED_AFTER_MS));
    const { Upload } = await import('@aws-sdk/lib-storage');
    // The name has random digits, because another backup may begin in the same second, and an upload would replace an
    // object of the same name.
    const name = archiveName(now, `-${randomBytes(4).toString('hex')}`);
    const body = new PassThrough();
    let bytes = 0;
    body.on('data', (part: Buffer) => (bytes += part.length));
    const upload = new Upload({
      client: this.client,
      params: { ...this.object(name), Body: body, ContentType: 'application/x-tar' },
      partSize: this.partBytes,
      ...UPLOAD_OPTIONS,
    });
    const uploaded = upload.done().catch((error: unknown) => {
      const failure = this.failure(error);
      body.destroy(failure);
      throw failure;
    });
    try {
      const [contents] = await Promise.all([backup(body, source, now, progress), uploaded]);
      return { file: this.pathOf(name), bytes, ...contents };
    } catch (error) {
      // Aborts the upload, so that its parts are deleted.
      body.destroy(error as Error);
      throw await uploaded.then(
        () => error,
        (failed: unknown) => (body.errored === error ? error : failed),
      );
    }
  }

  async names(): Promise<readonly string[]> {
    const { bucket, prefix } = this.address;
    const found: string[] = [];
    try {
      const pages = this.sdk.paginateListObjectsV2({ client: this.client }, { Bucket: bucket, Prefix: prefix });
      for await (const { Contents = [] } of pages)
        for (const { Key = '' } of Contents) if (Key.startsWith(prefix)) found.push(Key.slice(prefix.length));
    } catch (error) {
      throw this.failure(error);
    }
    return archivesIn(found);
  }

  pathOf(name: string): string {
    return `s3://${this.address.bucket}/${this.address.prefix}${name}`;
  }

  async open(name: string): Promise<Readable> {
    const get = new this.sdk.GetObjectCommand(this.object(name));
    const { Body } = await this.client.send(get).catch((error: unknown) => {
      throw httpStatusOf(error) === 404 ? new OperatorError(`There is no ${this.pathOf(name)}.`) : this.failure(error);
    });
    return Readable.from(this.contentOf(Body as Readable), { objectMode: false });
  }

  /** The content of an archive. If the connection breaks, the error message contains the name of the bucket. */
  private async *contentOf(body: Readable): AsyncGenerator<Buffer> {
    try {
      yield* body as AsyncIterable<Buffer>;
    } catch (error) {
      throw this.failure(error);
    }
  }

  async remove(name: string): Promise<void> {
    await this.client.send(new this.sdk.DeleteObjectCommand(this.object(name))).catch((error: unknown) => {
      throw this.failure(error);
    });
  }

  /**
   * Aborts the uploads of archives that began before the time `before` and are still unfinished. This deletes their
   * parts. A backup that was killed leaves such an upload. If the storage cannot list unfinished uploads, the operator
   * has to add a lifecycle rule that deletes their parts.
   */
  private async removeUnfinished(before: Date): Promise<void> {
    const { bucket, prefix } = this.address;
    try {
      for await (const { Key = '', UploadId, Initiated } of unfinishedUploads(this.sdk, this.client, bucket, prefix)) {
        const isOurs = Key.startsWith(prefix) && archivesIn([Key.slice(prefix.length)]).length > 0;
        if (!isOurs || !Initiated || Initiated >= before) continue;
        const abort = new this.sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId });
        await this.client.send(abort).catch(() => undefined);
      }
    } catch {
      // The list could not be read. The backup does not need it.
    }
  }

  private object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.address.bucket, Key: this.address.prefix + name };
  }

  private failure(error: unknown): OperatorError {
    if (error instanceof OperatorError) return error;
    const status = httpStatusOf(error);
    return new OperatorError(
      `The bucket ${this.address.bucket} cannot be used: ${reasonOf(error)}${status ? ` (${status})` : ''}.`,
    );
  }
}
