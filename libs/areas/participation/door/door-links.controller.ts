import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import { PageQueryDto, type Page } from '#platform/http/page';
import { EventIdPipe, partIdPipe } from '#platform/http/public-ids';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { CreateDoorLinkDto } from '../door-link.dto';
import { DoorLinkResource, DoorLinkWithSecretResource } from '../door-link.resource';
import { DoorLinksService } from '../door-links.service';

/** The endpoints for the door links of an event (DOOR-18 to DOOR-24). */
@ApiTags('Check-in')
@Controller('events/:id/door/links')
export class DoorLinksController {
  constructor(private readonly links: DoorLinksService) {}

  /**
   * Lists the door links of an event. For the organizer only. The list contains only links that have not ended, the
   * oldest first, without their secrets.
   */
  @Get()
  @AnswersPage(DoorLinkResource)
  @Refuses('forbidden')
  async listDoorLinks(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @QueryInput(PageQueryDto) input: Input<PageQueryDto>,
  ): Promise<Page<DoorLinkResource>> {
    return this.links.list(caller, id, input);
  }

  /**
   * Creates a link with which a helper without an account can check people in. For the organizer only. `url` and
   * `token` are shown in this answer only. The token can only read the event's `door` and send `door/scans`. The token
   * expires 12 hours after the event's end; if the end is changed later, the new end counts. After this time, a new
   * link is refused with 409 `conflict`. An event has at most 20 links; a further link is refused with 409
   * `door_link_limit_reached`.
   */
  @Post()
  @Answers(DoorLinkWithSecretResource, { status: 201 })
  @Refuses('forbidden', 'conflict', 'door_link_limit_reached')
  async createDoorLink(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @BodyInput(CreateDoorLinkDto) body: Input<CreateDoorLinkDto>,
  ): Promise<One<DoorLinkWithSecretResource>> {
    return one(await this.links.create(caller, id, body));
  }

  /** Ends a door link immediately. For the organizer only. Check-ins that were made with the link remain. */
  @Delete(':linkId')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deleteDoorLink(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @Param('linkId', partIdPipe('door_link')) linkId: number,
  ): Promise<void> {
    await this.links.remove(caller, id, linkId);
  }
}
