import { routeOfCreated } from '#platform/http/location';
import { headersOf } from './headers';
import { componentNameOf, type Node, type PlacedOperation, type Response } from './schema';

/**
 * Resources that have a version. The response to a write request has an `ETag` if it shows such a resource to the
 * resource's owner (RETRY-18).
 */
const WITH_VERSION: ReadonlySet<string> = new Set(['OwnEvent', 'Series', 'Group', 'Post', 'Itinerary']);
/** Write operations that show such a resource, but never to its owner, so their responses have no `ETag`. */
const NEVER_FOR_OWNER: ReadonlySet<string> = new Set(['joinGroup']);

/** The headers of an operation's successful response. `readablePaths`: the paths of all GET operations. */
export function answerHeaders(
  { path, method, operation: { operationId } }: PlacedOperation,
  status: number,
  response: Response,
  readablePaths: readonly string[],
): Record<string, Node> {
  const data = dataOf(response);
  const isRead = method === 'get';
  const hasETag = isRead || (WITH_VERSION.has(componentNameOf(data) ?? '') && !NEVER_FOR_OWNER.has(operationId));
  const hasLocation =
    method === 'post' &&
    status === 201 &&
    data.type !== 'array' &&
    routeOfCreated(asRoute(path), readablePaths.map(asRoute)) !== null;
  return headersOf(status, [
    ...(hasETag ? ['ETag'] : []),
    ...(hasLocation ? ['Location'] : []),
    ...(isRead ? [] : ['Idempotency-Replayed']),
  ]);
}

function dataOf({ content }: Response): Node {
  const { properties } = content?.['application/json']?.schema ?? {};
  return ((properties ?? {}) as { data?: Node }).data ?? {};
}

/** Converts a path of the document to a path of a route: `/events/{id}` to `/events/:id`. */
function asRoute(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
