/** The address of map tiles. Without map tiles, pages contain links instead of maps. */
export interface MapTiles {
  /** The address as Leaflet reads it, with `{z}`, `{x}`, `{y}`, and `{s}` for several hosts. */
  readonly url: string;
  /** The origin of all tiles (with `*.` for several hosts), for the Content-Security-Policy of pages. */
  readonly origin: string;
}

export function mapTiles(mapTilesUrl: string | null): MapTiles | null {
  if (mapTilesUrl === null) return null;
  const { protocol, host } = new URL(mapTilesUrl.replaceAll('{s}', 'one-of-them'));
  return { url: mapTilesUrl, origin: `${protocol}//${host.replace(/^one-of-them\./, '*.')}` };
}
