import { LIMITS } from '#contract/limits';
import { POST_CATEGORIES, POST_STATUSES, RICH_TEXT_TAGS } from '#contract/vocabulary';
import { area, choices, choicesOf, files, formPlan, select, text } from '../form/plan';

/** The form of /posts/new and /posts/{slug}/edit. */
export const POST_FORM = formPlan(
  'post',
  {
    fields: [
      text('title', 'post_title', { required: true }),
      area('excerpt', 'post_excerpt', { hint: 'post_excerpt_hint' }),
      area('body', 'post_body', { tags: RICH_TEXT_TAGS, hint: 'post_body_hint', required: true }),
      files('cover', 'post_cover', { hint: 'post_cover_hint' }),
    ],
  },
  {
    fields: [
      choices('categories', 'post_categories', choicesOf(POST_CATEGORIES, 'category_'), {
        hint: 'post_categories_hint',
      }),
      text('location', 'post_location'),
      select('event_id', 'post_event'),
      select('status', 'post_status', choicesOf(POST_STATUSES, 'post_status_')),
    ],
  },
);

export const POST_FILES = { cover: { maxBytes: LIMITS.posts.cover_bytes } };
