import type { FastifyReply, FastifyRequest } from 'fastify';
import { weightsOf } from '#platform/text/weights';
import { localeOf } from '#platform/http/wire-headers';

/**
 * Whether a GET's `Accept` contains `text/event-stream` with a weight above 0, and does not prefer `application/json`.
 * Ranges such as `text/*` have no effect. A HEAD request never gets a stream.
 */
export function asksForStream({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const weights = weightsOf(headers.accept ?? '');
  const streamWeight = weights.get('text/event-stream') ?? 0;
  return method === 'GET' && streamWeight > 0 && streamWeight >= (weights.get('application/json') ?? 0);
}

/**
 * Writes the headers of a stream and the headers that are already set on the reply. Afterwards the calling code writes
 * the body.
 */
export function beginEventStream(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string | number | string[]>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // The hook that sets this header for other responses does not run after `hijack`.
    'content-language': localeOf(reply.request),
    // nginx buffers responses that do not have this header.
    'x-accel-buffering': 'no',
  });
  reply.raw.flushHeaders();
}
