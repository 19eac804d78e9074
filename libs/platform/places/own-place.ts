/** The place where a person lives. Only the person can see it (PLACE-5). */
export interface OwnPlace {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}
