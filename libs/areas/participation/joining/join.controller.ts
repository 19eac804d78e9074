import { Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe } from '#platform/http/public-ids';
import { BodyInput, type Input } from '#platform/http/input';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { DiscoverEventResource } from '../event-for-viewer.resource';
import { refusalsOf } from '../record/participation.transitions';
import { ADMISSION, codesOf, WAITLIST_ADMISSION } from './admission.rules';
import { JoinDto } from './join.dto';
import { JoinService } from './join.service';

/** JOIN-1, JOIN-19, JOIN-21: what one does for oneself. */
@ApiTags('Joining')
@Controller('events/:id')
export class JoinController {
  constructor(private readonly joining: JoinService) {}

  /** Joins, accepts an invitation, or sends a request where join_mode=request. */
  @Post('join')
  @HttpCode(200)
  @Answers(DiscoverEventResource, { description: 'the event with fresh viewer' })
  @Refuses(...codesOf(ADMISSION), 'wrong_password', 'invalid_ticket_code')
  async joinEvent(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @BodyInput(JoinDto) body: Input<JoinDto>,
  ): Promise<One<DiscoverEventResource>> {
    return one(await this.joining.join(caller, id, body));
  }

  /** Leaves, declines the invitation, leaves the waitlist or cancels the request. Credits held for the event come back. */
  @Delete('join')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses(...refusalsOf('leave'))
  async leaveEvent(@CurrentCaller() caller: Caller, @Param('id', EventIdPipe) id: number): Promise<void> {
    await this.joining.leave(caller, id);
  }

  /** Joins the waitlist of a full event. */
  @Post('waitlist')
  @HttpCode(200)
  @Answers(DiscoverEventResource, { description: 'the event with fresh viewer' })
  @Refuses(...codesOf(WAITLIST_ADMISSION))
  async joinEventWaitlist(@CurrentCaller() caller: Caller, @Param('id', EventIdPipe) id: number): Promise<One<DiscoverEventResource>> {
    return one(await this.joining.waitlist(caller, id));
  }
}
