import { LIMITS } from '#contract/limits';
import { TextField } from '#platform/http/fields';
import { PageQueryDto } from '#platform/http/page';

/** Query of GET /users. */
export class SearchUsersQueryDto extends PageQueryDto {
  @TextField({
    ...LIMITS.people.q,
    required: true,
    description:
      'every word must be the beginning of a word of the name, nickname or slug; case and diacritics are ignored',
  })
  q: string;
}
