/** The address of map tiles. Without map tiles, pages contain links instead of maps. */
export interface MapTiles {
  /** In Leaflet's form, with `{z}`, `{x}`, `{y}`, and `{s}` for several hosts. */
  readonly url: string;
  /** For the page's Content-Security-Policy. */
  readonly origin: string;
}

export function mapTiles(mapTilesUrl: string | null): MapTiles | null {
  if (mapTilesUrl === null) return null;
  const { protocol, host } = new URL(mapTilesUrl.replaceAll('{s}', 'one-of-them'));
  return { url: mapTilesUrl, origin: `${protocol}//${host.replace(/^one-of-them\./, '*.')}` };
}
