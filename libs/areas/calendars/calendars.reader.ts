import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { UsersReader } from '../identity/users.reader';
import { CalendarAddresses } from './calendar-addresses';
import {
  ENTRIES_OF_USER,
  SELECT_CALENDAR_ENTRY,
  PUBLIC_ENTRIES,
  type CalendarEntryRow,
} from './calendar-entries.query';
import { calendarEntry, type CalendarEntry } from './calendar-entry.resource';

/** An event stays in calendars for this time after its end or cancellation, in milliseconds. */
const RETENTION_MS = LIMITS.calendars.kept * 1000;

/** The calendar of an account, as calendar programs read it at its secret address. */
export interface SecretCalendar {
  /** The language of the calendar's name. */
  readonly locale: string;
  readonly entries: readonly CalendarEntry[];
}

/**
 * The events of calendars, sorted by start (docs/rules/calendars.md). The calling code has checked that the group,
 * person or series has a calendar.
 */
@Injectable()
export class CalendarsReader {
  constructor(
    private readonly database: Database,
    private readonly reading: ReadingDatabase,
    private readonly addresses: CalendarAddresses,
    private readonly users: UsersReader,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** The calendar of an account; null for an unknown or replaced address, and while the account is banned. */
  async bySecret(secret: string): Promise<SecretCalendar | null> {
    const ownerId = await this.addresses.ownerOf(secret);
    const user = ownerId === null ? null : await this.users.byId(ownerId);
    if (!user || user.banned) return null;
    return {
      locale: user.locale,
      entries: await this.reading.during(() => this.retainedEntries(ENTRIES_OF_USER, user.id), user.id),
    };
  }

  /** The public events of a group, person or series. */
  async publicOf(kind: keyof typeof PUBLIC_ENTRIES, id: number): Promise<readonly CalendarEntry[]> {
    return this.retainedEntries(PUBLIC_ENTRIES[kind], id);
  }

  /** The entry of an event, even if it ended long ago. The calling code has checked that the person sees the event. */
  async entriesOfEvent(eventId: number): Promise<readonly CalendarEntry[]> {
    return this.toEntries(await this.database.rows<CalendarEntryRow>(SELECT_CALENDAR_ENTRY, [eventId]));
  }

  private async retainedEntries(sql: typeof ENTRIES_OF_USER, id: number): Promise<readonly CalendarEntry[]> {
    const since = new Date(this.clock.now().getTime() - RETENTION_MS);
    return this.toEntries(await this.database.rows<CalendarEntryRow>(sql, [id, since]));
  }

  private toEntries(rows: readonly CalendarEntryRow[]): readonly CalendarEntry[] {
    return rows.map((row) => calendarEntry(row, this.wire));
  }
}
