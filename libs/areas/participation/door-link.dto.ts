import { LIMITS } from '#contract/limits';
import { TitleField } from '#platform/http/fields';

/** Body of POST /events/{id}/door/links. */
export class CreateDoorLinkDto {
  @TitleField({
    ...LIMITS.door.links.name,
    required: true,
    description: 'what the organizer calls the helper or the gate; participants checked in by the link show it',
  })
  name: string;
}
