import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { statement, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { randomCode, readCode } from '../record/codes';

const { code_random_bits, per_event } = LIMITS.participation.tickets;

const USE = statement(
  'participation_ticket_use',
  'UPDATE tickets SET used_by = $3, used_at = $4 WHERE event_id = $1 AND code = $2 AND used_at IS NULL RETURNING code',
);
/** `made`: codes of event $1, used ones for ever. `good`: what may still let somebody in or has let in who still takes part. */
const COUNT_TICKETS = statement(
  'participation_ticket_count',
  `SELECT count(*)::int AS made,
          (count(*) FILTER (WHERE used_at IS NULL)
           + (SELECT count(*) FROM participations p WHERE p.event_id = $1 AND p.ticket_code IS NOT NULL))::int AS good
     FROM tickets WHERE event_id = $1`,
);
const MAKE = statement(
  'participation_ticket_make',
  'INSERT INTO tickets (event_id, code, created_at) SELECT $1, unnest($2::text[]), $3 RETURNING id',
);
const DELETE_UNUSED = statement(
  'participation_ticket_delete',
  'DELETE FROM tickets WHERE event_id = $1 AND code = $2 AND used_at IS NULL RETURNING id',
);
const EXISTS = statement('participation_ticket_exists', 'SELECT id FROM tickets WHERE event_id = $1 AND code = $2');

/** Ticket codes: unused, then used for ever (JOIN-39, JOIN-40). The event is locked by the caller. */
@Injectable()
export class TicketCodes {
  constructor(private readonly clock: Clock) {}

  /** Spends a code and returns it as stored; 422 `invalid_ticket_code` for one that is missing, unknown or used. */
  async use(tx: Transaction, eventId: number, userId: number, typed: string | null): Promise<string> {
    const code = typed === null ? null : readCode(typed);
    const [ticket] = code === null ? [] : await tx.rows<{ code: string }>(USE, [eventId, code, userId, this.clock.now()]);
    if (!ticket) throw new Refusal('invalid_ticket_code');
    return ticket.code;
  }

  /**
   * Makes so many codes or as many as still fit, and returns their ids; 409 when none fits (JOIN-39, JOIN-40):
   * a holder who left makes room for a new code, though theirs stays used.
   */
  async make(tx: Transaction, eventId: number, count: number, maxParticipants: number | null): Promise<number[]> {
    const [{ made, good } = { made: 0, good: 0 }] = await tx.rows<{ made: number; good: number }>(COUNT_TICKETS, [eventId]);
    const room = Math.min(per_event - made, (maxParticipants ?? Infinity) - good);
    if (room <= 0) throw new Refusal('ticket_limit_reached');
    const codes = Array.from({ length: Math.min(count, room) }, () => randomCode(code_random_bits));
    const rows = await tx.rows<{ id: string }>(MAKE, [eventId, codes, this.clock.now()]);
    return rows.map(({ id }) => Number(id));
  }

  /** 404 for an unknown code, 409 `ticket_used` for a used one. */
  async remove(tx: Transaction, eventId: number, typed: string): Promise<void> {
    const code = readCode(typed);
    const key = [eventId, code];
    if (code === null || (await tx.rows(EXISTS, key)).length === 0) throw new Refusal('not_found');
    if ((await tx.rows(DELETE_UNUSED, key)).length === 0) throw new Refusal('ticket_used');
  }
}
