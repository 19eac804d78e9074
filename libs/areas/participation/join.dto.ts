import { TextField } from '#platform/http/fields';

/** Body of POST /events/{id}/join. */
export class JoinDto {
  @TextField({ description: 'for an event with join_mode=password' })
  password?: string | null;

  @TextField({ description: 'for an event with join_mode=tickets' })
  ticket_code?: string | null;
}
