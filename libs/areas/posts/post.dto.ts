import { PartialType } from '@nestjs/swagger';
import { LIMITS } from '#contract/limits';
import {
  DEFAULT_POST_STATUS,
  POST_CATEGORIES,
  POST_STATUSES,
  type PostCategory,
  type PostStatus,
} from '#contract/vocabulary';
import { EnumField, EnumListField, HashidField, SlugField, TextField, TitleField } from '#platform/http/fields';
import { PageQueryDto } from '#platform/http/page';
import type { UploadRules } from '#platform/uploads/upload-rules';

const { posts } = LIMITS;

const STATUS = '`published` shows the post to everybody; `draft` hides it again';

class PostFieldsDto {
  @TitleField({ ...posts.title, required: true, description: 'plain text with visible characters' })
  title: string;

  @EnumListField(POST_CATEGORIES, {
    ...posts.categories,
    unique: true,
    required: true,
    description: '1 to 3 different categories',
  })
  categories: PostCategory[];

  @HashidField({ orNumber: true, nullable: true, description: 'an event the caller organizes or attends' })
  event_id?: string | null;

  @TextField({ ...posts.location, description: 'the place the post is about' })
  location?: string | null;

  @TextField({ ...posts.excerpt, description: 'a short plain text for lists' })
  excerpt?: string | null;

  @TextField({
    ...posts.body,
    required: true,
    description: 'HTML; tags and attributes that are not allowed are removed',
  })
  body: string;
}

/** Body of POST /posts (POST-1). */
export class CreatePostDto extends PostFieldsDto {
  @EnumField(POST_STATUSES, { default: DEFAULT_POST_STATUS, description: STATUS })
  status?: PostStatus;
}

/** Body of PATCH /posts/{slug}. A new title does not change the slug. An absent status is not changed. */
export class UpdatePostDto extends PartialType(PostFieldsDto, { skipNullProperties: false }) {
  @EnumField(POST_STATUSES, { description: STATUS })
  status?: PostStatus;
}

/** Body of POST /posts/{slug}/cover. */
export const POST_COVER: UploadRules = { files: { cover: { maxBytes: posts.cover_bytes, min: 1 } } };

/** Query of the web page that lists posts. */
export class ExplorePostsQueryDto extends PageQueryDto {
  @TextField({
    max: LIMITS.discover.q.max,
    description: 'every word must be the beginning of a word of the title, the excerpt or the place',
  })
  q?: string | null;
}

/** Query of GET /discover/posts. */
export class DiscoverPostsQueryDto extends ExplorePostsQueryDto {
  @EnumField(POST_CATEGORIES, { description: 'only posts with this category' })
  category?: PostCategory;

  @SlugField({ description: 'only posts by this person; an unknown slug gives an empty page' })
  author?: string;

  @HashidField({ orNumber: true, description: 'only posts about this event; an unknown event gives an empty page' })
  event?: string;
}
