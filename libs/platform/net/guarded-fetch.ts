import http from 'node:http';
import https from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { pinnedTo, reachableAddress, type ReachableAddress, type Resolve } from './reachable-address';
import { parseUrl } from '../text/url';

/** Limits of a fetch. */
export interface FetchLimits {
  /** Maximum number of followed redirects. */
  readonly redirects: number;
  /** Milliseconds for all requests of the fetch together. */
  readonly within: number;
  /** Maximum bytes of the body, both as sent and decompressed. */
  readonly bytes: number;
  /** Whether private addresses and `http:` are also allowed. */
  readonly allowPrivate: boolean;
}

/** A file from another server. */
export interface FetchedFile {
  /** The `Content-Type` without parameters, in lower case. */
  readonly type: string;
  /** The parameter `charset` of the `Content-Type`; null if it is absent. */
  readonly charset: string | null;
  /** The `Cache-Control` as sent. */
  readonly cacheControl: string | undefined;
  readonly content: Buffer;
}

/**
 * The reason why no file was fetched:
 * - `address`: the address or the target of a redirect is not allowed, or its host name does not resolve.
 * - `no_answer`: the connection failed, or the other server did not send the whole file in time. Or its response was
 *   invalid: a damaged body, a status that is neither 200 nor a redirect, too many redirects, or a redirect without a
 *   valid address.
 * - `too_large`: the file exceeds the limit.
 */
export type FetchFailure = 'address' | 'no_answer' | 'too_large';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const DECOMPRESSORS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * Fetches a file from an address that an account or an app has given. The address and the target of each redirect must
 * use https and be globally routable (unless `allowPrivate`), and the connection uses the checked IP address. Cookies,
 * credentials and a referrer are never sent.
 *
 * @param resolve returns the addresses of a host name; the errors of `resolve` are rethrown
 */
export async function guardedFetch(
  address: string,
  accept: string,
  limits: FetchLimits,
  resolve: Resolve,
): Promise<FetchedFile | FetchFailure> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), limits.within);
  const timeout = new Promise<never>((_, reject) => {
    abort.signal.addEventListener('abort', () => reject(new RequestFailed('The time limit was reached.')));
  });
  timeout.catch(() => undefined);
  try {
    let next = webAddressOf(address);
    for (let hop = 0; hop <= limits.redirects; hop++) {
      const target = await Promise.race([reachableAddress(next, limits.allowPrivate, resolve), timeout]);
      if (!target) return 'address';
      const response = await request(target, accept, abort.signal);
      const { statusCode = 0, headers } = response;
      if (statusCode === 200) return await Promise.race([fileOf(response, limits.bytes), timeout]);
      response.destroy();
      const location = headers.location ? parseUrl(headers.location, next) : null;
      if (!REDIRECTS.has(statusCode) || location === null) return 'no_answer';
      next = webAddressOf(location.href);
    }
    return 'no_answer';
  } catch (error) {
    if (error instanceof RequestFailed) return 'no_answer';
    throw error;
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}

/** Replaces the scheme `webcal:`, which calendar addresses use, with `https:`. */
function webAddressOf(address: string): string {
  return address.replace(/^webcal:/i, 'https:');
}

/** The other server refused or ended the connection or sent a damaged body, or the time limit was reached. */
class RequestFailed extends Error {}

function request(target: ReachableAddress, accept: string, signal: AbortSignal): Promise<IncomingMessage> {
  const { url } = target;
  const { get } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    get(url, {
      agent: false,
      lookup: pinnedTo(target),
      signal,
      headers: { accept, 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'events-service' },
    })
      .on('response', resolve)
      .on('error', (error) => reject(new RequestFailed(error.message)));
  });
}

function fileOf(response: IncomingMessage, limit: number): Promise<FetchedFile | FetchFailure> {
  const coding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const createDecompressor = DECOMPRESSORS.get(coding);
  const body = createDecompressor ? response.pipe(createDecompressor()) : response;
  const contentType = response.headers['content-type'] ?? '';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? null;
  const cacheControl = response.headers['cache-control'];
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [length, compressedLength] = [0, 0];
    const stop = (): void => {
      resolve('too_large');
      body.destroy();
      response.destroy();
    };
    // The compressed bytes are limited too. Otherwise a compressed body that decompresses to nothing would be read
    // until the time limit.
    response.on('data', (chunk: Buffer) => {
      compressedLength += chunk.length;
      if (compressedLength > limit) stop();
    });
    body.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) stop();
      else chunks.push(chunk);
    });
    body.on('end', () => resolve({ type, charset, cacheControl, content: Buffer.concat(chunks) }));
    for (const stream of [response, body])
      stream.on('error', (error: Error) => reject(new RequestFailed(error.message)));
    response.on('aborted', () => reject(new RequestFailed('the response was aborted')));
  });
}
