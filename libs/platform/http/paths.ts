import type { FastifyRequest } from 'fastify';

/** The prefix of every route of the API. */
export const API = '/api/v1';
/** The path of the endpoint for MCP clients. */
export const MCP_PATH = '/mcp';

/** Whether the path (with or without a query) belongs to the API. */
export function isApiPath(path: string): boolean {
  return path.startsWith(API) && (path.length === API.length || path[API.length] === '/' || path[API.length] === '?');
}

/**
 * Whether the request belongs to the API. The matched route decides, because the URL may be encoded in several ways
 * (`/%61pi/v1/user`). If no route matches, the path is decoded and then compared.
 */
export function isApi(request: FastifyRequest): boolean {
  return isApiPath(request.is404 ? decodedPath(request.url) : (request.routeOptions.url ?? ''));
}

/** Returns the path of a request's URL, without the query. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] as string;
}

/** Returns the query of a request's URL, with its `?`; an empty text if there is no query. */
export function queryOf(url: string): string {
  return url.slice(pathOf(url).length);
}

/** Returns the decoded path of a URL, without the query; not decoded if the path cannot be decoded. */
export function decodedPath(url: string): string {
  return decoded(pathOf(url));
}

/** Returns the decoded path, or a part of it; unchanged if it cannot be decoded. */
export function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
