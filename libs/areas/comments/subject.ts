/** Kinds of objects that have comments. */
export type SubjectKind = 'event' | 'post';

/** A subject as in a path of the API. */
export type NamedSubject =
  { readonly kind: 'event'; readonly id: number } | { readonly kind: 'post'; readonly slug: string };

/** A subject by its row id. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly id: number;
}

/** A subject that the caller sees. */
export interface SeenSubject extends Subject {
  readonly mayComment: boolean;
}
