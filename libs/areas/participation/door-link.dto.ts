import { LIMITS } from '#contract/limits';
import { TitleField } from '#platform/http/fields';

/** Body of POST /events/{id}/door/links. */
export class CreateDoorLinkDto {
  @TitleField({
    ...LIMITS.door.links.name,
    required: true,
    description:
      'name of the helper or the gate; the organizer sees it next to each participant who was checked in with the link',
  })
  name: string;
}
