/** Returns a path of this service. Returns null for any other text, such as an address that leads to another site. */
export function localPath(next: unknown): string | null {
  return typeof next === 'string' && next.length <= 500 && /^\/(?![/\\])[\w\-./?=&%~+,:;@!$'()*]*$/.test(next)
    ? next
    : null;
}
