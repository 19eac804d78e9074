import { Column, Entity } from 'typeorm';
import type { Gender, ReminderHours } from '#contract/vocabulary';
import { Id, Instant } from '#platform/database/columns';

/** The place where a person lives. Only the person can see it (PLACE-5). */
export interface OwnPlace {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** An account (docs/rules/accounts.md). */
@Entity('users')
export class User {
  @Id()
  id: number;

  @Column('text')
  slug: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  nickname: string | null;

  @Column('text', { nullable: true })
  email: string | null;

  /**
   * An Argon2id hash. The password is used only on the web pages (to sign in and to confirm changes), never in the API.
   */
  @Column('text', { nullable: true, name: 'password_hash' })
  passwordHash: string | null;

  @Column('text')
  locale: string;

  @Column('text')
  timezone: string;

  /** YYYY-MM-DD. */
  @Column('date', { nullable: true, name: 'birth_date' })
  birthDate: string | null;

  @Column('text', { nullable: true })
  gender: Gender | null;

  @Column('text', { nullable: true })
  iban: string | null;

  /** Key of the picture in `media_files`; responses show its thumbnail. */
  @Column('text', { nullable: true, name: 'avatar_key' })
  avatarKey: string | null;

  @Column('jsonb', { nullable: true })
  place: OwnPlace | null;

  @Column('boolean')
  searchable: boolean;

  /** Whether other signed-in people see on the web page of an event that this person takes part (PAGE-102). */
  @Column('boolean', { name: 'show_participation' })
  showParticipation: boolean;

  /** How many hours before an event the person is reminded of it; 0 for no reminder. */
  @Column('smallint', { name: 'reminder_hours' })
  reminderHours: ReminderHours;

  @Instant({ nullable: true, name: 'premium_until' })
  premiumUntil: Date | null;

  @Column('boolean')
  verified: boolean;

  @Column('boolean')
  admin: boolean;

  @Column('boolean')
  moderator: boolean;

  @Column('boolean')
  banned: boolean;

  /** Whether the row is a pseudonym, which is shown instead of a deleted account (DATA-10). */
  @Column('boolean')
  gone: boolean;

  /** When the ban ends; null for a permanent ban or no ban. */
  @Instant({ nullable: true, name: 'banned_until' })
  bannedUntil: Date | null;

  /**
   * When an operator last banned or unbanned the account; null if never. Bans that moderators decided before this time
   * no longer apply.
   */
  @Instant({ nullable: true, name: 'operator_ban_at' })
  operatorBanAt: Date | null;

  /**
   * When the operator's ban ends. If the operator unbanned the account, this is the time of the unban. Null for a
   * permanent ban, and if no operator has banned or unbanned the account.
   */
  @Instant({ nullable: true, name: 'operator_ban_until' })
  operatorBanUntil: Date | null;

  @Instant({ name: 'created_at' })
  createdAt: Date;

  @Instant({ name: 'updated_at' })
  updatedAt: Date;

  liftEndedBan(now: Date): void {
    if (this.bannedUntil === null || this.bannedUntil > now) return;
    this.banned = false;
    this.bannedUntil = null;
  }
}
