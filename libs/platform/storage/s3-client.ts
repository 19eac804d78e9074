import type { MultipartUpload, S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../config/settings';

type Sdk = typeof import('@aws-sdk/client-s3');

const CONNECT_TIMEOUT_MS = 3_000;

/** Options of an upload in parts: one part is in memory at a time, and after a failure the parts are deleted. */
export const UPLOAD_OPTIONS = { queueSize: 1, leavePartsOnError: false } as const;

/**
 * Creates a client. The SDK is loaded at the first call and not at the start, because it needs 20 MB and 60 ms, and a
 * server that stores its files locally does not use the SDK. Credentials come from the sources that the SDK reads
 * (environment, profile, instance role).
 *
 * @param attempts maximum number of attempts of each request
 *
 * @param responseTimeoutMs milliseconds to wait for the response of each attempt
 */
export async function openS3(
  { endpoint, region }: S3Settings,
  { attempts, responseTimeoutMs }: { readonly attempts: number; readonly responseTimeoutMs: number },
): Promise<{ sdk: Sdk; client: S3Client }> {
  // Without this variable, the SDK would print six lines about future versions of Node in every command on Node 20. The
  // version of the SDK in package.json works on Node 20.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // Many S3-compatible services do not support the checksums that the SDK uses by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: attempts,
    // Without `throwOnRequestTimeout`, the client could wait for a response forever.
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: responseTimeoutMs,
      throwOnRequestTimeout: true,
    },
  });
  return { sdk, client };
}

/**
 * Lists the unfinished uploads of a bucket. With `prefix`, only uploads whose keys begin with it.
 *
 * @throws an error of the SDK, for example if the service does not support such lists
 */
export async function* unfinishedUploads(
  sdk: Sdk,
  client: S3Client,
  bucket: string,
  prefix?: string,
): AsyncIterable<MultipartUpload> {
  for (let markers = {}; ;) {
    const list = new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...markers });
    const page = await client.send(list);
    yield* page.Uploads ?? [];
    if (!page.IsTruncated) return;
    markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}

/** The HTTP status of the response that an error of the SDK describes; undefined if there was no response. */
export function httpStatusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
