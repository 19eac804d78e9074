/**
 * The path of BASE_URL without the final slash: `/events` for `https://example.org/events/`. Empty if BASE_URL has no
 * path.
 */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '');
}
