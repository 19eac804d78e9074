import type { INestApplicationContext } from '@nestjs/common';
import type { User } from '#areas/identity/user.entity';
import { UsersReader } from '#areas/identity/users.reader';
import { OperatorError } from '#platform/config/operator-error';
import { Database, type Transaction } from '#platform/database/database';

/** Locks the account, and runs `work` in the same transaction. @throws OperatorError for an unknown slug */
export function withUser<T>(
  app: INestApplicationContext,
  slug: string,
  work: (tx: Transaction, user: User) => Promise<T>,
): Promise<T> {
  return app.get(Database).transaction(async (tx) => {
    const user = await app.get(UsersReader).lockBySlug(tx, slug);
    if (!user) throw new OperatorError(`There is no user ${slug}.`);
    return work(tx, user);
  });
}
