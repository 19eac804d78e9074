import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import type { SessionsEnded } from '../identity/user.signal';
import { END_WITH_SESSIONS } from './push.query';

/** When sessions end, the push subscriptions of these sessions are deleted (PUSH-3). */
@Injectable()
export class EndSubscriptionsOfSessions implements Reaction<SessionsEnded> {
  async react(tx: Transaction, { userId, ids, keptSessionId }: SessionsEnded): Promise<void> {
    await tx.rows(END_WITH_SESSIONS, [userId, ids, keptSessionId]);
  }
}
