import { digestOf } from './etags';

/** Versions of what its owner is shown (RETRY-18), beside the resource: they are no field of it. */
const VERSIONS = new WeakMap<object, number>();

/**
 * The resource, as the view of its owner with this version: an answer that is `one(resource)` then has the tag of it. A copy of the
 * resource has none.
 */
export function withVersion<Resource extends object>(resource: Resource, version: number | string): Resource {
  VERSIONS.set(resource, Number(version));
  return resource;
}

/** Null for what is not its owner's view. */
export function versionOf(resource: unknown): number | null {
  return typeof resource === 'object' && resource !== null ? (VERSIONS.get(resource) ?? null) : null;
}

/** The tag of an answer that shows its owner this version: `"<version>.<digest of the answer to GET>"`. */
export function versionedTag(version: number, body: string): string {
  return `"${version}.${digestOf(body)}"`;
}

/** The tag that GET gives with the resource. Null for what has no version. */
export function tagOf(resource: object): string | null {
  const version = versionOf(resource);
  return version === null ? null : versionedTag(version, JSON.stringify({ data: resource }));
}
