import type { FastifyRequest } from 'fastify';
import type { Refusal } from './refusal';
import { API, decodedPath, MCP_PATH } from './paths';

/**
 * The paths of the protected resources. A 401 for such a path, or for a path below it, contains the address of the
 * resource's metadata (RFC 9728).
 */
export const PROTECTED_PATHS = [API, MCP_PATH] as const;
/** The beginning of the path of a resource's metadata. The path of the resource follows. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';
const SENT_TOKEN = /^bearer +\S/i;

/**
 * The value of `WWW-Authenticate` for a refusal (RFC 6750, RFC 9728). Null if the refusal does not need this header
 * (SCOPE-8).
 */
export function challengeOf({ code, details }: Refusal, request: FastifyRequest | null): string | null {
  if (code === 'insufficient_scope')
    return `Bearer error="insufficient_scope"${details.scope === undefined ? '' : `, scope="${details.scope}"`}`;
  if (code !== 'unauthenticated') return null;
  if (request === null) return 'Bearer';
  const path = decodedPath(request.url);
  const resource = PROTECTED_PATHS.find((one) => path === one || path.startsWith(`${one}/`));
  if (resource === undefined) return 'Bearer';
  const metadata = `Bearer resource_metadata="${request.server.baseUrl}${METADATA_PATH}${resource}"`;
  return SENT_TOKEN.test(request.headers.authorization ?? '') ? `${metadata}, error="invalid_token"` : metadata;
}
