import type { FastifyRequest } from 'fastify';

/** Whether the request has a body that is not empty. */
export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the content type of the request is a form with parts. */
export function isForm({ headers }: FastifyRequest): boolean {
  return (headers['content-type'] ?? '').toLowerCase().startsWith('multipart/');
}
