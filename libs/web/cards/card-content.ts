/** The size in pixels of the picture that other sites show for a link. */
export const CARD = { width: 1200, height: 630 } as const;

/** The parts of a card. */
export interface CardContent {
  /** A file with a copy of the event's cover, or a drawing. */
  readonly background: { readonly path: string } | { readonly svg: string };
  readonly title: string;
  /** When the event starts. For a cancelled event, the word "cancelled" precedes the time. */
  readonly when: string;
  readonly brand: string;
}
