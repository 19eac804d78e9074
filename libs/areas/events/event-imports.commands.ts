import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import { SlidingWindow } from '#platform/database/sliding-window';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';

const IMPORT_WINDOW = new SlidingWindow({
  name: 'event_imports',
  table: 'event_imports',
  key: ['user_id'],
  timestamps: 'imported_at',
  ...LIMITS.imports.per_account,
});

/** Limits the imports of an account to 20 within any hour, on all servers together (IMP-6). */
@Injectable()
export class EventImportsCommands {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Records an import. @throws Refusal 429 `too_many_requests` with the seconds until the next import is allowed */
  async countImport(userId: number): Promise<void> {
    const retryAfter = await this.database.transaction((tx) => IMPORT_WINDOW.take(tx, [userId], this.clock.now()));
    if (retryAfter !== null) throw new Refusal('too_many_requests', { retryAfter });
  }
}
