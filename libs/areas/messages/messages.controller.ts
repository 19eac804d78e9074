import { Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import { PageQueryDto, type Page } from '#platform/http/page';
import { EventIdPipe } from '#platform/http/public-ids';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { SendMessageDto } from './message.dto';
import { MessageResource } from './message.resource';
import { MessagesService } from './messages.service';

/** The messages of an organizer to the people of an event (docs/rules/messages.md). */
@ApiTags('Participants')
@Controller('events/:id/messages')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  /** Lists the messages that you sent to the people of an event. For the organizer only. Newest first. */
  @Get()
  @AnswersPage(MessageResource)
  @Refuses('forbidden')
  async listEventMessages(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @QueryInput(PageQueryDto) input: Input<PageQueryDto>,
  ): Promise<Page<MessageResource>> {
    return this.messages.list(caller, id, input);
  }

  /**
   * Sends a message to the people of an event. For the organizer only. Each recipient gets a notice with the whole
   * text. You can send messages until 7 days after the end of the event, also if the event is cancelled. After that, or
   * if there are no recipients, the answer is 409 `conflict`. At most three messages per event and Prague day are
   * allowed; further messages are refused with 429 `daily_message_limit`.
   */
  @Post()
  @Answers(MessageResource, { status: 201 })
  @Refuses('forbidden', 'conflict', 'daily_message_limit')
  async sendEventMessage(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @BodyInput(SendMessageDto) body: Input<SendMessageDto>,
  ): Promise<One<MessageResource>> {
    return one(await this.messages.send(caller, id, body));
  }
}
