import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { ServiceBusy } from '#platform/capacity/service-busy';
import { Sealer } from '#platform/config/sealer';
import { Database } from '#platform/database/database';
import { SlidingWindow } from '#platform/database/sliding-window';
import { Refusal } from '#platform/http/refusal';
import type { JoinContext } from './admission.rules';

const RETRY_AFTER_SECONDS = 1;

/** Wrong passwords are counted per user and event. */
const WRONG_PASSWORDS = new SlidingWindow({
  name: 'participation_guesses',
  table: 'wrong_passwords',
  key: ['event_id', 'user_id'],
  timestamps: 'guessed_at',
  ...LIMITS.participation.wrong_passwords,
});

/** The join passwords of events, and the limit on wrong passwords (JOIN-13, JOIN-14). */
@Injectable()
export class JoinPasswords {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
  ) {}

  /**
   * Returns the password check of one request. The request can call the check several times, but only the first call
   * compares the password. Later calls have the same result; but if the first call succeeded and the event's password
   * has changed since then, they throw 503. Make the first call before the request's transaction begins, because
   * counting wrong passwords uses another connection, and a transaction must not wait for another connection (OPS-78).
   */
  checkOnce(): typeof this.check {
    let checked: { readonly sealed: string | null; readonly refusal: Refusal | null } | null = null;
    return async (context, password) => {
      const { join_password_sealed: sealed } = context.event;
      checked ??= { sealed, refusal: await refusalThrownBy(() => this.check(context, password)) };
      if (checked.refusal !== null) throw checked.refusal;
      if (checked.sealed !== sealed) throw new ServiceBusy(RETRY_AFTER_SECONDS);
    };
  }

  /**
   * Refuses a missing or wrong password. Wrong passwords are counted even if the request fails for another reason.
   * After too many wrong passwords (LIMITS.participation.wrong_passwords) the correct password is also refused, so that
   * a person who guesses does not learn the password.
   */
  private async check({ event, eventId, caller, now }: JoinContext, password: string | null): Promise<void> {
    const key = [eventId, caller.id];
    refuseAboveLimit(await WRONG_PASSWORDS.secondsToWait(this.database.outsideTransaction, key, now));
    if (password !== null && (await this.isCorrect(event.join_password_sealed, password))) {
      // Parallel requests may have reached the limit since the check above. This check waits for their end.
      return refuseAboveLimit(
        await WRONG_PASSWORDS.secondsToWaitAfterOthers(this.database.outsideTransaction, key, now),
      );
    }
    if (password === null) throw new Refusal('wrong_password');
    refuseAboveLimit(await WRONG_PASSWORDS.take(this.database.outsideTransaction, key, now));
    throw new Refusal('wrong_password');
  }

  private async isCorrect(sealed: string | null, password: string): Promise<boolean> {
    const correct = sealed === null ? null : await this.sealer.open(sealed);
    return correct !== null && timingSafeEqual(digest(correct), digest(password));
  }
}

/** Returns the refusal that `check` throws; null if `check` succeeds. Other errors are thrown again. */
export async function refusalThrownBy(check: () => Promise<void>): Promise<Refusal | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The digest of the text in the normal form C: `é` may be one character, or `e` with a combining accent (JOIN-13). */
function digest(text: string): Buffer {
  return createHash('sha256').update(text.normalize('NFC')).digest();
}

function refuseAboveLimit(retryAfter: number | null): void {
  if (retryAfter !== null) throw new Refusal('too_many_requests', { retryAfter });
}
