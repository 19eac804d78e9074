/** A path of this service to go on to; null for everything that could lead elsewhere. */
export function localPath(next: unknown): string | null {
  return typeof next === 'string' && next.length <= 500 && /^\/(?![/\\])[\w\-./?=&%~+,:;@!$'()*]*$/.test(next)
    ? next
    : null;
}
