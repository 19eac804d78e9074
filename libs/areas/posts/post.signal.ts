/** Raised before a post's row is deleted, while the row is locked. Reactions delete dependent rows that have files. */
export class PostDeleted {
  constructor(readonly postId: number) {}
}
