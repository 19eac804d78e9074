import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Scope } from '#contract/scopes';
import { Database, type Queryable } from '#platform/database/database';
import { SlidingWindow } from '#platform/database/sliding-window';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { mayUseTokens } from '../identity/user.policy';
import type { User } from '../identity/user.entity';
import { LOCK_APP_SHARED, type AppRow } from './app.query';
import { ANSWER_DEVICE_CODE, WAITING_DEVICE_CODE, type CodeRow } from './code.query';
import type { RequestingApp } from './consents.service';
import { GrantsCommands } from './grants.commands';
import { documentHostOf, requestedAccess } from './requested-access';
import { KeyedHashes, plainUserCode } from './secrets';

const WRONG_CODES = new SlidingWindow({
  name: 'apps_wrong_codes',
  table: 'app_wrong_codes',
  key: ['user_id'],
  timestamps: 'tries',
  ...LIMITS.apps.wrong_codes,
});

type WaitingRow = CodeRow & {
  readonly name: string;
  readonly icon_key: string | null;
  readonly homepage: string | null;
};

/** A device that waits for an answer, as shown on the web page /device. */
export interface WaitingDevice {
  /** The code as shown on the device: two groups of four letters. */
  readonly code: string;
  readonly app: RequestingApp;
  readonly askedAt: Date;
  readonly scopes: readonly Scope[];
  /** Whether the account cannot allow apps, because the account must not have tokens (`mayUseTokens`). */
  readonly isAccountRefused: boolean;
}

/** Lets a person answer the request of a device that shows a code (RFC 8628, APP-17). */
@Injectable()
export class DevicesService {
  constructor(
    private readonly database: Database,
    private readonly grants: GrantsCommands,
    private readonly keyedHashes: KeyedHashes,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the device that shows the typed code. Returns null for a code that is wrong, expired or already answered,
   * or that belongs to a suspended app, and counts it as a wrong code. Throws 429 `too_many_requests` after ten wrong
   * codes in an hour.
   */
  async waiting(user: User, typed: string): Promise<WaitingDevice | null> {
    const row = await this.find(user, typed);
    if (!row) return null;
    const code = plainUserCode(typed);
    return {
      code: `${code.slice(0, 4)}-${code.slice(4)}`,
      app: {
        name: row.name,
        homepage: row.homepage,
        iconKey: row.icon_key,
        documentHost: documentHostOf(row.client_id),
      },
      askedAt: row.created_at,
      scopes: accessIn(row).scopes,
      isAccountRefused: !mayUseTokens(user, this.clock.now()),
    };
  }

  /**
   * Allows the app's request and returns the app's name. Returns null in the same cases as `waiting`, and if the
   * account must not have tokens. Throws 429 like `waiting`, and 404 if a concurrent request answers the code first.
   */
  async allow(user: User, typed: string): Promise<string | null> {
    const row = await this.find(user, typed);
    if (!row || !mayUseTokens(user, this.clock.now())) return null;
    return this.database.transaction(async (tx) => {
      const [app] = await tx.rows<AppRow>(LOCK_APP_SHARED, [row.client_id]);
      if (!app || app.suspended_at !== null) return null;
      const requested = accessIn(row);
      const grantId = await this.grants.create(tx, app, { userId: user.id, ...requested });
      const answer = { accountId: String(user.id), scope: requested.scopes.join(' '), resource: requested.resources };
      if ((await this.answer(tx, typed, grantId, answer)).length === 0) throw new Refusal('not_found');
      return app.name;
    });
  }

  /**
   * Denies the app's request and returns the app's name. Returns null in the same cases as `waiting`, and if a
   * concurrent request answers the code first. Throws 429 like `waiting`.
   */
  async deny(user: User, typed: string): Promise<string | null> {
    const row = await this.find(user, typed);
    if (!row) return null;
    const answer = { error: 'access_denied', errorDescription: 'the person has not allowed access' };
    return (await this.answer(this.database.autocommit, typed, null, answer)).length > 0 ? row.name : null;
  }

  private answer(database: Queryable, typed: string, grantId: string | null, answer: object): Promise<object[]> {
    const hash = this.keyedHashes.hashOf(plainUserCode(typed));
    return database.rows(ANSWER_DEVICE_CODE, [hash, this.clock.now(), grantId, JSON.stringify(answer)]);
  }

  private async find(user: User, typed: string): Promise<WaitingRow | null> {
    const now = this.clock.now();
    // After too many wrong codes, correct codes are also refused.
    const wait = await WRONG_CODES.secondsToWait(this.database, [user.id], now);
    if (wait !== null) throw new Refusal('too_many_requests', { retryAfter: wait });
    const [row] = await this.database.rows<WaitingRow>(WAITING_DEVICE_CODE, [
      this.keyedHashes.hashOf(plainUserCode(typed)),
      now,
    ]);
    if (row) return row;
    const retryAfter = await WRONG_CODES.take(this.database.outsideTransaction, [user.id], now);
    if (retryAfter !== null) throw new Refusal('too_many_requests', { retryAfter });
    return null;
  }
}

function accessIn({ payload }: CodeRow): ReturnType<typeof requestedAccess> {
  return requestedAccess((payload.params ?? {}) as Record<string, unknown>);
}
