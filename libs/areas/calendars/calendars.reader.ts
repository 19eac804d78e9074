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

const KEPT_MS = LIMITS.calendars.kept * 1000;

/** What a secret address opens. */
export interface SecretCalendar {
  /** In which its name is said. */
  readonly locale: string;
  readonly entries: readonly CalendarEntry[];
}

/** The events of calendars, by start (CAL). Whether a group, a person or a series has a calendar at all is asked before. */
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

  /** Null for an address that is nobody's (any more), and while its owner is banned. */
  async bySecret(secret: string): Promise<SecretCalendar | null> {
    const owner = await this.addresses.ownerOf(secret);
    const user = owner === null ? null : await this.users.byId(owner);
    if (!user || user.banned) return null;
    return {
      locale: user.locale,
      entries: await this.reading.during(() => this.entries(ENTRIES_OF_USER, user.id), user.id),
    };
  }

  /** The public events of whoever or whatever it is. */
  async publicOf(kind: keyof typeof PUBLIC_ENTRIES, id: number): Promise<readonly CalendarEntry[]> {
    return this.entries(PUBLIC_ENTRIES[kind], id);
  }

  /** One event, for who may see it; however long ago it was. */
  async one(eventId: number): Promise<readonly CalendarEntry[]> {
    return this.shown(await this.database.rows<CalendarEntryRow>(SELECT_CALENDAR_ENTRY, [eventId]));
  }

  private async entries(sql: typeof ENTRIES_OF_USER, id: number): Promise<readonly CalendarEntry[]> {
    const since = new Date(this.clock.now().getTime() - KEPT_MS);
    return this.shown(await this.database.rows<CalendarEntryRow>(sql, [id, since]));
  }

  private shown(rows: readonly CalendarEntryRow[]): readonly CalendarEntry[] {
    return rows.map((row) => calendarEntry(row, this.wire));
  }
}
