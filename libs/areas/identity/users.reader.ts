import { Injectable } from '@nestjs/common';
import { Database, statement, type Queryable } from '#platform/database/database';
import { User } from './user.entity';

const BLOCKS_BETWEEN = statement(
  'identity_blocks_between',
  'SELECT 1 AS blocked FROM user_blocks WHERE blocker_id = $1 AND blocked_id = $2',
);

/** Questions about accounts that other areas may ask. */
@Injectable()
export class UsersReader {
  constructor(private readonly database: Database) {}

  /** Null for an unknown slug. */
  async bySlug(slug: string): Promise<User | null> {
    return this.database.manager.findOneBy(User, { slug });
  }

  /** Whether one user has blocked another. */
  async hasBlocked(on: Queryable, blockerId: number, blockedId: number): Promise<boolean> {
    const rows = await on.rows(BLOCKS_BETWEEN, [blockerId, blockedId]);
    return rows.length > 0;
  }
}
