import { Column, Entity } from 'typeorm';
import type { PostCategory, PostStatus } from '#contract/vocabulary';
import { Id, Instant, Ref } from '#platform/database/columns';

/** A blog post (POST-6). */
@Entity('posts')
export class Post {
  @Id()
  id: number;

  @Ref({ name: 'author_id', update: false })
  authorId: number;

  @Ref({ name: 'event_id', nullable: true })
  eventId: number | null;

  @Column({ type: 'text', update: false })
  slug: string;

  @Column('text')
  title: string;

  @Column('text', { nullable: true })
  excerpt: string | null;

  /** Sanitized HTML. */
  @Column('text')
  body: string;

  @Column('text', { array: true })
  categories: PostCategory[];

  @Column('text', { nullable: true })
  location: string | null;

  @Column('text')
  status: PostStatus;

  @Column('text', { name: 'cover_key', nullable: true })
  coverKey: string | null;

  @Instant({ name: 'published_at', nullable: true })
  publishedAt: Date | null;

  /** Version of the fields that the author writes; assigned by the trigger `posts_version` (sql/triggers.sql). */
  @Ref({ insert: false, update: false })
  version: number;

  @Instant({ name: 'created_at', update: false })
  createdAt: Date;

  @Instant({ name: 'updated_at' })
  updatedAt: Date;

  /** Sets the status and `publishedAt` (null for a draft). Does nothing if the post already has this status. */
  setStatus(status: PostStatus, now: Date): void {
    if (this.status === status) return;
    this.status = status;
    this.publishedAt = status === 'published' ? now : null;
  }
}
