import { LIMITS } from '#contract/limits';
import { IntegerField } from '#platform/http/fields';

/** Body of POST /events/{id}/tickets. */
export class MakeTicketsDto {
  @IntegerField({
    ...LIMITS.participation.tickets.per_call,
    required: true,
    description: 'how many codes to create; fewer are created if the limits require it',
  })
  count: number;
}
