import type { PostCategory, PostStatus } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { personColumns, personOf, PersonResource, personResource, type PersonRow } from '../identity/person.resource';

/** SQL: the columns of a response about post `p` of author `u`. `event` is the SQL for the id of the post's event. */
export function postColumns(event: string): string {
  return `
  p.id, p.author_id, ${event} AS event_id, p.slug, p.title, p.excerpt, p.body, p.categories, p.location, p.status, p.cover_key,
  p.published_at, p.version, p.created_at, p.updated_at, ${personColumns('u', 'author')}`;
}

/** A row with the columns of `postColumns`. */
export interface PostRow extends PersonRow<'author'> {
  id: string;
  author_id: string;
  event_id: string | null;
  slug: string;
  title: string;
  excerpt: string | null;
  body: string;
  categories: PostCategory[];
  location: string | null;
  status: PostStatus;
  cover_key: string | null;
  published_at: Date | null;
  version: string;
  created_at: Date;
  updated_at: Date;
}

/** The caller's relation to the post. */
export class PostViewerResource {
  /** whether the caller wrote the post */
  is_author: boolean;
  /** whether the caller may comment: everybody on a published post, nobody on a draft */
  can_comment: boolean;
}

/** A blog post (POST-6). */
export class PostResource {
  /** hashid; paths use the slug instead */
  id: string;
  /** identifies the post in paths; never changes */
  slug: string;
  /** plain text */
  title: string;
  /** a short plain text for lists; null when not given */
  excerpt: string | null;
  /** sanitized HTML */
  body: string;
  /** 1 to 3 categories */
  categories: PostCategory[];
  /** the place the post is about; null when not given */
  location: string | null;
  /** only the author sees a draft */
  status: PostStatus;
  /** the cover; null if there is none */
  cover_url: string | null;
  /** a small version of the cover; null if there is none */
  cover_thumb_url: string | null;
  /**
   * hashid of the event that the post is about; null if there is none, or if you neither wrote the post nor see the
   * event. In `GET /discover/posts`, it is also null for your own post if you do not see the event
   */
  event: string | null;
  /** the person who wrote the post */
  author: PersonResource;
  /** when the post was last published; null for a draft */
  published_at: string | null;
  /** the post's web page */
  url: string;
  /** the caller's relation to the post */
  viewer: PostViewerResource;
  /** when the post was created */
  created_at: string;
  /** when the post was last changed */
  updated_at: string;
}

/** @param viewerId null for a signed-out reader of a public page */
export function postResource(row: PostRow, viewerId: number | null, wire: WireFormat): PostResource {
  const visibility = { isPublic: row.status === 'published' };
  return {
    id: wire.id('post', row.id),
    slug: row.slug,
    title: row.title,
    excerpt: row.excerpt,
    body: row.body,
    categories: row.categories,
    location: row.location,
    status: row.status,
    cover_url: wire.mediaOrNull(row.cover_key, visibility),
    cover_thumb_url: wire.thumbOrNull(row.cover_key, visibility),
    event: wire.idOrNull('event', row.event_id),
    author: personResource(personOf(row, 'author'), wire),
    published_at: toWire(row.published_at),
    url: wire.page(`/posts/${row.slug}`),
    viewer: {
      is_author: Number(row.author_id) === viewerId,
      can_comment: viewerId !== null && row.status === 'published',
    },
    created_at: toWire(row.created_at),
    updated_at: toWire(row.updated_at),
  };
}
