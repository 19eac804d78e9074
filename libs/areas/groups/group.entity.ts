import { Column, Entity } from 'typeorm';
import { Id, Instant, Ref } from '#platform/database/columns';

/** A group (GRP-2, GRP-3). The owner has a membership row like every member. */
@Entity('groups')
export class Group {
  @Id()
  id: number;

  @Ref({ name: 'owner_id' })
  ownerId: number;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('boolean', { name: 'is_public' })
  isPublic: boolean;

  @Column('text', { name: 'location_name', nullable: true })
  locationName: string | null;

  @Column('double precision', { nullable: true })
  latitude: number | null;

  @Column('double precision', { nullable: true })
  longitude: number | null;

  /**
   * Number of members, including the owner. `memberships.commands.ts` and `group-erasure.commands.ts` update this
   * number when a membership begins or ends.
   */
  @Column({ type: 'integer', name: 'members_count', update: false })
  membersCount: number;

  @Column('text', { name: 'avatar_key', nullable: true })
  avatarKey: string | null;

  @Column('text', { name: 'cover_key', nullable: true })
  coverKey: string | null;

  /** The secret part of the permanent invite link. */
  @Column({ type: 'text', name: 'invite_code', update: false })
  inviteCode: string;

  /** A trigger of the database assigns a new version at each change of a field that owners write (sql/triggers.sql). */
  @Ref({ insert: false, update: false })
  version: number;

  @Instant({ name: 'created_at' })
  createdAt: Date;

  @Instant({ name: 'updated_at' })
  updatedAt: Date;
}
