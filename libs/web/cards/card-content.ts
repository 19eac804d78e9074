/** The size in pixels of a card: the picture that other sites show for a link to an event. */
export const CARD = { width: 1200, height: 630 } as const;

/** The data that a card shows. */
export interface CardContent {
  /** A copy of the event's cover, or a drawing if no cover is stored. */
  readonly background: { readonly path: string } | { readonly svg: string };
  readonly title: string;
  /** When the event starts. For a cancelled event, the word "cancelled" precedes the time. */
  readonly when: string;
  readonly brand: string;
}
