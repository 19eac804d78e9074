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
import { PostCoverService } from './writing/post-cover.service';
import { CreatePostDto, POST_COVER, UpdatePostDto } from './post.dto';
import { PostResource } from './post.resource';
import { PostsReader } from './posts.reader';
import { PostsService } from './posts.service';

/** docs/rules/posts.md. */
@ApiTags('Blog posts')
@Controller('posts')
export class PostsController {
  constructor(
    private readonly posts: PostsService,
    private readonly covers: PostCoverService,
    private readonly reader: PostsReader,
  ) {}

  /** The caller's own posts, drafts too, the newest first. */
  @Get()
  @AnswersPage(PostResource)
  async listPosts(
    @CurrentCaller() caller: Caller,
    @QueryInput(PageQueryDto) input: Input<PageQueryDto>,
  ): Promise<Page<PostResource>> {
    return this.reader.own(caller, sliceOf(input.read()));
  }

  /** Writes a post, a draft unless told otherwise. */
  @Post()
  @Answers(PostResource, { status: 201 })
  async createPost(@CurrentCaller() caller: Caller, @BodyInput(CreatePostDto) body: Input<CreatePostDto>): Promise<One<PostResource>> {
    return one(await this.posts.create(caller, body));
  }

  /** Anybody's published post, or a draft of the caller's own. */
  @Get(':slug')
  @Answers(PostResource)
  async getPost(@CurrentCaller() caller: Caller, @Param('slug', SlugPipe) slug: string): Promise<One<PostResource>> {
    return one(await this.posts.show(caller, slug));
  }

  /** The author changes what is sent; the slug stays. */
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

  /** The author deletes the post with its comments and files. */
  @Delete(':slug')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden', 'precondition_failed')
  async deletePost(@CurrentCaller() caller: Caller, @Param('slug', SlugPipe) slug: string, @IfMatch() precondition: Precondition): Promise<void> {
    await this.posts.remove(caller, slug, precondition);
  }

  /** The author gives the post a cover, in place of the one it may have. */
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

  /** Removes the cover; where there is none, nothing happens. */
  @Delete(':slug/cover')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deletePostCover(@CurrentCaller() caller: Caller, @Param('slug', SlugPipe) slug: string): Promise<void> {
    await this.covers.remove(caller, slug);
  }
}
