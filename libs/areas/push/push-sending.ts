import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { CommitNotifier } from '#platform/changes/commit-notifier';
import {
  LaneSender,
  type Lanes,
  type NextAttempt,
  type ReservedReceiver,
  type Turn,
} from '#platform/changes/lane-sender';
import { Database } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { PushTries } from './push-tries';
import {
  END_RESERVATION,
  OPEN_MESSAGE,
  NEXT_ATTEMPT,
  EXTEND_RESERVATION,
  TAKE_DUE,
  type DueSubscription,
  type OpenMessage,
} from './sending.query';

const { push, slow_push } = LIMITS.shares;

/** Sends push messages. The base class `LaneSender` also serves webhooks. Here each subscription is a receiver. */
@Injectable()
export class PushSending extends LaneSender {
  constructor(
    private readonly database: Database,
    private readonly tries: PushTries,
    commits: CommitNotifier,
    clock: Clock,
  ) {
    super({ quick: push.all, slow: slow_push.all }, commits, clock);
  }

  protected reserve(now: Date, until: Date, { quick, slow }: Lanes): Promise<readonly ReservedReceiver[]> {
    return this.database.outsideTransaction.rows<ReservedReceiver>(TAKE_DUE, [now, until, quick, slow]);
  }

  protected async nextAttempt(): Promise<NextAttempt> {
    const [next] = await this.database.rows<NextAttempt>(NEXT_ATTEMPT);
    return next ?? { is_used: false, next_attempt_at: null };
  }

  protected async step(id: string, turn: Turn, until: Date): Promise<boolean> {
    const [subscription] = await this.database.outsideTransaction.rows<DueSubscription>(EXTEND_RESERVATION, [
      id,
      until,
      turn.reservedUntil,
    ]);
    if (!subscription) return false;
    turn.reservedUntil = until;
    const [message] = await this.database.rows<OpenMessage>(OPEN_MESSAGE, [id, this.clock.now()]);
    if (!message) return false;
    turn.isSlow = await this.tries.send(subscription, message, this.stop);
    turn.sent++;
    return true;
  }

  protected release(id: string, { isSlow, reservedUntil }: Turn, now: Date): Promise<unknown> {
    return this.database.outsideTransaction.rows(END_RESERVATION, [id, isSlow, now, reservedUntil]);
  }
}
