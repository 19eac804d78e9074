import type { Tile } from './tile';

/** A date in the list. `title` and `where` are null if they equal the title and the place shown above the list. */
type SeriesDate = Pick<Tile, 'href' | 'when' | 'where' | 'chips' | 'more'> & { readonly title: string | null };

/** The dates of a series. The place and the chips that all dates have are shown once, above the list. */
export interface SeriesDates {
  readonly where: string | null;
  readonly chips: Tile['chips'];
  readonly dates: readonly SeriesDate[];
}

/** @param seriesTitle the heading of the page; a date with another title shows this title */
export function seriesDates(tiles: readonly Tile[], seriesTitle: string): SeriesDates {
  const [first] = tiles;
  const isCommon = ({ text }: Tile['chips'][number]): boolean =>
    tiles.every(({ chips }) => chips.some((chip) => chip.text === text));
  const where = tiles.every((tile) => tile.where === first?.where) ? (first?.where ?? null) : null;
  return {
    where,
    chips: first?.chips.filter(isCommon) ?? [],
    dates: tiles.map((tile) => ({
      href: tile.href,
      title: tile.title === seriesTitle ? null : tile.title,
      when: tile.when,
      where: tile.where === where ? null : tile.where,
      chips: tile.chips.filter((chip) => !isCommon(chip)),
      more: tile.more,
    })),
  };
}
