import { LIMITS } from '#contract/limits';
import { COORDINATES, area, check, files, formPlan, place, text } from '../form/plan';

const { groups } = LIMITS;

/** The form of /groups/new and /groups/{id}/edit. */
export const GROUP_FORM = formPlan(
  'group',
  {
    fields: [
      text('name', 'group_name', { required: true }),
      area('description', 'group_description'),
      check('is_public', 'group_is_public'),
    ],
  },
  {
    title: 'place_title',
    fields: [text('location_name', 'location_name'), place()],
    more: COORDINATES,
  },
  {
    title: 'pictures_title',
    fields: [
      files('avatar', 'group_avatar', { hint: 'group_avatar_hint' }),
      files('cover', 'group_cover', { hint: 'group_cover_hint' }),
    ],
  },
);

export const GROUP_FILES = { avatar: { maxBytes: groups.avatar_bytes }, cover: { maxBytes: groups.cover_bytes } };
