import type { S3Client } from '@aws-sdk/client-s3';

type Sdk = typeof import('@aws-sdk/client-s3');

/**
 * The service with the buckets. Credentials come from the AWS SDK's usual sources (environment, profile, instance
 * role).
 */
export interface S3Place {
  /** The address of an S3-compatible service, whose buckets are addressed by path; absent: Amazon S3. */
  readonly endpoint?: string | null | undefined;
  readonly region?: string | null | undefined;
}

const CONNECT_MS = 3_000;

/**
 * The SDK is loaded only here: 20 MB and 60 ms that a server with local files does not need.
 * @param attempts of each request
 * @param answerMs for the response of each attempt
 */
export async function openS3(
  { endpoint, region }: S3Place,
  { attempts, answerMs }: { readonly attempts: number; readonly answerMs: number },
): Promise<{ sdk: Sdk; client: S3Client }> {
  // On Node 20 the SDK prints six lines about its future version support with every command; package.json pins a
  // version that runs there.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region: region ?? 'us-east-1',
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // Many S3-compatible services do not support the newer default checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: attempts,
    // Without `throwOnRequestTimeout` the client may wait for a response forever.
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: answerMs, throwOnRequestTimeout: true },
  });
  return { sdk, client };
}
