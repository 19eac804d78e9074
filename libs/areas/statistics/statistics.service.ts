import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import { NUMBERS_OF_EVENT, type EventNumbers } from './statistics.query';
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
    const [numbers] = await this.database.rows<EventNumbers>(NUMBERS_OF_EVENT, [eventId]);
    return eventStatisticsResource(numbers!);
  }
}
