import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Sealer } from '#platform/config/sealer';
import { Database } from '#platform/database/database';
import { SlidingWindow } from '#platform/database/sliding-window';
import { Refusal } from '#platform/http/refusal';
import type { JoinContext } from './admission.rules';

/** Of a user on an event. */
const WRONG_PASSWORDS = new SlidingWindow({
  name: 'participation_guesses', table: 'wrong_passwords', key: ['event_id', 'user_id'], moments: 'guessed_at', ...LIMITS.participation.wrong_passwords,
});

/** The join passwords of events, and the limit on wrong ones (JOIN-13, JOIN-14). */
@Injectable()
export class JoinPasswords {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
  ) {}

  /**
   * Refuses a missing or wrong password. Wrong ones are counted at once, whatever becomes of the request; after ten in fifteen
   * minutes the right one is refused as well, so that guessing on does not help.
   */
  async check({ event, eventId, caller, now }: JoinContext, password: string | null): Promise<void> {
    const key = [eventId, caller.id];
    refuseWhile(await WRONG_PASSWORDS.fullFor(this.database.apart, key, now));
    if (password !== null && this.isRight(event.join_password_sealed, password)) return;
    if (password === null) throw new Refusal('wrong_password');
    refuseWhile(await WRONG_PASSWORDS.take(this.database.apart, key, now));
    throw new Refusal('wrong_password');
  }

  private isRight(sealed: string | null, password: string): boolean {
    const right = sealed === null ? null : this.sealer.open(sealed);
    return right !== null && timingSafeEqual(digest(right), digest(password));
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function refuseWhile(retryAfter: number | null): void {
  if (retryAfter !== null) throw new Refusal('too_many_requests', { retryAfter });
}
