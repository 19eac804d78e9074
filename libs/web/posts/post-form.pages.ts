import { Get, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PostAccessPolicy } from '#areas/posts/post-access.policy';
import { PostCoverService } from '#areas/posts/post-cover.service';
import { CreatePostDto, UpdatePostDto } from '#areas/posts/post.dto';
import type { PostResource } from '#areas/posts/post.resource';
import { PostsService } from '#areas/posts/posts.service';
import { DEFAULT_POST_STATUS } from '#contract/vocabulary';
import { Database } from '#platform/database/database';
import { Input } from '#platform/http/input';
import { NO_PRECONDITION } from '#platform/http/precondition';
import { SlugPipe } from '#platform/http/slug.pipe';
import { versionOf } from '#platform/http/versions';
import { FormRunner } from '../form/form-runner';
import { FormKeys, newKey } from '../form/form-keys';
import type { FormRefusal } from '../form/form-refusal';
import { formView, type FormView } from '../form/form-view';
import { rawFields } from '../form/raw-fields';
import { SentForm } from '../form/sent-form';
import { ActingPageController, CheckForm, CurrentMember, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { partOf, view, type View } from '../view';
import { PostEvents } from './post-events';
import { POST_FILES, POST_FORM } from './post-form';

/** /posts/new, and /posts/{slug}/edit with the forms that publish a draft, remove the cover or delete the post. */
@ActingPageController()
export class PostFormPages {
  constructor(
    private readonly formRunner: FormRunner,
    private readonly keys: FormKeys,
    private readonly posts: PostsService,
    private readonly covers: PostCoverService,
    private readonly access: PostAccessPolicy,
    private readonly events: PostEvents,
    private readonly database: Database,
  ) {}

  @Get('posts/new')
  blank(@CurrentMember() member: Member): Promise<View> {
    return this.showNew(member);
  }

  @Post('posts/new')
  @CheckForm({ plan: POST_FORM, files: POST_FILES })
  create(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw, _, pictureOf) => {
        const form = await SentForm.ofSent(POST_FORM, CreatePostDto, raw, member);
        const { slug, status } = await this.posts.create(member.caller, form, pictureOf('cover')?.key);
        return redirectTo(`/posts/${slug}`, status === 'published' ? 'post_published' : 'post_stored');
      },
      show: (refusal) => this.showNew(member, refusal),
    });
  }

  @Get('posts/:slug/edit')
  edit(@CurrentMember() member: Member, @Param('slug', SlugPipe) slug: string): Promise<View> {
    return this.showEdit(member, slug);
  }

  @Post('posts/:slug/edit')
  @CheckForm({ plan: POST_FORM, files: POST_FILES })
  change(
    @CurrentMember() member: Member,
    @Param('slug', SlugPipe) slug: string,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw, _, pictureOf) => {
        const form = await SentForm.ofSent(POST_FORM, UpdatePostDto, raw, member);
        const precondition = form.precondition((post) => valuesOf(post as PostResource));
        await this.posts.update(member.caller, slug, form, precondition, pictureOf('cover')?.key);
        return redirectTo(`/posts/${encodeURIComponent(slug)}`, 'post_saved');
      },
      show: (refusal) => this.showEdit(member, slug, refusal),
    });
  }

  @Post('posts/:slug/edit/publish')
  @CheckForm()
  async publish(@CurrentMember() { caller }: Member, @Param('slug', SlugPipe) slug: string): Promise<Redirect> {
    const input = await Input.of(UpdatePostDto, { status: 'published' }, 'text');
    await this.posts.update(caller, slug, input, NO_PRECONDITION);
    return redirectTo(`/posts/${encodeURIComponent(slug)}`, 'post_published');
  }

  @Post('posts/:slug/edit/delete')
  @CheckForm()
  remove(
    @CurrentMember() { caller }: Member,
    @Param('slug', SlugPipe) slug: string,
    @Req() request: FastifyRequest,
  ): Promise<Redirect> {
    return this.keys.once(request, caller.id, rawFields(request.body), async () => {
      await this.posts.remove(caller, slug, NO_PRECONDITION);
      return redirectTo('/account/posts', 'post_deleted');
    });
  }

  @Post('posts/:slug/edit/cover/delete')
  @CheckForm()
  async removeCover(@CurrentMember() { caller }: Member, @Param('slug', SlugPipe) slug: string): Promise<Redirect> {
    await this.covers.remove(caller, slug);
    return redirectTo(`/posts/${encodeURIComponent(slug)}/edit`, 'picture_removed');
  }

  private async showNew(member: Member, refusal: FormRefusal | null = null): Promise<View> {
    const say = translator(member.locale);
    const choices = { event_id: await this.events.choicesFor(member) };
    const values = { status: DEFAULT_POST_STATUS };
    const content = {
      title: say('post_new'),
      section: 'posts',
      back: { to: '/account/posts', text: say('my_posts') },
      action: '/posts/new',
      // Instead of a select, the form has a button for each status. The Enter key presses the first button.
      buttons: [
        { text: say('post_save_draft'), look: 'second' },
        { text: say('post_publish'), name: 'status', value: 'published' },
      ],
      defaults: Object.entries(values),
      formView: withoutStatus(formView(POST_FORM, member, { values, key: newKey(), choices, refusal })),
    } as const;
    return view('form-page', content, refusal?.status);
  }

  private async showEdit(member: Member, slug: string, refusal: FormRefusal | null = null): Promise<View> {
    await this.access.owned(this.database, slug, member.caller.id);
    const post = await this.posts.show(member.caller, slug);
    const say = translator(member.locale);
    const choices = { event_id: await this.events.choicesFor(member, post.event) };
    const page = `/posts/${post.slug}`;
    const editForm = formView(POST_FORM, member, {
      values: valuesOf(post),
      version: versionOf(post) ?? 0,
      choices,
      refusal,
    });
    const cover = post.cover_thumb_url;
    const content = {
      ...partOf(post.title, say('post_edit')),
      section: 'posts',
      back: { to: page, text: post.title },
      action: `${page}/edit`,
      submit: say('save'),
      formView: editForm,
      pictures:
        cover === null ? [] : [{ url: cover, to: `${page}/edit/cover/delete`, remove: say('post_cover_remove') }],
      asks: [
        {
          to: `${page}/edit/delete`,
          fields: [newKey()],
          title: say('post_delete'),
          text: say('post_delete_text'),
          label: say('post_delete_do'),
        },
      ],
    } as const;
    return view('form-page', content, refusal?.status);
  }
}

function withoutStatus(form: FormView): FormView {
  const sections = form.sections.map((section) => ({
    ...section,
    fields: section.fields.filter(({ name }) => name !== 'status'),
  }));
  return { ...form, sections };
}

function valuesOf(post: PostResource): Record<string, unknown> {
  return { ...post, event_id: post.event };
}
