import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database, type Transaction } from '#platform/database/database';
import { isUUID } from 'class-validator';
import { withoutControls } from '#platform/text/characters';
import { Signals } from '#platform/signals/signals';
import { Clock } from '#platform/time/clock';
import { hashSecret } from '#platform/text/hash-secret';
import type { User } from './user.entity';
import { SessionsEnded } from './user.signal';
import { lockAccount } from './users.reader';
import {
  BEGIN_SESSION,
  DROP_EXPIRED,
  END_OLDEST,
  END_SESSION,
  END_OTHER_SESSIONS,
  END_SESSIONS_OF,
  SELECT_SESSION,
  SESSIONS_OF,
  TOUCH_SESSION,
  type ListedSessionRow,
  type SessionRow,
} from './web-sessions.query';

/** An active session. */
export interface WebSession {
  /** A UUID; the id alone gives no access. */
  readonly id: string;
  readonly userId: number;
  readonly beganAt: Date;
}

/** A new session with the key that the browser stores. */
export interface BegunSession {
  readonly id: string;
  readonly key: string;
}

/** A session as shown to its owner. */
export interface ListedSession {
  readonly id: string;
  /** The `User-Agent` of the sign-in request; '' if there was none. */
  readonly userAgent: string;
  /** The time of the last use, or a time at most five minutes earlier. */
  readonly lastSeenAt: Date;
}

/** Maximum number of milliseconds by which the stored `last_seen_at` may be older than the last use. */
const LAST_SEEN_ACCURACY_MS = 5 * 60_000;
const USER_AGENT_LENGTH = 300;

/**
 * Ends all sessions of an account: after the commit, the cookies of these sessions are invalid. Does not raise
 * `SessionsEnded`.
 */
export async function endSessionsOf(tx: Transaction, userId: number): Promise<void> {
  await tx.rows(END_SESSIONS_OF, [userId]);
}

/**
 * Sign-in sessions of the web pages (PAGE-6), one row for each session. Only the browser stores the key of a session.
 * The row contains the hash of the key.
 */
@Injectable()
export class WebSessions {
  private readonly log = new Logger(WebSessions.name);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly signals: Signals,
  ) {}

  /**
   * Begins a session of an account whose password, passkey or second step was just verified. Only this method returns
   * the key. Returns null if the password was changed or the account was banned after `user` was read. If the account
   * has the maximum number of sessions, the least recently used session ends.
   */
  async begin(tx: Transaction, user: Pick<User, 'id' | 'passwordHash'>, userAgent = ''): Promise<BegunSession | null> {
    const now = this.clock.now();
    await lockAccount(tx, user.id);
    await tx.rows(DROP_EXPIRED, [now]);
    const ended = await tx.rows<{ id: string }>(END_OLDEST, [user.id, LIMITS.sessions.per_account - 1]);
    if (ended.length > 0)
      await this.signals.raise(
        tx,
        new SessionsEnded(
          user.id,
          ended.map(({ id }) => id),
        ),
      );
    const key = randomBytes(32).toString('base64url');
    const agent = withoutControls(userAgent).slice(0, USER_AGENT_LENGTH);
    const expiresAt = new Date(now.getTime() + LIMITS.sessions.lifetime * 1000);
    const begun = await tx.rows<{ id: string }>(BEGIN_SESSION, [
      randomUUID(),
      hashSecret(key),
      agent,
      now,
      expiresAt,
      user.id,
      user.passwordHash,
    ]);
    return begun[0] ? { id: begun[0].id, key } : null;
  }

  /** The active session with this key, or null. */
  async byKey(key: string): Promise<WebSession | null> {
    const now = this.clock.now();
    const [row] = await this.database.rows<SessionRow>(SELECT_SESSION, [hashSecret(key), now]);
    if (!row) return null;
    this.recordUse(row, now);
    return { id: row.id, userId: Number(row.user_id), beganAt: row.created_at };
  }

  /** The account's active sessions, the most recently used first. */
  async list(userId: number): Promise<ListedSession[]> {
    const rows = await this.database.rows<ListedSessionRow>(SESSIONS_OF, [userId, this.clock.now()]);
    return rows.map(({ id, user_agent, last_seen_at }) => ({ id, userAgent: user_agent, lastSeenAt: last_seen_at }));
  }

  /** Ends one session. Returns false if the account has no session with this id. */
  async end(tx: Transaction, userId: number, id: string): Promise<boolean> {
    if (!isUUID(id) || (await tx.rows(END_SESSION, [id, userId])).length === 0) return false;
    await this.signals.raise(tx, new SessionsEnded(userId, [id]));
    return true;
  }

  /** Ends all sessions of the account except the given one. */
  async endOthers(tx: Transaction, { id, userId }: WebSession): Promise<void> {
    await tx.rows(END_OTHER_SESSIONS, [userId, id]);
    await this.signals.raise(tx, new SessionsEnded(userId, null, id));
  }

  /**
   * Records a use, unless a use in the last five minutes is already recorded. The request does not wait for this write,
   * and does not fail if the write fails.
   */
  private recordUse({ id, last_seen_at }: SessionRow, now: Date): void {
    const before = new Date(now.getTime() - LAST_SEEN_ACCURACY_MS);
    if (last_seen_at >= before) return;
    this.database.outsideTransaction
      .rows(TOUCH_SESSION, [id, now, before])
      .catch((error: unknown) => this.log.warn({ err: error }, 'last_seen_at was not updated'));
  }
}
