/** The kind of a subject. A subject is an event or a post on which people comment. */
export type SubjectKind = 'event' | 'post';

/** A subject that a request names: an event by its id (decoded from the path), or a post by its slug. */
export type NamedSubject =
  { readonly kind: 'event'; readonly id: number } | { readonly kind: 'post'; readonly slug: string };

/** A subject, identified by the id of its row. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly id: number;
}

/** A subject that is visible to the caller. */
export interface SeenSubject extends Subject {
  readonly mayComment: boolean;
}
