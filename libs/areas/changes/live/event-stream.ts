import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether a GET's `Accept` contains `text/event-stream` with a weight above 0. A HEAD request never gets a stream. */
export function asksForStream({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if (method !== 'GET') return false;
  return (headers.accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/event-stream' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
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
    // nginx buffers responses that do not have this header.
    'x-accel-buffering': 'no',
  });
  reply.raw.flushHeaders();
}
