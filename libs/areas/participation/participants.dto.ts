import { PARTICIPATION_STATES, type ParticipationState } from '#contract/vocabulary';
import { BooleanField, EnumField, SlugField } from '#platform/http/fields';
import { PageQueryDto } from '#platform/http/page';

/** Query of GET /events/{id}/participants. */
export class ParticipantsQueryDto extends PageQueryDto {
  @EnumField(PARTICIPATION_STATES, { description: 'only people with this status; if absent, people with any status' })
  status?: ParticipationState;
}

/** Body of POST /events/{id}/participants. */
export class InviteDto {
  @SlugField({ required: true, description: 'slug of the user' })
  user: string;
}

/** Query of DELETE /events/{id}/participants/{slug}. */
export class RemoveQueryDto {
  @BooleanField({ description: '1: bans the person from the event' })
  ban?: boolean;
}
