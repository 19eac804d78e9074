/**
 * Raised before a post's row is deleted, while the row is locked. A reaction deletes the comments on the post with the
 * images of the comments.
 */
export class PostDeleted {
  constructor(readonly postId: number) {}
}
