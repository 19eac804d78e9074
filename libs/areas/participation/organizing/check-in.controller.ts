import { Controller, Delete, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe } from '#platform/http/public-ids';
import { SlugPipe } from '#platform/http/slug.pipe';
import { BodyInput, type Input } from '#platform/http/input';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { CheckInDto } from './check-in.dto';
import { organizerCodes } from './organizer.rules';
import { ParticipantResource } from './participant.resource';
import { ParticipantsService, type CheckedIn } from './participants.service';

/** `already_checked_in`: the response contains the first time. */
interface CheckInBody extends One<ParticipantResource> {
  meta: { already_checked_in: boolean };
}

const META = {
  already_checked_in: {
    type: 'boolean',
    description: 'true: the participant had been checked in before, and keeps the first time',
  },
};

/** JOIN-32: at the door. */
@ApiTags('Check-in')
@Controller('events/:id')
export class CheckInController {
  constructor(private readonly participants: ParticipantsService) {}

  /**
   * Checks a confirmed participant in by hand. For the organizer only. Held credits go to the organizer. A second check-in answers with the
   * first time and `meta.already_checked_in`.
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

  /** Takes a check-in back. For the organizer only. It is 409 `conflict` once the check-in has released credits. */
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
   * Checks the participant in to whom a code belongs. For the organizer only. The code is a participant's own, or the ticket that they
   * joined with. A ticket whose holder has left is 409 `not_participant`.
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
