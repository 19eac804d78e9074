import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import {
  CHECK_INS_OF_EVENT,
  DAYS_OF_EVENT,
  STATUSES_OF_EVENT,
  type CheckInsRow,
  type DayRow,
  type StatusRow,
} from './statistics.query';
import { eventStatisticsResource, type EventStatisticsResource } from './statistics.resource';

/** The numbers of an event for its organizer (STAT-1). */
@Injectable()
export class StatisticsService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
  ) {}

  async show(caller: Caller, eventId: number): Promise<EventStatisticsResource> {
    await this.access.organized(this.database, eventId, caller.id);
    const [days, statuses, checkIns] = await Promise.all([
      this.database.rows<DayRow>(DAYS_OF_EVENT, [eventId]),
      this.database.rows<StatusRow>(STATUSES_OF_EVENT, [eventId]),
      this.database.rows<CheckInsRow>(CHECK_INS_OF_EVENT, [eventId]),
    ]);
    return eventStatisticsResource({ days, statuses, checkIns });
  }
}
