import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { codingFor, type Coding } from '#platform/http/content-coding';
import { digestTag, isNoneMatchMet } from '#platform/http/etags';
import { webFolder } from './folder';
const ASSETS = {
  'style.css': 'text/css; charset=utf-8',
  'copy.js': 'text/javascript; charset=utf-8',
  'favicon.ico': 'image/x-icon',
  'favicon.svg': 'image/svg+xml; charset=utf-8',
  'door.css': 'text/css; charset=utf-8',
  'door.js': 'text/javascript; charset=utf-8',
  'jsqr.js': 'text/javascript; charset=utf-8',
  'docs.css': 'text/css; charset=utf-8',
  'near.js': 'text/javascript; charset=utf-8',
  'map.js': 'text/javascript; charset=utf-8',
  'leaflet.js': 'text/javascript; charset=utf-8',
  'leaflet.css': 'text/css; charset=utf-8',
  'docs.js': 'text/javascript; charset=utf-8',
  'webauthn.js': 'text/javascript; charset=utf-8',
  'passkeys.js': 'text/javascript; charset=utf-8',
  'try.js': 'text/javascript; charset=utf-8',
} as const;

/** Fixed paths where programs expect these files. */
const ELSEWHERE: Readonly<Record<string, string>> = { 'favicon.svg': '/favicon.svg', 'favicon.ico': '/favicon.ico' };

/**
 * Compressed at the first request, and cached: a page waits for its style sheet, on a slow line four times as long
 * without compression.
 */
const CODE: Readonly<Record<Coding, (content: Buffer) => Buffer>> = {
  br: (content) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (content) => gzipSync(content),
};

/** Serves the style sheet, pictures and small scripts from memory. */
export function serveAssets(fastify: FastifyInstance): void {
  for (const [name, type] of Object.entries(ASSETS)) {
    let asset: Asset | undefined;
    fastify.get(ELSEWHERE[name] ?? `/web/${name}`, async (request, reply) => {
      const { etag, content, coded } = (asset ??= assetOf(name));
      reply.headers({ etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
      if (isNoneMatchMet(request.headers['if-none-match'], etag)) return reply.code(304).send();
      const coding = codingFor(request.headers['accept-encoding']);
      if (coding !== null) void reply.header('content-encoding', coding);
      return reply.type(type).send(coding === null ? content : coded(coding));
    });
  }
}

/** Read at its first request. */
interface Asset {
  readonly content: Buffer;
  readonly etag: string;
  readonly coded: (coding: Coding) => Buffer;
}

function assetOf(name: string): Asset {
  const content = readFileSync(fileOf(name));
  const made = new Map<Coding, Buffer>();
  const coded = (coding: Coding): Buffer => {
    const known = made.get(coding) ?? CODE[coding](content);
    made.set(coding, known);
    return known;
  };
  return { content, etag: digestTag(content), coded };
}

/** The service's own file, or a library's. */
function fileOf(name: string): string {
  if (name === 'jsqr.js') return require.resolve('jsqr');
  if (name === 'webauthn.js')
    return join(dirname(require.resolve('@simplewebauthn/browser')), '..', 'dist', 'bundle', 'index.umd.min.js');
  return join(name.startsWith('leaflet') ? dirname(require.resolve('leaflet')) : webFolder('assets'), name);
}
