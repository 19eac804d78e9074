import { digestOf } from './etags';

/**
 * The versions of resources. Only a resource in a response to its owner has a version (RETRY-18). A version is not a
 * field of its resource, so it is stored separately.
 */
const VERSIONS = new WeakMap<object, number>();

/**
 * Stores the version of a resource that is sent to its owner. The response that the function `one` (answers.ts) builds
 * from this object then has the tag of this version. A copy of the object has no version.
 */
export function withVersion<Resource extends object>(resource: Resource, version: number | string): Resource {
  VERSIONS.set(resource, Number(version));
  return resource;
}

/** Returns the version that `withVersion` has stored for the resource. Null if it has stored none. */
export function versionOf(resource: unknown): number | null {
  return typeof resource === 'object' && resource !== null ? (VERSIONS.get(resource) ?? null) : null;
}

/**
 * The tag of a response that shows this version to the owner: `"<version>.<digest of the body>"`. `body` is the body of
 * the response to GET.
 */
export function versionedTag(version: number, body: string): string {
  return `"${version}.${digestOf(body)}"`;
}

/** The tag that GET returns to the owner of the resource; null if no version is stored for the resource. */
export function tagOf(resource: object): string | null {
  const version = versionOf(resource);
  return version === null ? null : versionedTag(version, JSON.stringify({ data: resource }));
}
