/** The size in pixels of the picture that other sites show for a link. */
export const CARD = { width: 1200, height: 630 } as const;

/** The parts of a card. */
export interface CardContent {
  /** A stored picture, or a drawing. */
  readonly background: { readonly path: string } | { readonly svg: string };
  readonly title: string;
  /** The date. For a cancelled event, the word "cancelled" and the date. */
  readonly when: string;
  readonly brand: string;
}
