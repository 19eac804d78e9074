const LOCAL_PATH = /^\/(?![/\\])[\w\-./?=&%~+,:;@!$'()*]*(?:#[\w\-./?=&%~+,:;@!$'()*]*)?$/;

/**
 * Returns `next` if it matches the pattern of a path (with or without a query and a fragment) and has at most 500
 * characters, otherwise null. A text that begins with `//` or `/\` does not match, because browsers read such a text as
 * the address of another site.
 */
export function localPath(next: unknown): string | null {
  return typeof next === 'string' && next.length <= 500 && LOCAL_PATH.test(next) ? next : null;
}
