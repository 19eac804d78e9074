import { addSeconds } from 'date-fns/addSeconds';
import { Column, Entity } from 'typeorm';
import { LIMITS } from '#contract/limits';
import { Id, Instant, Ref } from '#platform/database/columns';
import type { MediaKey } from '#platform/storage/media-key';

/** A Puls post (PULS-3). It is never edited, and lasts a day. */
@Entity('puls_posts')
export class PulsPost {
  @Id()
  id: number;

  @Ref({ name: 'author_id' })
  authorId: number;

  /** Clean HTML. */
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

  /** Bought outside this API: a second one may be active then. */
  @Column('boolean')
  paid: boolean;

  @Instant({ name: 'created_at' })
  createdAt: Date;

  @Instant({ name: 'expires_at' })
  expiresAt: Date;

  /** Its picture's or its video's; none where there is only text. */
  get mediaKeys(): MediaKey[] {
    return [this.imageKey, this.videoKey].filter((key) => key !== null);
  }

  isBy(userId: number): boolean {
    return this.authorId === userId;
  }
}

/** What its author decides about a post. */
export type PulsContent = Pick<PulsPost, 'body' | 'imageKey' | 'videoKey' | 'latitude' | 'longitude' | 'locationName'>;

/** A post before it has an id; it expires a day after it was made. */
export function newPulsPost(
  authorId: number,
  content: PulsContent,
  { paid, createdAt }: Pick<PulsPost, 'paid' | 'createdAt'>,
): PulsPost {
  const { body, imageKey, videoKey, latitude, longitude, locationName } = content;
  const expiresAt = addSeconds(createdAt, LIMITS.puls.lifetime);
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
