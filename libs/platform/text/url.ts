/**
 * Parses an absolute address, or an address relative to `base`. Returns null for an invalid address. The service uses
 * this function and not `URL.canParse`, which in Node 20 and 22 refuses valid addresses with accents
 * (`https://kavárna.example`) after a few thousand calls.
 */
export function parseUrl(address: string, base?: string | URL): URL | null {
  try {
    return new URL(address, base);
  } catch {
    return null;
  }
}
