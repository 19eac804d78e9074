/** Where a person lives; only the person sees it (PLACE-5). */
export interface OwnPlace {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}
