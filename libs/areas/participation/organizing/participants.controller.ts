import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe } from '#platform/http/public-ids';
import { SlugPipe } from '#platform/http/slug.pipe';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import type { Page } from '#platform/http/page';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { organizerCodes } from './organizer.rules';
import { ParticipantResource } from './participant.resource';
import { InviteDto, ParticipantsQueryDto, RemoveQueryDto } from '../participants.dto';
import { ParticipantsService } from '../participants.service';

/** JOIN-23: the people of the caller's own event. */
@ApiTags('Participants')
@Controller('events/:id/participants')
export class ParticipantsController {
  constructor(private readonly participants: ParticipantsService) {}

  /**
   * Lists everybody with a relation to an event. For the organizer only. The oldest relation comes first; `status`
   * filters the list.
   */
  @Get()
  @AnswersPage(ParticipantResource)
  @Refuses('forbidden')
  async listEventParticipants(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @QueryInput(ParticipantsQueryDto) input: Input<ParticipantsQueryDto>,
  ): Promise<Page<ParticipantResource>> {
    return this.participants.list(caller, id, input);
  }

  /**
   * Invites a person to an event. For the organizer only. The person must be searchable, must not be banned, and must
   * not block you. An invited person can join without a password, a ticket or an approval. An event has at most 100
   * unanswered invitations; a further invitation is 409 `invite_limit_reached`.
   */
  @Post()
  @Answers(ParticipantResource, { status: 201 })
  @Refuses('forbidden', 'user_not_invitable', ...organizerCodes('invite'), 'invite_limit_reached')
  async inviteEventParticipant(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @BodyInput(InviteDto) body: Input<InviteDto>,
  ): Promise<One<ParticipantResource>> {
    return one(await this.participants.invite(caller, id, body));
  }

  /**
   * Removes a person from an event. For the organizer only. Depending on the person's status, cancels an invitation,
   * declines a request, or allows a declined or banned person to join again. With `ban=1`, bans the person instead,
   * even if the person has no relation to the event. A ticket code that the person joined with stays used.
   */
  @Delete(':slug')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden', ...organizerCodes('remove', 'ban'))
  async removeEventParticipant(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @Param('slug', SlugPipe) slug: string,
    @QueryInput(RemoveQueryDto) query: Input<RemoveQueryDto>,
  ): Promise<void> {
    await this.participants.remove(caller, id, slug, query);
  }

  /**
   * Confirms a person from the waitlist or approves a request. For the organizer only. If the event is full: 409
   * `event_full`.
   */
  @Post(':slug/promote')
  @HttpCode(200)
  @Answers(ParticipantResource)
  @Refuses('forbidden', ...organizerCodes('promote'))
  async promoteEventParticipant(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @Param('slug', SlugPipe) slug: string,
  ): Promise<One<ParticipantResource>> {
    return one(await this.participants.promote(caller, id, slug));
  }
}
