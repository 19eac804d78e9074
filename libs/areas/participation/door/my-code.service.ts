import { Injectable } from '@nestjs/common';
import { Database, statement } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { EventAccessPolicy } from '../../events/event-access.policy';
import type { Caller } from '../../identity/caller.reader';

const CODE_OF = statement(
  'door_code_of',
  `SELECT check_in_code FROM participations WHERE event_id = $1 AND user_id = $2 AND status = 'confirmed'`,
);

/** The code that a participant shows at the door (DOOR-1). */
@Injectable()
export class MyCodeService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
  ) {}

  /**
   * Returns the caller's check-in code. Throws 403 `banned` if the caller is banned from a public event, 404 for other
   * events that the caller does not see, and 409 `not_participant` if the caller is not confirmed.
   */
  async codeOf(caller: Caller, eventId: number): Promise<string> {
    await this.access.visible(this.database, eventId, caller.id);
    const [row] = await this.database.rows<{ check_in_code: string }>(CODE_OF, [eventId, caller.id]);
    if (!row) throw new Refusal('not_participant');
    return row.check_in_code;
  }
}
