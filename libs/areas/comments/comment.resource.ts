import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import type { Caller } from '../identity/caller.reader';
import { personOf, PersonResource, personResource, type Person } from '../identity/person.resource';
import type { Comment } from './comment.entity';
import { commentOf, type CommentRow, type ThreadsRow } from './comment.query';

/** The caller's rights on a comment. */
export class CommentViewerResource {
  /** whether the caller may delete the comment */
  can_delete: boolean;
}

/** A comment (CMT-1). A root contains its replies, the oldest first; a reply contains none. */
export class CommentResource {
  /** hashid */
  id: string;
  /** plain text; null if the comment has only a picture, or if the account of its author was deleted */
  body: string | null;
  /** the attached picture; null if there is none */
  image_url: string | null;
  /** the person who wrote the comment */
  author: PersonResource;
  /** id of the thread's root; null in a root */
  parent: string | null;
  /** oldest first; empty in a reply, because threads have two levels */
  replies: CommentResource[];
  /** what the caller may do with the comment */
  viewer: CommentViewerResource;
  /** when the comment was written */
  created_at: string;
}

export function commentResource(comment: Comment, author: Person, caller: Caller, wire: WireFormat): CommentResource {
  return {
    id: wire.id('comment', comment.id),
    body: comment.body,
    image_url: wire.mediaOrNull(comment.imageKey),
    author: personResource(author, wire),
    parent: wire.idOrNull('comment', comment.rootId),
    replies: [],
    viewer: { can_delete: comment.mayBeDeletedBy(caller) },
    created_at: toWire(comment.createdAt),
  };
}

/**
 * The comments by id, from rows in which every root precedes its replies. Each reply also has its own entry in the map,
 * even if its root is not in the rows.
 */
export function commentsById(
  rows: readonly CommentRow[],
  caller: Caller,
  wire: WireFormat,
): Map<number, CommentResource> {
  const comments = new Map<number, CommentResource>();
  for (const row of rows) {
    const comment = commentResource(commentOf(row), personOf(row, 'author'), caller, wire);
    comments.set(Number(row.id), comment);
    if (row.root_id !== null) comments.get(Number(row.root_id))?.replies.push(comment);
  }
  return comments;
}

/** The threads of a page. In the rows, each root precedes its replies. */
export function threadResources(rows: readonly ThreadsRow[], caller: Caller, wire: WireFormat): CommentResource[] {
  // If the page is empty, the statement returns one row, which contains no comment.
  const found = rows.filter((row) => row.id !== null);
  return [...commentsById(found, caller, wire).values()].filter(({ parent }) => parent === null);
}
