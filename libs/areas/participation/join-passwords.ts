import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Sealer } from '#platform/config/sealer';
import { Database, statement } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import type { KnownArrival } from './arrivals';

const { max, window } = LIMITS.participation.wrong_passwords;

/** The guesses of user $2 on event $1 after $3, oldest first. */
const RECENT = statement(
  'participation_recent_guesses',
  `SELECT ARRAY(SELECT g FROM unnest(guessed_at) g WHERE g > $3 ORDER BY g) AS recent FROM wrong_passwords WHERE event_id = $1 AND user_id = $2`,
);

/** Notes a wrong guess at $4 unless there are $5 since $3 already: no row then. The row's lock lets parallel guesses pass one by one. */
const NOTE = statement(
  'participation_note_guess',
  `INSERT INTO wrong_passwords AS w (event_id, user_id, guessed_at) VALUES ($1, $2, ARRAY[$4::timestamptz])
   ON CONFLICT (event_id, user_id) DO UPDATE
     SET guessed_at = ARRAY(SELECT g FROM unnest(w.guessed_at) g WHERE g > $3 ORDER BY g) || $4::timestamptz
     WHERE (SELECT count(*) FROM unnest(w.guessed_at) g WHERE g > $3) < $5
   RETURNING event_id`,
);

/** Passwords at the door, and the patience with those who guess (decisions, "guessing join passwords"). */
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
  async check({ event, eventId, caller, now }: KnownArrival, password: string | null): Promise<void> {
    const since = new Date(now.getTime() - window * 1000);
    const key = [eventId, caller.id, since];
    const recent = await this.recent(key);
    if (recent.length >= max) throw tooMany(recent[0] ?? now, since);
    if (password !== null && this.isRight(event.join_password_sealed, password)) return;
    if (password === null) throw new Refusal('wrong_password');
    const noted = await this.database.rows(NOTE, [...key, now, max]);
    if (noted.length === 0) throw tooMany((await this.recent(key))[0] ?? now, since);
    throw new Refusal('wrong_password');
  }

  private async recent(key: readonly unknown[]): Promise<readonly Date[]> {
    const [row] = await this.database.rows<{ recent: Date[] }>(RECENT, key);
    return row?.recent ?? [];
  }

  private isRight(sealed: string | null, password: string): boolean {
    return sealed !== null && timingSafeEqual(digest(this.sealer.open(sealed)), digest(password));
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The oldest of the guesses has to grow old enough first. */
function tooMany(oldest: Date, since: Date): Refusal {
  return new Refusal('too_many_requests', { retryAfter: Math.ceil((oldest.getTime() - since.getTime()) / 1000) });
}
