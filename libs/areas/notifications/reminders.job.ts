import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { FORGET_STARTED, SET_NEXT_CHECK, TAKE_DUE_EVENTS, WRITE_REMINDERS } from './reminders.query';

/** Maximum number of events per batch. */
const BATCH = 100;
/**
 * Maximum number of confirmed participants per batch. It limits the duration of `WRITE_REMINDERS`. An event with more
 * participants is processed in a separate batch.
 */
const MAX_PEOPLE = 5_000;

/**
 * Reminds confirmed participants of the start of an event (NOTE-14). A unique index allows one reminder for each
 * person, event and start.
 */
@Injectable()
export class RemindersJob implements Job {
  readonly name = 'reminders';
  readonly every = 'minute';

  constructor(private readonly database: Database) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    const result = { events_looked_at: 0, reminders_written: 0 };
    for (;;) {
      signal.throwIfAborted();
      const { events, written } = await this.database.transaction((tx) => this.batch(tx, now));
      if (events === 0) return result;
      result.events_looked_at += events;
      result.reminders_written += written;
    }
  }

  private async batch(tx: Transaction, now: Date): Promise<{ events: number; written: number }> {
    const due = await tx.rows<{ event_id: string; confirmed_count: number }>(TAKE_DUE_EVENTS, [now, BATCH]);
    const ids = batchOf(due);
    if (ids.length === 0) return { events: 0, written: 0 };
    const [row] = await tx.rows<{ written: number }>(WRITE_REMINDERS, [ids, now]);
    await tx.rows(FORGET_STARTED, [ids, now]);
    await tx.rows(SET_NEXT_CHECK, [ids, now]);
    return { events: ids.length, written: row?.written ?? 0 };
  }
}

/**
 * Returns the ids of the first events, which together have at most MAX_PEOPLE participants. The first event is always
 * included.
 */
function batchOf(events: readonly { readonly event_id: string; readonly confirmed_count: number }[]): number[] {
  const ids: number[] = [];
  let people = 0;
  for (const { event_id, confirmed_count } of events) {
    people += confirmed_count;
    if (people > MAX_PEOPLE && ids.length > 0) break;
    ids.push(Number(event_id));
  }
  return ids;
}
