import { Column, Entity } from 'typeorm';
import type { Scope } from '#contract/scopes';
import type { TokenAccess } from '#contract/vocabulary';
import { Id, Instant, Ref } from '#platform/database/columns';

/** An access token. Its secret is shown once; only its hash is stored. Revoking deletes the row. */
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

  /** The last four characters of the secret, by which people recognize it; null for tokens from before this column. */
  @Column('text', { nullable: true })
  tail: string | null;

  /** `legacy`: created before access levels; allows everything and never expires. */
  @Column('text')
  access: TokenAccess;

  /** The scopes of a token with narrow ones, whose `access` has no meaning; null for a token of a level. */
  @Column('text', { array: true, nullable: true })
  scopes: Scope[] | null;

  @Instant({ nullable: true, name: 'expires_at' })
  expiresAt: Date | null;

  /** Coarse: see authentication.ts. */
  @Instant({ nullable: true, name: 'last_used_at' })
  lastUsedAt: Date | null;

  @Instant({ name: 'created_at' })
  createdAt: Date;
}
