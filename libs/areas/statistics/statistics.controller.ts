import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe } from '#platform/http/public-ids';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { EventStatisticsResource } from './statistics.resource';
import { StatisticsService } from './statistics.service';

/** The statistics of an event (docs/rules/statistics.md). */
@ApiTags('Participants')
@Controller('events/:id/stats')
export class StatisticsController {
  constructor(private readonly statistics: StatisticsService) {}

  /**
   * Shows numbers of an event: people by status and by day, check-ins, the waitlist and offered seats. For the
   * organizer only.
   */
  @Get()
  @Answers(EventStatisticsResource)
  @Refuses('forbidden')
  async getEventStats(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
  ): Promise<One<EventStatisticsResource>> {
    return one(await this.statistics.show(caller, id));
  }
}
