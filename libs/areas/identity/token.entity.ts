import { Column, Entity } from 'typeorm';
import type { Scope } from '#contract/scopes';
import type { TokenAccess } from '#contract/vocabulary';
import { Id, Instant, Ref } from '#platform/database/columns';

/**
 * An access token. Its secret is shown once; only the hash and the last four characters of the secret are stored.
 * Revoking the token deletes the row.
 */
@Entity('tokens')
export class Token {
  @Id()
  id: number;

  @Ref({ name: 'user_id' })
  userId: number;

  @Column('text')
  name: string;

  /** SHA-256 of the secret, as hex text. */
  @Column('text')
  hash: string;

  /**
   * The last four characters of the secret, by which people recognize the token; null for tokens created before this
   * column existed.
   */
  @Column('text', { nullable: true })
  tail: string | null;

  /** `legacy` allows everything. Only the command `apply` still creates such tokens. */
  @Column('text')
  access: TokenAccess;

  /**
   * The scopes of a token that has scopes instead of an access level; `access` is then ignored. Null for a token with
   * an access level.
   */
  @Column('text', { array: true, nullable: true })
  scopes: Scope[] | null;

  @Instant({ nullable: true, name: 'expires_at' })
  expiresAt: Date | null;

  /** Null if the token was never used. Updated at most every five minutes (authentication.ts). */
  @Instant({ nullable: true, name: 'last_used_at' })
  lastUsedAt: Date | null;

  @Instant({ name: 'created_at' })
  createdAt: Date;
}
