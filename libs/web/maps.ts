/** Where tiles come from and whom that is owed to; null: no maps, links alone. */
export interface MapTiles {
  /** As Leaflet has it, with `{z}`, `{x}`, `{y}`, and `{s}` where there are several hosts. */
  readonly url: string;
  /** As the policy of a page names it. */
  readonly origin: string;
}

export function mapTiles(mapTilesUrl: string | null): MapTiles | null {
  if (mapTilesUrl === null) return null;
  const { protocol, host } = new URL(mapTilesUrl.replaceAll('{s}', 'one-of-them'));
  return { url: mapTilesUrl, origin: `${protocol}//${host.replace(/^one-of-them\./, '*.')}` };
}
