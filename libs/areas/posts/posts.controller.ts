import { Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, AnswersPage, one, Refuses, type One } from '#platform/http/answers';
import { BodyInput, QueryInput, type Input } from '#platform/http/input';
import { IfMatch, type Precondition } from '#platform/http/precondition';
import { PageQueryDto, sliceOf, type Page } from '#platform/http/page';
import { SlugPipe } from '#platform/http/slug.pipe';
import { UploadBody } from '#platform/uploads/upload-body';
import type { PendingUpload } from '#platform/uploads/uploads';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { PostCoverService } from './post-cover.service';
import { CreatePostDto, POST_COVER, UpdatePostDto } from './post.dto';
import { PostResource } from './post.resource';
import { PostsReader } from './posts.reader';
import { PostsService } from './posts.service';

/** The API of blog posts (docs/rules/posts.md). */
@ApiTags('Blog posts')
@Controller('posts')
export class PostsController {
  constructor(
    private readonly posts: PostsService,
    private readonly covers: PostCoverService,
    private readonly reader: PostsReader,
  ) {}

  /** Lists your own posts, including drafts. Newest first. */
  @Get()
  @AnswersPage(PostResource)
  async listPosts(
    @CurrentCaller() caller: Caller,
    @QueryInput(PageQueryDto) input: Input<PageQueryDto>,
  ): Promise<Page<PostResource>> {
    return this.reader.own(caller, sliceOf(input.read()));
  }

  /**
   * Creates a post. The post is a draft unless `status` is `published`. `body` must contain visible text after its HTML
   * is sanitized. `event_id` must be an event that you organize or take part in.
   */
  @Post()
  @Answers(PostResource, { status: 201 })
  async createPost(
    @CurrentCaller() caller: Caller,
    @BodyInput(CreatePostDto) body: Input<CreatePostDto>,
  ): Promise<One<PostResource>> {
    return one(await this.posts.create(caller, body));
  }

  /** Shows a post. Everybody sees a published post; only the author sees a draft. */
  @Get(':slug')
  @Answers(PostResource)
  async getPost(@CurrentCaller() caller: Caller, @Param('slug', SlugPipe) slug: string): Promise<One<PostResource>> {
    return one(await this.posts.show(caller, slug));
  }

  /** Changes a post. For the author only. Absent fields are not changed. A new title does not change the slug. */
  @Patch(':slug')
  @Answers(PostResource)
  @Refuses('forbidden', 'precondition_failed')
  async updatePost(
    @CurrentCaller() caller: Caller,
    @Param('slug', SlugPipe) slug: string,
    @BodyInput(UpdatePostDto) body: Input<UpdatePostDto>,
    @IfMatch() precondition: Precondition,
  ): Promise<One<PostResource>> {
    return one(await this.posts.update(caller, slug, body, precondition));
  }

  /** Deletes a post with its comments and files. For the author only. This cannot be undone. */
  @Delete(':slug')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden', 'precondition_failed')
  async deletePost(
    @CurrentCaller() caller: Caller,
    @Param('slug', SlugPipe) slug: string,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    await this.posts.remove(caller, slug, precondition);
  }

  /** Sets the cover of a post. For the author only. The picture has at most 5 MB and replaces the former cover. */
  @Post(':slug/cover')
  @HttpCode(200)
  @Answers(PostResource)
  @Refuses('forbidden')
  async uploadPostCover(
    @CurrentCaller() caller: Caller,
    @Param('slug', SlugPipe) slug: string,
    @UploadBody(POST_COVER) upload: PendingUpload,
  ): Promise<One<PostResource>> {
    return one(await this.covers.replace(caller, slug, upload));
  }

  /** Removes the cover of a post. For the author only. Without a cover, nothing is changed. */
  @Delete(':slug/cover')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deletePostCover(@CurrentCaller() caller: Caller, @Param('slug', SlugPipe) slug: string): Promise<void> {
    await this.covers.remove(caller, slug);
  }
}
