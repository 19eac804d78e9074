import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { PulsIdPipe } from '#platform/http/public-ids';
import { QueryInput, type Input } from '#platform/http/input';
import { PageQueryDto, type Page } from '#platform/http/page';
import { UploadBody } from '#platform/uploads/upload-body';
import type { PendingUpload } from '#platform/uploads/uploads';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { PULS_UPLOAD, PulsFeedQueryDto, type CreatePulsDto } from './puls.dto';
import { AnswersFeed, feedBody, type FeedBody } from './puls-feed.body';
import { PulsPublishingService } from './puls-publishing.service';
import { PulsResource } from './puls.resource';
import { PulsService } from './puls.service';

@ApiTags('Puls')
@Controller('puls')
export class PulsController {
  constructor(
    private readonly puls: PulsService,
    private readonly publishing: PulsPublishingService,
  ) {}

  /**
   * Lists the active posts around a place, nearest first. The list has no pages; `limit` is the maximum number of
   * posts. Posts of people who block you, or whom you block, are omitted.
   */
  @Get()
  @AnswersFeed()
  async listPuls(
    @CurrentCaller() caller: Caller,
    @QueryInput(PulsFeedQueryDto) query: Input<PulsFeedQueryDto>,
  ): Promise<FeedBody> {
    return feedBody(await this.puls.feed(caller, query.read()));
  }

  /** Lists your own active posts. Newest first; expired posts are omitted. */
  @Get('mine')
  @AnswersPage(PulsResource)
  async listOwnPuls(
    @CurrentCaller() caller: Caller,
    @QueryInput(PageQueryDto) input: Input<PageQueryDto>,
  ): Promise<Page<PulsResource>> {
    return this.puls.ownPosts(caller, input.read());
  }

  /**
   * Posts a text, a photo or a video at a place for 24 hours. The request must contain at least one of them, but not a
   * photo and a video together. The body is `multipart/form-data`, also if the post is only a text. A video is
   * re-encoded and cut to 6 seconds. An account has one active post at a time, and at most three new posts per Prague
   * day.
   */
  @Post()
  @Answers(PulsResource, { status: 201 })
  @Refuses('post_empty', 'daily_puls_limit', 'paid_post_unsupported', 'active_limit_reached')
  async createPuls(
    @CurrentCaller() caller: Caller,
    @UploadBody(PULS_UPLOAD) upload: PendingUpload<CreatePulsDto>,
  ): Promise<One<PulsResource>> {
    return one(await this.publishing.create(caller, upload));
  }

  /** Deletes one of your posts with its files. The post still counts towards the three posts of the day. */
  @Delete(':id')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('not_owner')
  async deletePuls(@CurrentCaller() caller: Caller, @Param('id', PulsIdPipe) id: number): Promise<void> {
    await this.puls.remove(caller, id);
  }
}
