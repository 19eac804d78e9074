import { Controller, Delete, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe } from '#platform/http/public-ids';
import { SlugPipe } from '#platform/http/slug.pipe';
import { BodyInput, type Input } from '#platform/http/input';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { CheckInDto } from '../check-in.dto';
import { organizerCodes } from './organizer.rules';
import { ParticipantResource } from './participant.resource';
import { ParticipantsService, type CheckedIn } from '../participants.service';

/** If `already_checked_in` is true, the response contains the time of the first check-in. */
interface CheckInBody extends One<ParticipantResource> {
  meta: { already_checked_in: boolean };
}

const META = {
  already_checked_in: {
    type: 'boolean',
    description: 'true if the participant was already checked in; the time of the first check-in does not change',
  },
};

/** Check-in at the door by the organizer (JOIN-32). */
@ApiTags('Check-in')
@Controller('events/:id')
export class CheckInController {
  constructor(private readonly participants: ParticipantsService) {}

  /**
   * Checks a confirmed participant in by hand. For the organizer only. Held credits are paid to the organizer. A
   * repeated check-in returns the time of the first check-in, and `meta.already_checked_in` is true.
   */
  @Put('participants/:slug/check-in')
  @Answers(ParticipantResource, { meta: META })
  @Refuses('forbidden', ...organizerCodes('check_in'))
  async checkInEventParticipant(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @Param('slug', SlugPipe) slug: string,
  ): Promise<CheckInBody> {
    return checkInBody(await this.participants.checkIn(caller, id, slug));
  }

  /** Undoes a check-in. For the organizer only. If held credits were already paid to the organizer: 409 `conflict`. */
  @Delete('participants/:slug/check-in')
  @Answers(ParticipantResource)
  @Refuses('forbidden', 'conflict', ...organizerCodes('undo_check_in'))
  async undoEventCheckIn(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @Param('slug', SlugPipe) slug: string,
  ): Promise<One<ParticipantResource>> {
    return one(await this.participants.undoCheckIn(caller, id, slug));
  }

  /**
   * Checks in the participant to whom a code belongs. For the organizer only. The code is the participant's own code,
   * or the ticket code that the participant joined with. For a ticket that is unused, or whose holder has left, the
   * answer is 409 `not_participant`.
   */
  @Post('check-in')
  @HttpCode(200)
  @Answers(ParticipantResource, { meta: META })
  @Refuses('forbidden', ...organizerCodes('check_in'))
  async checkInByCode(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @BodyInput(CheckInDto) body: Input<CheckInDto>,
  ): Promise<CheckInBody> {
    return checkInBody(await this.participants.checkInByCode(caller, id, body));
  }
}

function checkInBody({ participant, alreadyCheckedIn }: CheckedIn): CheckInBody {
  return { data: participant, meta: { already_checked_in: alreadyCheckedIn } };
}
