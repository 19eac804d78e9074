/** Raised before a post's row is deleted, while it is locked: listeners delete dependent rows that have files. */
export class PostDeleted {
  constructor(readonly postId: number) {}
}
