/**
 * The path of BASE_URL without the final slash: `/events` for `https://example.org/events/`. Empty if there is none.
 */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '');
}
