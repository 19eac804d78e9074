/** Raised before a post's row goes, while it is locked: the listeners let go of what hangs on it and has files. */
export class PostDeleted {
  constructor(readonly postId: number) {}
}
