import { Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AnswersNothing, AnswersPage } from '#platform/http/answers';
import { QueryInput, type Input } from '#platform/http/input';
import { PageQueryDto, type Page } from '#platform/http/page';
import { SlugPipe } from '#platform/http/slug.pipe';
import { CurrentCaller, type Caller } from '../caller.reader';
import { BlockResource } from './block.resource';
import { BlocksService } from '../blocks.service';

/** Blocks of the caller (ACC-13 to ACC-17). The blocked person is not notified. */
@ApiTags('Blocks')
@Controller('blocks')
export class BlocksController {
  constructor(private readonly blocks: BlocksService) {}

  /** Lists the people you block. The latest block comes first. */
  @Get()
  @AnswersPage(BlockResource)
  async listBlocks(
    @CurrentCaller() caller: Caller,
    @QueryInput(PageQueryDto) query: Input<PageQueryDto>,
  ): Promise<Page<BlockResource>> {
    return this.blocks.list(caller, query.read());
  }

  /**
   * Blocks a person. The person can no longer join your events or invite you, and Discover no longer lists your events
   * for this person. Neither of you sees the other person in the search for people, in the list of posts or in Puls.
   * The person is not notified. Blocking the same person again changes nothing.
   */
  @Put(':slug')
  @HttpCode(204)
  @AnswersNothing()
  async blockUser(@CurrentCaller() caller: Caller, @Param('slug', SlugPipe) slug: string): Promise<void> {
    await this.blocks.block(caller, slug);
  }

  /** Ends a block. For an unknown slug and for a person whom you do not block, the answer is 404. */
  @Delete(':slug')
  @HttpCode(204)
  @AnswersNothing()
  async unblockUser(@CurrentCaller() caller: Caller, @Param('slug', SlugPipe) slug: string): Promise<void> {
    await this.blocks.unblock(caller, slug);
  }
}
