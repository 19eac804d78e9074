import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
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
const ANSWER_MS = 20_000;
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
    const sdk = await import('@aws-sdk/client-s3');
    const client = new sdk.S3Client({
      region: region ?? 'us-east-1',
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
      // The newer default checksums are unknown to many services that speak S3.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS },
    });
    return new S3Storage(sdk, client, bucket);
  }

  async write(name: string, path: string, contentType: string): Promise<void> {
    const { size } = await stat(path);
    await this.client.send(
      new this.sdk.PutObjectCommand({
        ...this.object(name),
        Body: createReadStream(path),
        ContentLength: size,
        ContentType: contentType,
        CacheControl: FOREVER,
      }),
    );
  }

  async size(name: string): Promise<number | null> {
    try {
      const head = await this.client.send(new this.sdk.HeadObjectCommand(this.object(name)));
      return head.ContentLength ?? 0;
    } catch (error) {
      return absentOrThrow(error);
    }
  }

  async read(name: string, range?: ByteRange): Promise<Readable | null> {
    try {
      const found = await this.client.send(
        new this.sdk.GetObjectCommand({ ...this.object(name), ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) }),
      );
      return found.Body as Readable;
    } catch (error) {
      return absentOrThrow(error);
    }
  }

  async remove(name: string): Promise<void> {
    await this.client.send(new this.sdk.DeleteObjectCommand(this.object(name)));
  }

  async *list(): AsyncIterable<ListedFile> {
    const pages = this.sdk.paginateListObjectsV2({ client: this.client }, { Bucket: this.bucket });
    for await (const page of pages) {
      for (const { Key, LastModified } of page.Contents ?? []) {
        if (Key && LastModified) yield { name: Key, modifiedAt: LastModified };
      }
    }
  }

  private object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: storedName(name) };
  }
}

function absentOrThrow(error: unknown): null {
  if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404) return null;
  throw error;
}
