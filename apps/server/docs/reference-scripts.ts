import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Where they are served; below it a folder named by their digest. */
const PREFIX = '/docs/assets/';
const ENTRY = 'standalone.esm.js';

/**
 * The scripts of the reference, from this server alone: compressed ahead (scripts/reference-bundle.mjs), and kept by browsers for ever, as
 * their address has their digest.
 */
export async function serveReferenceScripts(fastify: FastifyInstance): Promise<void> {
  await fastify.register(fastifyStatic, { root: referenceFolder(), prefix: PREFIX, preCompressed: true, immutable: true, maxAge: '365d', index: false, decorateReply: false });
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
