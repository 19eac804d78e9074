import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import type { Caller } from '../identity/caller.reader';
import { personOf, PersonResource, personResource, type Person } from '../identity/person.resource';
import type { CommentRow, PageRow } from './comment.query';

/** What the caller may do with a comment. */
export class CommentViewerResource {
  can_delete: boolean;
}

/** A comment (CMT-1); a root with its replies, oldest first. A reply has none. */
export class CommentResource {
  /** hashid */
  id: string;
  /** plain text */
  body: string | null;
  image_url: string | null;
  author: PersonResource;
  /** id of the thread's root; null in a root */
  parent: string | null;
  replies: CommentResource[];
  viewer: CommentViewerResource;
  created_at: string;
}

/** Its author, moderators and admins (CMT-11). */
export function mayDelete(caller: Caller, authorId: number): boolean {
  return authorId === caller.id || caller.moderator || caller.admin;
}

export function commentResource(row: CommentRow, author: Person, caller: Caller, wire: WireFormat): CommentResource {
  return {
    id: wire.id('comment', row.id),
    body: row.body,
    image_url: wire.mediaOrNull(row.image_key),
    author: personResource(author, wire),
    parent: wire.idOrNull('comment', row.root_id),
    replies: [],
    viewer: { can_delete: mayDelete(caller, Number(row.author_id)) },
    created_at: toWire(row.created_at),
  };
}

/** The threads of a page: every root stands right before its replies. */
export function threadResources(rows: readonly PageRow[], caller: Caller, wire: WireFormat): CommentResource[] {
  const threads: CommentResource[] = [];
  for (const row of rows) {
    if (row.id === null) continue;
    const comment = commentResource(row, personOf(row, 'author'), caller, wire);
    if (row.root_id === null) threads.push(comment);
    else threads.at(-1)?.replies.push(comment);
  }
  return threads;
}
