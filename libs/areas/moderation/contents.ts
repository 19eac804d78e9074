import type { ContentKind } from '#contract/vocabulary';
import type { Queryable } from '#platform/database/database';
import type { Removal } from '#platform/database/removal';
import type { PublicIds } from '#platform/http/public-ids';
import { COMMENT_REMOVAL } from '../comments/comment-removal.commands';
import { EVENT_REMOVAL } from '../events/event-removal.commands';
import { PHOTO_REMOVAL } from '../gallery/photo-removal.commands';
import { GROUP_REMOVAL } from '../groups/group-removal.commands';
import { MESSAGE_REMOVAL } from '../messages/message-removal.commands';
import { postIdEvenIfRemoved, POST_REMOVAL } from '../posts/post-removal.commands';
import { PULS_REMOVAL } from '../puls/puls-removal.commands';
import { SERIES_REMOVAL } from '../series/series-removal.commands';

/** An object, identified by its kind and row id. */
export interface Content {
  readonly kind: ContentKind;
  readonly id: number;
}

/** For each kind of object, the code that removes objects from view, restores them and deletes them. */
export const REMOVALS: Readonly<Record<ContentKind, Removal>> = {
  event: EVENT_REMOVAL,
  series: SERIES_REMOVAL,
  group: GROUP_REMOVAL,
  post: POST_REMOVAL,
  comment: COMMENT_REMOVAL,
  photo: PHOTO_REMOVAL,
  puls: PULS_REMOVAL,
  message: MESSAGE_REMOVAL,
};

/**
 * Returns the object whose id (for a post: slug) in the API's paths is `sentId`, even if the object is not visible.
 * Null if `sentId` is not a valid id of this kind of object, or if no post has this slug. An object other than a post
 * need not exist: its existence is checked when the object is locked.
 */
export async function contentOf(
  database: Queryable,
  ids: PublicIds,
  kind: ContentKind,
  sentId: string,
): Promise<Content | null> {
  const id = await rowIdOf(database, ids, kind, sentId);
  return id === null ? null : { kind, id };
}

async function rowIdOf(database: Queryable, ids: PublicIds, kind: ContentKind, sentId: string): Promise<number | null> {
  if (kind === 'post') return postIdEvenIfRemoved(database, sentId);
  return kind === 'event' ? ids.decodeEvent(sentId) : ids.decode(kind, sentId);
}
