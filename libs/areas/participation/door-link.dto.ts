import { LIMITS } from '#contract/limits';
import { TitleField } from '#platform/http/fields';

/** Body of POST /events/{id}/door/links. */
export class CreateDoorLinkDto {
  @TitleField({
    ...LIMITS.door.links.name,
    required: true,
    description: 'name of the helper or the gate; it is shown with participants who were checked in by the link',
  })
  name: string;
}
