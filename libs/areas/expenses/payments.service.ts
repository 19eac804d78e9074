import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { CURRENCIES } from '#contract/vocabulary';
import { Database, type Transaction } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import type { Caller } from '../identity/caller.reader';
import { lockAccountsForShare } from '../identity/users.reader';
import { BookPolicy } from './book.policy';
import { BookReader } from './book.reader';
import { toCents } from './books/money';
import type { RecordPaymentDto } from './payment.dto';
import { ExpensePayment } from './payments/payment.entity';
import { recordedPaymentResource, type RecordedPaymentResource } from './payments/payment.resource';

/** Payments between people of an event; they may differ from the payments that a settlement suggests (PAY-1). */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly database: Database,
    private readonly policy: BookPolicy,
    private readonly reader: BookReader,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks first whether the caller may read the expenses. Then refuses in this order (PAY-3): 422 on fields, 403
   * `forbidden` unless the caller is the sender or the receiver, 422 `participant_not_eligible`, 409
   * `payment_limit_reached`.
   */
  async record(caller: Caller, eventId: number, input: Input<RecordPaymentDto>): Promise<RecordedPaymentResource> {
    return this.database.transaction(async (tx) => {
      await this.policy.lock(tx, eventId, caller.id);
      const body = input.read();
      const { to, amount, currency } = body;
      const from = body.from ?? caller.slug;
      if (from === to) throw Refusal.invalid('to', 'not_the_same', { field: 'from' });
      if (caller.slug !== from && caller.slug !== to) throw new Refusal('forbidden');
      const { people } = await this.reader.book(tx, eventId);
      const [senderId, receiverId] = [people.idBySlug(from), people.idBySlug(to)];
      await refuseAboveLimit(tx, eventId);

      await lockAccountsForShare(tx, [senderId]);
      const payment = Object.assign(new ExpensePayment(), {
        eventId,
        senderId,
        receiverId,
        enteredBy: caller.id,
        cents: toCents(amount),
        currency: currency ?? CURRENCIES[0],
        createdAt: this.clock.now(),
      });
      await tx.manager.insert(ExpensePayment, payment);
      return recordedPaymentResource(payment, people, this.wire);
    });
  }

  /**
   * The ids of the event's payments that the caller may delete. The calling code must have checked the right to read
   * the payments.
   */
  async deletableBy(caller: Caller, eventId: number): Promise<ReadonlySet<string>> {
    const payments = await this.database.manager.findBy(ExpensePayment, { eventId });
    return new Set(
      payments.filter((payment) => payment.mayBeDeletedBy(caller.id)).map(({ id }) => this.wire.id('payment', id)),
    );
  }

  /** Throws 404 for a payment of another event, and 403 `forbidden` for a payment that another person recorded. */
  async remove(caller: Caller, eventId: number, paymentId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.policy.lock(tx, eventId, caller.id);
      const payment = await tx.manager.findOneBy(ExpensePayment, { id: paymentId, eventId });
      if (!payment) throw new Refusal('not_found');
      if (!payment.mayBeDeletedBy(caller.id)) throw new Refusal('forbidden');
      await lockAccountsForShare(tx, [payment.receiverId]);
      await tx.manager.delete(ExpensePayment, { id: payment.id });
    });
  }
}

/** The lock of the event keeps this check valid until the commit (PAY-7). */
async function refuseAboveLimit(tx: Transaction, eventId: number): Promise<void> {
  if ((await tx.manager.countBy(ExpensePayment, { eventId })) >= LIMITS.expenses.payments_per_event)
    throw new Refusal('payment_limit_reached');
}
