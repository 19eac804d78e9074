import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether a GET names `text/event-stream` in its `Accept`, with any weight but none. HEAD is answered as a page. */
export function asksForStream({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if (method !== 'GET') return false;
  return (headers.accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/event-stream' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/** Writes the head of a stream, with all that the answer has already; from here on the response is its writer's. */
export function beginEventStream(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string | number | string[]>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // nginx holds answers back unless told.
    'x-accel-buffering': 'no',
  });
  reply.raw.flushHeaders();
}
