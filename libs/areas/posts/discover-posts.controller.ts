import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AnswersPage } from '#platform/http/answers';
import { QueryInput, type Input } from '#platform/http/input';
import type { Page } from '#platform/http/page';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { DiscoverPostsQueryDto } from './post.dto';
import { PostResource } from './post.resource';
import { PostsReader } from './posts.reader';

/** Published posts of all authors (docs/rules/posts.md). */
@ApiTags('Blog posts')
@Controller('discover/posts')
export class DiscoverPostsController {
  constructor(private readonly reader: PostsReader) {}

  /**
   * Lists the published posts of all authors, including your own. Newest first. A post must match all given filters.
   * Posts of people who block you or whom you block are omitted. In a post, `event` is null if you do not see the
   * event.
   */
  @Get()
  @AnswersPage(PostResource)
  async discoverPosts(
    @CurrentCaller() caller: Caller,
    @QueryInput(DiscoverPostsQueryDto) input: Input<DiscoverPostsQueryDto>,
  ): Promise<Page<PostResource>> {
    return this.reader.explore(caller, input.read());
  }
}
