/** The kind of a subject. A subject is an event or a post on which people comment. */
export type SubjectKind = 'event' | 'post';

/** A subject, identified as in the paths of the API. */
export type NamedSubject =
  { readonly kind: 'event'; readonly id: number } | { readonly kind: 'post'; readonly slug: string };

/** A subject, identified by the id of its row. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly id: number;
}

/** A subject that the caller sees. */
export interface SeenSubject extends Subject {
  readonly mayComment: boolean;
}
