import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { codingFor, type Coding } from '#platform/http/content-coding';
import { Refusal } from '#platform/http/refusal';
import { lazily } from '#platform/loading/lazily';

/** Where they are served; below it a folder named by their digest. */
const PREFIX = '/docs/assets/';
const ENTRY = 'standalone.esm.js';
const ENDING: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' };

/** A precondition failed, a range that cannot be had. */
const CONDITIONS = [412, 416];

const send = lazily<typeof import('@fastify/send')>(__filename, '@fastify/send');

/**
 * The scripts of the reference, from this server alone: compressed ahead (scripts/reference-bundle.mjs), and kept by browsers for ever, as
 * their address has their digest.
 */
export function serveReferenceScripts(fastify: FastifyInstance): void {
  const root = referenceFolder();
  fastify.get<{ Params: { '*': string } }>(`${PREFIX}*`, async (request, reply) => {
    const coding = codingFor(request.headers['accept-encoding']);
    const path = encodeURI(request.params['*']) + (coding === null ? '' : ENDING[coding]);
    const { type, statusCode, headers, stream } = await send()(request.raw, path, { root, immutable: true, maxAge: '365d', index: false });
    // What it refuses because of the client's conditions (RFC 9110) it says itself; whatever else is no file here.
    if (type === 'error' && CONDITIONS.includes(statusCode)) return reply.code(statusCode).headers(headers).send();
    if (type !== 'file') throw new Refusal('not_found');
    reply.code(statusCode).headers({ ...headers, vary: 'Accept-Encoding', 'content-type': 'text/javascript; charset=utf-8' });
    return (coding === null ? reply : reply.header('content-encoding', coding)).send(stream);
  });
}

/** The path of the script to begin with. */
export function referenceEntry(): string {
  const [digest = ''] = readdirSync(referenceFolder()).filter((name) => /^[0-9a-f]+$/.test(name));
  return `${PREFIX}${digest}/${ENTRY}`;
}

/** In dist/ the build has put them; sources take those that were made for the tests. */
function referenceFolder(): string {
  const built = join(__dirname, '..', '..', '..', 'reference');
  return existsSync(built) ? built : join(__dirname, '..', '..', '..', '.cache', 'reference');
}
