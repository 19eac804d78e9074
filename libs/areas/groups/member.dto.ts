import { GROUP_RELATIONS, type GroupRelation } from '#contract/vocabulary';
import { EnumField, SlugField } from '#platform/http/fields';
import { PageQueryDto } from '#platform/http/page';

/** Query of GET /groups/{id}/members. */
export class MembersQueryDto extends PageQueryDto {
  @EnumField(GROUP_RELATIONS, { description: '`member` when absent; `invited` and `requested` only for the owner' })
  status?: GroupRelation;
}

/** Body of POST /groups/{id}/members. */
export class InviteMemberDto {
  @SlugField({ required: true, description: 'slug of a searchable user' })
  user: string;
}
