import { Column, Entity } from 'typeorm';
import { Id, Instant, Ref } from '#platform/database/columns';
import type { MediaKey } from '#platform/storage/media-key';
import type { EventImageSnapshot } from '../event.entity';

/** A cover image of an event. `key` identifies the stored picture and its thumbnail. */
@Entity('event_images')
export class EventImage {
  @Id()
  id: number;

  @Ref({ name: 'event_id' })
  eventId: number;

  @Column('text')
  key: MediaKey;

  @Column('integer')
  width: number;

  @Column('integer')
  height: number;

  /** An event with images has exactly one primary image. */
  @Column('boolean', { name: 'is_primary' })
  isPrimary: boolean;

  @Instant({ name: 'created_at' })
  createdAt: Date;

  /** The copy that is stored in the event's row. */
  get snapshot(): EventImageSnapshot {
    return { id: this.id, key: this.key, width: this.width, height: this.height, is_primary: this.isPrimary };
  }
}
