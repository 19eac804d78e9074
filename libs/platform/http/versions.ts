import { digestOf } from './etags';

/**
 * Versions of resources as shown to their owner (RETRY-18). They are not fields of the resource, so they are stored
 * separately.
 */
const VERSIONS = new WeakMap<object, number>();

/**
 * Marks the resource as its owner's view of this version: the response `one(resource)` then has its tag. Copies of the
 * resource lose the mark.
 */
export function withVersion<Resource extends object>(resource: Resource, version: number | string): Resource {
  VERSIONS.set(resource, Number(version));
  return resource;
}

/** Null for a resource that is not its owner's view. */
export function versionOf(resource: unknown): number | null {
  return typeof resource === 'object' && resource !== null ? (VERSIONS.get(resource) ?? null) : null;
}

/** The tag of a response that shows its owner this version: `"<version>.<digest of the response to GET>"`. */
export function versionedTag(version: number, body: string): string {
  return `"${version}.${digestOf(body)}"`;
}

/** The tag of GET for the resource; null without a version. */
export function tagOf(resource: object): string | null {
  const version = versionOf(resource);
  return version === null ? null : versionedTag(version, JSON.stringify({ data: resource }));
}
