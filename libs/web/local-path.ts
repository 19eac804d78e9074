/** Returns `next` if it is a path of this service, otherwise null: `next` must not lead to another site. */
export function localPath(next: unknown): string | null {
  return typeof next === 'string' && next.length <= 500 && /^\/(?![/\\])[\w\-./?=&%~+,:;@!$'()*]*$/.test(next)
    ? next
    : null;
}
