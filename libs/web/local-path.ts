/**
 * Returns `next` if it matches the pattern of a path and has at most 500 characters, otherwise null. A path with `//` or
 * `/\` at its beginning does not match, because `next` must not lead to another site.
 */
export function localPath(next: unknown): string | null {
  return typeof next === 'string' && next.length <= 500 && /^\/(?![/\\])[\w\-./?=&%~+,:;@!$'()*]*$/.test(next)
    ? next
    : null;
}
