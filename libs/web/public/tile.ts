import type { Locale } from '#contract/vocabulary';
import { LANGUAGE_TAGS } from '#platform/messages/language-tags';
import { withoutBadBreaks } from '../line-breaks';

/**
 * `hot` is a chip in the accent colour, `good` the green chip about the reader's relation to the event, `off` a dark
 * chip. A chip without a look is grey. An offer of a seat is `hot`, because the reader has to answer it in time.
 */
export type ChipLook = 'hot' | 'good' | 'off';

/** The data of `views/tile.eta`: one event, group or post in a list on a page. */
export interface Tile {
  readonly href: string;
  readonly title: string;
  /** The address of a picture; null if the drawing of the event, group or post is shown (PAGE-70). */
  readonly image: string | null;
  /** `when` is the text above the title, `where` the text below it. */
  readonly when: string | null;
  readonly where: string | null;
  readonly chips: readonly { readonly text: string; readonly look?: ChipLook }[];
  /** The text after the chips: the number of participants or members, or the author of a post. */
  readonly more: string | null;
}

const VERY_NEAR: Readonly<Record<Locale, string>> = { cs: 'hned vedle', en: 'very near' };

/** A distance with one decimal: "1.2 km", in Czech "1,2 km". A distance below 0.1 km is shown as "very near". */
export function distanceText(kilometres: number, locale: Locale): string {
  if (kilometres < 0.1) return withoutBadBreaks(VERY_NEAR[locale], locale);
  const format = new Intl.NumberFormat(LANGUAGE_TAGS[locale], { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return withoutBadBreaks(`${format.format(kilometres)} km`, locale);
}

/** Returns the tile without the chips whose text is `text`, for lists whose heading already contains this text. */
export function withoutChip(tile: Tile, text: string): Tile {
  return { ...tile, chips: tile.chips.filter((chip) => chip.text !== text) };
}

/**
 * Returns the tile without the chip about the reader's relation to the event, for lists in which all events have the
 * same relation. An offer of a seat is still shown, because only some waitlisted people have one.
 */
export function withoutRelation(tile: Tile): Tile {
  return { ...tile, chips: tile.chips.filter(({ look }) => look !== 'good') };
}
