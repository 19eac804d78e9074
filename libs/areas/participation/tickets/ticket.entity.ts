import { Column, Entity } from 'typeorm';
import { Id, Instant, Ref } from '#platform/database/columns';
import { Refusal } from '#platform/http/refusal';

/** A ticket code of an event; it can be used once. */
@Entity('tickets')
export class Ticket {
  @Id()
  id: number;

  @Ref({ name: 'event_id' })
  eventId: number;

  /** The code in its stored form (`readCode`). The code is unique within the event. */
  @Column('text')
  code: string;

  @Ref({ name: 'used_by', nullable: true })
  usedBy: number | null;

  @Instant({ name: 'used_at', nullable: true })
  usedAt: Date | null;

  @Instant({ name: 'created_at', update: false })
  createdAt: Date;

  get isUsed(): boolean {
    return this.usedAt !== null;
  }

  /** Marks the ticket as used by this user. Throws 422 `invalid_ticket_code` if the ticket is already used. */
  use(userId: number, now: Date): void {
    if (this.isUsed) throw new Refusal('invalid_ticket_code');
    this.usedBy = userId;
    this.usedAt = now;
  }
}

/** An unused ticket without an id. */
export function newTicket(eventId: number, code: string, now: Date): Ticket {
  return Object.assign(new Ticket(), {
    eventId,
    code,
    usedBy: null,
    usedAt: null,
    createdAt: now,
  } satisfies Partial<Ticket>);
}
