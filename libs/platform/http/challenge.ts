import type { FastifyRequest } from 'fastify';
import type { Refusal } from './refusal';
import { decodedPath } from './paths';

/**
 * The paths of the protected resources. A 401 for such a path, or for a path below it, contains the address of the
 * resource's metadata (RFC 9728).
 */
const RESOURCES = ['/api/v1', '/mcp'] as const;
const SENT_TOKEN = /^bearer +\S/i;

/** The address of the metadata of a protected resource. `''`: the whole service. */
export function resourceMetadata(baseUrl: string, resource: (typeof RESOURCES)[number] | ''): string {
  return `${baseUrl}/.well-known/oauth-protected-resource${resource}`;
}

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
  const resource = RESOURCES.find((one) => path === one || path.startsWith(`${one}/`));
  if (resource === undefined) return 'Bearer';
  const metadata = `Bearer resource_metadata="${resourceMetadata(request.server.baseUrl, resource)}"`;
  return SENT_TOKEN.test(request.headers.authorization ?? '') ? `${metadata}, error="invalid_token"` : metadata;
}
