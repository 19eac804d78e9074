import { LIMITS } from '#contract/limits';
import { TextField } from '#platform/http/fields';
import { PageQueryDto } from '#platform/http/page';

/** Query of GET /users. */
export class SearchUsersQueryDto extends PageQueryDto {
  @TextField({
    ...LIMITS.people.q,
    required: true,
    description: 'every word must begin a word of the name, nickname or slug, without diacritics and case',
  })
  q: string;
}
