import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesIfNoneMatch } from '../http/etags';
import { answerError } from '../http/envelope';
import { Refusal } from '../http/refusal';
import type { ByteRange, Storage } from '../storage/storage';
import { CACHED_FOR_A_YEAR, contentTypeOf, keyOf, type MediaKey } from '../storage/media-key';

/** With these headers, browsers show a file only with the declared type, and never execute it. */
const HARMLESS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
  'cross-origin-resource-policy': 'cross-origin',
};

/** Throws 404 `not_found` if a file belongs only to removed or hidden content. */
export type RefuseHiddenFile = (key: MediaKey) => Promise<void>;

type MediaRequest = FastifyRequest<{ Params: { file: string } }>;

/**
 * `GET` and `HEAD /media/{file}` serve stored files without a token, because the names cannot be guessed. ETag, 304 and
 * ranges are supported, because video players need them. Missing and hidden files cause a 404 `not_found`.
 */
export function serveMedia(fastify: FastifyInstance, storage: Storage, refuseHidden: RefuseHiddenFile): void {
  fastify.route<{ Params: { file: string } }>({
    method: ['GET', 'HEAD'],
    url: '/media/:file',
    handler: (request, reply) => serve(storage, refuseHidden, request, reply),
    // Nest sets its error handler later, so this route needs a separate error handler.
    errorHandler: answerError,
  });
}

async function serve(
  storage: Storage,
  refuseHidden: RefuseHiddenFile,
  request: MediaRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { file } = request.params;
  const contentType = contentTypeOf(file);
  const size = contentType === null ? null : await storage.size(file);
  if (contentType === null || size === null) throw new Refusal('not_found');
  await refuseHidden(keyOf(file) as MediaKey);

  const etag = `"${file}"`;
  const head = { ...HARMLESS, 'cache-control': CACHED_FOR_A_YEAR, etag, 'accept-ranges': 'bytes' };
  if (matchesIfNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).headers(head).send();

  const range = rangeOf(request, etag, size);
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send();
  const length = range ? range.end - range.start + 1 : size;
  const content = request.method === 'HEAD' ? undefined : await storage.read(file, range ?? undefined);
  if (content === null) throw new Refusal('not_found');
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  return reply.headers({ ...head, 'content-type': contentType, 'content-length': length }).send(content);
}

/**
 * Returns the range that a GET requests, or `unsatisfiable` if the file has no byte in this range. Returns null if the
 * whole file is requested: by a HEAD, without `Range`, or with a `Range` that the server ignores. The server ignores a
 * malformed `Range`, and a `Range` with more than one range, with an unknown unit, or with an end before the start. If
 * `If-Range` does not match, the server ignores every `Range`.
 */
function rangeOf({ headers, method }: MediaRequest, etag: string, size: number): ByteRange | 'unsatisfiable' | null {
  const range = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.range ?? '');
  const condition = headers['if-range'];
  if (method !== 'GET' || !range || (condition !== undefined && condition !== etag)) return null;
  const [, first = '', last = ''] = range;
  if (first === '' && last === '') return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  return start > end ? 'unsatisfiable' : { start, end };
}
