import { Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe } from '#platform/http/public-ids';
import { BodyInput, type Input } from '#platform/http/input';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { DiscoverEventResource } from '../event-for-viewer.resource';
import { refusalsOf } from '../record/participation.transitions';
import { ADMISSION, codesOf, WAITLIST_ADMISSION } from './admission.rules';
import { JoinDto } from '../join.dto';
import { JoinService } from '../join.service';

/** The caller's own participation (JOIN-1, JOIN-19, JOIN-21). */
@ApiTags('Joining')
@Controller('events/:id')
export class JoinController {
  constructor(private readonly joining: JoinService) {}

  /**
   * Joins an event. Accepts an invitation or an offered seat if there is one. Otherwise joins at once, or sends a
   * request if `join_mode` is `request`. Without an invitation or an offered seat, `password` is needed with
   * `join_mode=password`, and `ticket_code` with `join_mode=tickets`. A ticket code is for one person and stays used
   * after that person leaves.
   */
  @Post('join')
  @HttpCode(200)
  @Answers(DiscoverEventResource, { description: 'the event with the current `viewer`' })
  @Refuses(...codesOf(ADMISSION), 'wrong_password', 'invalid_ticket_code')
  async joinEvent(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @BodyInput(JoinDto) body: Input<JoinDto>,
  ): Promise<One<DiscoverEventResource>> {
    return one(await this.joining.join(caller, id, body));
  }

  /**
   * Ends your relation to an event. Leaves the event, declines the invitation or the offered seat, leaves the waitlist
   * or withdraws the request. Credits that are held for the event are refunded. The ticket code that you joined with
   * stays used.
   */
  @Delete('join')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses(...refusalsOf('leave'))
  async leaveEvent(@CurrentCaller() caller: Caller, @Param('id', EventIdPipe) id: number): Promise<void> {
    await this.joining.leave(caller, id);
  }

  /**
   * Joins the waitlist of a full event. Depending on `waitlist_mode`, the organizer confirms people on the waitlist, or
   * the service gives them free seats. If the event is not full, or has `join_mode=request`, the answer is 409
   * `cannot_join`.
   */
  @Post('waitlist')
  @HttpCode(200)
  @Answers(DiscoverEventResource, { description: 'the event with the current `viewer`' })
  @Refuses(...codesOf(WAITLIST_ADMISSION), 'waitlist_limit_reached')
  async joinEventWaitlist(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
  ): Promise<One<DiscoverEventResource>> {
    return one(await this.joining.waitlist(caller, id));
  }
}
