import { TextField } from '#platform/http/fields';

/** Body of POST /events/{id}/check-in. */
export class CheckInDto {
  @TextField({
    required: true,
    description: 'viewer.check_in_code of a participant, or a ticket code',
  })
  code: string;
}
