/**
 * Raised before a post's row is deleted, while the row is locked. `DeletePostComments` reacts to this signal: it
 * deletes the comments on the post and the images of these comments.
 */
export class PostDeleted {
  constructor(readonly postId: number) {}
}
