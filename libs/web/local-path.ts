/** Returns the path if it belongs to this service. Returns null for any address that could lead to another site. */
export function localPath(next: unknown): string | null {
  return typeof next === 'string' && next.length <= 500 && /^\/(?![/\\])[\w\-./?=&%~+,:;@!$'()*]*$/.test(next)
    ? next
    : null;
}
