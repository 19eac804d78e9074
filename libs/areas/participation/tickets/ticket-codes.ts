import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { statement, type Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { randomCode, readCode } from '../codes';
import { newTicket, Ticket } from './ticket.entity';

const { code_random_bits, per_event } = LIMITS.participation.tickets;

/**
 * `created`: the number of all codes of event $1, used and unused. `valid`: the number of unused codes plus the number
 * of codes whose holders still take part.
 */
const COUNT_TICKETS = statement(
  'participation_ticket_count',
  `SELECT count(*)::int AS created,
          (count(*) FILTER (WHERE used_at IS NULL)
           + (SELECT count(*) FROM participations p WHERE p.event_id = $1 AND p.ticket_code IS NOT NULL))::int AS valid
     FROM tickets WHERE event_id = $1`,
);

/** Ticket codes, each of which can be used once (JOIN-39, JOIN-40). The caller must lock the event first. */
@Injectable()
export class TicketCodes {
  constructor(private readonly clock: Clock) {}

  /**
   * Marks the ticket with the typed code as used by the person, and returns the code in the stored form. Throws 422
   * `invalid_ticket_code` for a missing, unknown or used code.
   */
  async use(tx: Transaction, eventId: number, userId: number, typed: string | null): Promise<string> {
    const ticket = typed === null ? null : await this.find(tx, eventId, typed);
    if (!ticket) throw new Refusal('invalid_ticket_code');
    ticket.use(userId, this.clock.now());
    await tx.manager.update(Ticket, { id: ticket.id }, { usedBy: ticket.usedBy, usedAt: ticket.usedAt });
    return ticket.code;
  }

  /**
   * Creates at most `count` codes, as many as the limits allow, and returns the ids of the tickets. Throws 409
   * `ticket_limit_reached` if the limits allow none (JOIN-39, JOIN-40). If a holder has left, a new code can be
   * created, but the old code stays used.
   */
  async make(tx: Transaction, eventId: number, count: number, maxParticipants: number | null): Promise<number[]> {
    const [{ created, valid } = { created: 0, valid: 0 }] = await tx.rows<{ created: number; valid: number }>(
      COUNT_TICKETS,
      [eventId],
    );
    const remaining = Math.min(per_event - created, (maxParticipants ?? Infinity) - valid);
    if (remaining <= 0) throw new Refusal('ticket_limit_reached');
    const now = this.clock.now();
    const tickets = Array.from({ length: Math.min(count, remaining) }, () =>
      newTicket(eventId, randomCode(code_random_bits), now),
    );
    await tx.manager.insert(Ticket, tickets);
    return tickets.map(({ id }) => id);
  }

  /** Deletes an unused code. Throws 404 for an unknown code, and 409 `ticket_used` for a used code. */
  async remove(tx: Transaction, eventId: number, typed: string): Promise<void> {
    const ticket = await this.find(tx, eventId, typed);
    if (!ticket) throw new Refusal('not_found');
    if (ticket.isUsed) throw new Refusal('ticket_used');
    await tx.manager.delete(Ticket, { id: ticket.id });
  }

  /** The event's ticket with a typed code; null if there is none. */
  private async find(tx: Transaction, eventId: number, typed: string): Promise<Ticket | null> {
    const code = readCode(typed);
    return code === null ? null : tx.manager.findOneBy(Ticket, { eventId, code });
  }
}
