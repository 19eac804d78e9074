import type { FastifyReply } from 'fastify';
import type { Settings } from '#platform/config/settings';
import { withoutCors } from '#platform/http/wire-headers';
import { mapTiles } from './maps';

const OWN_FILES = ["default-src 'none'", "style-src 'self'", "script-src 'self'", "font-src 'self'"];

/**
 * The `img-src` directive: it allows pictures of this service (also from MEDIA_BASE_URL), and map tiles if `tiles` is
 * given. The directive names the public host, because links to stored files contain this host even if the page itself
 * was opened under another host name.
 */
function imageSources({ baseUrl, mediaBaseUrl }: Settings, tiles?: string): string {
  const origins = [new URL(baseUrl).origin, mediaBaseUrl && new URL(mediaBaseUrl).origin, tiles];
  return ["img-src 'self'", ...origins.filter(Boolean)].join(' ');
}

/**
 * The content security policy of a page that other sites may show in a frame. Forms and scripts of the page may send no
 * requests.
 */
export function framePolicy(settings: Settings): string {
  return [...OWN_FILES, imageSources(settings), "form-action 'none'", "base-uri 'none'", 'frame-ancestors *'].join(
    '; ',
  );
}

/**
 * The content security policy of a page that other sites may not show in a frame. `sources`: directives for the files
 * that the page may load besides styles, scripts and fonts of this service.
 */
export function policyOf(...sources: readonly string[]): string {
  return [
    ...OWN_FILES,
    ...sources,
    // Scripts of the pages send requests, for example for uploads, suggestions of places, passkeys, and the check of
    // tickets at the door.
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const POLICY = 'content-security-policy';

/**
 * Adds a source to `form-action` of the page's Content-Security-Policy, so that the response to a form may redirect to
 * this source.
 */
export function allowFormTo(reply: FastifyReply, source: string): void {
  const policy = String(reply.getHeader(POLICY));
  void reply.header(POLICY, policy.replace("form-action 'self'", `form-action 'self' ${source}`));
}

/**
 * Returns a function that writes the security headers of a page. The page may load only files of this service, pictures
 * from MEDIA_BASE_URL, and map tiles. Other sites may not show the page in a frame, and receive no referrer.
 */
export function pageHeaders(settings: Settings): (reply: FastifyReply) => void {
  const policy = policyOf(imageSources(settings, mapTiles(settings.mapTilesUrl)?.origin), "manifest-src 'self'");
  return (reply) => {
    // Pages are for people, so no CORS header allows other sites to read them.
    withoutCors(reply).headers({
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  };
}
