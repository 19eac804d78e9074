/** What is commented on. */
export type SubjectKind = 'event' | 'post';

/** As a path names it. */
export type NamedSubject =
  { readonly kind: 'event'; readonly id: number } | { readonly kind: 'post'; readonly slug: string };

/** By its row. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly id: number;
}

/** One that the caller sees. */
export interface SeenSubject extends Subject {
  readonly mayComment: boolean;
}
