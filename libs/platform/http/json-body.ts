import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '#contract/limits';
import { Refusal } from './refusal';

/**
 * Accepts only JSON objects as bodies. For text/plain, forms and other types the response is 422 on `body` (WIRE-39).
 * An empty body counts as absent. `acceptMultipart` makes the service accept forms with files too.
 */
export function readJsonBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const parse = fastify.getDefaultJsonParser('error', 'ignore');
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: LIMITS.transport.json_body },
    (request, body, done) => {
      const bytes = body as Buffer;
      if (bytes.length === 0) return done(null, undefined);
      if (!isUtf8(bytes) || isTooDeep(bytes)) return done(unreadable());
      void parse(request, bytes.toString('utf8'), (error, value: unknown) => {
        if (error || typeof value !== 'object' || value === null || Array.isArray(value)) return done(unreadable());
        done(null, value);
      });
    },
  );
}

/** The error for a body that cannot be read or is not accepted: 422 on `body`. */
export function unreadable(): Refusal {
  return Refusal.invalid('body', 'body_unreadable');
}

const OPEN = new Set(['{'.charCodeAt(0), '['.charCodeAt(0)]);
const CLOSE = new Set(['}'.charCodeAt(0), ']'.charCodeAt(0)]);
const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);

/**
 * Whether the JSON is nested too deeply. JSON.parse accepts any depth, but recursive code that reads the result could
 * overflow the stack.
 */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (inText) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (OPEN.has(byte) && ++depth > LIMITS.transport.depth) return true;
    else if (CLOSE.has(byte)) depth--;
  }
  return false;
}
