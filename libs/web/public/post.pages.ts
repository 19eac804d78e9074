import { Get, Param, Query } from '@nestjs/common';
import { CurrentReader, PageController } from '../page.decorators';
import { ReadsReplica } from '../page.interceptor';
import type { Reader } from '../readers';
import type { View } from '../view';
import { listPagesIn } from '../listing';
import { PostView } from './post-view';

/** The page /posts/{slug} shows a published post to every reader, and a draft only to its author. */
@PageController()
export class PostPages {
  constructor(private readonly view: PostView) {}

  @Get('posts/:slug')
  @ReadsReplica()
  post(@CurrentReader() reader: Reader, @Param('slug') slug: string, @Query() query: unknown): Promise<View> {
    return this.view.show(slug, reader, null, listPagesIn(query));
  }
}
