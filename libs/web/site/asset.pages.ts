import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CompressedContent } from '#platform/http/compressed-content';
import { webFolder } from '../folder';
import { FileController } from '../page.decorators';

/** The endings of files whose content is already compressed. */
const COMPRESSED_ENDINGS = ['.woff2', '.png'];
const FONT_ENDING = '.woff2';
/** The only script that other sites load (EMB-4). */
const EMBED_SCRIPT = '/embed.js';

/** Content types by path. Browsers request `/favicon.ico` and `/apple-touch-icon.png` even without a link. */
const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '/web/tokens.css': 'text/css; charset=utf-8',
    '/web/figtree-latin.woff2': 'font/woff2',
    '/web/figtree-latin-ext.woff2': 'font/woff2',
    '/web/style.css': 'text/css; charset=utf-8',
    '/web/copy.js': 'text/javascript; charset=utf-8',
    '/favicon.ico': 'image/x-icon',
    '/web/icon-192.png': 'image/png',
    '/web/icon-512.png': 'image/png',
    '/web/icon-maskable-512.png': 'image/png',
    '/apple-touch-icon.png': 'image/png',
    '/favicon.svg': 'image/svg+xml; charset=utf-8',
    '/web/door.css': 'text/css; charset=utf-8',
    '/web/door.js': 'text/javascript; charset=utf-8',
    '/web/jsqr.js': 'text/javascript; charset=utf-8',
    '/web/docs.css': 'text/css; charset=utf-8',
    '/web/near.js': 'text/javascript; charset=utf-8',
    '/web/places.js': 'text/javascript; charset=utf-8',
    '/web/map.js': 'text/javascript; charset=utf-8',
    '/web/form.js': 'text/javascript; charset=utf-8',
    '/web/editor.js': 'text/javascript; charset=utf-8',
    '/web/leaflet.js': 'text/javascript; charset=utf-8',
    '/web/leaflet.css': 'text/css; charset=utf-8',
    '/web/docs.js': 'text/javascript; charset=utf-8',
    '/web/webauthn.js': 'text/javascript; charset=utf-8',
    '/web/passkeys.js': 'text/javascript; charset=utf-8',
    '/web/push.js': 'text/javascript; charset=utf-8',
    '/web/try.js': 'text/javascript; charset=utf-8',
    '/web/embed.css': 'text/css; charset=utf-8',
    '/web/frame.js': 'text/javascript; charset=utf-8',
    [EMBED_SCRIPT]: 'text/javascript; charset=utf-8',
  }),
);

/**
 * The style sheets, fonts, icons and scripts of the pages. Each file is read at its first request and then sent from
 * memory.
 */
@FileController()
export class AssetPages {
  private readonly assets = new Map<string, CompressedContent>();

  @Get([...TYPES.keys()])
  send(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<FastifyReply> {
    const path = request.routeOptions.url ?? '';
    const asset = this.assets.get(path) ?? read(path);
    this.assets.set(path, asset);
    if (path === EMBED_SCRIPT) reply.header('cross-origin-resource-policy', 'cross-origin');
    return asset.send(request, reply);
  }
}

function read(path: string): CompressedContent {
  return new CompressedContent(TYPES.get(path) ?? '', readFileSync(fileOf(path.slice(path.lastIndexOf('/') + 1))), {
    isCompressed: COMPRESSED_ENDINGS.some((ending) => path.endsWith(ending)),
    cacheControl: path.endsWith(FONT_ENDING) ? 'max-age=604800' : 'no-cache',
  });
}

/** The path of a file in the assets folder or in a library. */
function fileOf(name: string): string {
  if (name.startsWith('figtree-'))
    return require.resolve(`@fontsource-variable/figtree/files/${name.replace('.woff2', '')}-wght-normal.woff2`);
  if (name === 'jsqr.js') return require.resolve('jsqr');
  if (name === 'webauthn.js')
    return join(dirname(require.resolve('@simplewebauthn/browser')), '..', 'dist', 'bundle', 'index.umd.min.js');
  return join(name.startsWith('leaflet') ? dirname(require.resolve('leaflet')) : webFolder('assets'), name);
}
