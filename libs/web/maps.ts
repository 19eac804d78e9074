/** The addresses of map tiles. If no map tiles are configured, pages contain links instead of maps. */
export interface MapTiles {
  /** The address as Leaflet reads it: with `{z}`, `{x}` and `{y}`, and with `{s}` if there are several hosts. */
  readonly url: string;
  /** The origin of all tiles (with `*.` for several hosts), for the Content-Security-Policy of pages. */
  readonly origin: string;
}

export function mapTiles(mapTilesUrl: string | null): MapTiles | null {
  if (mapTilesUrl === null) return null;
  const { protocol, host } = new URL(mapTilesUrl.replaceAll('{s}', 'one-of-them'));
  return { url: mapTilesUrl, origin: `${protocol}//${host.replace(/^one-of-them\./, '*.')}` };
}
