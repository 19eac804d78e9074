import { CHANGE_INCLUDES, CHANGE_TYPES, type ChangeInclude, type ChangeType } from '#contract/changes';
import { LIMITS } from '#contract/limits';
import { EnumField, IntegerField, TextField } from '#platform/http/fields';
import { Refusal } from '#platform/http/refusal';

const { limit, wait, cursor, types } = LIMITS.changes;

/** Query of GET /changes. */
export class ChangesQueryDto {
  @TextField({
    max: cursor.max,
    description: 'continues after this cursor; without a cursor the feed begins now, with an empty page',
  })
  cursor?: string | null;

  @IntegerField({ ...limit, description: 'maximum number of entries' })
  limit?: number;

  @TextField({
    max: types.max,
    description: 'only these types of change, separated by commas; the cursor also moves past all other changes',
  })
  types?: string | null;

  @EnumField(CHANGE_INCLUDES, {
    nullable: false,
    description:
      'adds the field `object` to each entry: the content of the subject, as a GET of `subject.url` returns it now',
  })
  include?: ChangeInclude;

  @IntegerField({
    ...wait,
    description: 'maximum number of seconds that the request waits for a change of the requested types',
  })
  wait?: number;
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(CHANGE_TYPES);

/**
 * Parses a list such as `event.created,comment.gone`. If there is no list, returns null, which means all types. Throws
 * 422 for the field `types` if the list contains an unknown type.
 */
export function typesOf(text: string | null | undefined): ReadonlySet<ChangeType> | null {
  if (text === null || text === undefined) return null;
  const types = text.split(',').map((type) => type.trim());
  if (!types.every((type) => KNOWN_TYPES.has(type)))
    throw Refusal.invalid('types', 'one_of', { values: CHANGE_TYPES.join(', ') });
  return new Set(types as ChangeType[]);
}
