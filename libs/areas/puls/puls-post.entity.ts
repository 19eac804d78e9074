import { addSeconds } from 'date-fns/addSeconds';
import { startOfSecond } from 'date-fns/startOfSecond';
import { Column, Entity } from 'typeorm';
import { LIMITS } from '#contract/limits';
import { Id, Instant, Ref } from '#platform/database/columns';
import type { MediaKey } from '#platform/storage/media-key';

/** A Puls post (PULS-3). It is never edited and expires after a day. */
@Entity('puls_posts')
export class PulsPost {
  @Id()
  id: number;

  @Ref({ name: 'author_id' })
  authorId: number;

  /** Sanitized HTML. */
  @Column('text', { nullable: true })
  body: string | null;

  @Column('text', { name: 'image_key', nullable: true })
  imageKey: MediaKey | null;

  @Column('text', { name: 'video_key', nullable: true })
  videoKey: MediaKey | null;

  @Column('double precision')
  latitude: number;

  @Column('double precision')
  longitude: number;

  @Column('text', { name: 'location_name', nullable: true })
  locationName: string | null;

  @Column('integer', { name: 'likes_count' })
  likesCount: number;

  /** Whether the post was bought outside this API. Such a post may be active in addition to a free post. */
  @Column('boolean')
  paid: boolean;

  @Instant({ name: 'created_at' })
  createdAt: Date;

  @Instant({ name: 'expires_at' })
  expiresAt: Date;

  /** A list with the key of the picture or video; empty for a post that has only a text. */
  get mediaKeys(): MediaKey[] {
    return [this.imageKey, this.videoKey].filter((key) => key !== null);
  }

  isBy(userId: number): boolean {
    return this.authorId === userId;
  }
}

/** The content that the author sends. */
export type PulsContent = Pick<PulsPost, 'body' | 'imageKey' | 'videoKey' | 'latitude' | 'longitude' | 'locationName'>;

/**
 * Returns a new post, which has no id yet. The post expires a day after its time of creation, rounded down to a whole
 * second. So it expires exactly at the time that responses show.
 */
export function newPulsPost(
  authorId: number,
  content: PulsContent,
  { paid, createdAt }: Pick<PulsPost, 'paid' | 'createdAt'>,
): PulsPost {
  const { body, imageKey, videoKey, latitude, longitude, locationName } = content;
  const expiresAt = addSeconds(startOfSecond(createdAt), LIMITS.puls.lifetime);
  return Object.assign(new PulsPost(), {
    authorId,
    body,
    imageKey,
    videoKey,
    latitude,
    longitude,
    locationName,
    likesCount: 0,
    paid,
    createdAt,
    expiresAt,
  });
}
