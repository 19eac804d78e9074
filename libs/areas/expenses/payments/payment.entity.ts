import { Column, Entity } from 'typeorm';
import type { Currency } from '#contract/vocabulary';
import { Id, Instant, Ref } from '#platform/database/columns';

/**
 * A payment between two people to settle an event's expenses, as reported by one of them. Payments are never edited.
 */
@Entity('expense_payments')
export class ExpensePayment {
  @Id()
  id: number;

  @Ref({ name: 'event_id' })
  eventId: number;

  @Ref({ name: 'sender_id' })
  senderId: number;

  @Ref({ name: 'receiver_id' })
  receiverId: number;

  /** The person who recorded the payment: the sender or the receiver. */
  @Ref({ name: 'entered_by' })
  enteredBy: number;

  @Column('integer', { name: 'amount_cents' })
  cents: number;

  @Column('text')
  currency: Currency;

  @Instant({ name: 'created_at' })
  createdAt: Date;

  /** Only the person who recorded the payment may delete it (PAY-8). */
  mayBeDeletedBy(userId: number): boolean {
    return this.enteredBy === userId;
  }
}
